//! `/c/{id}/before/{turn}`: older turns by themselves. With a script they come by themselves on the page of the conversation.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use super::{
    clock::Clock,
    conversation_page::Refresh,
    frame::Frame,
    live::Live,
    near::{Everything, FirstLook},
    not_found::Trouble,
    transcript::Transcript,
};
use crate::api::{Snapshot, load_excerpt};

#[component]
pub fn EarlierPage() -> impl IntoView {
    let params = use_params_map();
    let asked = Memo::new(move |_| {
        let param = |name| params.read().get(name).unwrap_or_default();
        // What is no number is before everything.
        (param("id"), param("turn").parse().unwrap_or(0))
    });
    let snapshot = Resource::new_blocking(move || asked.get(), |(id, turn)| load_excerpt(id, turn));
    view! {
        <Transition>
            {move || Suspend::new(async move {
                match snapshot.await {
                    Ok(snapshot) => view! { <Shown snapshot /> }.into_any(),
                    Err(problem) => view! { <Trouble problem /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Shown(snapshot: Snapshot) -> impl IntoView {
    let id = snapshot.conversation.id;
    let (first, last) = (snapshot.conversation.first_turn() + 1, snapshot.conversation.turn_count());
    FirstLook::provide(&snapshot.conversation);
    let live = Live::new(snapshot.conversation);
    provide_context(live);
    provide_context(Clock::new(snapshot.now, || false));
    provide_context(Everything(RwSignal::new(true)));
    let title = format!("{}: turns {first} to {last}", snapshot.title);
    view! {
        <Title text=title.clone() />
        <Frame title>
            <Refresh />
            <Transcript has_asked=Signal::stored(false) />
            <nav class="earlier earlier--end" aria-label="Later turns">
                <a class="btn btn--sm" href=format!("/c/{id}") rel="external">
                    "The newest turns"
                </a>
            </nav>
        </Frame>
    }
}
