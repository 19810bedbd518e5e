//! Every event of the call: stage, status, what it said, and when.

use super::Card;
use crate::{
    model::{Family, Metadata, tool_call::Moment},
    ui::view::{Element, div, each, h3, li, ol, p, said, section, span, time},
};

pub fn timeline(card: Card) -> Element {
    let moments = each(
        move || card.read(|call| (0..call.timeline.len()).collect::<Vec<_>>()),
        // What has happened does not change: each entry is read once.
        move |n| card.read(|call| call.timeline.get(*n).cloned()).map(|moment| entry(card, &moment)),
    );
    section("sec").with(div("sec__head").with(h3("").with("Timeline"))).with(ol("timeline").with(moments))
}

fn entry(card: Card, moment: &Moment) -> Element {
    let at = moment.at;
    let family = card.read(|call| Some(call.family())).unwrap_or(Family::Generic);
    let status = span("badge badge--outline").attr("data-status", moment.status.as_str());
    let what = div("tl__what")
        .with(moment.stage.map(|stage| span("tl__stage").with(stage.label(family))))
        .with(status.with(moment.status.label()));
    let meta = p("tl__meta").all(facts(&moment.metadata).into_iter().map(|fact| span("").with(fact)));
    let clock = time("tl__time").attr("datetime", at.to_string()).with(said(move || card.clock.local(at)));
    li("tl")
        .attr("data-status", moment.status.as_str())
        .attr("data-seq", moment.seq.to_string())
        .with(div("").with(what).with(meta))
        .with(clock)
}

/// What an event said, each thing in a few words.
fn facts(metadata: &Metadata) -> Vec<String> {
    let Metadata {
        query,
        iteration,
        results_found,
        total_results,
        filters_applied,
        final_query,
        error_message,
        message,
        ..
    } = metadata;
    [
        query.as_ref().map(|query| format!("Query: \"{query}\"")),
        iteration.map(|n| format!("Iteration: {n}")),
        results_found.map(|n| format!("Results: {n}")),
        total_results.map(|n| format!("In all: {n}")),
        filters_applied.as_ref().filter(|all| !all.is_empty()).map(|all| format!("Filters: {}", all.join(", "))),
        final_query.as_ref().map(|query| format!("Final query: \"{query}\"")),
        error_message.clone(),
        message.clone(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
