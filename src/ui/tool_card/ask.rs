//! What a call asks of a person: whether it may run, or what only the person knows. Forms, so that it can be answered
//! without a script.

use leptos::prelude::*;

use super::Card;
use crate::{
    browser,
    model::ask::{Approval, Ask, Question, Scope},
    ui::{
        icon::drawing,
        sending::{Sending, trouble},
        view::{
            Element, View, button, details, div, fieldset, hidden, input, label, legend, li, p, section, span, summary,
            switch, textarea, ul,
        },
    },
};

/// Its fields.
mod fields;

use fields::inquired;

pub fn asking(card: Card) -> View {
    let ask = Memo::new(move |_| card.read(|call| call.open_question().cloned()));
    // Whoever answers by keyboard is at the card before the question goes, so it goes a moment later.
    let shown = RwSignal::new(ask.get_untracked());
    Effect::new(move || {
        let now = ask.get();
        if now != shown.get_untracked() {
            let at = format!("[id=\"{}\"]", card.id.get_value());
            browser::near::move_focus(&format!("{at} .ask"), &format!("{at} > summary"));
            shown.set(now);
        }
    });
    switch(
        move || shown.get(),
        move |ask| {
            ask.clone().map(|Ask { nth, question, .. }| match question {
                Question::Approval(approval) => approve(card, nth, approval),
                Question::Form(inquiry) => inquired(card, nth, inquiry),
            })
        },
    )
}

/// Which question is answered.
fn which(card: Card, nth: u32) -> [Element; 3] {
    [
        hidden("conversation_id", card.live.id().to_string()),
        hidden("call_id", card.id.with_value(ToString::to_string)),
        hidden("nth", nth.to_string()),
    ]
}

/// What went wrong with an answer, on the card that it was given on.
pub fn own_trouble(card: Card, sending: Sending) -> View {
    trouble(move || card.id.with_value(|id| sending.problem_about(id.as_str())))
}

fn approve(card: Card, nth: u32, approval: Approval) -> Element {
    let decide = Sending::to("/api/approve_call");
    let decision = |class, decision: &'static str| {
        let button = button(class).attr("name", "decision").attr("value", decision);
        // Not really disabled: that would take the focus away.
        button.live("aria-disabled", move || decide.is_pending().then_some("true"))
    };
    let Approval { lede, effects, facts, why_again, subject } = approval;
    let from = (!subject.server.is_empty()).then(|| format!("From {}", subject.server));
    let line = |told: String| li("").with(told);
    let will = (!effects.is_empty()).then(|| ul("will").all(effects.into_iter().map(line)));
    let scope = |scope: &Scope| {
        let field = input("").attr("type", "radio").attr("name", "scope").attr("value", scope.as_str());
        let field = field.flag("checked", *scope == Scope::Once);
        label("pick").with(field).with(span("").with(scope.label()))
    };
    let approved = decision("btn btn--primary", "approve").with(drawing("icon icon--sm", "check")).with("Approve");
    let plainly = decide
        .form("ask__form")
        .with(which(card, nth))
        .with(fieldset("picks").with(legend("sr-only").with("For how long")).all(Scope::ALL.iter().map(scope)))
        .with(div("actions").with(approved).with(decision("btn", "deny").with("Deny")));
    let edited =
        decide.form("ask__form").with(which(card, nth)).with(args_field(card, "Exact arguments, as JSON")).with(
            div("actions")
                .with(decision("btn", "approve").with("Approve as edited"))
                .with(span("muted").with("What stands here is what runs, this once.")),
        );
    let why = input("textarea").attr("name", "reason").attr("maxlength", "1000").flag("required", true);
    let why = label("field").with(span("field__label").with("Why not? The agent is told")).with(why);
    let with_reason = decide
        .form("ask__form")
        .with(which(card, nth))
        .with(why)
        .with(div("actions").with(decision("btn", "deny").with("Deny")));
    section("ask")
        .attr("aria-label", "Approval")
        .with(why_again.map(|why| p("ask__why").with(why)))
        .with(p("ask__lede").with(lede))
        .with(will)
        .with(ul("facts").all(from.into_iter().chain(facts).map(line)))
        .with(plainly)
        .with(own_trouble(card, decide))
        .with(details("raw").with(summary("").with("Edit and approve")).with(edited))
        .with(details("raw").with(summary("").with("Deny with a reason")).with(with_reason))
}

/// The arguments of a call, to be changed.
pub fn args_field(card: Card, what: &'static str) -> Element {
    let args = untrack(|| card.read(|call| pretty(&call.args_json)));
    let rows = (args.lines().count() + 1).clamp(3, 16).to_string();
    let field = textarea("textarea textarea--code").attr("name", "args").attr("rows", rows).attr("spellcheck", "false");
    label("field").with(span("field__label").with(what)).with(field.with(args))
}

/// As people write it.
pub fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json).map_or_else(|_| json.to_owned(), |value| format!("{value:#}"))
}
