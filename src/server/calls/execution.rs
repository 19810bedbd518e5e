//! From a call's arguments to its ending. Whatever the tool does, even panic or hang, there is exactly one ending, and it
//! is written together with the result.
//!
//! A call's arguments are checked, it waits for a slot, and it runs under a deadline; what may pass is tried again; what
//! is known already is used again; and whoever cancels it is obeyed at once: a tool that does not listen goes on for
//! nobody.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use super::{
    Caller, Reporter,
    cache::{Begin, Found, Key, Landing},
    keep, schema,
    voice::Sink,
};
use crate::{
    model::{
        CallStatus, ErrorKind, Event, Metadata, Stage, ToolCall, event::ToolCallEvent, event::ToolResult, summary,
    },
    server::{
        Error, crash,
        tools::{AnyTool, Done, Policy, Registered, ToolError},
    },
};

/// How a call came to its end.
enum Outcome {
    Done(Found),
    /// Found this long ago by another call.
    Known(Found, Duration),
    Failed(ToolError),
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

/// Runs a call that has been announced, and returns its result, or nothing if it was cancelled. An error here means that
/// the log could not be written.
pub async fn execute(reporter: Reporter, args: Value) -> Result<Option<ToolResult>, Error> {
    let reporter = Arc::new(reporter);
    let mut began = None;
    let outcome = match run(&reporter, args, &mut began).await {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Failed(error)) => Ok(Outcome::Failed(error)),
        Err(Stop::Cancelled) => Err(()),
        Err(Stop::Broken(error)) => return Err(error),
    };
    reporter.leave().await;
    end(&reporter, outcome.ok(), began.map_or(0, |began: Instant| millis(began.elapsed()))).await
}

/// Takes up a call that was open when the server stopped. What is safe to repeat runs again, as a further attempt; what is
/// not ends here, and nobody claims to know what came of it. Even a tool that may be repeated is not when `may_repeat` says
/// so.
pub async fn take_up(caller: &Caller, call: &ToolCall, may_repeat: bool) -> Result<Option<ToolResult>, Error> {
    let reporter = caller.taken_up(call);
    let Some(args) = call.args() else {
        let told = "Vitrine was stopped before all arguments were there, so this call did not run.";
        return interrupt(&reporter, told).await;
    };
    if call.started_at.is_none() {
        return execute(reporter, args).await;
    }
    let policy = caller.calls.tools.get(&call.tool_name).map(|found| found.about.policy);
    match policy {
        Ok(policy) if !may_repeat || !policy.effect.may_repeat() => {
            let told = "Vitrine was stopped while this ran. The outcome is unknown: it may have taken effect, so it was \
                        not run again. Look before you repeat it.";
            interrupt(&reporter, told).await
        }
        Ok(policy) if call.attempt > policy.most_retries() => {
            let told = "Vitrine was stopped each time while this ran, so it was given up. Ask again to try once more.";
            interrupt(&reporter, told).await
        }
        Ok(policy) => {
            let told = ToolError::new(ErrorKind::Interrupted, "Vitrine was stopped while this ran; it runs again.");
            retrying(&reporter, &policy, call.attempt, &told).await?;
            execute(reporter, args).await
        }
        // It ends as a call of a tool that is not there.
        Err(_) => execute(reporter, args).await,
    }
}

/// Ends a call that nobody is at any more.
pub async fn interrupt(reporter: &Reporter, told: &str) -> Result<Option<ToolResult>, Error> {
    let error = ToolError::new(ErrorKind::Interrupted, told);
    end(reporter, Some(Outcome::Failed(error)), 0).await
}

async fn run(reporter: &Arc<Reporter>, args: Value, began: &mut Option<Instant>) -> Result<Outcome, Stop> {
    let found = reporter.calls.tools.get(&reporter.voice.tool)?.clone();
    let Registered { about, tool } = &found;
    schema::check(&about.input_schema, &args).map_err(|reasons| refused(&about.name, &reasons))?;
    let announced = tool.announce(&args)?;
    if !about.policy.is_cacheable() {
        enter(reporter).await?;
        return attempts(reporter, &found, args, &announced, began).await;
    }
    let (key, fresh_for) = (Key::of(about, &tool.edition().await, &args), about.policy.fresh_for);
    if reporter.is_fresh {
        enter(reporter).await?;
        let outcome = attempts(reporter, &found, args, &announced, began).await?;
        if let Outcome::Done(found) = &outcome {
            reporter.calls.cache.put(key, Arc::clone(found));
        }
        return Ok(outcome);
    }
    loop {
        if let Some((known, age)) = reporter.calls.cache.known(&key, fresh_for) {
            return known_already(reporter, &announced, began, known, age).await;
        }
        enter(reporter).await?;
        match reporter.calls.cache.begin(key, fresh_for) {
            Begin::Known(known, age) => return known_already(reporter, &announced, began, known, age).await,
            Begin::Lead(flight) => {
                let outcome = attempts(reporter, &found, args, &announced, began).await?;
                match &outcome {
                    Outcome::Done(found) | Outcome::Known(found, _) => flight.land(Ok(Arc::clone(found))),
                    Outcome::Failed(error) => flight.land(Err(error.clone())),
                }
                return Ok(outcome);
            }
            Begin::Wait(flight) => {
                // Without a slot: whoever it waits for may need one.
                reporter.leave().await;
                reporter.wait_because("Waiting for the same call, which is running already".into()).await?;
                match landed(reporter, flight).await? {
                    Some(Ok(found)) => return known_already(reporter, &announced, began, found, Duration::ZERO).await,
                    Some(Err(error)) => return Ok(Outcome::Failed(error)),
                    None => {}
                }
            }
        }
    }
}

/// What came of the call that is waited for. Nothing, if it was given up.
async fn landed(reporter: &Reporter, mut flight: watch::Receiver<Option<Landing>>) -> Result<Option<Landing>, Stop> {
    tokio::select! {
        biased;
        () = reporter.cancelled.cancelled() => Err(Stop::Cancelled),
        landed = flight.wait_for(Option::is_some) => Ok(landed.ok().and_then(|landed| landed.clone())),
    }
}

async fn enter(reporter: &Reporter) -> Result<(), Stop> {
    tokio::select! {
        biased;
        () = reporter.cancelled.cancelled() => Err(Stop::Cancelled),
        entered = reporter.enter() => Ok(entered?),
    }
}

async fn known_already(
    reporter: &Reporter,
    announced: &Metadata,
    began: &mut Option<Instant>,
    known: Found,
    age: Duration,
) -> Result<Outcome, Stop> {
    began.get_or_insert_with(Instant::now);
    start(reporter, announced.clone()).await?;
    Ok(Outcome::Known(known, age))
}

async fn start(reporter: &Reporter, metadata: Metadata) -> Result<(), Error> {
    let starting = ToolCallEvent { metadata, ..reporter.voice.event(CallStatus::Starting) };
    reporter.voice.append(&[Event::ToolCall(starting)]).await
}

async fn attempts(
    reporter: &Arc<Reporter>,
    Registered { about, tool }: &Registered,
    args: Value,
    announced: &Metadata,
    began: &mut Option<Instant>,
) -> Result<Outcome, Stop> {
    let policy = &about.policy;
    let (p50_ms, p95_ms) = reporter.calls.usual.of(&about.name).unzip();
    let metadata = Metadata { p50_ms, p95_ms, ..announced.clone() };
    let mut failures = 0;
    loop {
        let since = *began.get_or_insert_with(Instant::now);
        start(reporter, metadata.clone()).await?;
        crash::point("started");
        let error = match attempt(tool, reporter, args.clone(), policy).await? {
            Outcome::Failed(error) if error.may_pass() && failures < policy.most_retries() => error,
            ended => {
                if let Outcome::Done(_) = ended {
                    reporter.calls.usual.add(&about.name, millis(since.elapsed()));
                }
                return Ok(ended);
            }
        };
        failures += 1;
        retrying(reporter, policy, failures, &error).await?;
        let pause = policy.pause_after(failures, reporter.chance());
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = reporter.cancelled.cancelled() => return Err(Stop::Cancelled),
        }
    }
}

fn refused(name: &str, reasons: &[String]) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, format!("{name} cannot be called like this: {}.", reasons.join("; ")))
}

/// Says that it is going to be tried again.
async fn retrying(reporter: &Reporter, policy: &Policy, failures: u32, error: &ToolError) -> Result<(), Error> {
    let metadata = Metadata {
        retry_count: Some(failures),
        max_retries: Some(policy.most_retries()),
        error_message: Some(error.message.clone()),
        ..Metadata::default()
    };
    let voice = &reporter.voice;
    voice.say_what_waits().await?;
    let retrying = ToolCallEvent { metadata, error_kind: Some(error.kind), ..voice.event(CallStatus::Retrying) };
    voice.append(&[Event::ToolCall(retrying)]).await?;
    reporter.next_attempt();
    Ok(())
}

/// One attempt, in a task of its own, so that a panic ends this call and nothing else.
async fn attempt(
    tool: &Arc<dyn AnyTool>,
    reporter: &Arc<Reporter>,
    args: Value,
    policy: &Policy,
) -> Result<Outcome, Stop> {
    let (limit, stop) = reporter.begin_attempt(policy.deadline);
    let mut task = tokio::spawn({
        let (tool, reporter) = (Arc::clone(tool), Arc::clone(reporter));
        async move { tool.run(args, &reporter).await }
    });
    let ended = tokio::select! {
        biased;
        () = stop.cancelled() => {
            watch(task, Arc::clone(reporter), policy.deadline);
            return Err(Stop::Cancelled);
        }
        ended = timeout(limit, &mut task) => ended,
    };
    // Whatever it has called ends with it, and so do its queries.
    stop.cancel();
    Ok(match ended {
        Ok(Ok(Ok(done))) => Outcome::Done(Arc::new(done)),
        Ok(Ok(Err(error))) => Outcome::Failed(error),
        Ok(Err(failure)) => {
            tracing::error!(%failure, "a tool did not return");
            Outcome::Failed(ToolError::new(ErrorKind::ToolError, "The tool broke off in the middle of its work."))
        }
        Err(_) => {
            task.abort();
            let limit = summary::duration(millis(limit));
            Outcome::Failed(ToolError::new(ErrorKind::Timeout, format!("There was no answer within {limit}.")))
        }
    })
}

/// What a tool that did not listen still returns is logged, and not used.
fn watch(task: JoinHandle<Result<Done<Value>, ToolError>>, reporter: Arc<Reporter>, patience: Duration) {
    let started = Instant::now();
    tokio::spawn(async move {
        let stop = task.abort_handle();
        if let Ok(Ok(Ok(done))) = timeout(patience, task).await
            && let Ok(late) = result(&reporter, &done.output, millis(started.elapsed())).await
            && let Err(error) = reporter.voice.append(&[Event::ToolResult(late)]).await
        {
            tracing::debug!(%error, "a late result was not logged");
        }
        stop.abort();
    });
}

/// Writes the ending, together with the result, and returns the result as whoever called gets it: whole.
async fn end(reporter: &Reporter, outcome: Option<Outcome>, duration_ms: u64) -> Result<Option<ToolResult>, Error> {
    let voice = &reporter.voice;
    voice.say_what_waits().await?;
    let mut events: Vec<Event> = voice.keep_output().await?.into_iter().collect();
    let Some(outcome) = outcome else {
        events.push(Event::ToolCall(voice.named(CallStatus::Cancelled)));
        voice.append(&events).await?;
        voice.tell_parents(1.0).await?;
        return Ok(None);
    };
    let (done, age, mut error) = match outcome {
        Outcome::Done(found) => (Some(found), None, None),
        Outcome::Known(found, age) => (Some(found), Some(age), None),
        Outcome::Failed(error) => (None, None, Some(error)),
    };
    let mut whole = None;
    if let Some(found) = done {
        match result(reporter, &found.output, duration_ms).await {
            Ok(logged) => {
                let logged = ToolResult { cached: age.is_some(), ..logged };
                whole = Some(ToolResult { result: found.output.clone(), ..logged.clone() });
                let metadata = Metadata { cache_age_ms: age.map(millis), ..found.metadata.clone() };
                let ending = voice.named(CallStatus::Completed);
                let ending = ToolCallEvent { metadata, stage: Some(Stage::Finalizing), ..ending };
                events.extend([Event::ToolResult(logged), Event::ToolCall(ending)]);
            }
            Err(Stop::Failed(refused)) => error = Some(refused),
            Err(Stop::Broken(error)) => return Err(error),
            Err(Stop::Cancelled) => {}
        }
    }
    if let Some(ToolError { kind, message, .. }) = error {
        let metadata = Metadata { error_message: Some(message.clone()), ..Metadata::default() };
        let ending = ToolCallEvent { metadata, error_kind: Some(kind), ..voice.named(CallStatus::Failed) };
        let failed = ToolResult {
            tool_call_id: voice.call.clone(),
            result: message.into(),
            is_error: true,
            duration_ms,
            cached: false,
            whole: None,
        };
        events.extend([Event::ToolResult(failed.clone()), Event::ToolCall(ending)]);
        whole = Some(failed);
    }
    crash::point("ending");
    voice.append(&events).await?;
    crash::point("ended");
    voice.tell_parents(1.0).await?;
    Ok(whole)
}

/// The result as the log gets it: what is too large is kept elsewhere, and here is a preview.
async fn result(reporter: &Reporter, output: &Value, duration_ms: u64) -> Result<ToolResult, Stop> {
    let voice = &reporter.voice;
    let size = keep::size(output);
    keep::admit(size)?;
    let (result, whole) = match &voice.sink {
        Sink::Log(log, _) if size > keep::LARGEST_EVENT => {
            let whole = keep::keep(log, keep::readable(output)).await?;
            crash::point("kept");
            (keep::preview(output, keep::LARGEST_EVENT), Some(whole))
        }
        _ => (output.clone(), None),
    };
    Ok(ToolResult { tool_call_id: voice.call.clone(), result, is_error: false, duration_ms, cached: false, whole })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
