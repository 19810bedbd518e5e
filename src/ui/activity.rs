//! What runs, what ran last, and the newest run as a waterfall. A column where there is room, a sheet where there is not;
//! nothing where nothing was called.

use leptos::prelude::*;

use super::{
    clock::Clock,
    icon::{icon, status_glyph},
    live::Live,
    view::{
        Element, View, a, aside, button, dd, div, dl, dt, each, h2, h3, input, label, li, line, p, progress, rect,
        said, section, span, svg, svg_text, svg_use, switch, ul, when,
    },
};
use crate::{
    browser::page,
    model::{
        CallId, CallStatus, Conversation, Entry, Timestamp, ToolCall, Turn,
        activity::{Kind, Segment, Totals, Waterfall, ticks},
        summary::duration,
    },
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
    id: CallId,
    title: String,
    line: String,
    status: CallStatus,
    duration: String,
    progress: Option<f64>,
}

impl Listed {
    fn of(call: &ToolCall, now: Timestamp) -> Self {
        Self {
            id: call.id.clone(),
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
pub fn activity_buttons() -> View {
    let has_calls = has_calls(expect_context());
    when(
        move || has_calls.get(),
        || {
            let toggle = input("")
                .attr("type", "checkbox")
                .attr("id", "panel-toggle")
                .attr("role", "switch")
                .attr("aria-label", "Activity panel")
                .flag("checked", true);
            let wide = label("icon-btn only-wide").attr("title", "Activity panel").with(icon("panel")).with(toggle);
            let narrow = button("icon-btn only-narrow")
                .attr("type", "button")
                .attr("popovertarget", "activity")
                .attr("aria-label", "Open activity")
                .with(icon("panel"));
            [wide, narrow]
        },
    )
}

fn has_calls(live: Live) -> Memo<bool> {
    Memo::new(move |had: Option<&bool>| {
        // Once there was a call, there is one.
        had == Some(&true)
            || (live.first_turn()..live.turn_count())
                .any(|turn| live.entries(turn).iter().any(|entry| matches!(entry, Entry::Call(_))))
    })
}

pub fn activity_panel() -> View {
    let has_calls = has_calls(expect_context());
    // Where the first call comes while somebody watches, its card comes first, and what tells of it a frame later.
    let is_filled = RwSignal::new(has_calls.get_untracked());
    let fill = move |_| {
        page::with_next_frame(move || {
            is_filled.try_set(true);
        });
    };
    when(move || has_calls.get(), move || panel().with(when(move || is_filled.get(), inside)).made(fill))
}

fn panel() -> Element {
    let close = button("icon-btn only-narrow activity__close")
        .attr("type", "button")
        .attr("popovertarget", "activity")
        .attr("popovertargetaction", "hide")
        .attr("aria-label", "Close activity")
        .with(icon("x"));
    aside("activity")
        .attr("id", "activity")
        .attr("popover", "auto")
        .attr("aria-label", "Activity")
        .with(span("activity__grab").attr("aria-hidden", "true"))
        .with(div("activity__head").with(h2("").with("Activity")).with(close))
}

fn inside() -> Element {
    let shown = shown();
    let drawing = Memo::new(move |_| shown.with(|shown| shown.drawing.clone()));
    let totals = Memo::new(move |_| shown.with(|shown| shown.totals.clone()));
    let running = Memo::new(move |_| shown.with(|shown| shown.running.clone()));
    let recent = Memo::new(move |_| shown.with(|shown| shown.recent.clone()));
    let took = move || {
        let (total_ms, is_running) = drawing.with(|drawing| (drawing.total_ms, drawing.is_running));
        format!("{}{}", duration(total_ms), if is_running { " so far" } else { "" })
    };
    let head = |title: &'static str| div("asec__head").with(h3("").with(title));
    div("activity__scroll")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", "Activity of the newest run")
        .with(section("asec").with(head("This run").with(span("muted").with(said(took)))).with(drawn(drawing)))
        .with(section("asec").with(head("Totals")).with(totals_of(totals)))
        .with(list("Running", running))
        .with(list("Recent", recent))
}

fn totals_of(totals: Memo<Totals>) -> Element {
    let one = |name: &'static str, value: fn(&Totals) -> String| {
        div("").with(dt("").with(name)).with(dd("").with(said(move || totals.with(value))))
    };
    let is_bad = move || totals.with(|totals| totals.failures > 0).then_some("is-bad");
    dl("totals")
        .with(one("Calls", |totals| totals.calls.to_string()))
        .with(one("Failures", |totals| totals.failures.to_string()).live("class", is_bad))
        .with(one("Cache hits", |totals| totals.cache_hits.to_string()))
        .with(one("Wall time", |totals| duration(totals.wall_ms)))
        .with(one("Tool time", |totals| duration(totals.tool_ms)))
        .with(one("Tokens", |totals| totals.tokens.to_string()))
}

fn list(title: &'static str, calls: Memo<Vec<Listed>>) -> View {
    let ids = move || calls.with(|calls| calls.iter().map(|call| call.id.clone()).collect::<Vec<_>>());
    let count = move || calls.with(Vec::len).to_string();
    when(
        move || calls.with(|calls| !calls.is_empty()),
        move || {
            section("asec")
                .with(div("asec__head").with(h3("").with(title)).with(span("muted").with(said(count))))
                .with(ul("calls").with(each(ids, move |id| listed(calls, id))))
        },
    )
}

/// One of them. It is a link that somebody may be at, so it stays the same for as long as its call is in the list.
fn listed(calls: Memo<Vec<Listed>>, id: &CallId) -> Option<Element> {
    let (to, id) = (format!("#{id}"), id.clone());
    let find = move || calls.with(|calls| calls.iter().find(|call| call.id == id).cloned());
    // It may be looked at once more when its call is no longer there.
    let first = find()?;
    let call = Memo::new(move |_| find().unwrap_or_else(|| first.clone()));
    let say = |what: fn(&Listed) -> String| said(move || call.with(what));
    let drawn = svg_use().live("href", move || format!("#i-s-{}", status_glyph(call.with(|call| call.status))));
    let glyph = svg("glyph glyph--lg")
        .attr("aria-hidden", "true")
        .live("data-status", move || call.with(|call| call.status.as_str()))
        .with(drawn);
    let percent = move || call.with(|call| call.progress.map(|progress| format!("{:.0}", progress * 100.0)));
    let bar = move || {
        progress("bar")
            .attr("data-status", "in_progress")
            .attr("max", "100")
            .live("value", percent)
            .live("aria-label", move || call.with(|call| format!("{}: progress", call.title)))
    };
    let link = a("call")
        .attr("href", to)
        .attr("rel", "external")
        .with(glyph)
        .with(span("call__t").with(say(|call| call.title.clone())))
        .with(span("call__d").with(say(|call| call.duration.clone())))
        .with(span("call__s").with(say(|call| call.line.clone())))
        .with(when(move || call.with(|call| call.progress.is_some()), bar));
    Some(li("").with(link))
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// At least wide enough to be seen.
fn width(segment: &Segment) -> String {
    percent((segment.to - segment.from).max(0.006))
}

fn drawn(drawing: Memo<Waterfall>) -> Element {
    let has_model = move || drawing.with(|drawing| !drawing.model.is_empty());
    let model = move || {
        li("wf__row")
            .with(span("wf__label").with("Model"))
            .with(switch(move || drawing.with(|drawing| drawing.model.clone()), |segments| track(segments)))
            .with(span("wf__dur").with(said(move || duration(drawing.with(|drawing| drawing.model_ms)))))
    };
    let calls = move || {
        drawing.with(|drawing| drawing.rows.iter().take(MOST_ROWS).map(|row| row.call.clone()).collect::<Vec<_>>())
    };
    let rows = ul("")
        .attr("aria-label", "Waterfall: calls of this run over time")
        .with(when(has_model, model))
        .with(each(calls, move |call| wf_row(drawing, call)));
    let more = move || drawing.with(|drawing| drawing.rows.len().saturating_sub(MOST_ROWS));
    div("wf")
        .with(switch(move || drawing.with(|drawing| places(drawing.total_ms)), |places| axis(places)))
        .with(rows)
        .with(switch(more, |more| (*more > 0).then(|| p("muted").with(format!("and {more} more")))))
}

/// Times along the axis, and where they are.
fn places(total_ms: u64) -> Vec<(u64, String)> {
    let total = total_ms.max(1);
    ticks(total, 5).into_iter().map(|tick| (tick, percent(tick as f64 / total as f64))).collect()
}

fn axis(places: &[(u64, String)]) -> [Element; 2] {
    let seconds = |millis: u64| match millis {
        0 => "0".to_owned(),
        millis => duration(millis),
    };
    let times = places.iter().map(|(tick, x)| svg_text().attr("x", x.clone()).attr("y", "11").with(seconds(*tick)));
    let lines = places
        .iter()
        .map(|(_, x)| line("").attr("x1", x.clone()).attr("x2", x.clone()).attr("y1", "0").attr("y2", "100%"));
    [svg("wf__axis").attr("aria-hidden", "true").all(times), svg("wf__grid").attr("aria-hidden", "true").all(lines)]
}

/// A link like those in the lists, and like them it stays.
fn wf_row(drawing: Memo<Waterfall>, call: &CallId) -> Option<Element> {
    let (to, call) = (format!("#{call}"), call.clone());
    let find = move || drawing.with(|drawing| drawing.rows.iter().find(|row| row.call == call).cloned());
    let first = find()?;
    let row = Memo::new(move |_| find().unwrap_or_else(|| first.clone()));
    let told = move || {
        row.with(|row| {
            let took = duration(row.duration_ms);
            format!("{}: {}, {took}. {}", row.title, row.status.label(), row.summary)
        })
    };
    let class = move || row.with(|row| if row.depth > 0 { "wf__row wf__row--child" } else { "wf__row" });
    let link = a("")
        .live("class", class)
        .attr("href", to)
        .attr("rel", "external")
        .live("aria-label", told)
        .live("title", told)
        .with(span("wf__label").with(said(move || row.with(|row| row.title.clone()))))
        .with(switch(move || row.with(|row| row.segments.clone()), |segments| track(segments)))
        .with(span("wf__dur").with(said(move || duration(row.with(|row| row.duration_ms)))));
    Some(li("").with(link))
}

fn track(segments: &[Segment]) -> Element {
    let drawn = segments.iter().map(|segment| {
        let (x1, x2) = (percent(segment.from), percent(segment.to));
        match segment.kind {
            Kind::Waiting => line("wait")
                .attr("x1", x1)
                .attr("x2", x2)
                .attr("y1", "12")
                .attr("y2", "12")
                .attr("stroke-dasharray", "2 2"),
            kind => rect(if kind == Kind::Asking { "soft" } else { "wf__seg" })
                .attr("data-status", kind.as_str())
                .attr("x", x1)
                .attr("y", "7")
                .attr("width", width(segment))
                .attr("height", "10")
                .attr("rx", "2.5"),
        }
    });
    svg("wf__track").attr("aria-hidden", "true").all(drawn)
}

/// The same, as small as a line of text.
pub fn strip(drawing: Memo<Waterfall>) -> View {
    const HEIGHT: f64 = 18.0;
    let segments = |drawing: &Waterfall| drawing.rows.iter().map(|row| row.segments.clone()).collect::<Vec<_>>();
    switch(
        move || drawing.with(segments),
        |rows: &Vec<Vec<Segment>>| {
            let lanes = lanes(rows);
            let height = HEIGHT / lanes.iter().copied().max().map_or(1, |lane| lane + 1) as f64;
            let rects = rows.iter().zip(&lanes).flat_map(|(segments, lane)| {
                let y = format!("{:.2}", *lane as f64 * height);
                let worked = segments.iter().filter(|segment| segment.kind != Kind::Waiting);
                worked.map(move |segment| {
                    rect("")
                        .attr("data-status", segment.kind.as_str())
                        .attr("x", percent(segment.from))
                        .attr("y", y.clone())
                        .attr("width", width(segment))
                        .attr("height", format!("{:.2}", (height - 1.0).max(1.0)))
                        .attr("rx", "0.75")
                })
            });
            svg("strip").attr("role", "img").attr("aria-label", "These calls over time").all(rects)
        },
    )
}

/// Calls that do not run at the same time share a lane.
fn lanes(rows: &[Vec<Segment>]) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    let lane = |row: &Vec<Segment>| {
        let (from, to) = (row.first().map_or(0.0, |s| s.from), row.last().map_or(0.0, |s| s.to));
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
