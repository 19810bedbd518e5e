//! What comes before the turns that a page has: a link without a script, and by itself with one.

use std::time::Duration;

use leptos::prelude::*;

use super::{
    live::Live,
    near::Everything,
    view::{View, a, nav, said, when},
};
use crate::{
    browser::{
        ask,
        dom::{Event, Handle},
        near::{self, Watch},
    },
    model::{Joined, Stretch},
};

/// How long to wait for events that a stretch knows already, and how often.
const PAUSE: Duration = Duration::from_millis(50);
const MOST_PAUSES: u32 = 100;

/// Loading older turns, from wherever they are wanted.
#[derive(Clone, Copy)]
pub struct Older {
    live: Live,
    is_loading: RwSignal<bool>,
    problem: RwSignal<Option<String>>,
}

impl Older {
    pub fn new(live: Live) -> Self {
        Self { live, is_loading: RwSignal::new(false), problem: RwSignal::new(None) }
    }

    /// Loads some more. Whoever waits for them reads `first_turn`.
    pub fn load(self) {
        // The page may have gone meanwhile.
        if self.is_loading.try_get_untracked() != Some(false) || untrack(|| self.live.first_turn()) == 0 {
            return;
        }
        self.is_loading.set(true);
        self.problem.set(None);
        self.ask(MOST_PAUSES);
    }

    fn ask(self, pauses: u32) {
        if self.is_loading.try_get_untracked().is_none() {
            return;
        }
        let (id, turn) = (self.live.id().to_string(), untrack(|| self.live.first_turn()).to_string());
        leptos::task::spawn_local(async move {
            match ask::get("/api/load_before", &[("conversation_id", &id), ("turn", &turn)]).await {
                Ok(stretch) => self.join(stretch, pauses),
                Err(problem) => self.failed(problem.message),
            }
        });
    }

    fn join(self, stretch: Stretch, pauses: u32) {
        if self.is_loading.try_get_untracked().is_none() {
            return;
        }
        let mut joined = Joined::Stale;
        near::keep_place("#transcript > .turn", || joined = self.live.prepend(stretch.clone()));
        match joined {
            Joined::Done => {
                self.is_loading.set(false);
                if untrack(|| self.live.first_turn()) == 0 {
                    // The link goes, and must not take the focus with it.
                    near::move_focus(".earlier", "#main");
                }
            }
            Joined::Early if pauses > 0 => set_timeout(move || self.join(stretch, pauses - 1), PAUSE),
            Joined::Stale if pauses > 0 => set_timeout(move || self.ask(pauses - 1), PAUSE),
            Joined::Early | Joined::Stale => self.failed("This page does not keep up.".into()),
        }
    }

    fn failed(self, why: String) {
        if self.is_loading.try_set(false).is_none() {
            self.problem.set(Some(why));
        }
    }
}

pub fn earlier() -> View {
    let live: Live = expect_context();
    let older: Option<Older> = use_context();
    when(move || live.first_turn() > 0, move || link(live, older))
}

fn link(live: Live, older: Option<Older>) -> View {
    let link = Handle::default();
    let watched = StoredValue::new(None::<Watch>);
    // With every stretch that came, look again whether that was enough.
    Effect::new(move || {
        let (Some(older), Some(link), true) = (older, link.get(), live.first_turn() > 0) else { return };
        let look = move |is_near: bool, _| {
            if is_near && older.problem.try_get_untracked() == Some(None) {
                older.load();
            }
        };
        watched.set_value(near::watch(&link, look));
    });
    on_cleanup(move || drop(watched.try_update_value(Option::take)));
    let is_loading = move || older.is_some_and(|older| older.is_loading.get());
    let told = move || match older.and_then(|older| older.problem.get()) {
        Some(problem) => format!("Earlier turns could not be loaded: {problem} Try again"),
        None if is_loading() => "Loading earlier turns…".into(),
        None => format!("Earlier turns ({})", live.first_turn()),
    };
    let load = move |event: Event| {
        if let Some(older) = older {
            event.prevent_default();
            older.load();
        }
    };
    let to = a("btn btn--sm")
        .live("href", move || format!("/c/{}/before/{}", live.id(), live.first_turn()))
        .on("click", load)
        .made(move |element| link.set(element))
        .with(said(told));
    nav("earlier").attr("aria-label", "Earlier turns").with(to).into()
}

/// On paper everything is there that the page has.
pub fn all_on_paper() {
    let everything = Everything(RwSignal::new(false));
    provide_context(everything);
    Effect::new(move || {
        let before = window_event_listener_untyped("beforeprint", move |_| everything.0.set(true));
        let after = window_event_listener_untyped("afterprint", move |_| everything.0.set(false));
        on_cleanup(move || {
            before.remove();
            after.remove();
        });
    });
}
