//! What a model can be told about itself.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::codec::GetUrl;

use crate::model::Problem;

/// A prompt preset that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresetInfo {
    /// What a question names it by: its `prompt_path`.
    pub path: String,
    pub title: String,
    pub description: String,
}

/// Which presets there are, the default first.
#[server(prefix = "/api", endpoint = "list_presets", input = GetUrl)]
pub async fn list_presets() -> Result<Vec<PresetInfo>, Problem> {
    Ok(crate::server::app()?.agent.presets.list())
}
