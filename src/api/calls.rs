//! Do something about a call: stop it, run it again, say what came of it.

use leptos::prelude::*;

use crate::model::Problem;

/// Stops one call, and everything it has called. What it returns later is not used.
#[server(prefix = "/api", endpoint = "cancel_call")]
pub async fn cancel_call(conversation_id: String, call_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let cancelled = crate::server::app()?.cancel_call(conversation, &call_id.as_str().into());
    cancelled.map_err(|error| Problem::from(error).about(&call_id))
}

/// Does a call over, without what is known already, and with other arguments if they are given (as JSON). The new one stands
/// below the old one. What changes something asks first.
#[server(prefix = "/api", endpoint = "run_again")]
pub async fn run_again(conversation_id: String, call_id: String, args: Option<String>) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let begun = crate::server::app()?.run_again(conversation, call_id.as_str().into(), args.as_deref()).await;
    begun.map_err(|error| Problem::from(error).about(&call_id))
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

/// A page says that it begins a call that runs in it. Only one is told yes.
#[server(prefix = "/api", endpoint = "begin_call")]
pub async fn begin_call(conversation_id: String, call_id: String, tab: String, load: String) -> Result<bool, Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let page = crate::server::calls::Page { tab, load };
    Ok(crate::server::app()?.begin_call(conversation, &call_id.as_str().into(), page))
}

/// Leaves a result out of what the model gets, or (`is_left_out` is false) takes it in again.
#[server(prefix = "/api", endpoint = "leave_out")]
pub async fn leave_out(conversation_id: String, call_id: String, is_left_out: bool) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let left = crate::server::app()?.leave_out(conversation, call_id.as_str().into(), is_left_out).await;
    left.map_err(|error| Problem::from(error).about(&call_id))
}

/// Stops the run that is going on, with all of its calls.
#[server(prefix = "/api", endpoint = "cancel_run")]
pub async fn cancel_run(conversation_id: String) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    Ok(crate::server::app()?.cancel_run(conversation).await?)
}
