//! What events say beside themselves: who waits for whom, which messages there are, what is kept where, how long things
//! take. It is written with them, so it is never older or newer than they are.

use crate::{
    model::{
        CallStatus, Event, Role,
        ask::{Answer, AnswerEvent, Scope},
        event::{ToolCallEvent, ToolResult},
    },
    server::{
        Error, clock,
        db::{
            derived::{Derived, KeptRow, MessageRow, What},
            grants::GrantRow,
        },
    },
};

pub fn derive(events: &[Event]) -> Result<Derived, Error> {
    let mut derived = Derived::default();
    for (nth_event, event) in events.iter().enumerate() {
        match event {
            Event::Message(message) => {
                // A question is due until a run has ended.
                derived.due += i64::from(message.role == Role::User);
                if matches!(message.role, Role::User | Role::Assistant) {
                    derived.said.push((message.id.clone(), message.content.clone()));
                }
                let media = message.metadata.iter().flat_map(|metadata| &metadata.media);
                derived.media.extend(media.map(|media| media.id.clone()));
                let json = serde_json::to_string(message)?;
                let (id, role, timestamp) = (message.id.clone(), message.role, message.timestamp);
                derived.messages.push(MessageRow { nth_event, id, kind: "text", role, timestamp, json });
            }
            Event::ToolsAggregate(aggregate) => {
                let (id, json) = (aggregate.message_id.clone(), serde_json::to_string(aggregate)?);
                let (kind, role, timestamp) = ("tools_aggregate", Role::Assistant, clock::now());
                derived.messages.push(MessageRow { nth_event, id, kind, role, timestamp, json });
            }
            Event::AgentStatus(event) => {
                derived.due -= i64::from(event.status.is_ended());
                derived.state = Some(event.status);
            }
            Event::ToolCall(event) => {
                derived.open_calls += opened(event);
                derived.asking += i64::from(event.ask.is_some());
                derived.durations.extend(duration(event, events));
            }
            Event::ToolResult(result) => derived.kept.extend(result.whole.clone().map(|kept| KeptRow {
                call: result.tool_call_id.clone(),
                what: What::Result,
                is_json: !result.result.is_string(),
                kept,
            })),
            Event::ToolOutput(output) => derived.kept.extend(output.whole.clone().map(|kept| KeptRow {
                call: output.tool_call_id.clone(),
                what: What::Output,
                is_json: false,
                kept,
            })),
            Event::Answer(answer) => {
                derived.asking -= i64::from(answer.nth > 0);
                derived.grants.extend(grant(answer));
            }
            Event::Queue(queued) => {
                derived.due -= i64::from(queued.text.is_none());
                derived.requeued.push((queued.message_id.clone(), queued.text.clone()));
            }
            // Its run ends for both.
            Event::Steer(_) => derived.due -= 1,
            Event::ConversationUpdated(updated) => derived.title = updated.title.clone().or(derived.title),
            Event::ToolsCallUpdate(_)
            | Event::TextDelta(_)
            | Event::ReasoningDelta(_)
            | Event::AgentStepCompleted(_)
            | Event::AgentContinuation(_)
            | Event::Usage(_)
            | Event::Brief(_)
            | Event::Todos(_)
            | Event::Context(_)
            | Event::Unknown => {}
        }
    }
    Ok(derived)
}

/// What somebody allows for longer than one call.
fn grant(event: &AnswerEvent) -> Option<GrantRow> {
    let Answer::Approved { scope, .. } = event.answer else { return None };
    let is_local = match scope {
        Scope::Once => return None,
        Scope::Conversation => true,
        Scope::Always => false,
    };
    Some(GrantRow { subject: event.subject.clone()?, is_local, at: event.timestamp })
}

/// A call is announced once, with its name, and ends once.
fn opened(event: &ToolCallEvent) -> i64 {
    match event.status {
        CallStatus::Queued => i64::from(event.tool_name.is_some()),
        status => -i64::from(status.is_ended()),
    }
}

/// How long a call took that ran to its end: its result stands beside its ending.
fn duration(event: &ToolCallEvent, events: &[Event]) -> Option<(String, u64)> {
    let tool = event.tool_name.as_ref().filter(|_| event.status == CallStatus::Completed)?;
    let is_its = |result: &&ToolResult| result.tool_call_id == event.id && !result.cached;
    let mut results = events.iter().filter_map(|event| match event {
        Event::ToolResult(result) => Some(result),
        _ => None,
    });
    results.find(is_its).map(|result| (tool.clone(), result.duration_ms))
}
