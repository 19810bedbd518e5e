//! The embedded corpus: US bills in a SQLite file of its own, with full-text search. It is made from the built-in
//! sample on the first start and only read afterwards.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

use sqlx::{
    Connection, Row, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteRow},
};

use super::{Error, db::StorageError};
use crate::model::Bill;

/// From what a person typed to what FTS5 takes.
mod query;

pub use query::{Match, words};

const SAMPLE: &str = include_str!("corpus/bills.csv");

const SCHEMA: &str = "
    CREATE TABLE bills (
        id INTEGER PRIMARY KEY, congress INTEGER NOT NULL, type TEXT NOT NULL, number INTEGER NOT NULL,
        title TEXT NOT NULL, sponsor TEXT NOT NULL, introduced TEXT NOT NULL, status TEXT NOT NULL,
        law TEXT NOT NULL, policy_area TEXT NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE bills_text USING fts5 (
        title, policy_area, sponsor, content='bills', content_rowid='id', tokenize='porter unicode61'
    );
";

#[derive(Clone)]
pub struct Corpus {
    readers: SqlitePool,
}

impl Corpus {
    /// Opens the corpus, after making it from the sample where there is none, or one from another sample.
    pub async fn open(file: &Path) -> Result<Self, Error> {
        if !is_current(file).await {
            make(file).await?;
        }
        let options = SqliteConnectOptions::new().filename(file).read_only(true);
        let readers =
            SqlitePoolOptions::new().max_connections(4).connect_with(options).await.map_err(StorageError::from)?;
        Ok(Self { readers })
    }

    /// The best matches, and how many there are in all. Titles weigh most.
    pub async fn search(&self, query: &Match, limit: u32) -> Result<(Vec<Bill>, u64), Error> {
        let found = sqlx::query(
            "WITH found AS MATERIALIZED (
                 SELECT rowid AS id, bm25(bills_text, 10.0, 4.0, 2.0) AS rank FROM bills_text WHERE bills_text MATCH ?
             )
             SELECT bills.*, (SELECT count(*) FROM found) AS total FROM found JOIN bills USING (id)
             ORDER BY rank, id LIMIT ?",
        )
        .bind(query.as_str())
        .bind(limit)
        .fetch_all(&self.readers)
        .await
        .map_err(StorageError::from)?;
        let total = found.first().map_or(0, |row| row.get::<i64, _>("total"));
        Ok((found.iter().map(bill_from).collect(), u64::try_from(total).unwrap_or(0)))
    }
}

fn bill_from(row: &SqliteRow) -> Bill {
    Bill {
        congress: row.get("congress"),
        kind: row.get("type"),
        number: row.get("number"),
        title: row.get("title"),
        sponsor: row.get("sponsor"),
        introduced: row.get("introduced"),
        status: row.get("status"),
        law: row.get("law"),
        policy_area: row.get("policy_area"),
    }
}

/// A fingerprint of schema and sample stands in the file, so that a server with others makes its own.
fn version() -> i32 {
    let mut fingerprint = DefaultHasher::new();
    (SCHEMA, SAMPLE).hash(&mut fingerprint);
    // The pragma holds 32 bits with a sign.
    (fingerprint.finish() >> 33) as i32
}

async fn is_current(file: &Path) -> bool {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let Ok(mut connection) = SqliteConnection::connect_with(&options).await else {
        return false;
    };
    let found = sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await;
    found.is_ok_and(|row| row.get::<i32, _>(0) == version())
}

/// Writes the corpus beside its place and moves it there when it is whole, so that nobody ever opens a half.
async fn make(file: &Path) -> Result<(), Error> {
    let draft = file.with_extension("draft");
    let _ = std::fs::remove_file(&draft);
    fill(&draft).await?;
    std::fs::rename(&draft, file)?;
    Ok(())
}

async fn fill(draft: &Path) -> Result<(), Error> {
    let options = SqliteConnectOptions::new().filename(draft).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(StorageError::from)?;
    let filled = async {
        let mut transaction = connection.begin().await?;
        sqlx::raw_sql(SCHEMA).execute(&mut *transaction).await?;
        for bill in sample() {
            sqlx::query("INSERT INTO bills VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(bill.congress)
                .bind(bill.kind)
                .bind(bill.number)
                .bind(bill.title)
                .bind(bill.sponsor)
                .bind(bill.introduced)
                .bind(bill.status)
                .bind(bill.law)
                .bind(bill.policy_area)
                .execute(&mut *transaction)
                .await?;
        }
        sqlx::raw_sql("INSERT INTO bills_text (bills_text) VALUES ('rebuild')").execute(&mut *transaction).await?;
        // A pragma takes no parameters; the version is a number of ours.
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", version())))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        connection.close().await
    };
    Ok(filled.await.map_err(StorageError::from)?)
}

fn sample() -> impl Iterator<Item = Bill> {
    // A line that cannot be read would be a mistake of ours; a test reads them all.
    csv::Reader::from_reader(SAMPLE.as_bytes()).into_deserialize().filter_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_whole_and_plausible() {
        let bills: Vec<Bill> = sample().collect();
        assert_eq!(bills.len(), SAMPLE.lines().count() - 1, "every line can be read");
        assert!(bills.len() >= 36, "a few dozen");
        for bill in &bills {
            assert!(bill.title.len() > 5 && bill.sponsor.contains('['), "{bill:?}");
            assert_eq!(bill.introduced.len(), 10, "{bill:?}");
            assert_eq!(bill.status == "Became law", !bill.law.is_empty(), "{bill:?}");
        }
    }

    #[tokio::test]
    async fn finds_by_stem_and_ranks_titles_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("corpus.db");
        let corpus = Corpus::open(&file).await.unwrap();
        let (bills, total) = corpus.search(&Match::all(&words("veteran affair")), 3).await.unwrap();
        assert!(total >= 1 && bills.len() <= 3);
        assert!(bills[0].title.contains("Veterans Affairs"), "{:?}", bills[0]);

        // A second start finds it as it is; a torn or foreign file is replaced.
        drop(corpus);
        let made = std::fs::metadata(&file).unwrap().modified().unwrap();
        Corpus::open(&file).await.unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), made);
        std::fs::write(&file, "not a database").unwrap();
        let corpus = Corpus::open(&file).await.unwrap();
        assert!(corpus.search(&Match::all(&words("health")), 1).await.unwrap().1 > 0);
    }
}
