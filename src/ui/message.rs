//! One message: a question on the right, an answer on the left, a status line in between.

use leptos::{either::Either, prelude::*};

use super::{icon::Icon, live::Live, markdown::Markdown};
use crate::model::{
    Message, MessageId, Role, Timestamp,
    message::Media,
    summary::{bytes, duration},
};

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
                <SentFiles id />
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
        Role::Status => view! {
            <Show when=move || text.read().is_some()>
                <p class="status-line" role="status">
                    {move || text.get()}
                </p>
            </Show>
        }
        .into_any(),
    }
}

/// The files that came with a question.
#[component]
fn SentFiles(id: StoredValue<MessageId>) -> impl IntoView {
    let live: Live = expect_context();
    let media = untrack(|| {
        let of = |message: &Message| message.metadata.as_ref().map(|metadata| metadata.media.clone());
        id.with_value(|id| live.message(id, of)).flatten().unwrap_or_default()
    });
    let file = move |media: Media| {
        let address = format!("/api/conversations/{}/media/{}", live.id(), media.id);
        let image = media.is_image().then(|| (address.clone(), media.name.clone()));
        view! {
            <li>
                <a class="file" href=address rel="external" target="_blank">
                    {match image {
                        Some((address, name)) => Either::Left(view! { <img src=address alt=name loading="lazy" /> }),
                        None => Either::Right(view! { <Icon name="doc" /> }),
                    }}
                    <span class="file__name">{media.name}</span>
                    <small>{bytes(media.bytes)}</small>
                </a>
            </li>
        }
    };
    (!media.is_empty()).then(|| view! { <ul class="files">{media.into_iter().map(file).collect_view()}</ul> })
}

/// What the model thought before it spoke, for those who want to know.
#[component]
fn Thoughts(id: StoredValue<MessageId>) -> impl IntoView {
    let live: Live = expect_context();
    let text = Memo::new(move |_| {
        id.with_value(|id| live.message(id, |message| message.reasoning.clone())).unwrap_or_default()
    });
    let label = Memo::new(move |_| {
        let told = |message: &Message| match message.metadata.as_ref().and_then(|metadata| metadata.thought_ms) {
            Some(..1000) => "Thought for a moment".into(),
            Some(millis) => format!("Thought for {}", duration(millis)),
            None if message.content.is_empty() && message.timestamp == Timestamp::default() => "Thinking…".into(),
            None => "Thoughts".into(),
        };
        id.with_value(|id| live.message(id, told)).unwrap_or_default()
    });
    view! {
        <Show when=move || !text.read().is_empty()>
            <details class="thoughts">
                <summary>{move || label.get()}</summary>
                <p>{move || text.get()}</p>
            </details>
        </Show>
    }
}
