//! What holds for a whole conversation: when results go to the model, and notes.

use leptos::prelude::*;

use crate::model::Problem;

/// When the results of a step go to the model: `at_once`, `after_confirmation` or `with_next_message`.
#[server(prefix = "/api", endpoint = "set_follow_up")]
pub async fn set_follow_up(conversation_id: String, follow_up: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.set_follow_up(conversation, &follow_up).await?)
}

/// Results that wait for a look go to the model.
#[server(prefix = "/api", endpoint = "send_results")]
pub async fn send_results(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.decide_results(conversation, true).await?)
}

/// Results that wait for a look are left out, and the answer ends there.
#[server(prefix = "/api", endpoint = "discard_results")]
pub async fn discard_results(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.decide_results(conversation, false).await?)
}

/// Pins a note to a conversation. The model gets it with every question.
#[server(prefix = "/api", endpoint = "pin_brief")]
pub async fn pin_brief(conversation_id: String, note: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.pin_brief(conversation, &note).await?)
}

/// Takes a note away.
#[server(prefix = "/api", endpoint = "remove_brief")]
pub async fn remove_brief(conversation_id: String, brief_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.remove_brief(conversation, brief_id.as_str().into()).await?)
}
