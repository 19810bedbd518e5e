//! Results that wait for a look: they go to the agent, or they do not.

use leptos::prelude::*;

use super::{
    live::Live,
    sending::{Sending, quiet_trouble},
    view::{View, button, hidden},
};

pub fn send_or_discard() -> View {
    let live: Live = expect_context();
    let (send, discard) = (Sending::to("/api/send_results"), Sending::to("/api/discard_results"));
    let which = || hidden("conversation_id", live.id().to_string());
    [
        discard.form("").with(which()).with(button("btn btn--quiet btn--sm").with("Discard")),
        send.form("").with(which()).with(button("btn btn--sm btn--primary").with("Send to the agent")),
        quiet_trouble(move || send.problem().or_else(|| discard.problem())),
    ]
    .into()
}
