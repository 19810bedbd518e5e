//! What runs, what ran last, and the newest run as a waterfall. A column where there is room, a sheet where there is not;
//! nothing where nothing was called.

use leptos::{either::Either, prelude::*};

use super::{
    clock::Clock,
    icon::{Icon, status_glyph},
    live::Live,
};
use crate::model::{
    CallStatus, Conversation, Entry, Timestamp, ToolCall, Turn,
    activity::{Kind, Row, Segment, Totals, Waterfall, ticks},
    summary::duration,
};

/// Rows of a waterfall, and lanes of a strip, at most.
const MOST_ROWS: usize = 30;
const LANES: usize = 6;

/// What the panel shows of the newest run that called something.
#[derive(Clone, Default, PartialEq)]
struct Shown {
    drawing: Waterfall,
    totals: Totals,
    running: Vec<Listed>,
    recent: Vec<Listed>,
}

/// A call in a list.
#[derive(Clone, PartialEq)]
struct Listed {
    id: String,
    title: String,
    line: String,
    status: CallStatus,
    duration: String,
    progress: Option<f64>,
}

impl Listed {
    fn of(call: &ToolCall, now: Timestamp) -> Self {
        Self {
            id: call.id.to_string(),
            title: call.title.clone(),
            line: call.stage_line(),
            status: call.status,
            duration: call.duration(now).unwrap_or_default(),
            progress: call.progress().filter(|_| call.status.is_running()),
        }
    }
}

fn look(known: &Conversation, now: Timestamp) -> Shown {
    const RECENT: usize = 5;
    let is_newest = |turn: &&Turn| !known.calls_of(turn).is_empty();
    let Some(turn) = known.turns().iter().rev().find(is_newest) else { return Shown::default() };
    let calls = known.calls_of(turn);
    let running = calls.iter().filter(|(call, _)| !call.status.is_ended());
    let mut ended: Vec<&ToolCall> = calls.iter().map(|(call, _)| *call).filter(|call| call.status.is_ended()).collect();
    ended.sort_by_key(|call| std::cmp::Reverse(call.ended_at));
    Shown {
        drawing: known.waterfall(turn, now),
        totals: known.totals(turn, now),
        running: running.take(20).map(|(call, _)| Listed::of(call, now)).collect(),
        recent: ended.into_iter().take(RECENT).map(|call| Listed::of(call, now)).collect(),
    }
}

/// Looked at twice a second while something goes on, and when something ends.
fn shown() -> Memo<Shown> {
    let (live, clock): (Live, Clock) = (expect_context(), expect_context());
    Memo::new(move |_| {
        let now = if live.is_busy() { clock.now_and_then() } else { clock.rough_untracked() };
        live.turn_count();
        live.peek(|known| look(known, now))
    })
}

/// The buttons that open it: a switch where it is a column, a button where it is a sheet. Both work without a script.
#[component]
pub fn ActivityButtons() -> impl IntoView {
    let live: Live = expect_context();
    let has_calls = has_calls(live);
    view! {
        <Show when=move || has_calls.get()>
            <label class="icon-btn only-wide" title="Activity panel">
                <Icon name="panel" />
                <input type="checkbox" id="panel-toggle" role="switch" aria-label="Activity panel" checked />
            </label>
            <button class="icon-btn only-narrow" type="button" popovertarget="activity" aria-label="Open activity">
                <Icon name="panel" />
            </button>
        </Show>
    }
}

fn has_calls(live: Live) -> Memo<bool> {
    Memo::new(move |had: Option<&bool>| {
        // Once there was a call, there is one.
        had == Some(&true)
            || (live.first_turn()..live.turn_count())
                .any(|turn| live.entries(turn).iter().any(|entry| matches!(entry, Entry::Call(_))))
    })
}

#[component]
pub fn ActivityPanel() -> impl IntoView {
    let has_calls = has_calls(expect_context());
    view! {
        <Show when=move || has_calls.get()>
            <Panel />
        </Show>
    }
}

#[component]
fn Panel() -> impl IntoView {
    let shown = shown();
    let drawing = Memo::new(move |_| shown.with(|shown| shown.drawing.clone()));
    let totals = Memo::new(move |_| shown.with(|shown| shown.totals.clone()));
    let running = Memo::new(move |_| shown.with(|shown| shown.running.clone()));
    let recent = Memo::new(move |_| shown.with(|shown| shown.recent.clone()));
    view! {
        <aside class="activity" id="activity" popover="auto" aria-label="Activity">
            <span class="activity__grab" aria-hidden="true"></span>
            <div class="activity__head">
                <h2>"Activity"</h2>
                <button
                    class="icon-btn only-narrow activity__close"
                    type="button"
                    popovertarget="activity"
                    popovertargetaction="hide"
                    aria-label="Close activity"
                >
                    <Icon name="x" />
                </button>
            </div>
            <div class="activity__scroll" tabindex="0" role="region" aria-label="Activity of the newest run">
                <section class="asec">
                    <div class="asec__head">
                        <h3>"This run"</h3>
                        <span class="muted">
                            {move || {
                                let drawing = drawing.read();
                                let so_far = if drawing.is_running { " so far" } else { "" };
                                format!("{}{so_far}", duration(drawing.total_ms))
                            }}
                        </span>
                    </div>
                    {move || view! { <Drawn drawing=drawing.get() /> }}
                </section>
                <section class="asec">
                    <div class="asec__head">
                        <h3>"Totals"</h3>
                    </div>
                    {move || totals_of(&totals.read())}
                </section>
                <List title="Running" calls=running />
                <List title="Recent" calls=recent />
            </div>
        </aside>
    }
}

fn totals_of(totals: &Totals) -> impl IntoView + use<> {
    let Totals { calls, failures, cache_hits, wall_ms, tool_ms, tokens } = totals.clone();
    let one = |name: &'static str, value: String, is_bad: bool| {
        view! {
            <div class=if is_bad { "is-bad" } else { "" }>
                <dt>{name}</dt>
                <dd>{value}</dd>
            </div>
        }
    };
    view! {
        <dl class="totals">
            {one("Calls", calls.to_string(), false)} {one("Failures", failures.to_string(), failures > 0)}
            {one("Cache hits", cache_hits.to_string(), false)} {one("Wall time", duration(wall_ms), false)}
            {one("Tool time", duration(tool_ms), false)} {one("Tokens", tokens.to_string(), false)}
        </dl>
    }
}

#[component]
fn List(title: &'static str, calls: Memo<Vec<Listed>>) -> impl IntoView {
    let is_empty = Memo::new(move |_| calls.read().is_empty());
    let item = |call: Listed| {
        let percent = call.progress.map(|progress| format!("{:.0}", progress * 100.0));
        let label = format!("{}: progress", call.title);
        view! {
            <li>
                <a class="call" href=format!("#{}", call.id) rel="external">
                    <svg class="glyph glyph--lg" aria-hidden="true" data-status=call.status.as_str()>
                        <use href=format!("#i-s-{}", status_glyph(call.status))></use>
                    </svg>
                    <span class="call__t">{call.title}</span>
                    <span class="call__d">{call.duration}</span>
                    <span class="call__s">{call.line}</span>
                    {percent.map(|percent| {
                        view! { <progress class="bar" data-status="in_progress" max="100" value=percent aria-label=label></progress> }
                    })}
                </a>
            </li>
        }
    };
    view! {
        <Show when=move || !is_empty.get()>
            <section class="asec">
                <div class="asec__head">
                    <h3>{title}</h3>
                    <span class="muted">{move || calls.read().len()}</span>
                </div>
                <ul class="calls">{move || calls.get().into_iter().map(item).collect_view()}</ul>
            </section>
        </Show>
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// At least wide enough to be seen.
fn width(segment: &Segment) -> String {
    percent((segment.to - segment.from).max(0.006))
}

#[component]
fn Drawn(drawing: Waterfall) -> impl IntoView {
    let total = drawing.total_ms.max(1);
    let seconds = |millis: u64| match millis {
        0 => "0".to_owned(),
        millis => duration(millis),
    };
    let places: Vec<(u64, String)> =
        ticks(total, 5).into_iter().map(|tick| (tick, percent(tick as f64 / total as f64))).collect();
    let axis = places.iter().map(|(tick, x)| view! { <text x=x.clone() y="11">{seconds(*tick)}</text> }).collect_view();
    let grid =
        places.iter().map(|(_, x)| view! { <line x1=x.clone() x2=x.clone() y1="0" y2="100%"></line> }).collect_view();
    let more = drawing.rows.len().saturating_sub(MOST_ROWS);
    let rows = drawing.rows.iter().take(MOST_ROWS).map(wf_row).collect_view();
    let model = (!drawing.model.is_empty()).then(|| {
        view! {
            <li class="wf__row">
                <span class="wf__label">"Model"</span>
                {track(&drawing.model)}
                <span class="wf__dur">{duration(drawing.model_ms)}</span>
            </li>
        }
    });
    view! {
        <div class="wf">
            <svg class="wf__axis" aria-hidden="true">{axis}</svg>
            <svg class="wf__grid" aria-hidden="true">{grid}</svg>
            <ul aria-label="Waterfall: calls of this run over time">{model} {rows}</ul>
            {(more > 0).then(|| view! { <p class="muted">{format!("and {more} more")}</p> })}
        </div>
    }
}

fn wf_row(row: &Row) -> impl IntoView + use<> {
    let took = duration(row.duration_ms);
    let label = format!("{}: {}, {took}. {}", row.title, row.status.label(), row.summary);
    let class = if row.depth > 0 { "wf__row wf__row--child" } else { "wf__row" };
    view! {
        <li>
            <a class=class href=format!("#{}", row.call) rel="external" aria-label=label.clone() title=label>
                <span class="wf__label">{row.title.clone()}</span>
                {track(&row.segments)}
                <span class="wf__dur">{took}</span>
            </a>
        </li>
    }
}

fn track(segments: &[Segment]) -> impl IntoView + use<> {
    let drawn = segments.iter().map(|segment| {
        let (x1, x2) = (percent(segment.from), percent(segment.to));
        match segment.kind {
            Kind::Waiting => Either::Left(
                view! { <line class="wait" x1=x1 x2=x2 y1="12" y2="12" stroke-dasharray="2 2"></line> },
            ),
            kind => {
                let class = if kind == Kind::Asking { "soft" } else { "wf__seg" };
                Either::Right(view! {
                    <rect class=class data-status=kind.as_str() x=x1 y="7" width=width(segment) height="10" rx="2.5"></rect>
                })
            }
        }
    });
    view! { <svg class="wf__track" aria-hidden="true">{drawn.collect_view()}</svg> }
}

/// The same, as small as a line of text.
#[component]
pub fn Strip(#[prop(into)] drawing: Signal<Waterfall>) -> impl IntoView {
    const HEIGHT: f64 = 18.0;
    move || {
        let drawing = drawing.read();
        let lanes = lanes(&drawing.rows);
        let height = HEIGHT / lanes.iter().copied().max().map_or(1, |lane| lane + 1) as f64;
        let rows = drawing.rows.iter().zip(&lanes);
        let rects = rows.flat_map(|(row, lane)| {
            let y = format!("{:.2}", *lane as f64 * height);
            let worked = row.segments.iter().filter(|segment| segment.kind != Kind::Waiting);
            worked.map(move |segment| {
                view! {
                    <rect
                        data-status=segment.kind.as_str()
                        x=percent(segment.from)
                        y=y.clone()
                        width=width(segment)
                        height=format!("{:.2}", (height - 1.0).max(1.0))
                        rx="0.75"
                    ></rect>
                }
            })
        });
        view! {
            <svg class="strip" role="img" aria-label="These calls over time">
                {rects.collect_view()}
            </svg>
        }
    }
}

/// Calls that do not run at the same time share a lane.
fn lanes(rows: &[Row]) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    let lane = |row: &Row| {
        let (from, to) = (row.segments.first().map_or(0.0, |s| s.from), row.segments.last().map_or(0.0, |s| s.to));
        match ends.iter().position(|end| *end <= from) {
            Some(lane) => {
                ends[lane] = to;
                lane
            }
            None if ends.len() < LANES => {
                ends.push(to);
                ends.len() - 1
            }
            None => LANES - 1,
        }
    };
    rows.iter().map(lane).collect()
}
