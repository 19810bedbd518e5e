//! What goes on, for those who hear the page: one line, said politely, and not more often than one can listen.

use leptos::prelude::*;

use super::{
    clock::Clock,
    live::Live,
    view::{Element, p, said},
};
use crate::model::{Conversation, RunStatus};

const PAUSE_MS: i64 = 2_000;

pub fn announcer() -> Element {
    let (live, clock): (Live, Clock) = (expect_context(), expect_context());
    // A page that is only read has nothing to announce.
    let was_running = StoredValue::new(false);
    let beat = Memo::new(move |_| live.is_running().then(|| clock.now_and_then().millis() / PAUSE_MS));
    let line = Memo::new(move |_| match beat.get() {
        Some(_) => {
            was_running.set_value(true);
            live.peek(at_work)
        }
        None if was_running.get_value() => live.peek(ended),
        None => String::new(),
    });
    p("sr-only")
        .attr("id", "announcer")
        .attr("role", "status")
        .attr("aria-live", "polite")
        .with(said(move || line.get()))
}

/// The newest call that runs.
fn at_work(known: &Conversation) -> String {
    let calls = known.turns().last().map(|turn| known.calls_of(turn)).unwrap_or_default();
    let newest = calls.into_iter().rev().find(|(call, _)| call.status.is_running());
    newest.map_or_else(|| "Working".to_owned(), |(call, _)| format!("{}: {}", call.title, call.stage_line()))
}

fn ended(known: &Conversation) -> String {
    let newest = known.turns().iter().rev().find_map(|turn| known.run(turn.run.as_ref()?));
    match newest.map(|run| run.status) {
        Some(RunStatus::Completed) => "The answer is complete.".into(),
        Some(RunStatus::Cancelled) => "Stopped.".into(),
        Some(RunStatus::Waiting) => "The agent waits for you.".into(),
        // A failure is an alert of its own.
        Some(RunStatus::Failed | RunStatus::Running) | None => String::new(),
    }
}
