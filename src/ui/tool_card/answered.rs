//! What a person has said to a call, and still stands by it.

use super::Card;
use crate::{
    model::{
        ToolCall,
        ask::{Answer, Asked, Question, Scope},
    },
    ui::view::{View, div, h3, li, section, switch, ul},
};

pub fn answered(card: Card) -> View {
    switch(
        move || card.read(lines),
        |lines| {
            let said = ul("said").all(lines.iter().map(|line| li("").with(line.clone())));
            let head = div("sec__head").with(h3("").with("Your part"));
            (!lines.is_empty()).then(|| section("sec").with(head).with(said))
        },
    )
}

/// Each in a sentence.
fn lines(call: &ToolCall) -> Vec<String> {
    let asked = call.asked.iter().filter_map(|Asked { ask, answer, .. }| {
        let question = match &ask.question {
            Question::Approval(_) => None,
            Question::Form(inquiry) => Some(inquiry.message.as_str()),
        };
        Some(match (answer.as_ref()?, question) {
            (Answer::Approved { scope, args: None }, _) => format!("You allowed it, {}.", scope.told()),
            (Answer::Approved { .. }, _) => "You changed the arguments and allowed it, once.".into(),
            (Answer::Denied { reason: None }, _) => "You denied it.".into(),
            (Answer::Denied { reason: Some(why) }, _) => format!("You denied it: {why}"),
            (Answer::Submitted { .. }, Some(question)) => format!("You answered: {question}"),
            (Answer::Submitted { .. }, None) => "You answered.".into(),
            (Answer::Skipped, _) => "You skipped the question.".into(),
            (Answer::Withdrawn, _) => "Nobody answered before the call ended.".into(),
        })
    });
    let by_grant = match call.allowed {
        Some(scope @ (Scope::Conversation | Scope::Always)) if call.asked.is_empty() => Some(format!(
            "You have allowed this tool {}, so it did not ask. Settings has what you allowed.",
            scope.told()
        )),
        _ => None,
    };
    by_grant.into_iter().chain(asked).collect()
}
