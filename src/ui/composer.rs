//! Where a person writes: the inside of a real form, which works before, and without, WASM.

use leptos::{ev, html::Textarea, prelude::*};

use super::{
    attachments::{AttachButton, AttachedFiles, Files},
    icon::Icon,
    picker::{ModelPicker, PresetPicker},
};
use crate::{browser, model::Problem};

/// The field, the button, and what went wrong last time. What was typed goes only once it has been taken.
#[component]
pub fn Composer(
    placeholder: &'static str,
    /// What came of the last time it was sent.
    #[prop(into)]
    outcome: Signal<Option<Result<(), Problem>>>,
    #[prop(into)] is_sending: Signal<bool>,
    /// The model that was asked last.
    #[prop(into, optional)]
    last: Signal<Option<String>>,
    /// The preset that was used last.
    #[prop(into, optional)]
    last_preset: Signal<Option<String>>,
) -> impl IntoView {
    let files = Files::new();
    let field = NodeRef::<Textarea>::new();
    let sent = StoredValue::new(String::new());
    Effect::new(move || {
        if let (true, Some(field)) = (is_sending.get(), field.get_untracked()) {
            sent.set_value(field.value());
            files.send();
        }
    });
    Effect::new(move || {
        let taken = matches!(outcome.get(), Some(Ok(())));
        // What was typed meanwhile is the next question.
        if let Some(field) = field.get_untracked().filter(|_| taken) {
            let typed = field.value();
            files.clear();
            if let Some(meanwhile) = typed.strip_prefix(&sent.get_value()) {
                field.set_value(meanwhile.trim_start());
            }
        }
    });
    // One at a time: a second Enter is not a second question. And not without its files.
    let may_send = move || !is_sending.get() && !files.are_on_their_way();
    let send_on_enter = move |event| browser::composer::send_on_enter(&event, untrack(may_send));
    let send_once = move |event: ev::MouseEvent| {
        if !untrack(may_send) {
            event.prevent_default();
        }
    };
    let problem = move || outcome.get().and_then(Result::err);
    view! {
        {move || {
            problem().map(|problem| view! { <p class="composer__problem" role="alert" id="problem">{problem.message}</p> })
        }}
        <AttachedFiles files />
        <textarea
            node_ref=field
            name="text"
            rows="1"
            required
            placeholder=placeholder
            aria-label="Message"
            aria-describedby=move || problem().map(|_| "problem")
            on:keydown=send_on_enter
            on:paste=move |event| files.add(browser::attach::pasted(&event))
            on:dragover=move |event| browser::attach::take_over(&event)
            on:drop=move |event| files.add(browser::attach::dropped(&event))
        ></textarea>
        <div class="composer__bar">
            <AttachButton files />
            <PresetPicker last=last_preset />
            <div class="composer__end">
                <ModelPicker last />
                <button
                    class="send"
                    aria-label="Send"
                    title="Send (Enter)"
                    aria-busy=move || (!may_send()).to_string()
                    on:click=send_once
                >
                    <Icon name="send" />
                </button>
            </div>
        </div>
    }
}
