//! From a call's arguments to its ending. Whatever the tool does, even panic, there is exactly one ending, and it is
//! written together with the result.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

use super::{AnyTool, Done, Registry, Reporter, ToolError};
use crate::{
    model::{CallStatus, ErrorKind, Event, Metadata, Stage, event::ToolCallEvent, event::ToolResult},
    server::Error,
};

/// A tool that hangs must not keep its call open.
const DEADLINE: Duration = Duration::from_secs(60);

/// The event that gives a call its card, before its arguments are known. It fixes the title.
pub fn announcement(reporter: &Reporter, name: &str) -> Event {
    Event::ToolCall(ToolCallEvent { tool_name: Some(name.into()), ..reporter.event(CallStatus::Queued) })
}

/// Runs a call that has been announced, and returns its result. An error here means that the log could not be written.
pub async fn execute(registry: &Registry, reporter: Reporter, name: &str, args: Value) -> Result<ToolResult, Error> {
    let started = Instant::now();
    let reporter = Arc::new(reporter);
    let outcome = match registry.get(name) {
        Ok(tool) => attempt(Arc::clone(tool), Arc::clone(&reporter), args).await,
        Err(error) => Err(error),
    };
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (ending, result) = ending(&reporter, outcome, duration_ms);
    reporter.append(&[Event::ToolResult(result.clone()), Event::ToolCall(ending)]).await?;
    Ok(result)
}

async fn attempt(tool: Arc<dyn AnyTool>, reporter: Arc<Reporter>, args: Value) -> Result<Done<Value>, ToolError> {
    let announced = tool.announce(&args);
    let starting =
        ToolCallEvent { metadata: announced.clone().unwrap_or_default(), ..reporter.event(CallStatus::Starting) };
    reporter.append(&[Event::ToolCall(starting)]).await?;
    announced?;
    // A task of its own, so that a panic ends this call and nothing else; it goes when nobody waits for it any more.
    let run = AbortOnDropHandle::new(tokio::spawn(async move { tool.run(args, &reporter).await }));
    match tokio::time::timeout(DEADLINE, run).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(failure)) => {
            tracing::error!(%failure, "a tool did not return");
            Err(ToolError::new(ErrorKind::ToolError, "The tool broke off in the middle of its work."))
        }
        Err(_) => Err(ToolError::new(ErrorKind::Timeout, format!("There was no answer within {DEADLINE:?}."))),
    }
}

fn ending(
    reporter: &Reporter,
    outcome: Result<Done<Value>, ToolError>,
    duration_ms: u64,
) -> (ToolCallEvent, ToolResult) {
    let tool_call_id = reporter.call.clone();
    match outcome {
        Ok(Done { output, metadata }) => (
            ToolCallEvent { metadata, stage: Some(Stage::Finalizing), ..reporter.event(CallStatus::Completed) },
            ToolResult { tool_call_id, result: output, is_error: false, duration_ms, cached: false },
        ),
        Err(ToolError { kind, message }) => (
            ToolCallEvent {
                metadata: Metadata { error_message: Some(message.clone()), ..Metadata::default() },
                error_kind: Some(kind),
                ..reporter.event(CallStatus::Failed)
            },
            ToolResult { tool_call_id, result: message.into(), is_error: true, duration_ms, cached: false },
        ),
    }
}
