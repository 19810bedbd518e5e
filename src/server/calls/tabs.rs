//! Pages that are open, and which of them runs what. A call that runs in a browser goes to exactly one page: the one that
//! asked, or else the one that came last. A page says that it begins before it does, and of two that say so only one is
//! told yes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use crate::model::{CallId, ConversationId};

#[derive(Default)]
pub struct Tabs {
    state: Mutex<State>,
    /// Somebody came or went.
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// The newest comes last.
    open: Vec<Open>,
    /// Which tab was given which call.
    given: HashMap<(ConversationId, CallId), String>,
    /// Which page has begun which call.
    begun: HashMap<(ConversationId, CallId), Page>,
    count: u64,
}

struct Open {
    conversation: ConversationId,
    page: Page,
    /// One connection of a page: it may have two for a moment.
    nth: u64,
}

/// A tab keeps its name over a reload; every load of a page has a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub tab: String,
    pub load: String,
}

/// A page is here as long as this is.
pub struct Here {
    tabs: Arc<Tabs>,
    nth: u64,
}

impl Tabs {
    pub fn enter(self: &Arc<Self>, conversation: ConversationId, page: Page) -> Here {
        let nth = {
            let mut state = self.lock();
            state.count += 1;
            let nth = state.count;
            state.open.push(Open { conversation, page, nth });
            nth
        };
        self.changed.notify_waiters();
        Here { tabs: Arc::clone(self), nth }
    }

    /// The page that gets a call: that of this tab if it is open, or else the newest.
    fn choose(&self, conversation: ConversationId, wanted: &str) -> Option<String> {
        let state = self.lock();
        let here = || state.open.iter().rev().filter(|open| open.conversation == conversation);
        here().find(|open| open.page.tab == wanted).or_else(|| here().next()).map(|open| open.page.tab.clone())
    }

    /// Whether any page of a conversation is open.
    pub fn is_anybody_here(&self, conversation: ConversationId) -> bool {
        self.lock().open.iter().any(|open| open.conversation == conversation)
    }

    fn is_open(&self, conversation: ConversationId, tab: &str) -> bool {
        self.lock().open.iter().any(|open| open.conversation == conversation && open.page.tab == tab)
    }

    /// Waits until there is a page to give a call to.
    pub async fn find(&self, conversation: ConversationId, wanted: &str) -> String {
        self.until(|| self.choose(conversation, wanted)).await
    }

    /// Waits until this tab has no page open.
    pub async fn left(&self, conversation: ConversationId, tab: &str) {
        self.until(|| (!self.is_open(conversation, tab)).then_some(())).await;
    }

    /// Waits until it has one again.
    pub async fn back(&self, conversation: ConversationId, tab: &str) {
        self.until(|| self.is_open(conversation, tab).then_some(())).await;
    }

    async fn until<T>(&self, look: impl Fn() -> Option<T>) -> T {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            match look() {
                Some(found) => return found,
                None => changed.await,
            }
        }
    }

    /// From here on only pages of this tab may begin a call.
    pub fn give(&self, conversation: ConversationId, call: &CallId, tab: &str) {
        let mut state = self.lock();
        let key = (conversation, call.clone());
        if state.given.insert(key.clone(), tab.to_owned()).is_some_and(|before| before != tab) {
            state.begun.remove(&key);
        }
    }

    /// A page begins a call. No, if it was not given to its tab, or another page has begun it and is still there.
    pub fn begin(&self, conversation: ConversationId, call: &CallId, page: Page) -> bool {
        let mut state = self.lock();
        let key = (conversation, call.clone());
        if state.given.get(&key) != Some(&page.tab) {
            return false;
        }
        let is_there = |page: &Page| state.open.iter().any(|open| open.page == *page);
        if state.begun.get(&key).is_some_and(|begun| *begun != page && is_there(begun)) {
            return false;
        }
        state.begun.insert(key, page);
        true
    }

    pub fn has_begun(&self, conversation: ConversationId, call: &CallId) -> bool {
        self.lock().begun.contains_key(&(conversation, call.clone()))
    }

    /// The call is over.
    pub fn forget(&self, conversation: ConversationId, call: &CallId) {
        let (mut state, key) = (self.lock(), (conversation, call.clone()));
        state.given.remove(&key);
        state.begun.remove(&key);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        self.tabs.lock().open.retain(|open| open.nth != self.nth);
        self.tabs.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(tab: &str, load: &str) -> Page {
        Page { tab: tab.into(), load: load.into() }
    }

    #[tokio::test]
    async fn a_call_goes_to_the_page_that_asked_or_else_to_the_newest_and_begins_once() {
        let (tabs, id, call) = (Arc::new(Tabs::default()), ConversationId::mint(), CallId::mint());
        let finding = tokio::spawn({
            let tabs = Arc::clone(&tabs);
            async move { tabs.find(id, "a").await }
        });
        tokio::task::yield_now().await;
        let elsewhere = tabs.enter(ConversationId::mint(), page("a", "0"));
        let b = tabs.enter(id, page("b", "1"));
        assert_eq!(finding.await.unwrap(), "b");
        let a = tabs.enter(id, page("a", "1"));
        let c = tabs.enter(id, page("c", "1"));
        assert_eq!((tabs.find(id, "a").await.as_str(), tabs.find(id, "z").await.as_str()), ("a", "c"));

        assert!(!tabs.begin(id, &call, page("a", "1")), "it was given to nobody");
        tabs.give(id, &call, "a");
        assert!(!tabs.begin(id, &call, page("b", "1")), "it was given to another");
        assert!(tabs.begin(id, &call, page("a", "1")));
        assert!(!tabs.begin(id, &call, page("a", "2")), "a tab that was duplicated is another page");
        drop(a);
        tabs.left(id, "a").await;
        assert!(tabs.begin(id, &call, page("a", "2")), "after a reload it begins again");
        assert!(tabs.has_begun(id, &call));
        tabs.give(id, &call, "b");
        assert!(!tabs.has_begun(id, &call) && tabs.begin(id, &call, page("b", "1")), "and then to another");
        tabs.forget(id, &call);
        drop((b, c, elsewhere));
        assert!(tabs.lock().open.is_empty() && tabs.lock().begun.is_empty() && tabs.lock().given.is_empty());
    }
}
