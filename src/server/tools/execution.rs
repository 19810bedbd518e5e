//! From a call's arguments to its ending. Whatever the tool does, even panic, there is exactly one ending, and it is
//! written together with the result.

use std::{sync::Arc, time::Instant};

use serde_json::Value;

use super::{AnyTool, Done, Registry, Reporter, ToolError};
use crate::{
    model::{
        CallStatus, ErrorKind, Event, Metadata, Stage, event::ToolCallEvent, event::ToolResult, summary::display_name,
    },
    server::Error,
};

/// The event that gives a call its card, before its arguments are known. It fixes the title.
pub fn announcement(registry: &Registry, reporter: &Reporter, name: &str) -> Event {
    Event::ToolCall(ToolCallEvent {
        tool_name: Some(name.into()),
        title: Some(registry.get(name).map_or_else(|_| display_name(name), |tool| tool.title().into())),
        ..reporter.event(CallStatus::Queued, Stage::PreparingSearch)
    })
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
    let starting = ToolCallEvent {
        metadata: announced.clone().unwrap_or_default(),
        ..reporter.event(CallStatus::Starting, Stage::PreparingSearch)
    };
    reporter.append(&[Event::ToolCall(starting)]).await?;
    announced?;
    // A task of its own, so that a panic ends this call and nothing else.
    let run = tokio::spawn(async move { tool.run(args, &reporter).await });
    run.await.unwrap_or_else(|failure| {
        tracing::error!(%failure, "a tool did not return");
        Err(ToolError::new(ErrorKind::ToolError, "The tool broke off in the middle of its work."))
    })
}

fn ending(
    reporter: &Reporter,
    outcome: Result<Done<Value>, ToolError>,
    duration_ms: u64,
) -> (ToolCallEvent, ToolResult) {
    let tool_call_id = reporter.call.clone();
    match outcome {
        Ok(Done { output, metadata }) => (
            ToolCallEvent { metadata, ..reporter.event(CallStatus::Completed, Stage::Finalizing) },
            ToolResult { tool_call_id, result: output, is_error: false, duration_ms, cached: false },
        ),
        Err(ToolError { kind, message }) => (
            ToolCallEvent {
                metadata: Metadata { error_message: Some(message.clone()), ..Metadata::default() },
                error_kind: Some(kind),
                // Where it failed is the last stage that it told of.
                stage: None,
                ..reporter.event(CallStatus::Failed, Stage::Finalizing)
            },
            ToolResult { tool_call_id, result: message.into(), is_error: true, duration_ms, cached: false },
        ),
    }
}
