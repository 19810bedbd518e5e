//! Begin, list and load conversations.
#![allow(clippy::too_many_arguments, reason = "each is a field of the form")]

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

/// The list of conversations, as of one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct List {
    pub conversations: Vec<Listed>,
    pub now: Timestamp,
}

/// A line in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    pub id: ConversationId,
    pub title: String,
    pub updated_at: Timestamp,
    pub mark: Mark,
    /// Where what was looked for was said. What was found stands between \u{1} and \u{2}.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

/// What is worth knowing about a conversation before one opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    None,
    Running,
    /// For somebody.
    Waiting,
    Failed,
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
    tools: Option<Vec<String>>,
    client_tools: Option<String>,
    tab: Option<String>,
    todos: Option<String>,
    briefs: Option<String>,
) -> Result<Begun, Problem> {
    let ask = text.map(|text| crate::server::asking::Ask {
        text,
        model,
        prompt_path,
        media,
        tools,
        client_tools,
        tab,
        todos,
        briefs,
    });
    let preferences = crate::server::preferences::of_request();
    let conversation_id = crate::server::app()?.new_conversation(ask, &preferences).await?;
    leptos_axum::redirect(&format!("/c/{conversation_id}"));
    Ok(Begun { conversation_id })
}

/// Begins a conversation that goes on from an earlier point of another: the end of this turn, counted from 0. A browser is
/// sent on to its page.
#[server(prefix = "/api", endpoint = "branch")]
pub async fn branch(conversation_id: String, turn: usize) -> Result<Begun, Problem> {
    let from = crate::server::conversation_id(&conversation_id)?;
    let conversation_id = crate::server::app()?.branch(from, turn).await?;
    leptos_axum::redirect(&format!("/c/{conversation_id}"));
    Ok(Begun { conversation_id })
}

/// The conversations that were last active, newest first; with a query, those in which it was said or that are called so.
#[server(prefix = "/api", endpoint = "list_conversations", input = GetUrl)]
pub async fn list_conversations(query: Option<String>) -> Result<List, Problem> {
    Ok(crate::server::app()?.list(query.as_deref()).await?)
}

/// Calls a conversation something else.
#[server(prefix = "/api", endpoint = "rename_conversation")]
pub async fn rename_conversation(conversation_id: String, title: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.rename(conversation, &title).await?)
}

/// Takes a conversation away. For a day it can be brought back; a browser is sent to where that is offered.
#[server(prefix = "/api", endpoint = "delete_conversation")]
pub async fn delete_conversation(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    crate::server::app()?.delete(conversation).await?;
    leptos_axum::redirect(&format!("/?deleted={conversation}"));
    Ok(())
}

/// Brings back what was deleted.
#[server(prefix = "/api", endpoint = "restore_conversation")]
pub async fn restore_conversation(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    crate::server::app()?.restore(conversation).await?;
    leptos_axum::redirect(&format!("/c/{conversation}"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "load_conversation", input = GetUrl)]
pub async fn load_conversation(conversation_id: String) -> Result<Snapshot, Problem> {
    Ok(crate::server::app()?.snapshot(&conversation_id).await?)
}
