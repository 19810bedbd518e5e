//! Begin, list and load conversations.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::codec::GetUrl;

use crate::model::{Conversation, ConversationId, Problem, Timestamp};

/// A conversation as of one moment: what a page begins with, before it follows the events after `last_seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    pub title: String,
    pub conversation: Conversation,
    /// The server's clock, by which running calls are timed.
    pub now: Timestamp,
}

/// A line in the list of conversations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    pub id: ConversationId,
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    pub conversation_id: ConversationId,
}

/// Begins a conversation; with a text, that is its first question. A browser is sent on to its page.
#[server(prefix = "/api", endpoint = "new_conversation")]
pub async fn new_conversation(
    text: Option<String>,
    model: Option<String>,
    prompt_path: Option<String>,
    media: Option<String>,
    client_tools: Option<String>,
    todos: Option<String>,
    briefs: Option<String>,
) -> Result<Begun, Problem> {
    let ask =
        text.map(|text| crate::server::asking::Ask { text, model, prompt_path, media, client_tools, todos, briefs });
    let conversation_id = crate::server::app()?.new_conversation(ask).await?;
    leptos_axum::redirect(&format!("/c/{conversation_id}"));
    Ok(Begun { conversation_id })
}

#[server(prefix = "/api", endpoint = "list_conversations", input = GetUrl)]
pub async fn list_conversations() -> Result<Vec<Listed>, Problem> {
    Ok(crate::server::app()?.list().await?)
}

#[server(prefix = "/api", endpoint = "load_conversation", input = GetUrl)]
pub async fn load_conversation(conversation_id: String) -> Result<Snapshot, Problem> {
    crate::server::app()?.snapshot(&conversation_id).await.map_err(crate::server::as_page_status)
}
