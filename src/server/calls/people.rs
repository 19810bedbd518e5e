//! People who are waited for. What they answer goes into the log; here a bell rings for whoever waits, who then reads the
//! log. So it does not matter whether somebody answers before, while or after the server was started again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Notify;

use crate::model::{CallId, ConversationId};

type Key = (ConversationId, CallId);

#[derive(Default)]
pub struct People {
    /// Held by whoever decides something that can be decided once.
    pub deciding: tokio::sync::Mutex<()>,
    bells: Mutex<HashMap<Key, Arc<Notify>>>,
}

/// Rings when there is an answer. It goes with whoever waits.
pub struct Bell {
    people: Arc<People>,
    key: Key,
    notify: Arc<Notify>,
}

impl People {
    pub fn bell(self: &Arc<Self>, conversation: ConversationId, call: &CallId) -> Bell {
        let key = (conversation, call.clone());
        let notify = Arc::clone(self.lock().entry(key.clone()).or_default());
        Bell { people: Arc::clone(self), key, notify }
    }

    pub fn ring(&self, conversation: ConversationId, call: &CallId) {
        if let Some(notify) = self.lock().get(&(conversation, call.clone())) {
            // Heard also by one who is just about to listen.
            notify.notify_one();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Notify>>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bell {
    pub async fn rung(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.people.lock().remove(&self.key);
    }
}
