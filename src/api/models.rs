//! Who can be asked.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::codec::GetUrl;

use crate::model::Problem;

/// A model that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    pub name: String,
    pub label: String,
    /// The agent that needs no model: what it is asked stays here.
    pub is_embedded: bool,
}

/// Which models there are, the one that is asked if nobody chooses first.
#[server(prefix = "/api", endpoint = "list_models", input = GetUrl)]
pub async fn list_models() -> Result<Vec<ModelInfo>, Problem> {
    let preferred = crate::server::preferences::of_request().model;
    Ok(crate::server::app()?.agent.models.list(preferred.as_deref()))
}
