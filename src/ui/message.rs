//! One message: a question on the right, an answer on the left, a status line in between.

use leptos::prelude::*;

use super::live::Live;
use crate::model::{Message, MessageId, Role};

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
            <div class="msg-assistant prose" class:is-empty=move || text.get().is_none()>
                <p>{move || text.get().unwrap_or_default()}</p>
            </div>
        }
        .into_any(),
        Role::Status => view! { <p class="status-line">{move || text.get().unwrap_or_default()}</p> }.into_any(),
    }
}
