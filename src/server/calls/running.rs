//! Calls that are under way, and the way to stop one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio_util::sync::CancellationToken;

use crate::model::{CallId, ConversationId};

#[derive(Default)]
pub struct Running {
    tokens: Mutex<HashMap<CallId, (Option<ConversationId>, CancellationToken)>>,
}

/// Takes the call off the list when nobody is at it any more, however it ended.
pub struct Entry {
    running: Arc<Running>,
    call: CallId,
}

impl Running {
    pub fn enter(self: &Arc<Self>, call: &CallId, of: Option<ConversationId>, token: CancellationToken) -> Entry {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).insert(call.clone(), (of, token));
        Entry { running: Arc::clone(self), call: call.clone() }
    }

    /// Tells a call of this conversation, and everything it has called, to stop. False if it is not under way.
    pub fn cancel(&self, conversation: ConversationId, call: &CallId) -> bool {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let found = tokens.get(call).filter(|(of, token)| *of == Some(conversation) && !token.is_cancelled());
        if let Some((_, token)) = found {
            token.cancel();
        }
        found.is_some()
    }
}

impl Running {
    pub fn has(&self, call: &CallId) -> bool {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).contains_key(call)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.running.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.call);
    }
}
