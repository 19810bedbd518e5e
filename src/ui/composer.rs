//! Where a person writes: the inside of a real form, which works before, and without, WASM.

use leptos::{html::Textarea, prelude::*};

use super::icon::Icon;
use crate::{api::LONGEST_MESSAGE, browser, model::Problem};

/// The field, the button, and what went wrong last time. What was typed goes only once it has been taken.
#[component]
pub fn Composer(
    placeholder: &'static str,
    /// What came of the last time it was sent.
    #[prop(into)]
    outcome: Signal<Option<Result<(), Problem>>>,
    #[prop(into)] is_sending: Signal<bool>,
) -> impl IntoView {
    let field = NodeRef::<Textarea>::new();
    Effect::new(move || {
        if let (Some(Ok(())), Some(field)) = (outcome.get(), field.get_untracked()) {
            field.set_value("");
        }
    });
    let problem = move || outcome.get().and_then(Result::err);
    view! {
        {move || {
            problem().map(|problem| view! { <p class="composer__problem" role="alert" id="problem">{problem.message}</p> })
        }}
        <textarea
            node_ref=field
            name="text"
            rows="1"
            required
            maxlength=LONGEST_MESSAGE.to_string()
            placeholder=placeholder
            aria-label="Message"
            aria-describedby=move || problem().map(|_| "problem")
            on:keydown=|event| browser::composer::send_on_enter(&event)
        ></textarea>
        <div class="composer__bar">
            <div class="composer__end">
                <button class="send" aria-label="Send" title="Send (Enter)" aria-busy=move || is_sending.get().to_string()>
                    <Icon name="send" />
                </button>
            </div>
        </div>
    }
}
