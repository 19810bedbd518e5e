//! Long things in pieces: a piece that is far from what is seen keeps its place, but is not there.

use std::{ops::Range, time::Duration};

use leptos::{html::ElementType, prelude::*};

use super::live::Live;
use crate::{
    browser::near::{self, Holder, Watch},
    model::{CallId, Conversation, ConversationId, Seq},
};

/// What the server has sent, and what must therefore be made here as it was made there, to the letter: everything that
/// was known of the conversation whose page a browser shows first. On the server that is everything.
#[derive(Clone)]
pub struct FirstLook {
    last_seq: Seq,
    turns: Range<usize>,
}

/// Which conversation a browser has shown first.
#[derive(Clone, Copy)]
struct First(StoredValue<Option<ConversationId>>);

impl FirstLook {
    /// For the app: nothing has been shown yet.
    pub fn begin() {
        provide_context(First(StoredValue::new(None)));
    }

    /// For a page, with what it was sent.
    pub fn provide(sent: &Conversation) {
        let first = use_context::<First>()
            .and_then(|First(first)| first.try_update_value(|first| *first.get_or_insert(sent.id)));
        if first == Some(sent.id) {
            provide_context(Self { last_seq: sent.last_seq(), turns: sent.first_turn()..sent.turn_count() });
        }
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

/// Whether a browser has long taken over what it was sent. On the server it never has.
#[derive(Clone, Copy)]
pub struct Settled(StoredValue<bool>);

impl Settled {
    /// Far longer than taking over takes, and far shorter than it takes somebody to go elsewhere.
    const AFTER: Duration = Duration::from_millis(300);

    /// For the app.
    pub fn provide() {
        let settled = Self(StoredValue::new(false));
        provide_context(settled);
        Effect::new(move || set_timeout(move || settled.0.set_value(true), Self::AFTER));
    }

    pub fn is() -> bool {
        use_context::<Self>().is_some_and(|settled| settled.0.get_value())
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
}

impl Nearness {
    /// Watches an element, and holds its place while it is empty.
    pub fn of<E>(element: NodeRef<E>, is_near: bool, about_px: f64) -> Self
    where
        E: ElementType + 'static,
        E::Output: AsRef<Holder>,
        NodeRef<E>: Get<Value = Option<E::Output>>,
    {
        let this = Self { is_near: RwSignal::new(is_near), is_wanted: RwSignal::new(false), everything: use_context() };
        let watched = StoredValue::new(None::<Watch>);
        Effect::new(move || {
            let Some(element) = element.get() else { return };
            let held: Holder = element.as_ref().clone();
            if !this.get_untracked() {
                near::hold(&held, about_px);
            }
            watched.set_value(near::watch(&held.clone(), move |is_near, height| this.moved(&held, is_near, height)));
        });
        on_cleanup(move || drop(watched.try_update_value(Option::take)));
        this
    }

    fn moved(self, held: &Holder, is_near: bool, height: f64) {
        // The page may be gone already.
        let Some(was_near) = self.is_near.try_get_untracked() else { return };
        if was_near == is_near || !is_near && near::has_focus(held) {
            return;
        }
        match is_near {
            true => near::release(held),
            false => {
                near::hold(held, height);
                self.is_wanted.set(false);
            }
        }
        self.is_near.set(is_near);
    }

    pub fn get(self) -> bool {
        self.is_near.get() || self.is_wanted.get() || self.everything.is_some_and(|everything| everything.0.get())
    }

    fn get_untracked(self) -> bool {
        untrack(|| self.get())
    }

    /// Somebody is led to what is in it.
    pub fn want(self) {
        self.is_wanted.set(true);
    }
}
