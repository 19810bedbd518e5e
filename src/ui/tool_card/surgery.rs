//! What a person can do about a call that has ended: run it again, as it was or otherwise, and leave its result out.

use leptos::prelude::*;

use super::{Card, ask::args_field};
use crate::{
    model::Problem,
    ui::{
        sending::{Sending, trouble},
        view::{Element, button, details, div, hidden, input, said, span, summary, when},
    },
};

pub fn surgery(card: Card) -> Element {
    let (again, leave) = (Sending::to("/api/run_again"), Sending::to("/api/leave_out"));
    let own = move |problem: &Problem| card.id.with_value(|id| problem.is_about(id.as_str()));
    let problem = move || again.problem().or_else(|| leave.problem()).filter(own);
    let has_result =
        move || card.read(|call| call.parent_id.is_none() && call.repeats.is_none() && call.shown_result().is_some());
    let run = |class| button(class).live_flag("disabled", move || again.is_pending());
    let actions = div("actions")
        .with(run("btn btn--sm").with("Run with these"))
        .with(span("muted").with("The new call stands below this one."));
    let edited = again.form("ask__form").with(which(card)).with(args_field(card, "Arguments, as JSON")).with(actions);
    div("card__acts")
        .with(again.form("").with(which(card)).with(run("btn btn--quiet btn--sm").with("Run again")))
        .with(when(has_result, move || leaving_out(card, leave)))
        .with(details("raw card__edit").with(summary("").with("Edit and run again")).with(edited))
        .with(trouble(problem))
}

fn leaving_out(card: Card, leave: Sending) -> Element {
    let is_left_out = Memo::new(move |_| card.read(|call| call.is_left_out));
    let wanted =
        input("").attr("type", "hidden").attr("name", "is_left_out").value(move || (!is_left_out.get()).to_string());
    let told = said(move || if is_left_out.get() { "Take the result in again" } else { "Leave the result out" });
    leave.form("").with(which(card)).with(wanted).with(button("btn btn--quiet btn--sm").with(told))
}

/// Which call it is about.
fn which(card: Card) -> [Element; 2] {
    [hidden("conversation_id", card.live.id().to_string()), hidden("call_id", card.id.with_value(ToString::to_string))]
}
