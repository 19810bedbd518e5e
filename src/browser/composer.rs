//! What keys do in the composer.

use wasm_bindgen::JsCast;
use web_sys::{HtmlTextAreaElement, KeyboardEvent};

/// Arrow up in an empty field brings back what was asked before, the newest first. True, if it did.
pub fn recall_on_arrow(event: &KeyboardEvent, asked: &[String], nth: usize) -> bool {
    let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok()) else {
        return false;
    };
    let is_shown = nth > 0 && asked.get(nth - 1).is_some_and(|shown| *shown == field.value());
    if event.key() != "ArrowUp" || !(field.value().is_empty() || is_shown) {
        return false;
    }
    let Some(before) = asked.get(nth) else { return false };
    event.prevent_default();
    field.set_value(before);
    true
}

/// Sends what is in a field, unless that is nothing.
pub fn send(field: &HtmlTextAreaElement) {
    if let Some(form) = field.form().filter(|_| !field.value().trim().is_empty()) {
        let _ = form.request_submit();
    }
}

/// Enter is for sending; Shift+Enter begins a new line. While a word is being composed, Enter belongs to that.
pub fn send_on_enter(event: &KeyboardEvent, send_now: impl FnOnce(&HtmlTextAreaElement)) {
    // Safari ends a composition before it tells of the key, and marks it only by this code.
    const COMPOSING: u32 = 229;
    let is_composing = event.is_composing() || event.key_code() == COMPOSING;
    if event.key() != "Enter" || event.shift_key() || is_composing {
        return;
    }
    let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok()) else {
        return;
    };
    event.prevent_default();
    send_now(&field);
}
