//! The rows of the event log: reading on from a sequence number, and writing a group in one transaction.

use std::sync::Arc;

use futures::TryStreamExt;
use sqlx::{Connection, Row, SqliteConnection};

use super::{
    Db, Result, Writer,
    derived::{self, Derived},
};
use crate::model::{ConversationId, RunStatus, Seq, Timestamp};

/// What is read of a log at once: enough to be quick, little enough that many slow readers cost little.
const PAGE_EVENTS: u32 = 256;
const PAGE_BYTES: usize = 256 * 1024;

/// Events of one conversation that go into the log together, encoded.
pub struct Batch {
    pub conversation: ConversationId,
    /// The conversation begins with this batch.
    pub creates: bool,
    /// Its title, if it has none yet.
    pub title: Option<String>,
    pub events: Vec<String>,
    pub derived: Derived,
}

/// A piece of something too large for an event. It is written before the event that names it.
pub struct Part {
    pub sha256: Arc<str>,
    /// From 1.
    pub part: u32,
    pub body: String,
}

impl Db {
    /// The newest sequence number, or nothing if there is no such conversation.
    pub async fn last_seq(&self, conversation: ConversationId) -> Result<Option<Seq>> {
        let row = sqlx::query("SELECT last_seq FROM conversations WHERE id = ? AND deleted_at IS NULL")
            .bind(key(conversation))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| seq_from(row.get(0))))
    }

    /// The next events after `after`, in order: a page of them, however large each one is.
    pub async fn events_after(&self, conversation: ConversationId, after: Seq) -> Result<Vec<(Seq, String)>> {
        let mut rows =
            sqlx::query("SELECT seq, event FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?")
                .bind(key(conversation))
                .bind(seq_into(after))
                .bind(PAGE_EVENTS)
                .fetch(&self.readers);
        let (mut page, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.try_next().await? {
            let event: String = row.get(1);
            bytes += event.len();
            page.push((seq_from(row.get(0)), event));
            if bytes >= PAGE_BYTES {
                break;
            }
        }
        Ok(page)
    }
}

impl Writer {
    /// Writes all parts and batches in one transaction and answers each one's first sequence number, or nothing where there is
    /// no such conversation. When this fails, nothing of the group was written.
    pub async fn append(&mut self, parts: &[Part], batches: &[Batch], now: Timestamp) -> Result<Vec<Option<Seq>>> {
        let mut connection = self.take_connection().await?;
        let firsts = write(&mut connection, parts, batches, now).await?;
        self.connection = Some(connection);
        Ok(firsts)
    }
}

async fn write(
    connection: &mut SqliteConnection,
    parts: &[Part],
    batches: &[Batch],
    now: Timestamp,
) -> Result<Vec<Option<Seq>>> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for Part { sha256, part, body } in parts {
        // Known by its content: what is there already is the same.
        sqlx::query("INSERT OR IGNORE INTO parts VALUES (?, ?, ?)")
            .bind(&**sha256)
            .bind(*part)
            .bind(body)
            .execute(&mut *transaction)
            .await?;
    }
    let mut firsts = Vec::with_capacity(batches.len());
    for batch in batches {
        let id = key(batch.conversation);
        if batch.creates {
            sqlx::query("INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?1, '', ?2, ?2)")
                .bind(&id[..])
                .bind(now.millis())
                .execute(&mut *transaction)
                .await?;
        }
        let moved = sqlx::query(
            "UPDATE conversations SET last_seq = last_seq + ?2, updated_at = ?3, due = max(0, due + ?4),
                     title = coalesce(?7, CASE WHEN title = '' THEN coalesce(?5, '') ELSE title END),
                     open_calls = max(0, open_calls + ?6), state = coalesce(?8, state),
                     asking = max(0, asking + ?9)
                 WHERE id = ?1 RETURNING last_seq",
        )
        .bind(&id[..])
        .bind(seq_into(batch.events.len() as Seq))
        .bind(now.millis())
        .bind(batch.derived.due)
        .bind(batch.title.as_deref())
        .bind(batch.derived.open_calls)
        .bind(batch.derived.title.as_deref())
        .bind(batch.derived.state.map(RunStatus::as_str))
        .bind(batch.derived.asking)
        .fetch_optional(&mut *transaction)
        .await?;
        let first = moved.map(|row| seq_from(row.get(0)) + 1 - batch.events.len() as Seq);
        firsts.push(first);
        let Some(first) = first else { continue };
        for (seq, event) in (first..).zip(&batch.events) {
            sqlx::query("INSERT INTO events (conversation_id, seq, at, event) VALUES (?, ?, ?, ?)")
                .bind(&id[..])
                .bind(seq_into(seq))
                .bind(now.millis())
                .bind(event)
                .execute(&mut *transaction)
                .await?;
        }
        derived::write(&mut transaction, batch.conversation, first, &batch.derived).await?;
    }
    transaction.commit().await?;
    Ok(firsts)
}

pub(super) fn key(conversation: ConversationId) -> Vec<u8> {
    conversation.as_uuid().as_bytes().to_vec()
}

/// SQLite's integers are signed; a log of more than 2^63 events is not expected.
fn seq_into(seq: Seq) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

fn seq_from(seq: i64) -> Seq {
    Seq::try_from(seq).unwrap_or(0)
}
