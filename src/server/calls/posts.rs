//! Results that come from outside: whoever runs a call elsewhere posts what came of it, once.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use serde_json::Value;
use tokio::sync::oneshot;

use crate::model::{CallId, ConversationId};

type Key = (ConversationId, CallId);

/// What came of a call elsewhere, or why nothing did.
pub type Posted = Result<Value, String>;

#[derive(Default)]
pub struct Posts {
    boxes: Mutex<HashMap<Key, Mailbox>>,
}

/// A post may come before the call has got as far as waiting for it.
enum Mailbox {
    Awaited(oneshot::Sender<Posted>),
    Early(Posted),
    Emptied,
}

impl Posts {
    /// Waits for the result of a call.
    pub async fn wait(&self, conversation: ConversationId, call: &CallId) -> Option<Posted> {
        let awaited = {
            let mut boxes = self.lock();
            match boxes.insert((conversation, call.clone()), Mailbox::Emptied) {
                Some(Mailbox::Early(posted)) => return Some(posted),
                Some(Mailbox::Awaited(_) | Mailbox::Emptied) | None => {}
            }
            let (sender, receiver) = oneshot::channel();
            boxes.insert((conversation, call.clone()), Mailbox::Awaited(sender));
            receiver
        };
        awaited.await.ok()
    }

    /// Hands a result over. False, if there has been one.
    pub fn post(&self, conversation: ConversationId, call: &CallId, posted: Posted) -> bool {
        let mut boxes = self.lock();
        let key = (conversation, call.clone());
        match boxes.remove(&key) {
            Some(Mailbox::Awaited(waiting)) => {
                boxes.insert(key, Mailbox::Emptied);
                waiting.send(posted).is_ok()
            }
            None => {
                boxes.insert(key, Mailbox::Early(posted));
                true
            }
            Some(full @ (Mailbox::Early(_) | Mailbox::Emptied)) => {
                boxes.insert(key, full);
                false
            }
        }
    }

    /// The call is over.
    pub fn forget(&self, conversation: ConversationId, call: &CallId) {
        self.lock().remove(&(conversation, call.clone()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Mailbox>> {
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn the_first_post_counts_whenever_it_comes() {
        let (posts, conversation) = (Arc::new(Posts::default()), ConversationId::mint());
        let (early, late) = (CallId::mint(), CallId::mint());
        assert!(posts.post(conversation, &early, Ok(1.into())));
        assert!(!posts.post(conversation, &early, Ok(2.into())));
        assert_eq!(posts.wait(conversation, &early).await, Some(Ok(1.into())));
        assert!(!posts.post(conversation, &early, Ok(3.into())), "it has been taken");
        let waiting = tokio::spawn({
            let (posts, late) = (Arc::clone(&posts), late.clone());
            async move { posts.wait(conversation, &late).await }
        });
        tokio::task::yield_now().await;
        assert!(posts.post(conversation, &late, Err("no".into())));
        assert_eq!(waiting.await.unwrap(), Some(Err("no".into())));
        posts.forget(conversation, &early);
        posts.forget(conversation, &late);
        assert!(posts.lock().is_empty());
    }
}
