//! What keys do in the composer.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlTextAreaElement, KeyboardEvent};

pub fn text(field: &HtmlElement) -> String {
    field.unchecked_ref::<HtmlTextAreaElement>().value()
}

pub fn set_text(field: &HtmlElement, text: &str) {
    field.unchecked_ref::<HtmlTextAreaElement>().set_value(text);
}

/// Arrow up in an empty field brings back what was asked before, the newest first. True, if it did.
pub fn recall_on_arrow(event: &Event, asked: &[String], nth: usize) -> bool {
    let is_up = event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "ArrowUp");
    let field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let Some(field) = field.filter(|_| is_up) else { return false };
    let is_shown = nth > 0 && asked.get(nth - 1).is_some_and(|shown| *shown == text(&field));
    let Some(before) = asked.get(nth).filter(|_| is_shown || text(&field).is_empty()) else { return false };
    event.prevent_default();
    set_text(&field, before);
    true
}

/// Sends what is in a field, unless that is nothing.
pub fn send(field: &HtmlElement) {
    let field: &HtmlTextAreaElement = field.unchecked_ref();
    if let Some(form) = field.form().filter(|_| !field.value().trim().is_empty()) {
        let _ = form.request_submit();
    }
}

/// Enter is for sending; Shift+Enter begins a new line. While a word is being composed, Enter belongs to that.
pub fn is_send(event: &Event) -> bool {
    // Safari ends a composition before it tells of the key, and marks it only by this code.
    const COMPOSING: u32 = 229;
    event.dyn_ref::<KeyboardEvent>().is_some_and(|event| {
        let is_composing = event.is_composing() || event.key_code() == COMPOSING;
        event.key() == "Enter" && !event.shift_key() && !is_composing
    })
}
