//! The end of the page: who reads there stays there while an answer grows, and who reads elsewhere is not moved, but told.

use leptos::prelude::*;

use super::{clock::Clock, icon::Icon, live::Live};
use crate::browser::page;

#[component]
pub fn Follow() -> impl IntoView {
    let (live, clock): (Live, Clock) = (expect_context(), expect_context());
    let is_at_end = RwSignal::new(true);
    Effect::new(move || {
        // Who comes to a conversation comes for its newest turn, unless they were led elsewhere or have been here before.
        if untrack(|| live.turn_count()) > 1 && page::top() == 0 && page::fragment().is_none() {
            page::to_end();
        }
        is_at_end.set(page::is_at_end());
        let last = StoredValue::new(page::top());
        // The page may have grown since it was scrolled to its end; only who goes up has left it.
        let scrolling = page::on_scroll(move || {
            let (top, before) = (page::top(), last.get_value());
            last.set_value(top);
            if page::is_at_end() {
                is_at_end.set(true);
            } else if top < before {
                is_at_end.set(false);
            }
        });
        on_cleanup(move || drop(scrolling));
    });
    let has_asked = StoredValue::new(false);
    // What comes last comes together with the end.
    Effect::new(move |was_running: Option<bool>| {
        let is_running = live.is_running();
        if is_running {
            clock.now();
        }
        if is_running || was_running == Some(true) {
            // With the next frame, when everything that is new is there; by then somebody may have gone up. Whoever is asked
            // something sees what, and then stays there.
            let (is_asked, was_asked) = (live.is_asking(), has_asked.get_value());
            has_asked.set_value(is_asked);
            page::with_next_frame(move || {
                if is_at_end.try_get_untracked() != Some(true) {
                    return;
                }
                match (is_asked, was_asked) {
                    (true, false) => page::show_last(".card:has(> .card__body > .ask)"),
                    (true, true) => {}
                    (false, _) => page::to_end(),
                }
            });
        }
        is_running
    });
    let is_below = Memo::new(move |_| !is_at_end.get() && live.is_running() && !live.is_asking());
    view! {
        <Show when=move || is_below.get()>
            <button class="btn btn--sm below" type="button" on:click=move |_| page::to_end()>
                <Icon name="download" />
                "New below"
            </button>
        </Show>
    }
}
