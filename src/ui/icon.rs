//! One drawing out of the set in `public/icons.svg`, which the shell puts into every page.

use leptos::prelude::*;

#[component]
pub fn Icon(#[prop(into)] name: Signal<&'static str>, #[prop(default = "icon")] class: &'static str) -> impl IntoView {
    view! {
        <svg class=class aria-hidden="true">
            <use href=move || format!("#i-{}", name.get())></use>
        </svg>
    }
}
