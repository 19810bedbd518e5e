//! The document as a whole.

pub use leptos::prelude::window;
use leptos::prelude::{document, request_animation_frame};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, HtmlInputElement, ResizeObserver};

use super::dom;
use crate::ui::{page::Handed, view::View};

/// What the server has handed to this page.
pub fn handed() -> Handed {
    let json = document().get_element_by_id("handed").and_then(|element| element.text_content());
    json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
}

/// Brings to life what the server has written.
pub fn wake(make: impl Fn() -> View) {
    if let Some(body) = document().body() {
        dom::wake(&body, make);
    }
}

/// Its address, without what comes after `?` or `#`.
pub fn path() -> String {
    window().location().pathname().unwrap_or_default()
}

pub fn set_title(title: &str) {
    document().set_title(title);
}

/// To another page.
pub fn go(address: &str) {
    let _ = window().location().assign(address);
}

/// Fills in every field of this name.
pub fn fill(name: &str, value: &str) {
    let Ok(all) = document().query_selector_all(&format!("input[name=\"{name}\"]")) else { return };
    for field in (0..all.length()).filter_map(|nth| all.item(nth)?.dyn_into::<HtmlInputElement>().ok()) {
        field.set_value(value);
    }
}

/// Whether there is such an element.
pub fn has_any(selector: &str) -> bool {
    document().query_selector(selector).ok().flatten().is_some()
}

/// Tells style sheets, tests and tools that the page is alive.
pub fn mark_alive() {
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("data-hydrated", "");
    }
}

/// Calls whenever somebody comes back to the page, until it is dropped.
pub fn on_look(call: impl Fn() + 'static) -> impl Drop {
    let handle = leptos::prelude::window_event_listener_untyped("visibilitychange", move |_| {
        if document().visibility_state() == web_sys::VisibilityState::Visible {
            call();
        }
    });
    Listening(vec![handle])
}

/// Calls whenever the page is scrolled, until it is dropped.
pub fn on_scroll(call: impl Fn() + 'static) -> impl Drop {
    Listening(vec![leptos::prelude::window_event_listener_untyped("scroll", move |_| call())])
}

/// Calls when an element has another size, and everything is laid out, until it is dropped.
pub fn on_growth(selector: &str, call: impl Fn() + 'static) -> impl Drop {
    struct Growing {
        observer: SendWrapper<Option<ResizeObserver>>,
        _call: SendWrapper<Closure<dyn FnMut()>>,
    }
    impl Drop for Growing {
        fn drop(&mut self) {
            self.observer.iter().for_each(ResizeObserver::disconnect);
        }
    }
    let call = Closure::<dyn FnMut()>::new(call);
    let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok();
    if let (Some(observer), Ok(Some(element))) = (&observer, document().query_selector(selector)) {
        observer.observe(&element);
    }
    Growing { observer: SendWrapper::new(observer), _call: SendWrapper::new(call) }
}

/// Whether the end of the page is in sight.
pub fn is_at_end() -> bool {
    const NEAR: i32 = 48;
    document()
        .document_element()
        .is_none_or(|html| html.scroll_height() - html.scroll_top() - html.client_height() <= NEAR)
}

/// How far down the page is scrolled.
pub fn top() -> i32 {
    document().document_element().map_or(0, |html| html.scroll_top())
}

/// What the address says after `#`.
pub fn fragment() -> Option<String> {
    let hash = window().location().hash().ok()?;
    let text = js_sys::decode_uri_component(hash.strip_prefix('#')?).ok()?.as_string()?;
    (!text.is_empty()).then_some(text)
}

/// Calls whenever that changes, until it is dropped.
pub fn on_fragment(call: impl Fn() + Clone + 'static) -> impl Drop {
    let again = call.clone();
    let clicked = move |event: web_sys::Event| {
        // The same link once more changes nothing, but is meant.
        let link = event.target().and_then(|target| target.dyn_into::<Element>().ok()?.closest("a[href^='#']").ok()?);
        let hash = window().location().hash().ok();
        if link.is_some_and(|link| link.get_attribute("href") == hash) {
            again();
        }
    };
    Listening(vec![
        leptos::prelude::window_event_listener_untyped("click", clicked),
        leptos::prelude::window_event_listener_untyped("hashchange", move |_| call()),
    ])
}

/// Whether there is an element with this id.
pub fn has(id: &str) -> bool {
    document().get_element_by_id(id).is_some()
}

/// Opens the card with this id and brings it into view, once it is there.
pub fn lead_to(id: String) {
    lead_within(id, 60);
}

fn lead_within(id: String, frames: u32) {
    request_animation_frame(move || match document().get_element_by_id(&id) {
        Some(card) => {
            // Somebody came for what is in it, and what it is in may be closed.
            let mut around = Some(card.clone());
            while let Some(element) = around {
                if element.tag_name() == "DETAILS" {
                    let _ = element.set_attribute("open", "");
                }
                around = element.parent_element();
            }
            card.scroll_into_view();
            // What is around it takes its place only now.
            request_animation_frame(move || request_animation_frame(move || card.scroll_into_view()));
        }
        None if frames > 0 => lead_within(id, frames - 1),
        None => {}
    });
}

pub fn with_next_frame(act: impl FnOnce() + 'static) {
    request_animation_frame(act);
}

pub fn to_end() {
    if let Some(html) = document().document_element() {
        html.set_scroll_top(html.scroll_height());
    }
}

/// Listens until it is dropped.
struct Listening(Vec<leptos::prelude::WindowListenerHandle>);

impl Drop for Listening {
    fn drop(&mut self) {
        for handle in self.0.drain(..) {
            handle.remove();
        }
    }
}

/// Puts a text where it can be pasted from.
pub fn copy(text: &str) {
    drop(window().navigator().clipboard().write_text(text));
}

/// What this tab remembers over a reload.
pub fn recall(name: &str) -> Option<String> {
    window().session_storage().ok().flatten()?.get_item(name).ok().flatten()
}

/// Nothing is remembered as nothing. A tab that may not remember does without.
pub fn remember(name: &str, value: Option<&str>) {
    if let Ok(Some(memory)) = window().session_storage() {
        let _ = match value {
            Some(value) => memory.set_item(name, value),
            None => memory.remove_item(name),
        };
    }
}

/// Shows the page in another theme or density, as the server will from now on.
pub fn set_look(theme: Option<&str>, density: Option<&str>) {
    if let Some(html) = document().document_element() {
        for (name, value) in [("data-theme", theme), ("data-density", density)] {
            if let Some(value) = value {
                let _ = html.set_attribute(name, value);
            }
        }
    }
}

/// Brings the last element of this kind into view, once it is there to be shown.
pub fn show_last(selector: &'static str) {
    request_animation_frame(move || {
        let found = document().query_selector_all(selector).ok();
        let last = found.and_then(|all| all.item(all.length().checked_sub(1)?)?.dyn_into::<Element>().ok());
        if let Some(last) = last {
            last.scroll_into_view();
        }
    });
}
