//! What stands around every page: the list of conversations, the top bar.

use leptos::prelude::*;

use super::{icon::Icon, sidebar::Sidebar};

#[component]
pub fn Frame(
    #[prop(into)] title: Signal<String>,
    /// What can be done here, at the end of the top bar.
    #[prop(optional)]
    actions: Option<AnyView>,
    /// What stands beside it.
    #[prop(optional)]
    aside: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    view! {
        // External for the router, which would scroll there and leave the focus behind.
        <a class="skip-link" href="#main" rel="external">
            "Skip to content"
        </a>
        <div class="app">
            <Sidebar title />
            <main class="main" id="main" tabindex="-1">
                <header class="topbar">
                    <button class="icon-btn only-mobile" id="menu-button" type="button" popovertarget="sidebar" aria-label="Open menu">
                        <Icon name="menu" />
                    </button>
                    <h1 class="topbar__title">{move || title.get()}</h1>
                    {actions}
                </header>
                {children()}
            </main>
            {aside}
        </div>
    }
}
