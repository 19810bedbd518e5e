//! One drawing out of the set in `public/icons.svg`, which the shell puts into every page.

use leptos::prelude::*;

use crate::model::CallStatus;

#[component]
pub fn Icon(#[prop(into)] name: Signal<&'static str>, #[prop(default = "icon")] class: &'static str) -> impl IntoView {
    view! {
        <svg class=class aria-hidden="true">
            <use href=move || format!("#i-{}", name.get())></use>
        </svg>
    }
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
