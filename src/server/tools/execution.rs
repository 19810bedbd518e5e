//! From a call's arguments to its ending. Whatever the tool does, even panic or hang, there is exactly one ending, and it
//! is written together with the result.
//!
//! A call waits for a slot, its arguments are checked, it runs under a deadline, what may pass is tried again, and
//! whoever cancels it is obeyed at once: a tool that does not listen goes on for nobody.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::{task::JoinHandle, time::timeout};

use super::{AnyTool, Done, Policy, Reporter, ToolError, schema};
use crate::{
    model::{CallStatus, ErrorKind, Event, Metadata, Stage, event::ToolCallEvent, event::ToolResult, summary},
    server::Error,
};

/// The event that gives a call its card, before its arguments are known. It fixes the title.
pub fn announcement(reporter: &Reporter, name: &str) -> Event {
    Event::ToolCall(ToolCallEvent { tool_name: Some(name.into()), ..reporter.event(CallStatus::Queued) })
}

/// How a call came to its end.
enum Outcome {
    Done(Box<Done<Value>>),
    Failed(ToolError),
    Cancelled,
}

/// Runs a call that has been announced, and returns its result, or nothing if it was cancelled. An error here means that
/// the log could not be written.
pub async fn execute(reporter: Reporter, name: &str, args: Value) -> Result<Option<ToolResult>, Error> {
    let reporter = Arc::new(reporter);
    let started = Instant::now();
    let outcome = match run(&reporter, name, args).await {
        Ok(outcome) => outcome,
        Err(Stop::Failed(error)) => Outcome::Failed(error),
        Err(Stop::Cancelled) => Outcome::Cancelled,
        Err(Stop::Broken(error)) => return Err(error),
    };
    reporter.say_what_waits().await?;
    let (ending, result) = ending(&reporter, outcome, millis(started.elapsed()));
    let events = result.iter().cloned().map(Event::ToolResult).chain([Event::ToolCall(ending)]);
    reporter.append(&events.collect::<Vec<_>>()).await?;
    Ok(result)
}

/// Why a call does not get any further.
enum Stop {
    Failed(ToolError),
    Cancelled,
    Broken(Error),
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Self {
        Self::Failed(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

async fn run(reporter: &Arc<Reporter>, name: &str, args: Value) -> Result<Outcome, Stop> {
    let tool = Arc::clone(reporter.tools().get(name)?);
    schema::check(&tool.input_schema(), &args).map_err(|reasons| refused(name, &reasons))?;
    let announced = tool.announce(&args)?;
    tokio::select! {
        biased;
        () = reporter.cancelled().cancelled() => return Err(Stop::Cancelled),
        entered = reporter.enter() => entered?,
    }
    let policy = tool.policy();
    let mut failures = 0;
    loop {
        let starting = ToolCallEvent { metadata: announced.clone(), ..reporter.event(CallStatus::Starting) };
        reporter.append(&[Event::ToolCall(starting)]).await?;
        let error = match attempt(&tool, reporter, args.clone(), &policy).await? {
            Outcome::Failed(error) if error.may_pass() && failures < policy.most_retries() => error,
            ended => return Ok(ended),
        };
        failures += 1;
        wait_to_retry(reporter, &policy, failures, &error).await?;
    }
}

fn refused(name: &str, reasons: &[String]) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, format!("{name} cannot be called like this: {}.", reasons.join("; ")))
}

/// Says that it is going to be tried again, and waits until then.
async fn wait_to_retry(reporter: &Reporter, policy: &Policy, failures: u32, error: &ToolError) -> Result<(), Stop> {
    let metadata = Metadata {
        retry_count: Some(failures),
        max_retries: Some(policy.most_retries()),
        error_message: Some(error.message.clone()),
        ..Metadata::default()
    };
    let retrying = ToolCallEvent { metadata, error_kind: Some(error.kind), ..reporter.event(CallStatus::Retrying) };
    reporter.append(&[Event::ToolCall(retrying)]).await?;
    reporter.next_attempt();
    let pause = policy.pause_after(failures, reporter.chance());
    tokio::select! {
        () = tokio::time::sleep(pause) => Ok(()),
        () = reporter.cancelled().cancelled() => Err(Stop::Cancelled),
    }
}

/// One attempt, in a task of its own, so that a panic ends this call and nothing else.
async fn attempt(
    tool: &Arc<dyn AnyTool>,
    reporter: &Arc<Reporter>,
    args: Value,
    policy: &Policy,
) -> Result<Outcome, Stop> {
    let mut task = tokio::spawn({
        let (tool, reporter) = (Arc::clone(tool), Arc::clone(reporter));
        async move { tool.run(args, &reporter).await }
    });
    let ended = tokio::select! {
        biased;
        () = reporter.cancelled().cancelled() => {
            watch(task, Arc::clone(reporter), policy.deadline);
            return Err(Stop::Cancelled);
        }
        ended = timeout(policy.deadline, &mut task) => ended,
    };
    Ok(match ended {
        Ok(Ok(Ok(done))) => Outcome::Done(Box::new(done)),
        Ok(Ok(Err(error))) => Outcome::Failed(error),
        Ok(Err(failure)) => {
            tracing::error!(%failure, "a tool did not return");
            Outcome::Failed(ToolError::new(ErrorKind::ToolError, "The tool broke off in the middle of its work."))
        }
        Err(_) => {
            task.abort();
            let limit = summary::duration(millis(policy.deadline));
            Outcome::Failed(ToolError::new(ErrorKind::Timeout, format!("There was no answer within {limit}.")))
        }
    })
}

/// What a tool that did not listen still returns is logged, and not used.
fn watch(task: JoinHandle<Result<Done<Value>, ToolError>>, reporter: Arc<Reporter>, patience: Duration) {
    let started = Instant::now();
    tokio::spawn(async move {
        let stop = task.abort_handle();
        if let Ok(Ok(Ok(done))) = timeout(patience, task).await {
            let late = Event::ToolResult(ToolResult {
                tool_call_id: reporter.call.clone(),
                result: done.output,
                is_error: false,
                duration_ms: millis(started.elapsed()),
                cached: false,
            });
            if let Err(error) = reporter.append(&[late]).await {
                tracing::debug!(%error, "a late result was not logged");
            }
        }
        stop.abort();
    });
}

fn ending(reporter: &Reporter, outcome: Outcome, duration_ms: u64) -> (ToolCallEvent, Option<ToolResult>) {
    let result = |result: Value, is_error| {
        Some(ToolResult { tool_call_id: reporter.call.clone(), result, is_error, duration_ms, cached: false })
    };
    match outcome {
        Outcome::Done(done) => (
            ToolCallEvent {
                metadata: done.metadata,
                stage: Some(Stage::Finalizing),
                ..reporter.event(CallStatus::Completed)
            },
            result(done.output, false),
        ),
        Outcome::Failed(ToolError { kind, message, .. }) => (
            ToolCallEvent {
                metadata: Metadata { error_message: Some(message.clone()), ..Metadata::default() },
                error_kind: Some(kind),
                ..reporter.event(CallStatus::Failed)
            },
            result(message.into(), true),
        ),
        Outcome::Cancelled => (reporter.event(CallStatus::Cancelled), None),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
