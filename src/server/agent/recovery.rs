//! What was left open: by a server that was killed, by a run that broke off. Every call gets its ending, and what may not
//! happen twice does not.

use std::collections::HashSet;

use tokio_util::sync::CancellationToken;

use super::Agent;
use crate::{
    model::{
        CallId, CallStatus, Conversation, ErrorKind, Event, Metadata, RunId, RunStatus, Stage, ToolCall,
        event::{AgentStatus, ToolCallEvent},
    },
    server::{
        Error,
        calls::{Caller, execution, gate, interruption},
        clock,
    },
};

impl Agent {
    /// Calls that are open because the server stopped, and that no run takes up: those whose run has ended, and those that
    /// were being done over, with everything below them.
    pub(super) fn take_up_orphans(&self, known: &Conversation, live: &HashSet<CallId>) {
        let is_over = |run: &RunId| known.run(run).is_none_or(|run| run.status.is_ended());
        let is_open = |call: &&ToolCall| !call.status.is_ended() && !live.contains(&call.id);
        for call in known.calls().filter(is_open) {
            let is_orphan = |run: &&RunId| is_over(run) || is_done_over(known, call);
            let Some(run) = call.run_id.as_ref().filter(is_orphan) else { continue };
            let caller = self.caller(known, run, &CancellationToken::new());
            let is_stopped =
                call.repeats.is_none() && known.run(run).is_some_and(|run| run.status == RunStatus::Cancelled);
            let (call, may_repeat) = (call.clone(), !has_taken_effect(self, known, &call.id));
            tokio::spawn(async move {
                let taken_up = match (&call.repeats, &call.parent_id) {
                    // It was stopped, and is not begun again.
                    _ if is_stopped => execution::cancel(&caller.taken_up(&call)).await.map(drop),
                    // Whoever made it is over.
                    (None, Some(_)) => execution::interrupt(&caller, &call, may_repeat).await.map(drop),
                    _ => execution::take_up(&caller, &call, may_repeat).await.map(drop),
                };
                if let Err(error) = taken_up {
                    tracing::error!(call = %call.id, %error, "a call could not be taken up");
                }
            });
        }
    }

    /// The endings that a run did not get to write. Calls that somebody is at end by themselves.
    pub(super) fn interrupted(&self, conversation: &Conversation, run: &RunId, live: &HashSet<CallId>) -> Vec<Event> {
        let now = clock::now();
        let open = conversation.calls().filter(|call| {
            let is_its = call.run_id.as_ref().is_none_or(|of| of == run);
            !call.status.is_ended() && is_its && !live.contains(&call.id)
        });
        let mut events: Vec<Event> = open
            .flat_map(|call| {
                let may_repeat = !has_taken_effect(self, conversation, &call.id);
                let told = interruption(&self.calls, call, may_repeat);
                let question = call.open_question().map(|ask| gate::withdrawn(&call.id, ask.nth));
                let ending = Event::ToolCall(ToolCallEvent {
                    id: call.id.clone(),
                    tool_name: Some(call.tool_name.clone()),
                    status: CallStatus::Failed,
                    stage: Some(call.stage.unwrap_or(Stage::PreparingSearch)),
                    metadata: Metadata { error_message: Some(told.into()), ..Metadata::default() },
                    timestamp: now,
                    run_id: Some(run.clone()),
                    parent_id: call.parent_id.clone(),
                    attempt: Some(call.attempt),
                    executor: Some(call.executor),
                    title: Some(call.title.clone()),
                    error_kind: Some(ErrorKind::Interrupted),
                    family: None,
                    repeats: call.repeats.clone(),
                    ask: None,
                    tab: None,
                });
                question.into_iter().chain([ending])
            })
            .collect();
        events.push(Event::AgentStatus(AgentStatus {
            run_id: run.clone(),
            status: RunStatus::Failed,
            error_message: Some(
                "This answer was interrupted before it was complete. What it had found is kept; ask again to go on."
                    .into(),
            ),
            timestamp: Some(now),
        }));
        events
    }
}

/// What was open when a run was stopped, and then the server.
pub async fn cancel_what_is_open(known: &Conversation, caller: &Caller) -> Result<(), Error> {
    let is_its = |call: &&ToolCall| call.run_id.as_ref() == Some(&caller.run) && !call.status.is_ended();
    for call in known.calls().filter(is_its).filter(|call| !is_done_over(known, call)) {
        execution::cancel(&caller.taken_up(call)).await?;
    }
    Ok(())
}

/// Calls of calls are not taken up: whoever made them makes them again.
pub async fn close_children(agent: &Agent, known: &Conversation, caller: &Caller) -> Result<(), Error> {
    let is_its = |call: &&ToolCall| call.run_id.as_ref() == Some(&caller.run) && call.parent_id.is_some();
    let is_left = |call: &&ToolCall| !call.status.is_ended() && !is_done_over(known, call);
    for call in known.calls().filter(is_its).filter(is_left) {
        execution::interrupt(caller, call, !has_taken_effect(agent, known, &call.id)).await?;
    }
    Ok(())
}

/// Whether a call has made another that must not be made twice.
pub fn has_taken_effect(agent: &Agent, known: &Conversation, call: &CallId) -> bool {
    let children = |id: &CallId| known.call(id).map(|call| call.children.clone()).unwrap_or_default();
    let mut below = children(call);
    while let Some(id) = below.pop() {
        let Some(child) = known.call(&id) else { continue };
        let may_repeat =
            agent.calls.tools.get(&child.tool_name).is_ok_and(|found| found.about.policy.effect.may_repeat());
        if !may_repeat && child.started_at.is_some() {
            return true;
        }
        below.extend(children(&child.id));
    }
    false
}

/// Whether a call does another one over, or stands below one that does.
fn is_done_over(known: &Conversation, call: &ToolCall) -> bool {
    let mut next = Some(call);
    while let Some(call) = next {
        if call.repeats.is_some() {
            return true;
        }
        next = call.parent_id.as_ref().and_then(|parent| known.call(parent));
    }
    false
}
