//! A button that copies. It is only there where there is a script to do it.

use std::time::Duration;

use leptos::prelude::*;

use super::icon::Icon;
use crate::browser;

#[component]
pub fn CopyButton<F: Fn() -> String + Send + Sync + 'static>(
    /// What is copied, for those who hear it: "Copy arguments".
    label: &'static str,
    text: F,
) -> impl IntoView {
    let is_copied = RwSignal::new(false);
    let copy = move |_| {
        browser::page::copy(&text());
        is_copied.set(true);
        let forget = move || {
            is_copied.try_set(false);
        };
        set_timeout(forget, Duration::from_secs(2));
    };
    let icon = Signal::derive(move || if is_copied.get() { "check" } else { "copy" });
    view! {
        <button class="icon-btn icon-btn--sm copy" type="button" aria-label=label title=label on:click=copy>
            <Icon name=icon />
            <span class="sr-only" role="status">
                {move || is_copied.get().then_some("Copied")}
            </span>
        </button>
    }
}
