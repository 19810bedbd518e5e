//! What a person can do about a call that has ended: run it again, as it was or otherwise, and leave its result out.

use leptos::{form::ActionForm, prelude::*};

use super::{
    Card,
    ask::{Trouble, pretty},
};
use crate::{
    api::{LeaveOut, RunAgain},
    ui::text_area::inside,
};

#[component]
pub fn Surgery(card: Card) -> impl IntoView {
    let (again, leave) = (ServerAction::<RunAgain>::new(), ServerAction::<LeaveOut>::new());
    let problem = Signal::derive(move || {
        again.value().get().and_then(Result::err).or_else(|| leave.value().get().and_then(Result::err))
    });
    let is_left_out = Memo::new(move |_| card.read(|call| call.is_left_out));
    let has_result =
        move || card.read(|call| call.parent_id.is_none() && call.repeats.is_none() && call.shown_result().is_some());
    let args = untrack(|| card.read(|call| pretty(&call.args_json)));
    let rows = (args.lines().count() + 1).clamp(3, 16).to_string();
    view! {
        <div class="card__acts">
            <ActionForm action=again>
                <Own card />
                <button class="btn btn--quiet btn--sm" disabled=move || again.pending().get()>
                    "Run again"
                </button>
            </ActionForm>
            <Show when=has_result>
                <ActionForm action=leave>
                    <Own card />
                    <input type="hidden" name="is_left_out" value=move || (!is_left_out.get()).to_string() />
                    <button class="btn btn--quiet btn--sm">
                        {move || if is_left_out.get() { "Take the result in again" } else { "Leave the result out" }}
                    </button>
                </ActionForm>
            </Show>
            <details class="raw card__edit">
                <summary>"Edit and run again"</summary>
                <ActionForm action=again attr:class="ask__form">
                    <Own card />
                    <label class="field">
                        <span class="field__label">"Arguments, as JSON"</span>
                        <textarea class="textarea textarea--code" name="args" rows=rows spellcheck="false">
                            {inside(&args)}
                        </textarea>
                    </label>
                    <div class="actions">
                        <button class="btn btn--sm" disabled=move || again.pending().get()>
                            "Run with these"
                        </button>
                        <span class="muted">"The new call stands below this one."</span>
                    </div>
                </ActionForm>
            </details>
            <Trouble card problem />
        </div>
    }
}

#[component]
fn Own(card: Card) -> impl IntoView {
    view! {
        <input type="hidden" name="conversation_id" value=card.live.id().to_string() />
        <input type="hidden" name="call_id" value=card.id.with_value(ToString::to_string) />
    }
}
