//! A call that runs in a page and waits there for the person: to click, so that no agent copies, saves or reads anything
//! unseen.

use leptos::prelude::*;

use super::Card;
use crate::{
    browser::tools,
    ui::view::{Element, View, button, div, p, said, section, switch},
};

pub fn here(card: Card) -> Element {
    // Which tab this is, a server does not know.
    let is_here = RwSignal::new(None::<bool>);
    Effect::new(move || {
        let tab = card.read(|call| call.tab.clone());
        is_here.set(Some(tab.is_some_and(|tab| tab == tools::tab())));
    });
    let told = switch(
        move || is_here.get(),
        move |is_here| match is_here {
            Some(true) => waiting(card),
            Some(false) => p("muted").with("This waits for you in the tab that asked.").into(),
            None => p("muted").with("This waits for you in your browser.").into(),
        },
    );
    section("ask").attr("aria-label", "In your browser").with(told)
}

/// In this tab.
fn waiting(card: Card) -> View {
    let question = said(move || card.read(|call| tools::question(&call.tool_name)));
    let label = said(move || card.read(|call| tools::label(&call.tool_name)));
    let run = button("btn btn--primary")
        .attr("type", "button")
        .on("click", move |_| tools::run_by_hand(card.live, card.id.get_value()));
    let skip = button("btn btn--quiet")
        .attr("type", "button")
        .on("click", move |_| tools::skip(card.live, card.id.get_value()));
    [p("ask__lede").with(question), div("actions").with(run.with(label)).with(skip.with("Skip"))].into()
}
