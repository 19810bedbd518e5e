//! What is kept of a conversation beside its events: for lists, and for a server that starts again.

use sqlx::Row;
use uuid::Uuid;

use super::{Db, Result, events::key};
use crate::model::ConversationId;

pub struct ConversationRow {
    pub id: ConversationId,
    pub title: String,
}

impl Db {
    /// The conversations that were last active, newest first.
    pub async fn recent_conversations(&self, limit: u32) -> Result<Vec<ConversationRow>> {
        let rows = sqlx::query("SELECT id, title FROM conversations ORDER BY updated_at DESC, id DESC LIMIT ?")
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| Ok(ConversationRow { id: id_from(row.get(0))?, title: row.get(1) })).collect()
    }

    pub async fn title(&self, conversation: ConversationId) -> Result<Option<String>> {
        let row = sqlx::query("SELECT title FROM conversations WHERE id = ?")
            .bind(key(conversation))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| row.get(0)))
    }

    /// Where a run or a call was going, or should have been, when the server stopped.
    pub async fn due_conversations(&self) -> Result<Vec<ConversationId>> {
        let rows = sqlx::query("SELECT id FROM conversations WHERE due > 0 OR open_calls > 0")
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| id_from(row.get(0))).collect()
    }
}

fn id_from(bytes: &[u8]) -> Result<ConversationId> {
    let uuid = Uuid::from_slice(bytes).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(ConversationId::from_uuid(uuid))
}
