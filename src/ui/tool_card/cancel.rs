//! A way to stop a call while it runs: a form, so that it works without JavaScript.

use leptos::{form::ActionForm, prelude::*};

use super::Card;
use crate::{api::CancelCall, model::Problem};

#[component]
pub fn Cancel(card: Card) -> impl IntoView {
    let cancel = ServerAction::<CancelCall>::new();
    let own = move |problem: &Problem| card.id.with_value(|id| problem.is_about(id.as_str()));
    let problem = move || cancel.value().get().and_then(Result::err).filter(own).map(|problem| problem.message);
    view! {
        <ActionForm action=cancel attr:class="card__cancel">
            <input type="hidden" name="conversation_id" value=card.live.id().to_string() />
            <input type="hidden" name="call_id" value=card.id.with_value(ToString::to_string) />
            <button class="btn btn--quiet btn--sm">"Cancel this call"</button>
            <span class="muted" role="status">
                {problem}
            </span>
        </ActionForm>
    }
}
