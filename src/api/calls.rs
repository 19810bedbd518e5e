//! Stop what is under way.

use leptos::prelude::*;

use crate::model::Problem;

/// Stops one call, and everything it has called. What it returns later is not used.
#[server(prefix = "/api", endpoint = "cancel_call")]
pub async fn cancel_call(conversation_id: String, call_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.cancel_call(conversation, &call_id.as_str().into())?)
}

/// Does a call over, without what is known already. The new one stands below the old one.
#[server(prefix = "/api", endpoint = "run_again")]
pub async fn run_again(conversation_id: String, call_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.run_again(conversation, call_id.as_str().into()).await?)
}

/// What came of a call that runs where the question came from, as JSON. The first answer counts.
#[server(prefix = "/api", endpoint = "post_result")]
pub async fn post_result(
    conversation_id: String,
    call_id: String,
    result: String,
    is_error: Option<bool>,
) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let app = crate::server::app()?;
    Ok(app.post_result(conversation, call_id.as_str().into(), &result, is_error.unwrap_or(false)).await?)
}

/// Stops the run that is going on, with all of its calls.
#[server(prefix = "/api", endpoint = "cancel_run")]
pub async fn cancel_run(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.cancel_run(conversation).await?)
}
