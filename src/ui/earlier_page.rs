//! `/c/{id}/before/{turn}`: older turns by themselves. With a script they come by themselves on the page of the conversation.

use leptos::prelude::*;

use super::{
    clock::Clock,
    live::Live,
    near::{Everything, FirstLook},
    transcript::transcript,
    view::{Element, a, div, nav},
};
use crate::api::Snapshot;

/// With its title.
pub fn earlier_page(snapshot: Snapshot) -> (String, Element) {
    let id = snapshot.conversation.id;
    let (first, last) = (snapshot.conversation.first_turn() + 1, snapshot.conversation.turn_count());
    FirstLook::provide(&snapshot.conversation);
    provide_context(Live::new(snapshot.conversation));
    provide_context(Clock::new(snapshot.now, || false));
    provide_context(Everything(RwSignal::new(true)));
    let title = format!("{}: turns {first} to {last}", snapshot.title);
    let on = nav("earlier earlier--end")
        .attr("aria-label", "Later turns")
        .with(a("btn btn--sm").attr("href", format!("/c/{id}")).with("The newest turns"));
    (title, div("").with(transcript(|| false)).with(on))
}
