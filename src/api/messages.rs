//! Say something.

use leptos::prelude::*;

use serde::{Deserialize, Serialize};

use crate::model::{MessageId, Problem, Seq};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub message_id: MessageId,
    /// Where it stands in the log.
    pub seq: Seq,
}

/// Adds a question to a conversation and has it answered.
#[server(prefix = "/api", endpoint = "send_message")]
pub async fn send_message(conversation_id: String, text: String, model: Option<String>) -> Result<Sent, Problem> {
    let app = crate::server::app()?;
    Ok(app.send_message(crate::server::conversation_id(&conversation_id)?, &text, model).await?)
}
