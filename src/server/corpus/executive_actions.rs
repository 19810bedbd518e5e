//! Reading executive actions: search, list, look up.

use sqlx::{QueryBuilder, Row, Sqlite, sqlite::SqliteRow};

use super::{
    Corpus, MOST_WORDS, Match, Order,
    bills::{page, unsigned},
};
use crate::{
    model::{
        legislation::{ActionKind, ExecutiveAction},
        words::Word,
    },
    server::{Error, db::StorageError},
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionFilters {
    pub kind: Option<ActionKind>,
    /// A part of the name.
    pub president: Option<String>,
    /// When it was signed.
    pub from: Option<String>,
    pub to: Option<String>,
}

/// All but the text, which only a document's own page shows.
const LINE: &str = "kind, number, document_number, executive_actions.title, signed, published, \
                    executive_actions.president, citation, executive_actions.notes, url";

/// When it was signed; corrections may not say.
const DATE: &str = "coalesce(nullif(signed, ''), published)";

impl Corpus {
    pub async fn search_executive_actions(
        &self,
        query: &Match,
        filters: &ActionFilters,
        order: Order,
        limit: u64,
        offset: u64,
    ) -> Result<Vec<ExecutiveAction>, Error> {
        let mut sql = QueryBuilder::new(format!(
            "SELECT {LINE}, '' AS text, snippet(executive_actions_text, -1, '**', '**', '…', 14) AS snippet
             FROM executive_actions_text JOIN executive_actions ON id = executive_actions_text.rowid
             WHERE executive_actions_text MATCH "
        ));
        sql.push_bind(query.as_str().to_owned());
        filter(&mut sql, filters);
        page(&mut sql, &by(order, "executive_actions_text.rank"), limit, offset);
        self.actions(sql).await
    }

    pub async fn count_executive_actions(&self, query: &Match, filters: &ActionFilters) -> Result<u64, Error> {
        let mut sql = QueryBuilder::new(
            "SELECT count(*) FROM executive_actions_text JOIN executive_actions ON id = executive_actions_text.rowid
             WHERE executive_actions_text MATCH ",
        );
        sql.push_bind(query.as_str().to_owned());
        filter(&mut sql, filters);
        self.number(sql).await
    }

    /// What the filters let through, newest first unless another order is wanted, and how many there are.
    pub async fn list_executive_actions(
        &self,
        filters: &ActionFilters,
        order: Order,
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<ExecutiveAction>, u64), Error> {
        let mut sql =
            QueryBuilder::new(format!("SELECT {LINE}, '' AS text, '' AS snippet FROM executive_actions WHERE 1 "));
        filter(&mut sql, filters);
        page(&mut sql, &by(order, &by(Order::Newest, "")), limit, offset);
        let mut counting = QueryBuilder::new("SELECT count(*) FROM executive_actions WHERE 1 ");
        filter(&mut counting, filters);
        Ok((self.actions(sql).await?, self.number(counting).await?))
    }

    /// Documents with this number of an order or proclamation, or this document number, with their text. Corrections
    /// come after what they correct.
    pub async fn executive_actions_numbered(
        &self,
        number: &str,
        filters: &ActionFilters,
    ) -> Result<Vec<ExecutiveAction>, Error> {
        let mut sql = QueryBuilder::new(format!(
            "SELECT {LINE}, text, '' AS snippet FROM executive_actions WHERE (document_number = "
        ));
        sql.push_bind(number.to_owned()).push(" COLLATE NOCASE OR number = ").push_bind(number.to_owned()).push(")");
        filter(&mut sql, filters);
        sql.push(" ORDER BY kind, document_number LIKE 'C%-%', published DESC");
        self.actions(sql).await
    }

    /// How many there are in all, or of this kind.
    pub async fn stored_executive_actions(&self, kind: Option<ActionKind>) -> Result<u64, Error> {
        let mut sql = QueryBuilder::new("SELECT count(*) FROM executive_actions WHERE 1 ");
        filter(&mut sql, &ActionFilters { kind, ..ActionFilters::default() });
        self.number(sql).await
    }

    /// The presidents there are documents of, with how many.
    pub async fn presidents(&self) -> Result<Vec<(String, u64)>, Error> {
        let sql = sqlx::query(
            "SELECT president, count(*) AS documents FROM executive_actions WHERE president <> ''
             GROUP BY president ORDER BY max(published) DESC",
        );
        let rows = sql.fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(rows.iter().map(|row| (row.get(0), unsigned(row, "documents"))).collect())
    }

    async fn actions(&self, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<ExecutiveAction>, Error> {
        let rows = sql.build().fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(rows.iter().map(action_from).collect())
    }
}

fn by(order: Order, otherwise: &str) -> String {
    match order {
        Order::Best => otherwise.to_owned(),
        Order::Newest => format!("{DATE} DESC, document_number DESC"),
        Order::Oldest => format!("{DATE}, document_number"),
    }
}

fn filter(sql: &mut QueryBuilder<Sqlite>, filters: &ActionFilters) {
    let ActionFilters { kind, president, from, to } = filters;
    if let Some(kind) = kind {
        sql.push(" AND kind = ").push_bind(kind.as_str());
    }
    if let Some(president) = president {
        for word in president.split_whitespace().take(MOST_WORDS) {
            sql.push(" AND instr(lower(executive_actions.president), ").push_bind(word.to_lowercase()).push(")");
        }
    }
    for (condition, date) in [(">= ", from), ("<= ", to)] {
        if let Some(date) = date {
            sql.push(format!(" AND {DATE} {condition}")).push_bind(date.clone());
        }
    }
}

pub(super) fn action_from(row: &SqliteRow) -> ExecutiveAction {
    ExecutiveAction {
        kind: ActionKind::from_word(row.get("kind")).unwrap_or(ActionKind::Other),
        number: row.get("number"),
        document_number: row.get("document_number"),
        title: row.get("title"),
        signed: row.get("signed"),
        published: row.get("published"),
        president: row.get("president"),
        citation: row.get("citation"),
        notes: row.get("notes"),
        text: row.get("text"),
        url: row.get("url"),
        snippet: row.get("snippet"),
    }
}
