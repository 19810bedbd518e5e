//! Routes. Pages are rendered whole before they are sent, so that they can be read without JavaScript.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

use super::{
    conversation_page::ConversationPage,
    earlier_page::EarlierPage,
    near::{FirstLook, Settled},
    not_found::NotFound,
    part_page::PartPage,
    settings_page::SettingsPage,
    shared::WithShared,
    start_page::StartPage,
};
use crate::browser;

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    FirstLook::begin();
    Settled::provide();
    Effect::new(browser::page::mark_alive);
    view! {
        <Title formatter=|of_page: String| title(&of_page) />
        <Router>
            <WithShared>
            <Routes fallback=NotFound>
                <Route path=path!("/") view=StartPage ssr=SsrMode::Async />
                <Route path=path!("/settings") view=SettingsPage ssr=SsrMode::Async />
                <Route path=path!("/c/:id") view=ConversationPage ssr=SsrMode::Async />
                <Route path=path!("/c/:id/before/:turn") view=EarlierPage ssr=SsrMode::Async />
                <Route path=path!("/c/:id/calls/:call/:what") view=PartPage ssr=SsrMode::Async />
            </Routes>
            </WithShared>
        </Router>
    }
}

/// A page's title as the browser shows it. On the server `leptos_meta` writes it into the page as it is, so it must not
/// hold anything that could end the element.
fn title(of_page: &str) -> String {
    if of_page.is_empty() { "Vitrine".into() } else { format!("{} · Vitrine", of_page.replace('<', "‹")) }
}
