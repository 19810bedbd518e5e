//! Links to a card: `#call_…` leads to it wherever it is, also where it is not loaded yet.

use leptos::prelude::*;

use super::{earlier::Older, live::Live, near::Nearness};
use crate::{
    browser::{ask, page},
    model::{CallId, Conversation},
};

/// The card that somebody was led to: in which turn it stands, and below which card.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    pub turn: usize,
    pub root: CallId,
}

/// Where everybody can read it.
#[derive(Clone, Copy)]
struct Target(RwSignal<Option<Wanted>>);

impl Wanted {
    fn of(known: &Conversation, call: &CallId) -> Option<Self> {
        let turn = known.turn_of_call(call)?;
        let parent = |call: &CallId| known.call(call)?.parent_id.clone();
        let root = std::iter::successors(Some(call.clone()), |call| parent(call)).last()?;
        Some(Self { turn, root })
    }

    /// A piece that holds what is wanted is there.
    pub fn on(is_it: impl Fn(&Self) -> bool + 'static, nearness: Nearness) {
        let Some(Target(target)) = use_context() else { return };
        Effect::new(move || {
            if target.read().as_ref().is_some_and(&is_it) {
                nearness.want();
            }
        });
    }
}

/// Follows the address of the page.
pub fn follow_links(live: Live, older: Older) {
    let target = RwSignal::new(None::<Wanted>);
    provide_context(Target(target));
    let asked = RwSignal::new(None::<CallId>);
    Effect::new(move || {
        // What is no card, the browser finds itself.
        let look = move || {
            let is_card = |fragment: &String| {
                !page::has(fragment) || live.peek(|known| known.call(&fragment.as_str().into()).is_some())
            };
            asked.set(page::fragment().filter(is_card).map(|fragment| fragment.as_str().into()));
        };
        look();
        let links = page::on_fragment(look);
        on_cleanup(move || drop(links));
    });
    Effect::new(move |known_as: Option<Option<CallId>>| {
        let known_as = known_as.flatten();
        let call = asked.get()?;
        live.first_turn();
        match live.peek(|known| Wanted::of(known, &call)) {
            Some(wanted) => {
                target.set(Some(wanted));
                page::lead_to(call.to_string());
                asked.set(None);
                None
            }
            // It is there, further up.
            None if known_as.as_ref() == Some(&call) => {
                older.load();
                known_as
            }
            None => {
                let id = live.id().to_string();
                let again = call.clone();
                leptos::task::spawn_local(async move {
                    let asked_for = [("conversation_id", id.as_str()), ("call_id", again.as_str())];
                    if let Ok(Some(_)) = ask::get::<Option<usize>>("/api/find_call", &asked_for).await {
                        older.load();
                    } else {
                        asked.try_set(None);
                    }
                });
                Some(call)
            }
        }
    });
}
