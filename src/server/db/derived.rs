//! What is read of a log in other ways than from its beginning to its end: rows that are derived from events and written
//! with them.

use sqlx::{Row, SqliteConnection};

use super::{
    Db, Result, conversations,
    events::key,
    grants::{self, GrantRow},
    media,
};
use crate::model::{CallId, ConversationId, MediaId, MessageId, Role, RunStatus, Seq, Timestamp, event::Kept};

/// How many calls of a tool are remembered.
pub const REMEMBERED: u32 = 200;

/// What one batch of events says beside itself.
#[derive(Default)]
pub struct Derived {
    /// How the number of questions that wait for the end of a run changes.
    pub due: i64,
    /// How the number of calls that have not ended changes.
    pub open_calls: i64,
    /// How the number of questions to a person changes.
    pub asking: i64,
    /// What a person allows for longer.
    pub grants: Vec<GrantRow>,
    /// Questions that say something else now, or nothing any more.
    pub requeued: Vec<(MessageId, Option<String>)>,
    /// How its newest run stands.
    pub state: Option<RunStatus>,
    /// What was said, to be found again.
    pub said: Vec<(MessageId, String)>,
    /// A title that replaces the one there is.
    pub title: Option<String>,
    /// Files that questions name.
    pub media: Vec<MediaId>,
    pub messages: Vec<MessageRow>,
    pub kept: Vec<KeptRow>,
    /// Calls that ran to their end: the tool, and how long it took.
    pub durations: Vec<(String, u64)>,
}

/// A message, and which event of its batch said it.
pub struct MessageRow {
    pub nth_event: usize,
    pub id: MessageId,
    pub kind: &'static str,
    pub role: Role,
    pub timestamp: Timestamp,
    pub json: String,
}

/// What a call has left outside the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRow {
    pub call: CallId,
    pub what: What,
    pub is_json: bool,
    pub kept: Kept,
}

/// Which of a call's two large things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Result,
    Output,
}

impl What {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Output => "output",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Result, Self::Output].into_iter().find(|what| what.as_str() == name)
    }
}

pub async fn write(
    connection: &mut SqliteConnection,
    conversation: ConversationId,
    first: Seq,
    derived: &Derived,
) -> Result<()> {
    media::claim(connection, conversation, &derived.media).await?;
    for (message, words) in &derived.said {
        conversations::write_words(connection, conversation, message, words).await?;
    }
    let id = key(conversation);
    for message in &derived.messages {
        sqlx::query("INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)")
            .bind(&id[..])
            .bind(message.id.as_str())
            .bind(message.kind)
            .bind(message.role.as_str())
            .bind(message.timestamp.to_string())
            .bind(i64::try_from(first).unwrap_or(i64::MAX).saturating_add_unsigned(message.nth_event as u64))
            .bind(&message.json)
            .execute(&mut *connection)
            .await?;
    }
    for (message, text) in &derived.requeued {
        conversations::write_words(connection, conversation, message, text.as_deref().unwrap_or_default()).await?;
        let query = match text {
            Some(text) => sqlx::query(
                "UPDATE messages SET message_json = json_set(message_json, '$.content', ?3)
                 WHERE conversation_id = ?1 AND id = ?2",
            )
            .bind(&id[..])
            .bind(message.as_str())
            .bind(text),
            None => sqlx::query("DELETE FROM messages WHERE conversation_id = ?1 AND id = ?2")
                .bind(&id[..])
                .bind(message.as_str()),
        };
        query.execute(&mut *connection).await?;
    }
    grants::write(connection, conversation, &derived.grants).await?;
    for KeptRow { call, what, is_json, kept } in &derived.kept {
        sqlx::query("INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?, ?, ?, ?)")
            .bind(&id[..])
            .bind(call.as_str())
            .bind(what.as_str())
            .bind(is_json)
            .bind(&kept.sha256)
            .bind(i64::try_from(kept.bytes).unwrap_or(i64::MAX))
            .bind(kept.parts)
            .execute(&mut *connection)
            .await?;
    }
    for (tool, millis) in &derived.durations {
        sqlx::query("INSERT INTO durations (tool, ms) VALUES (?, ?)")
            .bind(tool)
            .bind(i64::try_from(*millis).unwrap_or(i64::MAX))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Throws away what nothing names any more. Only before anything runs: parts are written before what names them.
pub async fn tidy(connection: &mut SqliteConnection) -> Result<()> {
    sqlx::query("DELETE FROM parts WHERE sha256 NOT IN (SELECT sha256 FROM kept)").execute(&mut *connection).await?;
    let sql = "DELETE FROM durations WHERE id NOT IN (
                   SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY tool ORDER BY id DESC) AS nth FROM durations)
                   WHERE nth <= ?)";
    sqlx::query(sql).bind(REMEMBERED).execute(&mut *connection).await?;
    Ok(())
}

impl Db {
    /// What a call has left outside the log.
    pub async fn kept(&self, conversation: ConversationId, call: &CallId, what: What) -> Result<Option<KeptRow>> {
        let sql =
            "SELECT is_json, bytes, sha256, parts FROM kept WHERE conversation_id = ? AND call_id = ? AND what = ?";
        let query = sqlx::query(sql).bind(key(conversation)).bind(call.as_str()).bind(what.as_str());
        let row = query.fetch_optional(&self.readers).await?;
        Ok(row.map(|row| KeptRow {
            call: call.clone(),
            what,
            is_json: row.get(0),
            kept: Kept { bytes: row.get::<i64, _>(1).unsigned_abs(), sha256: row.get(2), parts: row.get(3) },
        }))
    }

    /// One part of it, counted from 1.
    pub async fn part(&self, sha256: &str, part: u32) -> Result<Option<String>> {
        let query = sqlx::query("SELECT body FROM parts WHERE sha256 = ? AND part = ?").bind(sha256).bind(part);
        Ok(query.fetch_optional(&self.readers).await?.map(|row| row.get(0)))
    }

    /// How long the last calls of every tool took, the oldest first.
    pub async fn durations(&self) -> Result<Vec<(String, u64)>> {
        let rows = sqlx::query("SELECT tool, ms FROM durations ORDER BY id").fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<i64, _>(1).unsigned_abs())).collect())
    }

    /// The messages of one kind, in order, as JSON.
    #[cfg(test)]
    pub async fn messages(&self, conversation: ConversationId) -> Result<Vec<(i64, String, String)>> {
        let sql = "SELECT sequence_number, kind, message_json FROM messages WHERE conversation_id = ? ORDER BY 1";
        let rows = sqlx::query(sql).bind(key(conversation)).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }
}
