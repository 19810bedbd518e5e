//! A page for what is not there.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;

use super::frame::Frame;

#[component]
pub fn NotFound() -> impl IntoView {
    view! { <Missing what="There is nothing at this address." /> }
}

/// Says what is missing, and leads on.
#[component]
pub fn Missing(#[prop(into)] what: String) -> impl IntoView {
    view! {
        <Title text="Not found" />
        <Frame title="Not found">
            <div class="hello">
                <div>
                    <h2 class="hello__title">{what}</h2>
                    <p class="hello__lede">
                        "Your conversations are in the list, and "<A href="/">"a new one"</A>" is a question away."
                    </p>
                </div>
            </div>
        </Frame>
    }
}
