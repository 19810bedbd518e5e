//! Say something.
#![allow(clippy::too_many_arguments, reason = "each is a field of the form")]

use leptos::prelude::*;

use serde::{Deserialize, Serialize};

use crate::model::{MessageId, Problem, Seq};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub message_id: MessageId,
    /// Where it stands in the log.
    pub seq: Seq,
}

/// Adds a question to a conversation and has it answered. `media` are ids of attached files, with commas in between;
/// `tools` are those that the agent may use, as before if it is not said; `client_tools`, `todos` and `briefs` are JSON lists.
#[server(prefix = "/api", endpoint = "send_message")]
pub async fn send_message(
    conversation_id: String,
    text: String,
    model: Option<String>,
    prompt_path: Option<String>,
    media: Option<String>,
    tools: Option<Vec<String>>,
    client_tools: Option<String>,
    todos: Option<String>,
    briefs: Option<String>,
) -> Result<Sent, Problem> {
    let ask = crate::server::asking::Ask { text, model, prompt_path, media, tools, client_tools, todos, briefs };
    Ok(crate::server::app()?.send_message(crate::server::conversation_id(&conversation_id)?, ask).await?)
}
