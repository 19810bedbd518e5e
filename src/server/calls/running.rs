//! Calls that are under way, and the way to stop one.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio_util::sync::CancellationToken;

use crate::model::{CallId, ConversationId};

/// A call of a conversation. Ids of calls are only told apart within one.
type Key = (Option<ConversationId>, CallId);

#[derive(Default)]
pub struct Running {
    tokens: Mutex<HashMap<Key, CancellationToken>>,
}

/// Takes the call off the list when nobody is at it any more, however it ended.
pub struct Entry {
    running: Arc<Running>,
    key: Key,
}

impl Running {
    pub fn enter(self: &Arc<Self>, call: &CallId, of: Option<ConversationId>, token: CancellationToken) -> Entry {
        let key = (of, call.clone());
        self.lock().insert(key.clone(), token);
        Entry { running: Arc::clone(self), key }
    }

    /// Tells a call of this conversation, and everything it has called, to stop. False if it is not under way.
    pub fn cancel(&self, conversation: ConversationId, call: &CallId) -> bool {
        let tokens = self.lock();
        let found = tokens.get(&(Some(conversation), call.clone())).filter(|token| !token.is_cancelled());
        if let Some(token) = found {
            token.cancel();
        }
        found.is_some()
    }

    /// Those of a conversation.
    pub fn of(&self, conversation: ConversationId) -> HashSet<CallId> {
        self.lock().keys().filter(|(of, _)| *of == Some(conversation)).map(|(_, call)| call.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, CancellationToken>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.running.lock().remove(&self.key);
    }
}
