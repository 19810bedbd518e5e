//! Where a person writes: the inside of a real form, which works before, and without, WASM.

use leptos::prelude::*;

use super::{
    attachments::{Files, attach_button, attached_files},
    client_tools::client_tools,
    icon::icon,
    live::Live,
    picker::{model_picker, preset_picker, tools_menu},
    sending::Sending,
    view::{Element, View, button, div, many, p, span, switch, textarea, when},
};
use crate::browser::{
    self, composer,
    dom::{Event, Handle, value_of},
};

/// The field, the buttons, and what went wrong last time. What was typed goes only once it has been taken.
pub fn composer(placeholder: &'static str, sending: Sending) -> View {
    let files = Files::new();
    let live = use_context::<Live>();
    let draft = Draft::of(live);
    let field = Handle::default();
    keep_what_was_not_taken(sending, field, files, draft);
    let sender = Sender::new(sending, field, files);
    let is_busy = Memo::new(move |_| live.is_some_and(Live::is_running));
    let problem = move || sending.problem().map(|problem| problem.message);
    let told = switch(problem, |told| {
        told.clone().map(|told| p("composer__problem").attr("role", "alert").attr("id", "problem").with(told))
    });
    let recalled = StoredValue::new(0);
    let on_key = move |event: Event| {
        let asked = live.map(Live::questions).unwrap_or_default();
        if composer::recall_on_arrow(&event, &asked, recalled.get_value()) {
            recalled.set_value(recalled.get_value() + 1);
        } else {
            recalled.set_value(0);
            if composer::is_send(&event) {
                event.prevent_default();
                sender.send();
            }
        }
    };
    let text = textarea("")
        .attr("name", "text")
        .attr("rows", "1")
        .flag("required", true)
        .live("placeholder", move || {
            if is_busy.get() { "Say something. It goes in before the next step." } else { placeholder }
        })
        .attr("aria-label", "Message")
        .live("aria-describedby", move || problem().map(|_| "problem"))
        .on("keydown", on_key)
        .on("input", move |event| draft.keep(&value_of(&event)))
        .on("paste", move |event| files.add(browser::attach::pasted(&event)))
        .on("dragover", |event| browser::attach::take_over(&event))
        .on("drop", move |event| files.add(browser::attach::dropped(&event)))
        .made(move |element| {
            field.set(element.clone());
            draft.bring_back(&element);
        });
    many([told, attached_files(files), text.into(), bar(files, live, is_busy, sender).into()])
}

fn bar(files: Files, live: Option<Live>, is_busy: Memo<bool>, sender: Sender) -> Element {
    let stop = Sending::to("/api/cancel_run");
    let stop_now = move |event: Event| {
        event.prevent_default();
        if let Some(live) = live {
            stop.send(&[("conversation_id", &live.id().to_string())]);
        }
    };
    let stop_button = move || {
        button("btn stop")
            .attr("formaction", "/api/cancel_run")
            .flag("formnovalidate", true)
            .attr("title", "Stop (Esc)")
            .attr("aria-keyshortcuts", "Escape")
            .on("click", stop_now)
            .with(icon("stop"))
            .with(span("lbl").with("Stop"))
    };
    let send_once = move |event: Event| {
        if !untrack(|| sender.may_send()) {
            event.prevent_default();
            sender.send();
        }
    };
    let send = button("send")
        .attr("aria-label", "Send")
        .attr("title", "Send (Enter)")
        .live("aria-busy", move || (!sender.may_send()).to_string())
        .on("click", send_once)
        .with(icon("send"));
    let end = div("composer__end")
        .with(model_picker(live.and_then(Live::last_model)))
        .with(when(move || is_busy.get(), stop_button))
        .with(send);
    div("composer__bar")
        .with(client_tools())
        .with(attach_button(files))
        .with(tools_menu(live.map(Live::last_tools_off).unwrap_or_default()))
        .with(preset_picker(live.and_then(Live::last_preset)))
        .with(end)
}

/// What is typed survives a reload; what was typed before the page was alive is still there by itself.
#[derive(Clone, Copy)]
struct Draft(StoredValue<String>);

impl Draft {
    fn of(live: Option<Live>) -> Self {
        Self(StoredValue::new(live.map_or_else(|| "draft".to_owned(), |live| format!("draft.{}", live.id()))))
    }

    fn keep(self, typed: &str) {
        self.0.with_value(|name| browser::page::remember(name, Some(typed).filter(|typed| !typed.is_empty())));
    }

    fn bring_back(self, field: &browser::dom::HtmlElement) {
        let typed = composer::text(field);
        match self.0.with_value(|name| browser::page::recall(name)) {
            Some(kept) if typed.is_empty() => composer::set_text(field, &kept),
            _ => self.keep(&typed),
        }
    }
}

/// Empties the field when what was in it has been taken. What was typed meanwhile is the next question.
fn keep_what_was_not_taken(sending: Sending, field: Handle, files: Files, draft: Draft) {
    let sent = StoredValue::new(String::new());
    Effect::new(move || {
        if let (true, Some(field)) = (sending.is_pending(), field.get()) {
            sent.set_value(composer::text(&field));
            files.send();
        }
    });
    Effect::new(move || {
        if let Some(field) = field.get().filter(|_| sending.times_taken() > 0) {
            files.clear();
            if let Some(meanwhile) = composer::text(&field).strip_prefix(&sent.get_value()) {
                composer::set_text(&field, meanwhile.trim_start());
                draft.keep(meanwhile.trim_start());
            }
        }
    });
}

/// One at a time: a second Enter is not a second question. And not without its files: who sends before they have arrived
/// has it sent when they have.
#[derive(Clone, Copy)]
struct Sender {
    sending: Sending,
    field: Handle,
    files: Files,
    is_wanted: RwSignal<bool>,
}

impl Sender {
    fn new(sending: Sending, field: Handle, files: Files) -> Self {
        let this = Self { sending, field, files, is_wanted: RwSignal::new(false) };
        Effect::new(move || {
            if this.is_wanted.get() && this.may_send() {
                this.is_wanted.set(false);
                // When the files are in the form, too.
                browser::page::with_next_frame(move || this.send_now());
            }
        });
        this
    }

    fn may_send(self) -> bool {
        !self.sending.is_pending() && !self.files.are_on_their_way()
    }

    fn send(self) {
        if untrack(|| self.may_send()) {
            self.send_now();
        } else {
            self.is_wanted.set(!untrack(|| self.sending.is_pending()));
        }
    }

    fn send_now(self) {
        if let Some(field) = self.field.get() {
            composer::send(&field);
        }
    }
}
