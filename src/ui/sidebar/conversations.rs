//! What the list of conversations shows. The server begins with all of it; a page leaves what the server wrote alone until
//! there is news.

use std::time::Duration;

use leptos::{prelude::*, task::spawn_local};

use crate::{
    api::{List, Listed, Mark},
    browser::{self, ask, dom::HtmlElement},
    model::{ConversationId, Problem},
};

/// While something goes on anywhere, the list looks this often.
const PULSE: Duration = Duration::from_secs(2);
/// And this often while something waits: somebody may answer elsewhere.
const SLOW_PULSE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy)]
pub struct Conversations {
    list: RwSignal<Option<Result<List, Problem>>>,
    query: RwSignal<String>,
    /// Which look is the newest: answers may overtake each other.
    looks: StoredValue<u32>,
}

impl Conversations {
    /// For everything inside. `list` is what the server knows, and what it has found where something was looked for.
    pub fn provide(list: Option<Result<List, Problem>>, query: String) {
        let (list, query) = (RwSignal::new(list), RwSignal::new(query));
        provide_context(Self { list, query, looks: StoredValue::new(0) });
    }

    pub fn is_known(self) -> bool {
        self.list.read().is_some()
    }

    pub fn asked_for(self) -> String {
        self.query.get_untracked()
    }

    pub fn read<T>(self, read: impl FnOnce(&List) -> T) -> Option<T> {
        self.list.with(|list| Some(read(list.as_ref()?.as_ref().ok()?)))
    }

    /// What is known about one of them.
    pub fn of<T>(self, id: ConversationId, read: impl FnOnce(&Listed) -> T) -> Option<T> {
        self.read(|list| list.conversations.iter().find(|each| each.id == id).map(read)).flatten()
    }

    /// What there is to say where there is no list.
    pub fn why_empty(self) -> Option<String> {
        let is_search = !self.query.read().trim().is_empty();
        self.list.with(|list| match list.as_ref()? {
            Ok(list) if !list.conversations.is_empty() => None,
            Ok(_) if is_search => Some("Nothing was found.".into()),
            Ok(_) => Some("Your questions will be kept here.".into()),
            Err(problem) => Some(problem.message.clone()),
        })
    }

    /// Somebody types what they look for.
    pub fn find(self, query: &str) {
        if *self.query.read_untracked() != query {
            self.query.set(query.to_owned());
            self.look_again();
        }
    }

    /// What was looked for before the page was alive.
    pub fn find_typed(self, field: &HtmlElement) {
        self.query.set(browser::form::typed(field));
        // Somewhere something goes on.
        if browser::page::has_any(".conv .glyph") {
            self.look_again();
        }
    }

    pub fn look_again(self) {
        let Some(look) = self.looks.try_update_value(|looks| {
            *looks += 1;
            *looks
        }) else {
            return;
        };
        spawn_local(async move {
            let query = self.query.get_untracked();
            let fields = [("query", query.trim())];
            let fields = if fields[0].1.is_empty() { &fields[..0] } else { &fields[..] };
            let list = ask::get::<List>("/api/list_conversations", fields).await;
            // Better what was known than nothing, when the server is away.
            let is_newest = self.looks.get_value() == look && (list.is_ok() || self.list.read_untracked().is_none());
            if is_newest {
                self.list.set(Some(list));
            }
        });
    }

    /// From time to time while something goes on, and whenever somebody comes back to the page.
    pub fn keep_looking(self) {
        let pulse = Memo::new(move |_| {
            let has = |list: &List, mark: Mark| list.conversations.iter().any(|each| each.mark == mark);
            let beats = |list: &List| match (has(list, Mark::Running), has(list, Mark::Waiting)) {
                (true, _) => Some(PULSE),
                (false, true) => Some(SLOW_PULSE),
                (false, false) => None,
            };
            self.read(beats).flatten()
        });
        Effect::new(move || {
            if let Some(pulse) = pulse.get() {
                let pulse = browser::clock::every(pulse, move || self.look_again());
                on_cleanup(move || drop(pulse));
            }
        });
        Effect::new(move || {
            let looking = browser::page::on_look(move || self.look_again());
            on_cleanup(move || drop(looking));
        });
    }
}
