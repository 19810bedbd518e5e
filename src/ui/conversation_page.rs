//! `/c/{id}`: one conversation. Rendered from the fold, then alive: the page follows the log from where it was rendered.

use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use super::{
    clock::Clock, composer::Composer, connection::ConnectionLine, frame::Frame, live::Live, not_found::Trouble,
    transcript::Transcript,
};
use crate::{
    api::{SendMessage, Snapshot, load_conversation},
    browser::{self, event_stream},
    model::ConversationId,
};

#[component]
pub fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let snapshot = Resource::new_blocking(move || id.get(), load_conversation);
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
    let live = Live::new(snapshot.conversation);
    let connection = RwSignal::new(event_stream::Connection::default());
    provide_context(live);
    provide_context(Clock::new(snapshot.now, move || live.is_busy()));
    Effect::new(move || {
        let stream = event_stream::follow(id, live, connection);
        on_cleanup(move || drop(stream));
    });
    view! {
        <Title text=snapshot.title.clone() />
        <Frame title=snapshot.title>
            <Transcript />
            <div class="dock">
                <div class="dock__in">
                    <ConnectionLine connection />
                    <Reply id />
                </div>
            </div>
        </Frame>
    }
}

#[component]
fn Reply(id: ConversationId) -> impl IntoView {
    let send = ServerAction::<SendMessage>::new();
    let live: Live = expect_context();
    // What was just asked here comes into view, with room below it for the answer.
    Effect::new(move |turns_before: Option<usize>| {
        let turns = live.turn_count();
        if turns_before.is_some_and(|before| before < turns) && send.version().get_untracked() > 0 {
            browser::page::show_last("#transcript > .turn");
        }
        turns
    });
    view! {
        <ActionForm action=send attr:class="composer">
            <input type="hidden" name="conversation_id" value=id.to_string() />
            <Composer
                placeholder="Ask a follow-up"
                outcome=move || send.value().get().map(|outcome| outcome.map(drop))
                is_sending=send.pending()
            />
        </ActionForm>
    }
}
