//! What people have allowed for longer than one call. A permission is written with the answer that gives it, and is never
//! forgotten, only taken back: so it can be said since when, and why something asks again.

use sqlx::{Row, SqliteConnection};

use super::{Db, Result, Writer, events::key};
use crate::model::{ConversationId, Timestamp, ask::Subject};

/// A permission, as it is written.
pub struct GrantRow {
    pub subject: Subject,
    /// Only in the conversation in which it is given.
    pub is_local: bool,
    pub at: Timestamp,
}

/// A permission that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub id: i64,
    pub subject: Subject,
    /// The only conversation in which it holds, and its title.
    pub conversation: Option<(ConversationId, String)>,
    pub at: Timestamp,
}

/// What was said about a tool before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It is allowed, here or everywhere.
    Given {
        is_local: bool,
    },
    /// It was, as it was then; it has changed since.
    Changed {
        at: Timestamp,
    },
    /// It was, and that was taken back.
    Revoked {
        at: Timestamp,
    },
    None,
}

pub async fn write(connection: &mut SqliteConnection, conversation: ConversationId, grants: &[GrantRow]) -> Result<()> {
    for GrantRow { subject, is_local, at } in grants {
        // One at a time for a tool in a place, so that taking it back does so.
        let older = "UPDATE grants SET revoked_at = ?4
                     WHERE tool = ?1 AND server = ?2 AND conversation_id IS ?3 AND revoked_at IS NULL";
        sqlx::query(older)
            .bind(&subject.tool)
            .bind(&subject.server)
            .bind(is_local.then(|| key(conversation)))
            .bind(at.millis())
            .execute(&mut *connection)
            .await?;
        let sql = "INSERT INTO grants (conversation_id, tool, server, definition, granted_at) VALUES (?, ?, ?, ?, ?)";
        sqlx::query(sql)
            .bind(is_local.then(|| key(conversation)))
            .bind(&subject.tool)
            .bind(&subject.server)
            .bind(&subject.definition)
            .bind(at.millis())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

impl Db {
    /// How it stands with a tool in a conversation.
    pub async fn permission(&self, conversation: ConversationId, subject: &Subject) -> Result<Permission> {
        let sql = "SELECT conversation_id IS NOT NULL, definition = ?, granted_at, revoked_at FROM grants
                   WHERE tool = ? AND server = ? AND (conversation_id IS NULL OR conversation_id = ?)
                   ORDER BY id DESC";
        let query = sqlx::query(sql).bind(&subject.definition).bind(&subject.tool).bind(&subject.server);
        let rows = query.bind(key(conversation)).fetch_all(&self.readers).await?;
        let at = |millis| Timestamp::from_millis(millis);
        let holds = |row: &sqlx::sqlite::SqliteRow| row.get::<Option<i64>, _>(3).is_none();
        if let Some(row) = rows.iter().find(|row| holds(row) && row.get::<bool, _>(1)) {
            return Ok(Permission::Given { is_local: row.get(0) });
        }
        if let Some(row) = rows.iter().find(|row| holds(row)) {
            return Ok(Permission::Changed { at: at(row.get(2)) });
        }
        Ok(rows
            .first()
            .and_then(|row| row.get(3))
            .map_or(Permission::None, |revoked| Permission::Revoked { at: at(revoked) }))
    }

    /// All permissions that hold, the newest first.
    pub async fn grants(&self) -> Result<Vec<Held>> {
        let sql = "SELECT grants.id, tool, server, definition, granted_at, conversation_id, title FROM grants
                   LEFT JOIN conversations ON conversations.id = grants.conversation_id
                   WHERE revoked_at IS NULL AND deleted_at IS NULL ORDER BY grants.id DESC LIMIT 500";
        let rows = sqlx::query(sql).fetch_all(&self.readers).await?;
        rows.iter()
            .map(|row| {
                let of: Option<Vec<u8>> = row.get(5);
                let conversation = of.map(|of| super::conversations::id_from(&of)).transpose()?;
                Ok(Held {
                    id: row.get(0),
                    subject: Subject { tool: row.get(1), server: row.get(2), definition: row.get(3) },
                    conversation: conversation.map(|id| (id, row.get(6))),
                    at: Timestamp::from_millis(row.get(4)),
                })
            })
            .collect()
    }
}

impl Writer {
    /// Takes a permission back. False, if there is none.
    pub async fn revoke(&mut self, grant: i64, now: Timestamp) -> Result<bool> {
        let mut connection = self.take_connection().await?;
        let query = sqlx::query("UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL");
        let changed = query.bind(now.millis()).bind(grant).execute(&mut connection).await?.rows_affected();
        self.connection = Some(connection);
        Ok(changed > 0)
    }
}
