//! A result that was found before: how long ago, and a way to have it found anew.

use leptos::{form::ActionForm, prelude::*};

use super::Card;
use crate::{
    api::RunAgain,
    model::{Problem, summary},
};

#[component]
pub fn Again(card: Card) -> impl IntoView {
    let again = ServerAction::<RunAgain>::new();
    let own = move |problem: &Problem| card.id.with_value(|id| problem.is_about(id.as_str()));
    let problem = move || again.value().get().and_then(Result::err).filter(own).map(|problem| problem.message);
    let told = move || match card.read(|call| call.metadata.cache_age_ms) {
        Some(age) if age >= 1000 => {
            format!("The same call was answered {} before. This is its result.", summary::duration(age))
        }
        _ => "The same call was just answered. This is its result.".to_owned(),
    };
    view! {
        <ActionForm action=again attr:class="card__cancel">
            <input type="hidden" name="conversation_id" value=card.live.id().to_string() />
            <input type="hidden" name="call_id" value=card.id.with_value(ToString::to_string) />
            <span class="muted">{told}</span>
            <button class="btn btn--quiet btn--sm" disabled=move || again.pending().get()>
                "Run again without cache"
            </button>
            <span class="muted" role="status">
                {problem}
            </span>
        </ActionForm>
    }
}
