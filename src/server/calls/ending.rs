//! How a call ends: once, in one commit with its result, whatever came of it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Calls, Reporter, cache::Found, gate, keep};
use crate::{
    model::{CallStatus, Event, Metadata, Stage, ToolCall, event::ToolCallEvent, event::ToolResult},
    server::{
        Error, crash,
        tools::{Done, ToolError},
    },
};

/// How a call came to its end.
#[derive(Clone)]
pub enum Outcome {
    Done(Found),
    /// Found this long ago by another call.
    Known(Found, Duration),
    Failed(ToolError),
    Cancelled,
    /// By a person, before it could begin.
    Denied,
}

/// Why a call does not get any further.
pub enum Stop {
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

/// A call that has ended: what the log got, and all of the result where that was too much for the log.
pub struct Ended {
    pub logged: Option<ToolResult>,
    pub whole: Option<Found>,
}

/// What is known about a call that was interrupted.
pub fn interruption(calls: &Calls, call: &ToolCall, may_repeat: bool) -> &'static str {
    let is_safe = calls.tools.get(&call.tool_name).is_ok_and(|found| found.about.policy.effect.may_repeat());
    if call.started_at.is_none() && call.args().is_none() {
        "It was interrupted before all of its arguments were there, so it did not run."
    } else if call.started_at.is_none() {
        "It was interrupted before it had begun, so it did not run."
    } else if !is_safe || !may_repeat {
        "It was interrupted while it ran. The outcome is unknown: it may have taken effect, so it was not run again. Look \
         before you repeat it."
    } else if call.attempt > 1 {
        "It was interrupted while it ran, after it had been tried before, so it was given up. Ask again to try once more."
    } else {
        "It was interrupted while it ran."
    }
}

/// Writes the ending, together with the result. What cannot be written now is written as soon as it can be: nobody else
/// would end this call.
pub async fn end(reporter: &Reporter, outcome: Outcome, duration_ms: u64) -> Result<Ended, Error> {
    const LONGEST: Duration = Duration::from_secs(5);
    let mut pause = Duration::from_millis(100);
    loop {
        match try_to_end(reporter, outcome.clone(), duration_ms).await {
            Err(Error::Storage(error)) => {
                tracing::error!(call = %reporter.voice.call, %error, "an ending could not be written; again in {pause:?}");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST);
            }
            done => return done,
        }
    }
}

async fn try_to_end(reporter: &Reporter, outcome: Outcome, duration_ms: u64) -> Result<Ended, Error> {
    let voice = &reporter.voice;
    let mut events: Vec<Event> = voice.keep_output().await?.into_iter().collect();
    // Held until it is written: whoever answers now is told that nobody asks any more.
    let (_deciding, taken_back) = gate::take_back(reporter).await?.unzip();
    events.extend(taken_back);
    let outcome = match outcome {
        Outcome::Done(found) => Ok((found, None)),
        Outcome::Known(found, age) => Ok((found, Some(age))),
        Outcome::Failed(error) => Err(Ok(error)),
        Outcome::Cancelled => Err(Err(CallStatus::Cancelled)),
        Outcome::Denied => Err(Err(CallStatus::Denied)),
    };
    let (mut logged, mut whole, mut error) = (None, None, None);
    match outcome {
        Ok((found, age)) => match result(reporter, &found, duration_ms).await {
            Ok(result) => {
                let result = ToolResult { cached: age.is_some(), ..result };
                let metadata = Metadata { cache_age_ms: age.map(millis), ..found.metadata.clone() };
                let stage = Some(Stage::Finalizing);
                let ending = ToolCallEvent { metadata, stage, ..voice.named(CallStatus::Completed) };
                events.extend([Event::ToolResult(result.clone()), Event::ToolCall(ending)]);
                whole = result.whole.is_some().then_some(found);
                logged = Some(result);
            }
            Err(Stop::Broken(error)) => return Err(error),
            Err(Stop::Failed(refused)) => error = Some(refused),
            Err(Stop::Cancelled) => error = Some(ToolError::stopped()),
        },
        Err(Ok(failed)) => error = Some(failed),
        Err(Err(status)) => events.push(Event::ToolCall(voice.named(status))),
    }
    if let Some(ToolError { kind, message, .. }) = error {
        let metadata = Metadata { error_message: Some(short(&message)), ..Metadata::default() };
        let told = Arc::new(Done { output: message.into(), metadata: Metadata::default() });
        let result = match result(reporter, &told, duration_ms).await {
            Ok(result) => ToolResult { is_error: true, ..result },
            Err(Stop::Broken(error)) => return Err(error),
            // An error that is too large to be kept is told in short.
            Err(Stop::Failed(_) | Stop::Cancelled) => {
                let text = metadata.error_message.clone().unwrap_or_default();
                bare(reporter, text.into(), duration_ms)
            }
        };
        let ending = ToolCallEvent { metadata, error_kind: Some(kind), ..voice.named(CallStatus::Failed) };
        events.extend([Event::ToolResult(result.clone()), Event::ToolCall(ending)]);
        logged = Some(result);
    }
    crash::point("ending");
    voice.say_last(&events).await?;
    crash::point("ended");
    // Its parents' bars are not worth a second ending.
    let _ = voice.tell_parents(1.0).await;
    voice.rest().await;
    Ok(Ended { logged, whole })
}

fn bare(reporter: &Reporter, result: Value, duration_ms: u64) -> ToolResult {
    let tool_call_id = reporter.voice.call.clone();
    ToolResult { tool_call_id, result, is_error: true, duration_ms, cached: false, whole: None }
}

/// The result as the log gets it: what is too large is kept elsewhere, and here is a preview.
pub async fn result(reporter: &Reporter, found: &Found, duration_ms: u64) -> Result<ToolResult, Stop> {
    let is_small = || keep::within(&found.output, keep::LARGEST_EVENT).is_some();
    let Some(log) = reporter.voice.sink.log().filter(|_| !is_small()) else {
        return Ok(ToolResult { is_error: false, ..bare(reporter, found.output.clone(), duration_ms) });
    };
    // A large value is work, and others want to go on meanwhile.
    let large = Arc::clone(found);
    let worked = tokio::task::spawn_blocking(move || {
        keep::admit(&large.output)?;
        Ok::<_, ToolError>((keep::readable(&large.output), keep::preview(&large.output, keep::LARGEST_EVENT)))
    });
    let (text, preview) = worked.await.map_err(|_| Error::Stopping)??;
    let whole = Some(keep::keep(log, text).await?);
    crash::point("kept");
    Ok(ToolResult { is_error: false, whole, ..bare(reporter, preview, duration_ms) })
}

/// An error in an event: nobody reads more.
pub fn short(message: &str) -> String {
    const MOST: usize = 2_000;
    match message.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

pub fn since(began: Instant) -> u64 {
    millis(began.elapsed())
}

pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
