//! Writing the corpus. What is put twice, in whatever order, ends up the same: of two records of a bill the newer
//! holds, and records of one document fill each other's gaps.

use std::{collections::HashMap, path::Path};

use futures::TryStreamExt;
use sqlx::{
    Connection, Row, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use super::{SCHEMA_VERSION, bills::id_of, executive_actions::action_from};
use crate::{
    model::legislation::{ActionKind, BillDetails, ExecutiveAction},
    server::{
        Error,
        db::{self, StorageError},
    },
};

/// A bill as an import has read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillRecord {
    pub details: BillDetails,
    pub party: String,
    pub state: String,
    /// When its source was last brought up to date, as far as that says.
    pub updated: String,
    pub fingerprint: i64,
}

/// A draft of the corpus, open for writing.
pub struct Store {
    connection: SqliteConnection,
}

impl Store {
    /// Opens a draft, and makes its tables where there are none.
    pub async fn open(draft: &Path) -> Result<Self, Error> {
        let options = SqliteConnectOptions::new()
            .filename(draft)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .pragma("cache_size", "-65536");
        Self::open_with(&options).await.map_err(|error| StorageError::from(error).into())
    }

    async fn open_with(options: &SqliteConnectOptions) -> sqlx::Result<Self> {
        let mut connection = SqliteConnection::connect_with(options).await?;
        let schema: i32 = sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await?.get(0);
        if schema == 0 {
            let mut transaction = connection.begin().await?;
            sqlx::raw_sql(include_str!("schema.sql")).execute(&mut *transaction).await?;
            // A pragma takes no parameters; the version is a number of ours.
            let version = format!("PRAGMA user_version = {SCHEMA_VERSION}");
            sqlx::raw_sql(sqlx::AssertSqlSafe(version)).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        Ok(Self { connection })
    }

    pub async fn begin(&mut self) -> db::Result<()> {
        sqlx::raw_sql("BEGIN").execute(&mut self.connection).await?;
        Ok(())
    }

    pub async fn commit(&mut self) -> db::Result<()> {
        sqlx::raw_sql("COMMIT").execute(&mut self.connection).await?;
        Ok(())
    }

    /// What has been read, and what it was then.
    pub async fn sources(&mut self) -> db::Result<HashMap<String, i64>> {
        let rows = sqlx::query("SELECT source, fingerprint FROM sources").fetch_all(&mut self.connection).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    pub async fn set_read(&mut self, source: &str, fingerprint: i64) -> db::Result<()> {
        sqlx::query("INSERT INTO sources VALUES (?, ?) ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint")
            .bind(source)
            .bind(fingerprint)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    /// Takes a bill, unless a newer record of it is there. Tells whether it was taken.
    pub async fn put_bill(&mut self, record: &BillRecord) -> Result<bool, Error> {
        let BillDetails { bill, .. } = &record.details;
        let id = id_of(bill.congress, bill.kind, bill.number);
        let (cosponsors, actions) =
            (serde_json::to_string(&record.details.cosponsors)?, serde_json::to_string(&record.details.actions)?);
        let put = async {
            let newest = sqlx::query("SELECT updated, fingerprint FROM bills WHERE id = ?")
                .bind(id)
                .fetch_optional(&mut self.connection)
                .await?;
            let new = (record.updated.as_str(), record.fingerprint);
            if newest.as_ref().is_some_and(|row| (row.get::<&str, _>(0), row.get::<i64, _>(1)) >= new) {
                return Ok(false);
            }
            self.write_bill(id, record, &cosponsors, &actions).await?;
            if newest.is_some() {
                let delete = sqlx::query("DELETE FROM bill_subjects WHERE bill_id = ?");
                delete.bind(id).execute(&mut self.connection).await?;
            }
            sqlx::query("INSERT OR IGNORE INTO bill_subjects SELECT value, ? FROM json_each(?)")
                .bind(id)
                .bind(serde_json::Value::from(record.details.subjects.clone()).to_string())
                .execute(&mut self.connection)
                .await?;
            Ok::<_, sqlx::Error>(true)
        };
        Ok(put.await.map_err(StorageError::from)?)
    }

    async fn write_bill(&mut self, id: i64, record: &BillRecord, cosponsors: &str, actions: &str) -> sqlx::Result<()> {
        let details = &record.details;
        let bill = &details.bill;
        sqlx::query(
            "INSERT OR REPLACE INTO bills VALUES (
                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
             )",
        )
        .bind(id)
        .bind(bill.congress)
        .bind(bill.kind.as_str())
        .bind(bill.number)
        .bind(bill.kind.chamber().as_str())
        .bind(bill.status.as_str())
        .bind(&bill.introduced)
        .bind(&bill.latest_action_date)
        .bind(&bill.sponsor)
        .bind(&bill.sponsor_id)
        .bind(&record.party)
        .bind(&record.state)
        .bind(&bill.law)
        .bind(&bill.policy_area)
        .bind(&bill.title)
        .bind(details.cosponsor_count)
        .bind(&details.latest_action)
        .bind(&record.updated)
        .bind(record.fingerprint)
        .bind(details.other_titles.join("\n"))
        .bind(details.subjects.join("\n"))
        .bind(details.committees.join("\n"))
        .bind(&details.summary)
        .bind(cosponsors)
        .bind(actions)
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    /// Takes a document. Records of one document fill each other's gaps; where both say something, the longer text holds,
    /// whichever came first, unless this one is `newer`. Tells whether anything changed.
    pub async fn put_executive_action(&mut self, action: &ExecutiveAction, is_newer: bool) -> db::Result<bool> {
        let known = sqlx::query("SELECT *, '' AS snippet FROM executive_actions WHERE document_number = ?")
            .bind(&action.document_number)
            .fetch_optional(&mut self.connection)
            .await?
            .map(|row| action_from(&row));
        let merged = known.as_ref().map_or_else(|| action.clone(), |known| merged(known, action, is_newer));
        if known.as_ref() == Some(&merged) {
            return Ok(false);
        }
        sqlx::query("INSERT OR REPLACE INTO executive_actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(fingerprint(merged.document_number.as_bytes()))
            .bind(merged.kind.as_str())
            .bind(&merged.number)
            .bind(&merged.document_number)
            .bind(&merged.title)
            .bind(&merged.signed)
            .bind(&merged.published)
            .bind(&merged.president)
            .bind(&merged.citation)
            .bind(&merged.url)
            .bind(&merged.notes)
            .bind(&merged.text)
            .execute(&mut self.connection)
            .await?;
        Ok(true)
    }

    pub async fn set_meta(&mut self, key: &str, value: &str) -> db::Result<()> {
        sqlx::query("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
            .bind(key)
            .bind(value)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    pub async fn meta(&mut self, key: &str) -> db::Result<Option<String>> {
        Ok(meta(&mut self.connection, key).await?)
    }

    /// Which data this is, whatever the order in which it came.
    pub async fn content_version(&mut self) -> db::Result<String> {
        let bills = sqlx::query("SELECT count(*), coalesce(sum(fingerprint % 4294967291), 0) FROM bills")
            .fetch_one(&mut self.connection)
            .await?;
        let mut actions = 0_i64;
        let mut rows = sqlx::query("SELECT *, '' AS snippet FROM executive_actions").fetch(&mut self.connection);
        while let Some(row) = rows.try_next().await? {
            actions = actions.wrapping_add(fingerprint(format!("{:?}", action_from(&row)).as_bytes()));
        }
        Ok(format!("{}.{:x}.{actions:x}", bills.get::<i64, _>(0), bills.get::<i64, _>(1)))
    }

    /// Makes everything searchable, gives the whole its version, and closes it: one file, ready to be moved.
    pub async fn finish(mut self) -> Result<(), Error> {
        let version = self.content_version().await?;
        self.set_meta("version", &version).await?;
        let finished = async {
            let mut transaction = self.connection.begin().await?;
            for table in ["bills_text", "executive_actions_text"] {
                let rebuild = format!("INSERT INTO {table} ({table}) VALUES ('rebuild')");
                sqlx::raw_sql(sqlx::AssertSqlSafe(rebuild)).execute(&mut *transaction).await?;
            }
            sqlx::query("DELETE FROM meta WHERE key = 'task'").execute(&mut *transaction).await?;
            sqlx::raw_sql("ANALYZE").execute(&mut *transaction).await?;
            transaction.commit().await?;
            sqlx::raw_sql("PRAGMA journal_mode = DELETE").execute(&mut self.connection).await?;
            self.connection.close().await
        };
        Ok(finished.await.map_err(StorageError::from)?)
    }
}

pub(super) async fn meta(connection: &mut SqliteConnection, key: &str) -> sqlx::Result<Option<String>> {
    let row = sqlx::query("SELECT value FROM meta WHERE key = ?").bind(key).fetch_optional(connection).await?;
    Ok(row.map(|row| row.get(0)))
}

fn merged(known: &ExecutiveAction, new: &ExecutiveAction, is_newer: bool) -> ExecutiveAction {
    let pick = |known: &String, new: &String| {
        let is_better = (new.len(), new) > (known.len(), known) || is_newer && !new.is_empty();
        if is_better { new.clone() } else { known.clone() }
    };
    ExecutiveAction {
        // "Other" is what a document is called of which nothing better is known.
        kind: if known.kind == ActionKind::Other || is_newer && new.kind != ActionKind::Other {
            new.kind
        } else {
            known.kind
        },
        number: pick(&known.number, &new.number),
        document_number: known.document_number.clone(),
        title: pick(&known.title, &new.title),
        signed: pick(&known.signed, &new.signed),
        published: pick(&known.published, &new.published),
        president: pick(&known.president, &new.president),
        citation: pick(&known.citation, &new.citation),
        notes: pick(&known.notes, &new.notes),
        text: pick(&known.text, &new.text),
        url: pick(&known.url, &new.url),
        snippet: String::new(),
    }
}

/// FNV-1a, because it must be the same in every version of this program. Not against anyone who means harm.
pub fn fingerprint(bytes: &[u8]) -> i64 {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // Without the sign, so that it reads well everywhere.
    (hash >> 1).cast_signed()
}
