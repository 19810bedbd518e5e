//! Keys that work anywhere on a page.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// What a key asks for that only the page can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Stop,
}

/// Listens for as long as the page is there: search, the list of keys, from card to card, stop.
pub fn listen(wish: impl Fn(Wish) + 'static) {
    let handle = window_event_listener(ev::keydown, move |event| act(&event, &wish));
    on_cleanup(move || handle.remove());
}

fn act(event: &KeyboardEvent, wish: &impl Fn(Wish)) {
    if event.default_prevented() || event.is_composing() {
        return;
    }
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && key.eq_ignore_ascii_case("k") {
        event.prevent_default();
        return search();
    }
    if key == "Escape" && document().query_selector("[popover]:popover-open").ok().flatten().is_none() {
        return wish(Wish::Stop);
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || is_writing() {
        return;
    }
    match key.as_str() {
        "?" => click("shortcuts-button"),
        "/" => focus("textarea[name=text]"),
        "j" => step(1),
        "k" => step(-1),
        _ => return,
    }
    event.prevent_default();
}

fn is_writing() -> bool {
    let active = document().active_element();
    active.is_some_and(|element| element.matches("input, textarea, select, [contenteditable]").unwrap_or(false))
}

fn element(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

fn focus(selector: &str) {
    if let Some(element) = element(selector) {
        let _ = element.focus();
    }
}

fn click(id: &str) {
    if let Some(element) = element(&format!("#{id}")) {
        element.click();
    }
}

fn search() {
    // On a phone the field is in a drawer.
    if element("#sidebar").is_some_and(|sidebar| sidebar.offset_width() == 0) {
        click("menu-button");
    }
    focus("#search");
}

/// To the next card, or the one before.
fn step(by: i32) {
    let Ok(all) = document().query_selector_all(".card > summary") else { return };
    let heads: Vec<HtmlElement> = (0..all.length()).filter_map(|nth| all.item(nth)?.dyn_into().ok()).collect();
    let active: Option<Element> = document().active_element();
    let at = heads.iter().position(|head| Some(head.unchecked_ref::<Element>()) == active.as_ref());
    let next = match at {
        Some(at) => i32::try_from(at).unwrap_or(0) + by,
        None if by > 0 => 0,
        None => i32::try_from(heads.len()).unwrap_or(0) - 1,
    };
    if let Some(head) = usize::try_from(next).ok().and_then(|next| heads.get(next)) {
        let _ = head.focus();
    }
}
