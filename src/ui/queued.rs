//! A question that waits while a run goes on: it can still be changed or withdrawn.

use leptos::prelude::*;

use super::{
    icon::drawing,
    live::Live,
    sending::{Sending, trouble},
    view::{Element, button, details, div, hidden, input, span, summary, textarea},
};
use crate::{
    api::LONGEST_MESSAGE,
    model::{Entry, Message, MessageId},
};

pub fn queued(turn: usize) -> Element {
    let live: Live = expect_context();
    let (edit, withdraw) = (Sending::to("/api/edit_queued"), Sending::to("/api/withdraw_queued"));
    let asked = Memo::new(move |_| {
        let id: MessageId = live.entries(turn).iter().find_map(|entry| match entry {
            Entry::Message(id) => Some(id.clone()),
            Entry::Call(_) => None,
        })?;
        let text = live.message(&id, |message: &Message| message.content.clone())?;
        Some((id, text))
    });
    let message = move || asked.get().map(|(id, _)| id.to_string()).unwrap_or_default();
    let text = move || asked.get().map(|(_, text)| text).unwrap_or_default();
    let which = || {
        let message = input("").attr("type", "hidden").attr("name", "message_id").value(message);
        [hidden("conversation_id", live.id().to_string()), message]
    };
    let gone = button("btn btn--quiet btn--sm").live_flag("disabled", move || withdraw.is_pending()).with("Withdraw");
    let question = textarea("textarea")
        .attr("name", "question")
        .attr("rows", "2")
        .flag("required", true)
        .attr("maxlength", LONGEST_MESSAGE.to_string())
        .attr("aria-label", "Question")
        .value(text);
    let save = div("actions").with(button("btn btn--sm").with("Save"));
    let editing = edit.form("ask__form").with(which()).with(question).with(save);
    div("status-line status-line--live queued")
        .with(drawing("glyph", "s-queued").attr("data-status", "queued"))
        .with(span("").with("Queued: goes in before the agent's next step"))
        .with(span("status-line__end").with(withdraw.form("").with(which()).with(gone)))
        .with(details("raw queued__edit").with(summary("").with("Edit")).with(editing))
        .with(trouble(move || edit.problem().or_else(|| withdraw.problem())))
}
