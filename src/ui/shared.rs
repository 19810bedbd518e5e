//! What pages have in common: the list of conversations, and what one can choose from.
//!
//! It is asked for once, here, and not where it is shown. A page that waits for something may be made more than once on
//! the server, and everything that is asked for inside would be asked for as often; a browser, which makes it once, would
//! then look for the answers under other numbers.

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_query_map};

use crate::{
    api::{List, ModelInfo, PresetInfo, ToolName, list_conversations, list_models, list_presets, list_tool_names},
    model::Problem,
};

#[derive(Clone, Copy)]
pub struct Shared {
    /// What is looked for in the list.
    pub query: RwSignal<String>,
    pub listed: Resource<Result<List, Problem>>,
    pub models: Resource<Vec<ModelInfo>>,
    /// Prompts are for models that read them: the embedded agent does not.
    pub presets: Resource<Vec<PresetInfo>>,
    pub tools: Resource<Vec<ToolName>>,
}

/// Has it for everything inside.
#[component]
pub fn WithShared(children: Children) -> impl IntoView {
    let (location, asked) = (use_location(), use_query_map());
    let query = RwSignal::new(untrack(|| asked.read().get("q").unwrap_or_default()));
    let presets = async || {
        let has_models = list_models().await.unwrap_or_default().iter().any(|model| !model.is_embedded);
        if has_models { list_presets().await.unwrap_or_default() } else { Vec::new() }
    };
    provide_context(Shared {
        query,
        // A conversation that has just begun belongs into the list.
        listed: Resource::new(
            move || (location.pathname.get(), query.get()),
            |(_, query)| list_conversations(Some(query).filter(|query| !query.trim().is_empty())),
        ),
        models: Resource::new(|| (), |()| async { list_models().await.unwrap_or_default() }),
        presets: Resource::new(|| (), move |()| presets()),
        tools: Resource::new(|| (), |()| async { list_tool_names().await.unwrap_or_default() }),
    });
    children()
}
