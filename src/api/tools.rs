//! Which tools there are.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use server_fn::codec::GetUrl;

use crate::model::{Executor, Family, Problem};

/// What a tool says about itself, and how long it usually takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolInfo {
    pub name: String,
    pub title: String,
    pub short_title: String,
    pub family: Family,
    pub description: String,
    pub input_schema: Value,
    pub output_schema: Value,
    pub executor: Executor,
    pub is_read_only: bool,
    pub is_idempotent: bool,
    pub is_destructive: bool,
    pub deadline_ms: u64,
    pub max_retries: u32,
    /// For how long the same call is answered with the same result. Zero: every call runs.
    pub cached_for_ms: u64,
    pub examples: Vec<Value>,
    /// Half of its last calls took no longer.
    pub p50_ms: Option<u64>,
    /// Nearly all of them took no longer.
    pub p95_ms: Option<u64>,
}

/// What a tool is called, by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolName {
    pub name: String,
    pub title: String,
}

/// Only what they are called.
#[server(prefix = "/api", endpoint = "list_tool_names", input = GetUrl)]
pub async fn list_tool_names() -> Result<Vec<ToolName>, Problem> {
    let tools = crate::server::app()?.tools().into_iter();
    Ok(tools.map(|tool| ToolName { name: tool.name, title: tool.title }).collect())
}

#[server(prefix = "/api", endpoint = "list_tools", input = GetUrl)]
pub async fn list_tools() -> Result<Vec<ToolInfo>, Problem> {
    Ok(crate::server::app()?.tools())
}
