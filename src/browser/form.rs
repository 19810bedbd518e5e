//! What somebody has filled into a form and is about to send.

use leptos::prelude::{document, window_event_listener_untyped};
use wasm_bindgen::JsCast;
use web_sys::{Event, FormData, HtmlElement, HtmlFormElement, HtmlInputElement, SubmitEvent};

use crate::model::form::Filled;

/// Whether the button with this name sends it.
pub fn is_sent_by(event: &Event, name: &str) -> bool {
    let button = event.dyn_ref::<SubmitEvent>().and_then(SubmitEvent::submitter);
    button.and_then(|button| button.get_attribute("name")).is_some_and(|of| of == name)
}

/// The fields with these keys, as far as they are filled in.
pub fn filled(event: &Event, keys: &[String]) -> Filled {
    let form = event.target().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
    let Some(data) = form.and_then(|form| FormData::new_with_form(&form).ok()) else { return Filled::new() };
    let value = |key: &String| Some((key.clone(), data.get(&format!("fields[{key}]")).as_string()?));
    keys.iter().filter_map(value).collect()
}

/// What stands in a field.
pub fn typed(field: &HtmlElement) -> String {
    field.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value).unwrap_or_default()
}

/// A form that leads to another page is sent once, however often somebody clicks.
pub fn send_once() {
    const SENT: &str = "data-sent";
    let sent = window_event_listener_untyped("submit", |event| {
        let form = event.target().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
        if let Some(form) = form.filter(|_| !event.default_prevented()) {
            if form.has_attribute(SENT) {
                event.prevent_default();
            }
            let _ = form.set_attribute(SENT, "");
        }
    });
    // For as long as there is the page, and also when somebody comes back to it.
    std::mem::forget(sent);
    let back = window_event_listener_untyped("pageshow", |_| {
        let Ok(all) = document().query_selector_all("form[data-sent]") else { return };
        for form in (0..all.length()).filter_map(|nth| all.item(nth)?.dyn_into::<HtmlFormElement>().ok()) {
            let _ = form.remove_attribute(SENT);
        }
    });
    std::mem::forget(back);
}
