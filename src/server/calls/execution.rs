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
    ending::{Ended, Outcome, Stop, end, interruption, millis, result, short, since},
    gate::{self, Pass},
    schema,
};
use crate::{
    model::{
        CallStatus, ErrorKind, Event, Executor, Metadata, ToolCall, event::ToolCallEvent, event::ToolResult, summary,
    },
    server::{
        Error, crash,
        tools::{AnyTool, Done, Policy, Registered, ToolError},
    },
};

/// Runs a call that has been announced, and returns its result as the log has it, or nothing if it was cancelled. An error
/// here means that the log could not be written.
pub async fn execute(reporter: Reporter, args: Value) -> Result<Option<ToolResult>, Error> {
    Ok(run_to_end(reporter, args).await?.logged)
}

/// The same for whoever needs all of the result.
pub async fn execute_whole(reporter: Reporter, args: Value) -> Result<Option<ToolResult>, Error> {
    let Ended { logged, whole } = run_to_end(reporter, args).await?;
    Ok(logged.map(|logged| match whole {
        Some(found) => ToolResult { result: found.output.clone(), ..logged },
        None => logged,
    }))
}

async fn run_to_end(reporter: Reporter, args: Value) -> Result<Ended, Error> {
    let reporter = Arc::new(reporter);
    let mut began = None;
    let outcome = match run(&reporter, args, &mut began).await {
        Ok(outcome) => outcome,
        Err(Stop::Failed(error)) => Outcome::Failed(error),
        Err(Stop::Cancelled) => Outcome::Cancelled,
        Err(Stop::Broken(Error::Storage(error))) => {
            tracing::error!(call = %reporter.voice.call, %error, "a call could not go on");
            let told = match began {
                Some(_) => "Vitrine could not save how this call went on, so it was given up.",
                None => "Vitrine could not save that this call begins, so it did not run.",
            };
            Outcome::Failed(ToolError::new(ErrorKind::ToolError, told))
        }
        Err(Stop::Broken(error)) => return Err(error),
    };
    reporter.leave();
    let ended = end(&reporter, outcome, began.map_or(0, since)).await;
    if let Some(conversation) = reporter.voice.sink.conversation() {
        reporter.calls.posts.forget(conversation, &reporter.voice.call);
        reporter.calls.tabs.forget(conversation, &reporter.voice.call);
    }
    ended
}

/// Takes up a call that was open when the server stopped. What is safe to repeat runs again, as a further attempt; what is
/// not ends here, and nobody claims to know what came of it. Even a tool that may be repeated is not when `may_repeat` says
/// so.
pub async fn take_up(caller: &Caller, call: &ToolCall, may_repeat: bool) -> Result<Option<ToolResult>, Error> {
    let reporter = caller.taken_up(call);
    let policy = caller.calls.tools.get(&call.tool_name).map(|found| found.about.policy);
    match (call.args(), policy) {
        (Some(args), _) if call.started_at.is_none() => execute(reporter, args).await,
        // It has done nothing but ask, and asks on: no attempt is lost by that.
        (Some(args), Ok(policy)) if may_repeat && policy.effect.may_repeat() && call.open_question().is_some() => {
            execute(reporter, args).await
        }
        (Some(args), Ok(policy))
            if may_repeat && policy.effect.may_repeat() && call.attempt <= policy.most_retries() =>
        {
            let told = ToolError::new(ErrorKind::Interrupted, "Vitrine was stopped while this ran; it runs again.");
            match retrying(&reporter, &policy, call.attempt, &told).await {
                Ok(()) => execute(reporter, args).await,
                Err(_) => interrupt(caller, call, may_repeat).await,
            }
        }
        _ => interrupt(caller, call, may_repeat).await,
    }
}

/// Ends a call that nobody is at any more, and says what is known about it.
pub async fn interrupt(caller: &Caller, call: &ToolCall, may_repeat: bool) -> Result<Option<ToolResult>, Error> {
    let told = ToolError::new(ErrorKind::Interrupted, interruption(&caller.calls, call, may_repeat));
    Ok(end(&caller.taken_up(call), Outcome::Failed(told), call.seen_ms()).await?.logged)
}

/// Ends a call that somebody has stopped before it could begin.
pub async fn cancel(reporter: &Reporter) -> Result<Option<ToolResult>, Error> {
    Ok(end(reporter, Outcome::Cancelled, 0).await?.logged)
}

/// Ends a call whose arguments never became any.
pub async fn refuse(reporter: &Reporter, why: &str) -> Result<Option<ToolResult>, Error> {
    let error = ToolError::new(ErrorKind::InvalidArguments, why);
    Ok(end(reporter, Outcome::Failed(error), 0).await?.logged)
}

async fn run(reporter: &Arc<Reporter>, args: Value, began: &mut Option<Instant>) -> Result<Outcome, Stop> {
    if reporter.cancelled.is_cancelled() {
        return Err(Stop::Cancelled);
    }
    let found = reporter.calls.tools.get(&reporter.voice.tool)?.clone();
    let about = &found.about;
    schema::check(&about.input_schema, &args).map_err(|reasons| refused(&about.name, &reasons))?;
    let mut args = args;
    let (mut announced, mut edition) = prepare(reporter, &found, args.clone()).await?;
    match gate::pass(reporter, &found, args.clone()).await? {
        Pass::May(allowed) if allowed == args => {}
        Pass::May(changed) => {
            schema::check(&about.input_schema, &changed).map_err(|reasons| refused(&about.name, &reasons))?;
            (announced, edition) = prepare(reporter, &found, changed.clone()).await?;
            args = changed;
        }
        Pass::Denied => return Ok(Outcome::Denied),
    }
    if !about.policy.is_cacheable() {
        // What runs elsewhere takes no seat here.
        if about.executor == Executor::Server {
            enter(reporter).await?;
        }
        return attempts(reporter, &found, args, &announced, began).await;
    }
    let key = Key::of(about, &edition, &args);
    // Whoever wants it fresh may still share it with others who run it now.
    let fresh_for = if reporter.is_fresh { Duration::ZERO } else { about.policy.fresh_for };
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
                    // It may have had less time than others have; they try for themselves.
                    Outcome::Failed(error) if error.kind == ErrorKind::Timeout => {}
                    Outcome::Failed(error) => flight.land(Err(error.clone())),
                    Outcome::Cancelled | Outcome::Denied => {}
                }
                return Ok(outcome);
            }
            Begin::Wait(flight) => {
                // Without a seat: whoever it waits for may need one.
                reporter.leave();
                reporter.wait_because("Waiting for the same call, which is running already".into()).await?;
                match landed(reporter, flight).await? {
                    // Found just now, and not before: that is as fresh as it can be.
                    Some(Ok(found)) if reporter.is_fresh => {
                        known_already(reporter, &announced, began, Arc::clone(&found), Duration::ZERO).await?;
                        return Ok(Outcome::Done(found));
                    }
                    Some(Ok(found)) => return known_already(reporter, &announced, began, found, Duration::ZERO).await,
                    Some(Err(error)) => return Ok(Outcome::Failed(error)),
                    None => {}
                }
            }
        }
    }
}

/// What the tool says before it runs. That is its own code, too, so it gets no more rope than the rest of it.
async fn prepare(reporter: &Arc<Reporter>, found: &Registered, args: Value) -> Result<(Metadata, String), Stop> {
    let (tool, is_cacheable) = (Arc::clone(&found.tool), found.about.policy.is_cacheable());
    let mut task = tokio::spawn(async move {
        let announced = tool.announce(&args)?;
        let edition = if is_cacheable { tool.edition().await } else { String::new() };
        Ok::<_, ToolError>((announced, edition))
    });
    let ended = tokio::select! {
        biased;
        () = reporter.cancelled.cancelled() => {
            task.abort();
            return Err(Stop::Cancelled);
        }
        ended = timeout(found.about.policy.deadline, &mut task) => ended,
    };
    match ended {
        Ok(Ok(prepared)) => Ok(prepared?),
        Ok(Err(failure)) => Err(broke_off(&failure).into()),
        Err(_) => {
            task.abort();
            Err(late(found.about.policy.deadline).into())
        }
    }
}

fn broke_off(failure: &tokio::task::JoinError) -> ToolError {
    tracing::error!(%failure, "a tool did not return");
    ToolError::new(ErrorKind::ToolError, "The tool broke off in the middle of its work.")
}

fn late(limit: Duration) -> ToolError {
    let limit = summary::duration(millis(limit));
    ToolError::new(ErrorKind::Timeout, format!("There was no answer within {limit}."))
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
    if reporter.is_resumed() {
        return Ok(());
    }
    let starting = ToolCallEvent { metadata, ..reporter.voice.event(CallStatus::Starting) };
    reporter.voice.say(&[Event::ToolCall(starting)]).await
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
    loop {
        start(reporter, metadata.clone()).await?;
        let began = *began.get_or_insert_with(Instant::now);
        if !policy.effect.may_repeat() {
            reporter.voice.takes_effect();
        }
        crash::point("started");
        let error = match attempt(tool, reporter, args.clone(), policy, began).await? {
            Outcome::Failed(error) if may_try_again(reporter, policy, &error) => error,
            ended => {
                if let Outcome::Done(_) = ended {
                    reporter.calls.usual.add(&about.name, since(began));
                }
                return Ok(ended);
            }
        };
        let failures = reporter.attempts();
        retrying(reporter, policy, failures, &error).await?;
        let pause = policy.pause_after(failures, reporter.chance());
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = reporter.cancelled.cancelled() => return Err(Stop::Cancelled),
        }
    }
}

/// What has called something that must not happen twice is not tried again, whatever it says of itself. Neither is what
/// runs elsewhere: whoever has not answered is not there.
fn may_try_again(reporter: &Reporter, policy: &Policy, error: &ToolError) -> bool {
    let is_here = reporter.voice.executor == Executor::Server;
    // Nor what nobody has answered.
    let is_asking = reporter.pending() > 0;
    error.may_pass()
        && is_here
        && !is_asking
        && reporter.attempts() <= policy.most_retries()
        && !reporter.voice.has_taken_effect()
}

fn refused(name: &str, reasons: &[String]) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, format!("{name} cannot be called like this: {}.", reasons.join("; ")))
}

/// Says that it is going to be tried again.
async fn retrying(reporter: &Reporter, policy: &Policy, failures: u32, error: &ToolError) -> Result<(), Error> {
    let metadata = Metadata {
        retry_count: Some(failures),
        max_retries: Some(policy.most_retries()),
        error_message: Some(short(&error.message)),
        ..Metadata::default()
    };
    let voice = &reporter.voice;
    let retrying = ToolCallEvent { metadata, error_kind: Some(error.kind), ..voice.event(CallStatus::Retrying) };
    voice.say(&[Event::ToolCall(retrying)]).await?;
    reporter.next_attempt();
    Ok(())
}

/// One attempt, in a task of its own, so that a panic ends this call and nothing else.
async fn attempt(
    tool: &Arc<dyn AnyTool>,
    reporter: &Arc<Reporter>,
    args: Value,
    policy: &Policy,
    began: Instant,
) -> Result<Outcome, Stop> {
    let (deadline, stop) = reporter.begin_attempt(policy.deadline);
    if stop.is_cancelled() {
        // Before the tool has begun: it must not take effect any more.
        return Err(Stop::Cancelled);
    }
    let mut task = tokio::spawn({
        let (tool, reporter) = (Arc::clone(tool), Arc::clone(reporter));
        async move { tool.run(args, &reporter).await }
    });
    let ended = tokio::select! {
        biased;
        () = stop.cancelled() => {
            watch_late(task, Arc::clone(reporter), policy.deadline, began);
            return Err(Stop::Cancelled);
        }
        ended = &mut task => Some(ended),
        () = deadline.passed() => None,
    };
    // Whatever it has called ends with it, and so do its queries.
    stop.cancel();
    Ok(match ended {
        Some(Ok(Ok(done))) => Outcome::Done(Arc::new(done)),
        Some(Ok(Err(error))) => Outcome::Failed(error),
        Some(Err(failure)) => Outcome::Failed(broke_off(&failure)),
        None => {
            task.abort();
            Outcome::Failed(match reporter.voice.executor {
                Executor::Server => late(deadline.limit),
                Executor::Client => reporter.late_elsewhere(deadline.limit),
            })
        }
    })
}

/// What a tool that did not listen still returns is logged, and not used.
fn watch_late(
    task: JoinHandle<Result<Done<Value>, ToolError>>,
    reporter: Arc<Reporter>,
    patience: Duration,
    began: Instant,
) {
    tokio::spawn(async move {
        let stop = task.abort_handle();
        if let Ok(Ok(Ok(done))) = timeout(patience, task).await
            && let Ok(late) = result(&reporter, &Arc::new(done), since(began)).await
            // After the ending the call itself has no more to say; this is about it.
            && let Err(error) = reporter.voice.sink.append(&[Event::ToolResult(late)]).await
        {
            tracing::debug!(%error, "a late result was not logged");
        }
        stop.abort();
    });
}

#[cfg(test)]
mod tests;
