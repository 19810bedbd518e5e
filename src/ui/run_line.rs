//! How the run of a turn stands: waiting, at work, over, or failed. And, for those who want to know, step by step and why.

use leptos::prelude::*;
use serde_json::Value;

use super::{
    folding::folding,
    icon::drawing,
    live::Live,
    queued::queued,
    send_results::send_or_discard,
    sending::{Sending, quiet_trouble},
    view::{Element, View, b, button, div, hidden, li, many, p, span, summary, switch, ul},
};
use crate::model::{Run, RunStatus, run::Step, summary::duration};

pub fn run_line(turn: usize) -> View {
    let live: Live = expect_context();
    let state = move || match live.run_of(turn) {
        Some(run) => match live.run(&run, RunState::of) {
            Some(RunState::Working) if live.is_held(turn) => Some(RunState::Held),
            state => state,
        },
        None => (turn > 0 && live.is_busy()).then_some(RunState::Queued),
    };
    // What went wrong while somebody watches is said at once; what went wrong long ago is only there.
    let is_watched = !matches!(untrack(state), Some(RunState::Failed(..)));
    switch(state, move |state| state.as_ref().map_or(View::Nothing, |state| shown(turn, state, is_watched)))
}

fn shown(turn: usize, state: &RunState, is_watched: bool) -> View {
    match state {
        RunState::Queued => queued(turn).into(),
        RunState::Working => div("status-line status-line--live")
            .with(drawing("glyph", "s-in_progress").attr("data-status", "in_progress").flag("data-spin", true))
            .with(span("").with("Working"))
            .into(),
        RunState::Held => p("status-line status-line--live")
            .with(drawing("glyph", "s-awaiting").attr("data-status", "awaiting_input"))
            .with(span("").with("Waiting for you"))
            .into(),
        RunState::Over(line) => ended(turn, line).into(),
        RunState::Waiting => div("status-line status-line--need")
            .attr("data-status", "awaiting_input")
            .with(drawing("glyph", "s-awaiting"))
            .with(span("").with("The agent waits until you have looked at these results."))
            .with(span("status-line__end").with(send_or_discard()))
            .into(),
        RunState::Stopped(reason, line) => many([ended(turn, line), stopped(turn, reason)]),
        RunState::Failed(what, line) => {
            let failed = p("status-line status-line--failed")
                .attr("data-status", "failed")
                .attr("role", is_watched.then_some("alert"))
                .with(drawing("glyph", "s-failed"))
                .with(span("").with(what.clone()));
            many([ended(turn, line), failed])
        }
    }
}

/// By a limit, with a way to go on.
fn stopped(turn: usize, reason: &str) -> Element {
    let live: Live = expect_context();
    let go_on = Sending::to("/api/send_message");
    let form = go_on
        .form("status-line__end")
        // What was said later has gone on already.
        .live_flag("hidden", move || turn + 1 < live.turn_count())
        .with(hidden("conversation_id", live.id().to_string()))
        .with(hidden("text", "Continue"))
        .with(hidden("model", live.last_model().unwrap_or_default()))
        .with(hidden("prompt_path", live.last_preset().unwrap_or_default()))
        .with(button("btn btn--sm").with("Continue"));
    div("status-line").with(span("").with(format!("Agent stopped: {reason}"))).with(form)
}

/// How an answer ended.
fn ended(turn: usize, line: &str) -> Element {
    let live: Live = expect_context();
    let run = live.run_of(turn).and_then(|run| live.run(&run, Run::clone));
    let name = run.as_ref().map(|run| format!("trace.{}", run.id)).unwrap_or_default();
    folding("meta", name).with(summary("").with(line.to_owned())).with(run.map(|run| trace(turn, &run)))
}

fn trace(turn: usize, run: &Run) -> Element {
    let step = |step: &Step| {
        let tokens = step.usage.input_tokens + step.usage.output_tokens;
        let tokens = if tokens > 0 { format!(" · {tokens} tokens") } else { String::new() };
        li("").with(format!("Step {} · {}{tokens}", step.step, duration(step.duration_ms)))
    };
    let said = |said: &Value| {
        let word = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        let says = match said["says"].as_str() {
            Some("continue") => "go on",
            Some("stop") => "stop",
            _ => "no opinion",
        };
        li("").with(b("").with(word("resolver"))).with(span("").with(format!(": {says} ({})", word("why"))))
    };
    let decided = run.continuation.as_ref().map(|decided| {
        let reason = match decided.stop_reason.as_str() {
            "" => "it went on",
            reason => reason,
        };
        let told = p("").with(format!("Ended by {}: {reason}", decided.resolved_by));
        [told, ul("").all(decided.evaluations.iter().map(said))]
    });
    div("trace").with(ul("").all(run.steps.iter().map(step))).with(decided).with(branch_from(turn))
}

/// A conversation that goes on from here, and leaves this one as it is.
fn branch_from(turn: usize) -> Element {
    let live: Live = expect_context();
    let branch = Sending::to("/api/branch");
    branch
        .form("trace__act")
        .with(hidden("conversation_id", live.id().to_string()))
        .with(hidden("turn", turn.to_string()))
        .with(button("btn btn--quiet btn--sm").with("Branch from here"))
        .with(quiet_trouble(move || branch.problem()))
}

#[derive(Clone, PartialEq)]
enum RunState {
    Queued,
    Working,
    /// Until somebody answers.
    Held,
    /// For somebody to look at the results.
    Waiting,
    Over(String),
    /// By a limit: it could go on.
    Stopped(String, String),
    Failed(String, String),
}

impl RunState {
    fn of(run: &Run) -> Self {
        match run.status {
            RunStatus::Running => Self::Working,
            RunStatus::Waiting => Self::Waiting,
            RunStatus::Completed => match run.continuation.as_ref().map(|decided| decided.stop_reason.as_str()) {
                Some(reason @ ("steps_limit" | "token_budget")) => {
                    Self::Stopped(reason.to_owned(), finished("Assistant", run))
                }
                Some("with_next_message") => {
                    Self::Over(format!("{} · the results go along with your next message", finished("Assistant", run)))
                }
                Some("discarded") => Self::Over(format!("{} · results discarded", finished("Assistant", run))),
                _ => Self::Over(finished("Assistant", run)),
            },
            RunStatus::Cancelled => {
                let what = run.error_message.as_ref().map(|what| format!(" · {what}")).unwrap_or_default();
                Self::Over(format!("{}{what}", finished("Stopped by you", run)))
            }
            RunStatus::Failed => {
                let what = run.error_message.clone().unwrap_or_else(|| "This answer failed.".into());
                Self::Failed(what, finished("Failed", run))
            }
        }
    }
}

/// "Assistant · 1.2 s · 650 tokens"
fn finished(who: &str, run: &Run) -> String {
    let usage = run.usage();
    let mut line = format!("{who} · {}", duration(run.duration_ms()));
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    if tokens > 0 {
        line.push_str(&format!(" · {tokens} tokens"));
    }
    line
}
