//! The end of the page: who reads there stays there while an answer grows, and who reads elsewhere is not moved, but told.

use leptos::prelude::*;

use super::{
    icon::icon,
    live::Live,
    view::{View, button, when},
};
use crate::browser::page;

pub fn follow() -> View {
    let live: Live = expect_context();
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
    let (is_growing, has_asked) = (StoredValue::new(false), StoredValue::new(false));
    // When the page has grown, and is laid out: asking for its height costs nothing then. Whoever is asked something sees
    // what, and then stays there.
    let grown = move || {
        let is_asked = untrack(|| live.is_asking());
        let was_asked = has_asked.get_value();
        has_asked.set_value(is_asked);
        if !is_at_end.get_untracked() || !is_growing.get_value() {
            return;
        }
        match (is_asked, was_asked) {
            (true, false) => page::show_last(".card:has(> .card__body > .ask)"),
            (true, true) => {}
            (false, _) => page::to_end(),
        }
    };
    Effect::new(move || {
        let growing = page::on_growth("#transcript", grown);
        on_cleanup(move || drop(growing));
    });
    // What comes last comes together with the end, and is shown a frame later.
    Effect::new(move || match live.is_running() {
        true => is_growing.set_value(true),
        false => page::with_next_frame(move || {
            page::with_next_frame(move || {
                is_growing.try_set_value(untrack(|| live.is_running()));
            });
        }),
    });
    let is_below = move || !is_at_end.get() && live.is_running() && !live.is_asking();
    when(is_below, || {
        button("btn btn--sm below")
            .attr("type", "button")
            .on("click", |_| page::to_end())
            .with(icon("download"))
            .with("New below")
    })
}
