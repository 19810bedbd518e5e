//! Say yes or no to a call, or answer what it asks; and see what was allowed for longer.

use std::collections::BTreeMap;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::model::{ConversationId, Problem, Timestamp};

/// Allows a call that waits for that (`decision` is `approve`), or does not (`deny`). `scope` is `once`, `conversation` or
/// `always`; `args` are other arguments than the model's, as JSON; the model is told the `reason` why not.
#[server(prefix = "/api", endpoint = "approve_call")]
pub async fn approve_call(
    conversation_id: String,
    call_id: String,
    decision: String,
    nth: Option<u32>,
    scope: Option<String>,
    args: Option<String>,
    reason: Option<String>,
) -> Result<(), Problem> {
    use crate::{
        model::{ProblemKind, ask::Scope, words::Word},
        server::answering::Verdict,
    };
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let no = |told: &str| Problem::new(ProblemKind::InvalidInput, told);
    let is_allowed = match decision.as_str() {
        "approve" => true,
        "deny" => false,
        _ => return Err(no("The decision is “approve” or “deny”.")),
    };
    let scope = match scope.as_deref().filter(|scope| !scope.is_empty()) {
        Some(word) => Scope::from_word(word).ok_or_else(|| no("The scope is once, conversation or always."))?,
        None => Scope::Once,
    };
    let verdict = Verdict { is_allowed, scope, args, reason };
    let approved = crate::server::app()?.approve(conversation, call_id.as_str().into(), nth, verdict).await;
    approved.map_err(|error| Problem::from(error).about(&call_id))
}

/// Answers what a call asks. `fields` has what was filled in, by the field's place, from 0, and by `place.choice` where
/// several can be chosen; `skip` skips it.
#[server(prefix = "/api", endpoint = "answer_call")]
pub async fn answer_call(
    conversation_id: String,
    call_id: String,
    nth: Option<u32>,
    skip: Option<String>,
    fields: Option<BTreeMap<String, String>>,
) -> Result<(), Problem> {
    let conversation = crate::server::conversation_id(&conversation_id)?;
    let filled = skip.filter(|skip| !skip.is_empty()).is_none().then(|| fields.unwrap_or_default());
    let submitted = crate::server::app()?.submit(conversation, call_id.as_str().into(), nth, filled).await;
    submitted.map_err(|error| Problem::from(error).about(&call_id))
}

/// Something that is allowed without asking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantInfo {
    pub id: i64,
    pub tool: String,
    pub title: String,
    /// Where the tool comes from; nothing if it is one of our own.
    pub server: String,
    /// The only conversation in which it holds, and its title.
    pub conversation: Option<(ConversationId, String)>,
    pub at: Timestamp,
}

#[server(prefix = "/api", endpoint = "list_grants")]
pub async fn list_grants() -> Result<Vec<GrantInfo>, Problem> {
    Ok(crate::server::app()?.grants().await?)
}

/// Takes a permission back: the tool asks again from now on.
#[server(prefix = "/api", endpoint = "revoke_grant")]
pub async fn revoke_grant(id: i64) -> Result<(), Problem> {
    Ok(crate::server::app()?.revoke(id).await?)
}
