//! Read what is further up in a conversation.

use leptos::prelude::*;
use server_fn::codec::GetUrl;

use super::Snapshot;
use crate::model::{Problem, Stretch};

/// Some turns before the one with this number, to be put before those that a page has.
#[server(prefix = "/api", endpoint = "load_before", input = GetUrl)]
pub async fn load_before(conversation_id: String, turn: usize) -> Result<Stretch, Problem> {
    Ok(crate::server::app()?.before(&conversation_id, turn).await?)
}

/// The same as a page of its own, which needs no script to be read.
#[server(prefix = "/api", endpoint = "load_excerpt", input = GetUrl)]
pub async fn load_excerpt(conversation_id: String, turn: usize) -> Result<Snapshot, Problem> {
    Ok(crate::server::app()?.excerpt(&conversation_id, turn).await?)
}

/// In which turn a call stands, if there is such a call.
#[server(prefix = "/api", endpoint = "find_call", input = GetUrl)]
pub async fn find_call(conversation_id: String, call_id: String) -> Result<Option<usize>, Problem> {
    Ok(crate::server::app()?.find_call(&conversation_id, &call_id).await?)
}
