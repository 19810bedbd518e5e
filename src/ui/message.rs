//! One message: a question on the right, an answer on the left, a status line in between.

use leptos::prelude::*;

use super::{
    folding::folding,
    icon::icon,
    live::Live,
    markdown::markdown,
    view::{Element, View, a, div, h2, img, li, many, p, said, small, span, summary, ul, when},
};
use crate::model::{
    Message, MessageId, Role, Timestamp,
    message::Media,
    summary::{bytes, duration},
};

pub fn message_view(id: MessageId) -> View {
    let live: Live = expect_context();
    // Who speaks does not change.
    let role = live.message(&id, |message| message.role);
    let id = StoredValue::new(id);
    let text = Memo::new(move |_| {
        let shown = |message: &Message| message.shows_content().then(|| message.content.clone());
        id.with_value(|id| live.message(id, shown)).flatten()
    });
    match role.unwrap_or(Role::Assistant) {
        Role::User => {
            let asked = div("msg-user").with(p("").with(said(move || text.get().unwrap_or_default())));
            many([h2("sr-only").with("You asked"), asked.with(sent_files(id))])
        }
        Role::Assistant | Role::Tool => {
            // A message that is complete has its time; until then it grows.
            let is_whole = Memo::new(move |_| {
                id.with_value(|id| live.message(id, |message| message.timestamp != Timestamp::default()))
                    .unwrap_or(true)
            });
            let answer = div("msg-assistant prose")
                .live_flag("data-empty", move || text.read().is_none())
                .with(markdown(move || text.get().unwrap_or_default(), move || is_whole.get()));
            many([h2("sr-only").with("Assistant").into(), thoughts(id), View::from(answer)])
        }
        Role::Status => when(
            move || text.read().is_some(),
            move || p("status-line").attr("role", "status").with(said(move || text.get().unwrap_or_default())),
        ),
    }
}

/// The files that came with a question.
fn sent_files(id: StoredValue<MessageId>) -> Option<Element> {
    let live: Live = expect_context();
    let of = |message: &Message| message.metadata.as_ref().map(|metadata| metadata.media.clone());
    let media = id.with_value(|id| live.message(id, of)).flatten().unwrap_or_default();
    let file = move |media: Media| {
        let address = format!("/api/conversations/{}/media/{}", live.id(), media.id);
        let face = match media.is_image() {
            true => img("").attr("src", address.clone()).attr("alt", media.name.clone()).attr("loading", "lazy"),
            false => icon("doc"),
        };
        let link = a("file")
            .attr("href", address)
            .attr("target", "_blank")
            .with(face)
            .with(span("file__name").with(media.name))
            .with(small("").with(bytes(media.bytes)));
        li("").with(link)
    };
    (!media.is_empty()).then(|| ul("files").all(media.into_iter().map(file)))
}

/// What the model thought before it spoke, for those who want to know.
fn thoughts(id: StoredValue<MessageId>) -> View {
    let live: Live = expect_context();
    let text = Memo::new(move |_| {
        id.with_value(|id| live.message(id, |message| message.reasoning.clone())).unwrap_or_default()
    });
    let label = move || {
        let told = |message: &Message| match message.metadata.as_ref().and_then(|metadata| metadata.thought_ms) {
            Some(..1000) => "Thought for a moment".into(),
            Some(millis) => format!("Thought for {}", duration(millis)),
            None if message.content.is_empty() && message.timestamp == Timestamp::default() => "Thinking…".into(),
            None => "Thoughts".into(),
        };
        id.with_value(|id| live.message(id, told)).unwrap_or_default()
    };
    when(
        move || !text.read().is_empty(),
        move || {
            folding("thoughts", format!("thoughts.{}", id.get_value()))
                .with(summary("").with(said(label)))
                .with(p("").with(said(move || text.get())))
        },
    )
}
