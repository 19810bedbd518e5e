//! Read what is too large for a card, part by part.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::codec::GetUrl;

use crate::model::Problem;

/// One part of a call's result or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What people call the tool.
    pub title: String,
    pub text: String,
    /// Which one it is, from 1, and of how many.
    pub part: u32,
    pub parts: u32,
    /// Of all parts together.
    pub bytes: u64,
    pub sha256: String,
}

/// A part of what a call has returned (`what` is `result`) or printed (`output`).
#[server(prefix = "/api", endpoint = "load_part", input = GetUrl)]
pub async fn load_part(
    conversation_id: String,
    call_id: String,
    what: String,
    part: Option<u32>,
) -> Result<Part, Problem> {
    let app = crate::server::app()?;
    Ok(app.part(&conversation_id, &call_id.as_str().into(), &what, part.unwrap_or(1)).await?)
}
