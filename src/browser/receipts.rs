//! Tells the server when cards have become visible, a few at a time, and without waiting for an answer.

use std::{cell::RefCell, time::Duration};

use js_sys::Array;
use leptos::prelude::{set_timeout, window};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, UrlSearchParams};

use super::clock::monotonic_ms;

/// How long they are collected.
const PAUSE: Duration = Duration::from_secs(2);

thread_local! {
    /// Which cards were seen, and when.
    static SEEN: RefCell<Vec<(String, f64)>> = const { RefCell::new(Vec::new()) };
    /// One for all cards: the browser looks where they are when it has laid out the page anyway.
    static OBSERVER: Option<IntersectionObserver> = {
        let seen = Closure::<dyn FnMut(Array, IntersectionObserver)>::new(|entries, observer| seen(&entries, &observer));
        let observer = IntersectionObserver::new(seen.as_ref().unchecked_ref()).ok();
        // For as long as there is the page.
        seen.forget();
        observer
    };
}

/// A card is in the page; the next frame shows it, if it is where somebody looks.
pub fn watch(card: &Element) {
    OBSERVER.with(|observer| observer.iter().for_each(|observer| observer.observe(card)));
}

fn seen(entries: &Array, observer: &IntersectionObserver) {
    for entry in entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok()) {
        let card = entry.target();
        observer.unobserve(&card);
        if let Some(call) = card.get_attribute("data-call-id").filter(|_| entry.is_intersecting()) {
            let is_first = SEEN.with_borrow_mut(|seen| {
                seen.push((call, entry.time()));
                seen.len() == 1
            });
            if is_first {
                set_timeout(send, PAUSE);
            }
        }
    }
}

fn send() {
    let now = monotonic_ms();
    let seen = SEEN.take();
    let line = |(call, at): &(String, f64)| format!("{call}:{:.0}", now - at);
    let told = seen.iter().map(line).collect::<Vec<_>>().join(",");
    if let Ok(form) = UrlSearchParams::new() {
        form.append("receipts", &told);
        let _ = window().navigator().send_beacon_with_opt_url_search_params("/api/report_receipts", Some(&form));
    }
}
