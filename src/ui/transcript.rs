//! Questions and what came of them, turn by turn.

use leptos::prelude::*;

use super::{
    call_group::call_group,
    earlier::earlier,
    live::Live,
    message::message_view,
    near::{FirstLook, Nearness},
    reveal::Wanted,
    run_line::run_line,
    view::{Element, View, a, article, div, each, p, switch, when},
};
use crate::model::Entry;

/// `has_asked`: something was asked on this page, and is shown on top, with room below it for the answer.
pub fn transcript(has_asked: impl Fn() -> bool + 'static) -> Element {
    let live: Live = expect_context();
    div("thread")
        .attr("id", "transcript")
        .live_flag("data-asked", has_asked)
        .with(branch_of())
        .with(earlier())
        .with(each(move || (live.first_turn()..live.turn_count()).collect(), |turn| turn_view(*turn)))
}

/// Where the conversation comes from, if it is the branch of another.
fn branch_of() -> View {
    let live: Live = expect_context();
    switch(
        move || live.arrangements(|arranged| arranged.branch_of),
        |of| {
            of.map(|of| {
                let from = a("").attr("href", format!("/c/{of}")).with("another conversation");
                p("branched").with("This goes on from ").with(from).with(".")
            })
        },
    )
}

fn turn_view(turn: usize) -> Element {
    let live: Live = expect_context();
    let is_done =
        move || live.run_of(turn).and_then(|run| live.run(&run, |run| run.status.is_ended())).unwrap_or(false);
    // What comes now is looked at now; what is put before everything is looked at when somebody gets there.
    let is_newest = FirstLook::has_turn(turn) || turn + 1 == live.turn_count();
    let nearness = Nearness::new(is_newest, about_px(&live.entries(turn)));
    Wanted::on(move |wanted| wanted.turn == turn, nearness);
    article("turn")
        .attr("aria-label", format!("Turn {}", turn + 1))
        .live_flag("data-done", is_done)
        .made(move |element| nearness.watch(element))
        .with(when(move || nearness.get(), move || [entries(turn), run_line(turn)]))
}

fn entries(turn: usize) -> View {
    let live: Live = expect_context();
    each(
        move || beginnings(live.entries(turn)),
        move |entry| match entry {
            Entry::Message(id) => message_view(id.clone()),
            Entry::Call(first) => call_group(turn, first.clone()).into(),
        },
    )
}

/// How high a turn may be that nobody has seen yet.
fn about_px(entries: &[Entry]) -> f64 {
    let high = |entry: &Entry| match entry {
        Entry::Message(_) => 72.0,
        Entry::Call(_) => 64.0,
    };
    40.0 + entries.iter().map(high).sum::<f64>()
}

/// Calls that follow each other are one group; it is known by its first.
fn beginnings(entries: Vec<Entry>) -> Vec<Entry> {
    let mut after_call = false;
    let mut begins = |entry: &Entry| {
        let is_call = matches!(entry, Entry::Call(_));
        !(std::mem::replace(&mut after_call, is_call) && is_call)
    };
    entries.into_iter().filter(|entry| begins(entry)).collect()
}
