//! Tells the server when cards have become visible, a few at a time, and without waiting for an answer.

use std::{cell::RefCell, time::Duration};

use leptos::prelude::{request_animation_frame, set_timeout, window};
use web_sys::{Element, UrlSearchParams};

use super::clock::monotonic_ms;
use crate::model::CallId;

/// How long they are collected.
const PAUSE: Duration = Duration::from_secs(2);

thread_local! {
    /// Which cards were seen, and when.
    static SEEN: RefCell<Vec<(CallId, f64)>> = const { RefCell::new(Vec::new()) };
}

/// A card is in the page; the next frame shows it, if it is where somebody looks.
pub fn shown(call: CallId, card: Element) {
    request_animation_frame(move || {
        let place = card.get_bounding_client_rect();
        let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
        if place.height() <= 0.0 || place.bottom() < 0.0 || place.top() > height {
            return;
        }
        let is_first = SEEN.with_borrow_mut(|seen| {
            seen.push((call, monotonic_ms()));
            seen.len() == 1
        });
        if is_first {
            set_timeout(send, PAUSE);
        }
    });
}

fn send() {
    let now = monotonic_ms();
    let seen = SEEN.take();
    let line = |(call, at): &(CallId, f64)| format!("{call}:{:.0}", now - at);
    let told = seen.iter().map(line).collect::<Vec<_>>().join(",");
    if let Ok(form) = UrlSearchParams::new() {
        form.append("receipts", &told);
        let _ = window().navigator().send_beacon_with_opt_url_search_params("/api/report_receipts", Some(&form));
    }
}
