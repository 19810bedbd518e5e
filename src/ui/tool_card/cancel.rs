//! A way to stop a call while it runs: a form, so that it works without JavaScript.

use leptos::prelude::*;

use super::Card;
use crate::ui::{
    sending::{Sending, quiet_trouble},
    view::{Element, button, hidden},
};

pub fn cancel(card: Card) -> Element {
    let cancel = Sending::to("/api/cancel_call");
    cancel
        .form("card__cancel")
        .with(hidden("conversation_id", card.live.id().to_string()))
        .with(hidden("call_id", card.id.with_value(ToString::to_string)))
        .with(button("btn btn--quiet btn--sm").with("Cancel this call"))
        .with(quiet_trouble(move || card.id.with_value(|id| cancel.problem_about(id.as_str()))))
}
