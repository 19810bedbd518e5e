//! One drawing out of the set in `public/icons.svg`, which every page has.

use super::view::{Element, svg, svg_use};
use crate::model::CallStatus;

/// As large as the text that it stands in.
pub fn icon(name: &'static str) -> Element {
    drawing("icon", name)
}

pub fn drawing(class: &'static str, name: &'static str) -> Element {
    svg(class).attr("aria-hidden", "true").with(svg_use().attr("href", format!("#i-{name}")))
}

/// One that changes.
pub fn live_icon(class: &'static str, name: impl Fn() -> &'static str + 'static) -> Element {
    svg(class).attr("aria-hidden", "true").with(svg_use().live("href", move || format!("#i-{}", name())))
}

/// The drawing of a status, without its prefix.
pub const fn status_glyph(status: CallStatus) -> &'static str {
    match status {
        CallStatus::AwaitingApproval | CallStatus::AwaitingInput => "awaiting",
        CallStatus::Denied => "cancelled",
        CallStatus::Queued
        | CallStatus::Starting
        | CallStatus::InProgress
        | CallStatus::Retrying
        | CallStatus::Completed
        | CallStatus::Failed
        | CallStatus::Cancelled => status.as_str(),
    }
}
