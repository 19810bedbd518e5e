//! What keys do in the composer.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, KeyboardEvent};

/// Enter sends, if it may; Shift+Enter begins a new line. While a word is being composed, Enter belongs to that.
pub fn send_on_enter(event: &KeyboardEvent, may_send: bool) {
    // Safari ends a composition before it tells of the key, and marks it only by this code.
    const COMPOSING: u32 = 229;
    let is_composing = event.is_composing() || event.key_code() == COMPOSING;
    if event.key() != "Enter" || event.shift_key() || is_composing {
        return;
    }
    let field = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let form = field.and_then(|field| field.closest("form").ok().flatten());
    if let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) {
        event.prevent_default();
        if may_send {
            let _ = form.request_submit();
        }
    }
}
