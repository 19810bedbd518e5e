//! One message: a question on the right, an answer on the left, a status line in between.

use leptos::prelude::*;

use super::{live::Live, markdown::Markdown};
use crate::model::{Message, MessageId, Role, Timestamp};

#[component]
pub fn MessageView(id: MessageId) -> impl IntoView {
    let live: Live = expect_context();
    // Who speaks does not change.
    let role = untrack(|| live.message(&id, |message| message.role));
    let id = StoredValue::new(id);
    let text = Memo::new(move |_| {
        let shown = |message: &Message| message.shows_content().then(|| message.content.clone());
        id.with_value(|id| live.message(id, shown)).flatten()
    });
    // A message that is complete has its time; until then it grows.
    let is_whole = Memo::new(move |_| {
        id.with_value(|id| live.message(id, |message| message.timestamp != Timestamp::default())).unwrap_or(true)
    });
    match role.unwrap_or(Role::Assistant) {
        Role::User => view! {
            <h2 class="sr-only">"You asked"</h2>
            <div class="msg-user">
                <p>{move || text.get().unwrap_or_default()}</p>
            </div>
        }
        .into_any(),
        Role::Assistant | Role::Tool => view! {
            <h2 class="sr-only">"Assistant"</h2>
            <Thoughts id />
            <div class="msg-assistant prose" class:is-empty=move || text.get().is_none()>
                <Markdown text=Signal::derive(move || text.get().unwrap_or_default()) is_whole />
            </div>
        }
        .into_any(),
        Role::Status => view! { <p class="status-line">{move || text.get().unwrap_or_default()}</p> }.into_any(),
    }
}

/// What the model thought before it spoke, for those who want to know.
#[component]
fn Thoughts(id: StoredValue<MessageId>) -> impl IntoView {
    let live: Live = expect_context();
    let text = Memo::new(move |_| {
        id.with_value(|id| live.message(id, |message| message.reasoning.clone())).unwrap_or_default()
    });
    view! {
        <Show when=move || !text.read().is_empty()>
            <details class="thoughts">
                <summary>"Thoughts"</summary>
                <p>{move || text.get()}</p>
            </details>
        </Show>
    }
}
