//! Icon, title, stage line, badge, time, progress. The title stays; only what is below and beside it changes.

use super::Card;
use crate::{
    model::{CallStatus, Family, ToolCall},
    ui::{
        icon::{drawing, live_icon, status_glyph},
        view::{Element, View, own, progress, said, span, summary, svg, svg_use, when},
    },
};

pub fn header(card: Card) -> Element {
    let icon = move || match card.read(|call| Some(call.family())).unwrap_or(Family::Generic) {
        Family::BillSearch => "search",
        Family::ExecutiveSearch => "landmark",
        Family::Context => "users",
        Family::Details => "doc",
        Family::Generic => "braces",
    };
    let title = span("card__title")
        .with(span("").with(said(move || card.read(|call| call.title.clone()))))
        .with(span("card__args").with(said(move || card.read(ToolCall::subject))));
    let stage = span("card__stage").with(said(move || card.read(ToolCall::stage_line))).with(usual(card));
    summary("card__head")
        .with(span("card__icon").with(live_icon("icon", icon)))
        .with(span("card__text").with(title).with(stage))
        .with(badges(card))
        .with(running_time(card))
        .with(drawing("icon icon--sm chev", "chev"))
        .with(progress_bar(card))
}

fn badges(card: Card) -> Element {
    let status = move || card.read(|call| Some(call.status)).unwrap_or(CallStatus::Queued);
    let cached = move || {
        span("badge")
            .attr("data-status", "queued")
            .attr("title", "Same call, same arguments: answered from cache")
            .with(drawing("icon glyph", "bolt"))
            .with(span("badge__t").with(said(move || card.read(ToolCall::cached_label))))
    };
    let glyph = svg("glyph")
        .attr("aria-hidden", "true")
        .live_flag("data-spin", move || spins(status()))
        .with(svg_use().live("href", move || format!("#i-s-{}", status_glyph(status()))));
    let badge = span("badge")
        .live("data-status", move || status().as_str())
        .with(glyph)
        .with(span("badge__t").with(said(move || status().label())));
    span("card__badges").with(when(move || card.read(ToolCall::is_cached), cached)).with(badge)
}

/// Only a call that runs asks the clock, so only its text is written ten times a second.
fn running_time(card: Card) -> Element {
    let text = move || {
        let (is_under_way, standing) = card.read(|call| (call.is_under_way(), call.duration(Default::default())));
        if is_under_way { card.running_time() } else { standing }.unwrap_or_default()
    };
    span("card__dur").with(own(|| said(text)))
}

/// How long such a call usually takes, where that is worth knowing.
fn usual(card: Card) -> Element {
    let text = move || match card.read(|call| call.is_under_way() && call.metadata.p50_ms.is_some()) {
        true => card.unusual().unwrap_or_default(),
        false => String::new(),
    };
    span("card__usual").with(own(|| said(text)))
}

fn progress_bar(card: Card) -> View {
    let percent = move || card.read(ToolCall::progress).map(|progress| (progress * 100.0).round().to_string());
    when(
        move || card.read(|call| call.status.is_running()),
        move || {
            progress("card__progress bar")
                .attr("max", "100")
                .live("value", percent)
                .live("data-status", move || card.read(|call| call.status.as_str()))
                .live("aria-label", move || format!("{} progress", card.read(|call| call.title.clone())))
        },
    )
}

const fn spins(status: CallStatus) -> bool {
    match status {
        CallStatus::InProgress | CallStatus::Retrying => true,
        CallStatus::Queued
        | CallStatus::AwaitingApproval
        | CallStatus::AwaitingInput
        | CallStatus::Starting
        | CallStatus::Completed
        | CallStatus::Failed
        | CallStatus::Cancelled
        | CallStatus::Denied => false,
    }
}
