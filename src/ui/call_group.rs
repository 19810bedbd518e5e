//! The calls of one step: a line that tells of all of them, with a strip of coloured time, and their cards.

use leptos::prelude::*;

use super::{activity::Strip, clock::Clock, icon::Icon, live::Live, tool_card::ToolCard};
use crate::model::{
    CallId, CallStatus, Entry,
    activity::Waterfall,
    summary::{count, duration},
};

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
    view! {
        <details class="run" open data-single=move || is_single.get().then_some("")>
            <summary class="run__head">
                <Icon name="chev" class="icon icon--sm chev" />
                <span>{move || told(&drawing.read())}</span>
                <Strip drawing />
            </summary>
            <div class="run__cards">
                <For each=move || calls.get() key=CallId::clone let:id>
                    <ToolCard id />
                </For>
            </div>
        </details>
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
