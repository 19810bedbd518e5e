//! The calls of one step: a line that tells of all of them, with a strip of coloured time, and their cards.

use leptos::{html, prelude::*};

use super::{
    activity::Strip,
    clock::Clock,
    icon::Icon,
    live::Live,
    near::{FirstLook, Nearness},
    reveal::Wanted,
    tool_card::ToolCard,
};
use crate::browser;
use crate::model::{
    CallId, CallStatus, Entry,
    activity::Waterfall,
    summary::{count, duration},
};

/// So many cards come and go together, and so many of these pieces are in a page when it is loaded.
const PIECE: usize = 16;
const FIRST_PIECES: usize = 3;
/// Of those that come while somebody watches, only what fits on a screen is made at once: the rest is made where it is seen.
const NEW_PIECES: usize = 1;

#[component]
pub fn CallGroup(turn: usize, first: CallId) -> impl IntoView {
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
    let drawing = Memo::new(move |_| {
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
    let details = NodeRef::<html::Details>::new();
    let kept_as = move || format!("group.{}", first.get_value());
    Effect::new(move || {
        if browser::page::recall(&kept_as()).is_some() {
            is_open.set(false);
        }
    });
    let on_toggle = move |_| {
        let is = details.get_untracked().map(|details| details.open());
        if let Some(is) = is.filter(|is| *is != is_open.get_untracked()) {
            is_open.set(is);
            browser::page::remember(&kept_as(), (!is).then_some("closed"));
        }
    };
    let is_first_look = FirstLook::has_turn(turn) && first.with_value(|first| FirstLook::has_call(live, first));
    let pieces = move || {
        let all = calls.read().len();
        // The first ones and the newest: where they are not seen, they go again.
        let pieces = if is_first_look { FIRST_PIECES } else { NEW_PIECES };
        let newest = all.saturating_sub(PIECE * pieces);
        let is_near = move |at| at + PIECE > newest || !is_first_look && at < PIECE * pieces;
        (0..all).step_by(PIECE).map(move |at| (at, is_near(at))).collect::<Vec<_>>()
    };
    view! {
        <details class="run" open=move || is_open.get() node_ref=details on:toggle=on_toggle data-single=move || is_single.get().then_some("")>
            <summary class="run__head">
                <Icon name="chev" class="icon icon--sm chev" />
                <span>{move || told(&drawing.read())}</span>
                <Strip drawing />
            </summary>
            <div class="run__cards">
                <For each=pieces key=|(at, _)| *at let:piece>
                    <Piece turn calls at=piece.0 is_near=piece.1 />
                </For>
            </div>
        </details>
    }
}

/// Some of the cards, one after another.
#[component]
fn Piece(turn: usize, calls: Memo<Vec<CallId>>, at: usize, is_near: bool) -> impl IntoView {
    const CARD_PX: usize = 52;
    let live: Live = expect_context();
    let own = Memo::new(move |_| calls.with(|calls| calls.iter().skip(at).take(PIECE).cloned().collect::<Vec<_>>()));
    let div = NodeRef::<html::Div>::new();
    let about = own.with_untracked(Vec::len) * CARD_PX;
    let nearness = Nearness::of(div, is_near, about as f64);
    Wanted::on(move |wanted| own.with_untracked(|own| own.contains(&wanted.root)), nearness);
    let away = move || {
        let (from, to) = (at + 1, at + own.read().len());
        view! { <a class="run__away" href=format!("/c/{}/before/{}", live.id(), turn + 1)>{format!("Calls {from} to {to}")}</a> }
    };
    view! {
        <div class="run__piece" node_ref=div>
            <Show when=move || nearness.get() fallback=away>
                <For each=move || own.get() key=CallId::clone let:id>
                    <ToolCard id />
                </For>
            </Show>
        </div>
    }
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
