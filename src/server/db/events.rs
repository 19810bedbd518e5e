//! The rows of the event log: reading on from a sequence number, and writing a group in one transaction.

use sqlx::{Connection, Row};

use super::{Db, Result, Writer};
use crate::model::{ConversationId, Seq, Timestamp};

/// Events of one conversation that go into the log together, encoded.
pub struct Batch {
    pub conversation: ConversationId,
    /// The conversation begins with this batch, under this title.
    pub creates: Option<String>,
    pub events: Vec<String>,
    /// How the number of questions that wait for the end of a run changes.
    pub due: i64,
}

impl Db {
    /// The newest sequence number, or nothing if there is no such conversation.
    pub async fn last_seq(&self, conversation: ConversationId) -> Result<Option<Seq>> {
        let row = sqlx::query("SELECT last_seq FROM conversations WHERE id = ?")
            .bind(key(conversation))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| seq_from(row.get(0))))
    }

    /// Up to `limit` events after `after`, in order.
    pub async fn events_after(
        &self,
        conversation: ConversationId,
        after: Seq,
        limit: u32,
    ) -> Result<Vec<(Seq, String)>> {
        let rows =
            sqlx::query("SELECT seq, event FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?")
                .bind(key(conversation))
                .bind(seq_into(after))
                .bind(limit)
                .fetch_all(&self.readers)
                .await?;
        Ok(rows.into_iter().map(|row| (seq_from(row.get(0)), row.get(1))).collect())
    }
}

impl Writer {
    /// Writes all batches in one transaction and answers each one's first sequence number, or nothing where there is
    /// no such conversation. When this fails, nothing of the group was written.
    pub async fn append(&mut self, batches: &[Batch], now: Timestamp) -> Result<Vec<Option<Seq>>> {
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await?;
        let mut firsts = Vec::with_capacity(batches.len());
        for batch in batches {
            let id = key(batch.conversation);
            if let Some(title) = &batch.creates {
                sqlx::query("INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, ?3, ?3)")
                    .bind(&id[..])
                    .bind(title)
                    .bind(now.millis())
                    .execute(&mut *transaction)
                    .await?;
            }
            let moved = sqlx::query(
                "UPDATE conversations SET last_seq = last_seq + ?, updated_at = ?, due = max(0, due + ?)
                 WHERE id = ? RETURNING last_seq",
            )
            .bind(seq_into(batch.events.len() as Seq))
            .bind(now.millis())
            .bind(batch.due)
            .bind(&id[..])
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
        }
        transaction.commit().await?;
        Ok(firsts)
    }
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
