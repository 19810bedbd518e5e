//! What is kept of a conversation beside its events: for lists, for searching, and for a server that starts again.

use sqlx::{Connection, Row, SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use super::{Db, Result, Writer, events::key};
use crate::model::{ConversationId, MessageId, Timestamp};

pub struct ConversationRow {
    pub id: ConversationId,
    pub title: String,
    pub updated_at: Timestamp,
    /// Of its newest run.
    pub state: String,
    /// Whether a question waits.
    pub is_due: bool,
    /// Whether somebody is waited for.
    pub is_asking: bool,
    /// Where what was looked for stands, between \u{1} and \u{2}, if it is not in the title.
    pub excerpt: Option<String>,
}

/// How long something deleted can be brought back.
const PATIENCE_MS: i64 = 24 * 60 * 60 * 1000;

const COLUMNS: &str = "id, title, updated_at, state, due > 0, asking > 0";

impl Db {
    /// The conversations that were last active, newest first.
    pub async fn recent_conversations(&self, limit: u32) -> Result<Vec<ConversationRow>> {
        let sql = format!(
            "SELECT {COLUMNS}, NULL FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, id DESC LIMIT ?"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(limit).fetch_all(&self.readers).await?;
        rows.iter().map(row).collect()
    }

    /// Those whose title has these letters, or in which these words, or beginnings of words, were said.
    pub async fn find_conversations(&self, words: &[&str], limit: u32) -> Result<Vec<ConversationRow>> {
        let phrase = words.iter().map(|word| format!("\"{}\"*", word.replace('"', ""))).collect::<Vec<_>>().join(" ");
        let pattern = words.join(" ").replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let sql = format!(
            "WITH found AS (
                 SELECT of, min(nearness), excerpt FROM (
                     SELECT said.conversation_id AS of, said_words.rank AS nearness,
                            snippet(said_words, 0, char(1), char(2), '…', 12) AS excerpt
                     FROM said_words JOIN said ON said.id = said_words.rowid WHERE said_words MATCH ?1
                     ORDER BY said_words.rank LIMIT 1000)
                 GROUP BY of)
             SELECT {COLUMNS}, found.excerpt FROM conversations LEFT JOIN found ON found.of = conversations.id
             WHERE deleted_at IS NULL AND (found.of IS NOT NULL OR title LIKE '%' || ?2 || '%' ESCAPE '\\')
             ORDER BY updated_at DESC, id DESC LIMIT ?3"
        );
        let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(phrase).bind(pattern).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(row).collect()
    }

    /// What it is called, if it is there.
    pub async fn title(&self, conversation: ConversationId) -> Result<Option<String>> {
        let row = sqlx::query("SELECT title FROM conversations WHERE id = ? AND deleted_at IS NULL")
            .bind(key(conversation))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| row.get(0)))
    }

    /// Where a run or a call was going, or should have been, when the server stopped.
    pub async fn due_conversations(&self) -> Result<Vec<ConversationId>> {
        let rows = sqlx::query("SELECT id FROM conversations WHERE (due > 0 OR open_calls > 0) AND deleted_at IS NULL")
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| id_from(row.get(0))).collect()
    }
}

impl Writer {
    /// Deletes a conversation, or brings it back. False, if there is none to which that could be done.
    pub async fn set_deleted(&mut self, id: ConversationId, is_deleted: bool, now: Timestamp) -> Result<bool> {
        let mut connection = self.take_connection().await?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("DELETE FROM conversations WHERE deleted_at < ?")
            .bind(now.millis() - PATIENCE_MS)
            .execute(&mut *transaction)
            .await?;
        let sql = "UPDATE conversations SET deleted_at = ?2 WHERE id = ?1 AND (deleted_at IS NULL) = (?2 IS NOT NULL)";
        let query = sqlx::query(sql).bind(key(id)).bind(is_deleted.then_some(now.millis()));
        let changed = query.execute(&mut *transaction).await?.rows_affected();
        transaction.commit().await?;
        self.connection = Some(connection);
        Ok(changed > 0)
    }
}

/// Keeps the words of something that was said, instead of those that were said there before.
pub async fn write_words(
    connection: &mut SqliteConnection,
    conversation: ConversationId,
    message: &MessageId,
    words: &str,
) -> Result<()> {
    let id = key(conversation);
    sqlx::query("DELETE FROM said WHERE conversation_id = ? AND message_id = ?")
        .bind(&id[..])
        .bind(message.as_str())
        .execute(&mut *connection)
        .await?;
    if words.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO said (conversation_id, message_id) VALUES (?, ?) RETURNING id";
    let row = sqlx::query(sql).bind(&id[..]).bind(message.as_str()).fetch_one(&mut *connection).await?;
    sqlx::query("INSERT INTO said_words (rowid, words) VALUES (?, ?)")
        .bind(row.get::<i64, _>(0))
        .bind(words)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

fn row(row: &SqliteRow) -> Result<ConversationRow> {
    Ok(ConversationRow {
        id: id_from(row.get(0))?,
        title: row.get(1),
        updated_at: Timestamp::from_millis(row.get(2)),
        state: row.get(3),
        is_due: row.get(4),
        is_asking: row.get(5),
        excerpt: row.get(6),
    })
}

pub(super) fn id_from(bytes: &[u8]) -> Result<ConversationId> {
    let uuid = Uuid::from_slice(bytes).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(ConversationId::from_uuid(uuid))
}
