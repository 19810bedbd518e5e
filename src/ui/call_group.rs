//! The calls of one step: a line that tells of all of them, with a strip of coloured time, and their cards.

use leptos::prelude::*;

use super::{
    activity::strip,
    clock::Clock,
    icon::drawing,
    live::Live,
    near::{FirstLook, Nearness},
    reveal::Wanted,
    tool_card::tool_card,
    view::{Element, View, a, details, div, each, own, said, span, summary, switch},
};
use crate::browser::{self, dom};
use crate::model::{
    CallId, CallStatus, Entry,
    activity::Waterfall,
    summary::{count, duration},
};

/// So many cards come and go together, and so many of these pieces are in a page when it is loaded.
const PIECE: usize = 8;
const FIRST_PIECES: usize = 6;
/// Of those that come while somebody watches, only the first and the newest are made at once: the rest is made where it is seen.
const NEW_PIECES: usize = 1;

pub fn call_group(turn: usize, first: CallId) -> Element {
    let (live, clock): (Live, Clock) = (expect_context(), expect_context());
    let first = StoredValue::new(first);
    // Those from the first one on, up to something else.
    let calls = Memo::new(move |_| {
        let entries = live.entries(turn);
        let from = entries.iter().skip_while(|entry| first.with_value(|id| **entry != Entry::Call(id.clone())));
        let calls = from.map_while(|entry| match entry {
            Entry::Call(id) => Some(id.clone()),
            Entry::Message(_) => None,
        });
        calls.collect::<Vec<_>>()
    });
    let is_single = Memo::new(move |_| calls.read().len() < 2);
    let drawn = Memo::new(move |_| {
        if is_single.get() {
            return Waterfall::default();
        }
        let is_over = live.run_of(turn).and_then(|run| live.run(&run, |run| run.status.is_ended()));
        let look = |now| calls.with(|calls| live.peek(|known| known.group(calls, now)));
        // What has ended needs no clock.
        match look(clock.rough_untracked()) {
            done if !done.is_running && is_over == Some(true) => done,
            _ => look(clock.now_and_then()),
        }
    });
    // What somebody closed stays closed, also while it is not there.
    let is_open = RwSignal::new(true);
    let kept_as = move || format!("group.{}", first.get_value());
    let on_made = move |_| {
        if browser::page::recall(&kept_as()).is_some() {
            is_open.set(false);
        }
    };
    let on_toggle = move |event: dom::Event| {
        if let Some(is) = dom::is_open(&event).filter(|is| *is != is_open.get_untracked()) {
            is_open.set(is);
            browser::page::remember(&kept_as(), (!is).then_some("closed"));
        }
    };
    let is_first_look = FirstLook::has_turn(turn) && first.with_value(|first| FirstLook::has_call(live, first));
    let pieces = move || (0..calls.read().len()).step_by(PIECE).collect();
    // The first ones and the newest: where they are not seen, they go again.
    let is_near = move |at: usize| {
        let pieces = if is_first_look { FIRST_PIECES } else { NEW_PIECES };
        let newest = calls.with_untracked(Vec::len).saturating_sub(PIECE * pieces);
        at + PIECE > newest || !is_first_look && at < PIECE * pieces
    };
    let head = summary("run__head")
        .with(drawing("icon icon--sm chev", "chev"))
        .with(span("").with(said(move || told(&drawn.read()))))
        .with(strip(drawn));
    details("run")
        .live_flag("open", move || is_open.get())
        .live_flag("data-single", move || is_single.get())
        .on("toggle", on_toggle)
        .made(on_made)
        .with(own(|| head))
        .with(div("run__cards").with(each(pieces, move |at| piece(turn, calls, *at, is_near(*at)))))
}

/// Some of the cards, one after another.
fn piece(turn: usize, calls: Memo<Vec<CallId>>, at: usize, is_near: bool) -> Element {
    // With what is between it and the next one.
    const CARD_PX: usize = 64;
    let live: Live = expect_context();
    let own = Memo::new(move |_| calls.with(|calls| calls.iter().skip(at).take(PIECE).cloned().collect::<Vec<_>>()));
    let about = own.with_untracked(Vec::len) * CARD_PX;
    let nearness = Nearness::new(is_near, about as f64);
    Wanted::on(move |wanted| own.with_untracked(|own| own.contains(&wanted.root)), nearness);
    let away = move || {
        let (from, to) = (at + 1, move || at + own.read().len());
        a("run__away")
            .attr("href", format!("/c/{}/before/{}", live.id(), turn + 1))
            .with(said(move || format!("Calls {from} to {}", to())))
    };
    let cards = move || each(move || own.get(), |id| tool_card(id.clone()));
    let shown = move |is_near: &bool| if *is_near { cards() } else { View::from(away()) };
    div("run__piece").made(move |element| nearness.watch(element)).with(switch(move || nearness.get(), shown))
}

/// "11 calls · 4 running · 2 need you · 18.4 s"
fn told(drawing: &Waterfall) -> String {
    let of = |is: fn(CallStatus) -> bool| drawing.rows.iter().filter(|row| is(row.status)).count();
    let needs = |status| matches!(status, CallStatus::AwaitingApproval | CallStatus::AwaitingInput);
    let (all, running, asking) = (drawing.rows.len(), of(|status| status.is_running()), of(needs));
    let failed = of(|status| status == CallStatus::Failed);
    let parts = [
        Some(count(all as u64, "call")),
        (running > 0).then(|| format!("{running} running")),
        (asking > 0).then(|| format!("{asking} need you")),
        (failed > 0).then(|| format!("{failed} failed")),
        Some(duration(drawing.total_ms)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
