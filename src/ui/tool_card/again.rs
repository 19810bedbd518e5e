//! A result that was found before: how long ago, and a way to have it found anew.

use leptos::prelude::*;

use super::Card;
use crate::{
    model::summary,
    ui::{
        sending::{Sending, quiet_trouble},
        view::{Element, button, hidden, said, span},
    },
};

pub fn again(card: Card) -> Element {
    let again = Sending::to("/api/run_again");
    let told = move || match card.read(|call| call.metadata.cache_age_ms) {
        Some(age) if age >= 1000 => {
            format!("The same call was answered {} before. This is its result.", summary::duration(age))
        }
        _ => "The same call was just answered. This is its result.".to_owned(),
    };
    let run = button("btn btn--quiet btn--sm").live_flag("disabled", move || again.is_pending());
    again
        .form("card__cancel")
        .with(hidden("conversation_id", card.live.id().to_string()))
        .with(hidden("call_id", card.id.with_value(ToString::to_string)))
        .with(span("muted").with(said(told)))
        .with(run.with("Run again without cache"))
        .with(quiet_trouble(move || card.id.with_value(|id| again.problem_about(id.as_str()))))
}
