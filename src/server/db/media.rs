//! Attached files.

use sqlx::{Connection, Row, SqliteConnection};

use super::{Db, Result, Writer, events::key};
use crate::model::{ConversationId, MediaId, Timestamp, message::Media};

/// How long a file waits for its question.
const PATIENCE_MS: i64 = 24 * 60 * 60 * 1000;

/// A file as it was taken in.
pub struct MediaRow {
    pub about: Media,
    pub content: Vec<u8>,
    /// What a model reads of it, if it is no image.
    pub text: Option<String>,
}

impl Writer {
    pub async fn store_media(&mut self, media: &MediaRow, now: Timestamp) -> Result<()> {
        let mut connection = self.take_connection().await?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("DELETE FROM media WHERE conversation_id IS NULL AND created_at < ?")
            .bind(now.millis() - PATIENCE_MS)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO media (id, name, media_type, content, text, created_at) VALUES (?, ?, ?, ?, ?, ?)")
            .bind(media.about.id.as_str())
            .bind(&media.about.name)
            .bind(&media.about.media_type)
            .bind(&media.content)
            .bind(&media.text)
            .bind(now.millis())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.connection = Some(connection);
        Ok(())
    }
}

/// The files of a question belong to its conversation.
pub async fn claim(connection: &mut SqliteConnection, conversation: ConversationId, media: &[MediaId]) -> Result<()> {
    for id in media {
        sqlx::query("UPDATE media SET conversation_id = ?1 WHERE id = ?2 AND conversation_id IS NULL")
            .bind(key(conversation))
            .bind(id.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

impl Db {
    /// A file that this conversation has, or that nobody has yet.
    pub async fn media_about(&self, id: &MediaId, conversation: ConversationId) -> Result<Option<Media>> {
        let sql = "SELECT name, media_type, length(content) FROM media
                   WHERE id = ? AND (conversation_id IS NULL OR conversation_id = ?)";
        let query = sqlx::query(sql).bind(id.as_str()).bind(key(conversation));
        Ok(query.fetch_optional(&self.readers).await?.map(|row| Media {
            id: id.clone(),
            name: row.get(0),
            media_type: row.get(1),
            bytes: row.get::<i64, _>(2).unsigned_abs(),
        }))
    }

    /// A file of this conversation.
    pub async fn media(&self, id: &MediaId, conversation: ConversationId) -> Result<Option<MediaRow>> {
        let sql = "SELECT name, media_type, content, text FROM media WHERE id = ? AND conversation_id = ?";
        let query = sqlx::query(sql).bind(id.as_str()).bind(key(conversation));
        Ok(query.fetch_optional(&self.readers).await?.map(|row| {
            let content: Vec<u8> = row.get(2);
            let about = Media { id: id.clone(), name: row.get(0), media_type: row.get(1), bytes: content.len() as u64 };
            MediaRow { about, content, text: row.get(3) }
        }))
    }

    /// What a model reads of it.
    pub async fn media_text(&self, id: &MediaId, conversation: ConversationId) -> Result<Option<String>> {
        let sql = "SELECT text FROM media WHERE id = ? AND conversation_id = ?";
        let query = sqlx::query(sql).bind(id.as_str()).bind(key(conversation));
        Ok(query.fetch_optional(&self.readers).await?.and_then(|row| row.get(0)))
    }
}
