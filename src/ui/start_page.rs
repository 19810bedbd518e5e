//! `/`: ask a first question. The list beside it has those asked before.

use leptos::prelude::*;

use super::{
    client_tools::client_tools,
    composer::composer,
    frame::frame,
    icon::icon,
    picker::Choices,
    sending::{Sending, Told},
    view::{Element, View, br, button, div, form, h2, hidden, p, span, still, strong},
};
use crate::{browser, model::ConversationId};

const EXAMPLES: [&str; 4] = [
    "Which bills are about veterans?",
    "What became of the HALT Fentanyl Act?",
    "Research artificial intelligence",
    "Compare H.R. 27 with S. 331",
];

/// What was just deleted, and can be brought back.
#[derive(Clone)]
pub struct Deleted(pub ConversationId);

pub fn start_page() -> View {
    Effect::new(|| browser::keys::listen(|_| ()));
    let begin = Sending::to("/api/new_conversation");
    let form = begin
        .form("composer")
        .attr("enctype", "multipart/form-data")
        .with(composer("Ask about bills, executive orders, topics or sponsors", begin));
    let inside: [View; 3] = [
        still(|| use_context::<Deleted>().map(|Deleted(id)| deleted(id))),
        still(|| Some(hello())),
        div("dock").with(div("dock__in").with(form)).into(),
    ];
    frame("New chat", View::Nothing, inside, View::Nothing)
}

fn hello() -> Element {
    let title =
        h2("hello__title").with("Ask about US legislation.").with(br("")).with(" Watch every step of the answer.");
    let lede =
        "Vitrine is an AI chat you host yourself. Each search it makes shows up as a live card you can open and check.";
    div("hello").with(div("").with(title).with(p("hello__lede").with(lede))).with(examples()).with(who_answers())
}

fn examples() -> Element {
    let example = |question: &'static str| {
        let asked = span("").with(question);
        button("").attr("name", "text").attr("value", question).with(asked).with(icon("send"))
    };
    form("asks")
        .attr("method", "post")
        .attr("action", "/api/new_conversation")
        .with(client_tools())
        .all(EXAMPLES.map(example))
}

fn deleted(id: ConversationId) -> Element {
    const RESTORE: &str = "/api/restore_conversation";
    let told = use_context::<Told>().filter(|told| told.path == RESTORE).map(|told| told.problem.message);
    let undo = form("status-line__end")
        .attr("method", "post")
        .attr("action", RESTORE)
        .with(hidden("conversation_id", id.to_string()))
        .with(button("btn btn--sm").with("Undo"));
    div("status-line undo")
        .attr("role", "status")
        .with(span("").with(told.unwrap_or_else(|| "The conversation is deleted.".into())))
        .with(undo)
}

/// Who is asked when nobody chooses.
fn who_answers() -> Element {
    let Choices { models, .. } = expect_context();
    let (name, about) = match models.first().filter(|model| !model.is_embedded) {
        Some(model) => (
            format!("{} is answering. ", model.label),
            "What you ask, and what the tools find, is sent to this model. The choice is beside the field below.",
        ),
        None => (
            "The embedded offline agent is answering. ".into(),
            "It runs inside Vitrine, needs no network, and searches the real bills and executive orders that ship with it.",
        ),
    };
    div("notice").with(icon("cpu")).with(p("").with(strong("").with(name)).with(span("").with(about)))
}
