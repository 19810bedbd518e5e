//! Every page there is. The server makes one from what it has read, and writes it; a browser makes the same once more from what
//! it was handed, and brings it to life.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    conversation_page::conversation_page,
    document,
    frame::frame,
    sending::Told,
    sidebar::{Conversations, Here},
    start_page::start_page,
    view::View,
};
use crate::{api::Snapshot, browser};

/// What the server hands to the program in the browser, beside what it has written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Handed {
    /// What was wrong with a form that was sent without a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
    pub page: Page,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub enum Page {
    Start,
    Conversation(Box<Snapshot>),
    /// One that does not change while somebody looks at it.
    #[default]
    Still,
}

/// Those that are alive. What is on the others is written by the server alone.
pub fn view(handed: &Handed) -> View {
    if let Some(told) = &handed.told {
        provide_context(told.clone());
    }
    match &handed.page {
        Page::Start => start_page(),
        Page::Conversation(snapshot) => conversation_page(snapshot),
        Page::Still => frame(View::Nothing, View::Nothing, View::Still(None), View::Nothing),
    }
}

/// Wakes up the page that the server has written.
pub fn wake() {
    let owner = Owner::new();
    owner.with(|| {
        let handed = browser::page::handed();
        Conversations::provide(None, String::new());
        provide_context(Here(browser::page::path()));
        browser::page::wake(move || view(&handed));
        browser::tools::offer();
        browser::form::send_once();
        Effect::new(browser::page::mark_alive);
    });
    // For as long as there is the page.
    std::mem::forget(owner);
}

/// What the browser's tab says follows what the page is called.
pub fn follow_title(title: impl Fn() -> String + 'static) {
    Effect::new(move || browser::page::set_title(&document::shown(&title())));
}
