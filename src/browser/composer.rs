//! What keys do in the composer.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, KeyboardEvent};

/// Enter sends, Shift+Enter begins a new line. While a word is being composed, Enter belongs to that.
pub fn send_on_enter(event: &KeyboardEvent) {
    if event.key() != "Enter" || event.shift_key() || event.is_composing() {
        return;
    }
    let field = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let form = field.and_then(|field| field.closest("form").ok().flatten());
    if let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) {
        event.prevent_default();
        let _ = form.request_submit();
    }
}
