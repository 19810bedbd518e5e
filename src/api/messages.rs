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
/// `tools` are those that the agent may use, as before if it is not said; `client_tools`, `todos` and `briefs` are JSON lists, `tab` is the page in which those tools run.
#[server(prefix = "/api", endpoint = "send_message")]
pub async fn send_message(
    conversation_id: String,
    text: String,
    model: Option<String>,
    prompt_path: Option<String>,
    media: Option<String>,
    tools: Option<Vec<String>>,
    client_tools: Option<String>,
    tab: Option<String>,
    todos: Option<String>,
    briefs: Option<String>,
) -> Result<Sent, Problem> {
    let ask = crate::server::asking::Ask { text, model, prompt_path, media, tools, client_tools, tab, todos, briefs };
    Ok(crate::server::app()?.send_message(crate::server::conversation_id(&conversation_id)?, ask).await?)
}

/// Says something else instead of a question that waits.
#[server(prefix = "/api", endpoint = "edit_queued")]
pub async fn edit_queued(conversation_id: String, message_id: String, question: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.requeue(conversation, message_id.as_str().into(), Some(&question)).await?)
}

/// Takes back a question that waits.
#[server(prefix = "/api", endpoint = "withdraw_queued")]
pub async fn withdraw_queued(conversation_id: String, message_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.requeue(conversation, message_id.as_str().into(), None).await?)
}
