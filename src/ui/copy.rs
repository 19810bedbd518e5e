//! A button that copies. It is only there where there is a script to do it.

use std::time::Duration;

use leptos::prelude::*;

use super::{
    icon::live_icon,
    view::{Element, button, said, span},
};
use crate::browser;

/// `label` is for those who hear it: "Copy arguments".
pub fn copy_button(label: &'static str, text: impl Fn() -> String + 'static) -> Element {
    let is_copied = RwSignal::new(false);
    let copy = move |_| {
        browser::page::copy(&untrack(&text));
        is_copied.set(true);
        let forget = move || {
            is_copied.try_set(false);
        };
        set_timeout(forget, Duration::from_secs(2));
    };
    button("icon-btn icon-btn--sm copy")
        .attr("type", "button")
        .attr("aria-label", label)
        .attr("title", label)
        .on("click", copy)
        .with(live_icon("icon", move || if is_copied.get() { "check" } else { "copy" }))
        .with(span("sr-only").attr("role", "status").with(said(move || if is_copied.get() { "Copied" } else { "" })))
}
