//! Long things in pieces: a piece that is far from what is seen keeps its place, but is not there.

use std::ops::Range;

use leptos::prelude::*;

use super::live::Live;
use crate::{
    browser::{
        dom::HtmlElement,
        near::{self, Watch},
    },
    model::{CallId, Conversation, Seq},
};

/// What the server has written, and what a browser must therefore find here: everything that was known of the conversation
/// by then.
#[derive(Clone)]
pub struct FirstLook {
    last_seq: Seq,
    turns: Range<usize>,
}

impl FirstLook {
    pub fn provide(sent: &Conversation) {
        provide_context(Self { last_seq: sent.last_seq(), turns: sent.first_turn()..sent.turn_count() });
    }

    pub fn has_turn(turn: usize) -> bool {
        use_context::<Self>().is_some_and(|look| look.turns.contains(&turn))
    }

    /// A call that was known by then.
    pub fn has_call(live: Live, call: &CallId) -> bool {
        let began = untrack(|| live.call(call, |call| call.timeline.first().map(|entry| entry.seq))).flatten();
        use_context::<Self>().is_some_and(|look| began.is_none_or(|began| began <= look.last_seq))
    }
}

/// Everything is wanted at once, for example on paper.
#[derive(Clone, Copy)]
pub struct Everything(pub RwSignal<bool>);

/// Whether a piece is there.
#[derive(Clone, Copy)]
pub struct Nearness {
    is_near: RwSignal<bool>,
    /// Somebody was led to it, so it is there whatever the place says.
    is_wanted: RwSignal<bool>,
    everything: Option<Everything>,
    watched: StoredValue<Option<Watch>>,
    /// Whether its place was near when that was last heard.
    is_place_near: StoredValue<bool>,
    about_px: f64,
}

impl Nearness {
    /// Of something that is about as high, whether it is near or not.
    pub fn new(is_near: bool, about_px: f64) -> Self {
        let watched = StoredValue::new(None);
        on_cleanup(move || drop(watched.try_update_value(Option::take)));
        Self {
            is_near: RwSignal::new(is_near),
            is_wanted: RwSignal::new(false),
            everything: use_context(),
            watched,
            is_place_near: StoredValue::new(is_near),
            about_px,
        }
    }

    /// Watches an element, and holds its place while it is empty.
    pub fn watch(self, element: HtmlElement) {
        if !untrack(|| self.get()) {
            near::hold(&element, self.about_px);
        }
        self.watched
            .set_value(near::watch(&element.clone(), move |is_near, height| self.moved(&element, is_near, height)));
    }

    fn moved(self, held: &HtmlElement, is_near: bool, height: f64) {
        // It may be gone already.
        if self.is_place_near.try_set_value(is_near).is_some() {
            return;
        }
        match self.is_near.get_untracked() {
            false if is_near => {
                let held = held.clone();
                near::in_turn(move || self.come(&held));
            }
            true if !is_near && !near::has_focus(held) => {
                near::hold(held, height);
                self.is_wanted.set(false);
                self.is_near.set(false);
            }
            _ => {}
        }
    }

    /// It is its turn to be made, unless it is far away again.
    fn come(self, held: &HtmlElement) {
        let is_due = self.is_place_near.try_get_value() == Some(true);
        if is_due && self.is_near.try_get_untracked() == Some(false) {
            near::release(held);
            self.is_near.set(true);
        }
    }

    pub fn get(self) -> bool {
        self.is_near.get() || self.is_wanted.get() || self.everything.is_some_and(|everything| everything.0.get())
    }

    /// Somebody is led to what is in it.
    pub fn want(self) {
        self.is_wanted.set(true);
    }
}
