//! Where a person writes: the inside of a real form, which works before, and without, WASM.

use leptos::{ev, html::Textarea, prelude::*};

use super::{
    attachments::{AttachButton, AttachedFiles, Files},
    client_tools::ClientTools,
    icon::Icon,
    live::Live,
    picker::{ModelPicker, PresetPicker, ToolsMenu},
};
use crate::{api::CancelRun, browser, model::Problem};

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
    let live = use_context::<Live>();
    // What is typed survives a reload; what was typed before the page was alive is still there by itself.
    let draft = live.map_or_else(|| "draft".to_owned(), |live| format!("draft.{}", live.id()));
    let draft = StoredValue::new(draft);
    let keep = move |typed: &str| {
        draft.with_value(|draft| browser::page::remember(draft, Some(typed).filter(|typed| !typed.is_empty())));
    };
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
                keep(meanwhile.trim_start());
            }
        }
    });
    // One at a time: a second Enter is not a second question. And not without its files.
    let may_send = move || !is_sending.get() && !files.are_on_their_way();
    // Who sends before the files have arrived has it sent when they have.
    let is_wanted = RwSignal::new(false);
    let send_when_possible = move || is_wanted.set(!is_sending.get_untracked());
    Effect::new(move || {
        if is_wanted.get() && may_send() {
            is_wanted.set(false);
            browser::page::with_next_frame(move || {
                if let Some(field) = field.try_get_untracked().flatten() {
                    browser::composer::send(&field);
                }
            });
        }
    });
    let recalled = StoredValue::new(0);
    let on_key = move |event: ev::KeyboardEvent| {
        let asked = live.map(Live::questions).unwrap_or_default();
        if browser::composer::recall_on_arrow(&event, &asked, recalled.get_value()) {
            recalled.set_value(recalled.get_value() + 1);
        } else {
            recalled.set_value(0);
            browser::composer::send_on_enter(&event, |field| {
                if untrack(may_send) {
                    browser::composer::send(field);
                } else {
                    send_when_possible();
                }
            });
        }
    };
    Effect::new(move || {
        let Some(field) = field.get() else { return };
        match draft.with_value(|draft| browser::page::recall(draft)) {
            Some(kept) if field.value().is_empty() => field.set_value(&kept),
            _ => keep(&field.value()),
        }
    });
    let is_busy = Memo::new(move |_| live.is_some_and(Live::is_running));
    let stop = ServerAction::<CancelRun>::new();
    let stop_now = move |event: ev::MouseEvent| {
        event.prevent_default();
        if let Some(live) = live {
            stop.dispatch(CancelRun { conversation_id: live.id().to_string() });
        }
    };
    let told = move || if is_busy.get() { "Say something. It goes in before the next step." } else { placeholder };
    let send_once = move |event: ev::MouseEvent| {
        if !untrack(may_send) {
            event.prevent_default();
            send_when_possible();
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
            placeholder=told
            aria-label="Message"
            aria-describedby=move || problem().map(|_| "problem")
            on:keydown=on_key
            on:input=move |event| keep(&event_target_value(&event))
            on:paste=move |event| files.add(browser::attach::pasted(&event))
            on:dragover=move |event| browser::attach::take_over(&event)
            on:drop=move |event| files.add(browser::attach::dropped(&event))
        ></textarea>
        <div class="composer__bar">
            <ClientTools />
            <AttachButton files />
            <ToolsMenu off=live.map(Live::last_tools_off).unwrap_or_default() />
            <PresetPicker last=last_preset />
            <div class="composer__end">
                <ModelPicker last />
                <Show when=move || is_busy.get()>
                    <button
                        class="btn stop"
                        formaction="/api/cancel_run"
                        formnovalidate
                        title="Stop (Esc)"
                        aria-keyshortcuts="Escape"
                        on:click=stop_now
                    >
                        <Icon name="stop" />
                        <span class="lbl">"Stop"</span>
                    </button>
                </Show>
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
