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
    /// With whoever waits for the call to end.
    Early(Posted, oneshot::Sender<()>),
    Emptied {
        _poster: Option<oneshot::Sender<()>>,
    },
}

/// Ends when the call has ended, and what came of it is in the log.
pub type Ended = oneshot::Receiver<()>;

impl Posts {
    /// Waits for the result of a call.
    pub async fn wait(&self, conversation: ConversationId, call: &CallId) -> Option<Posted> {
        let awaited = {
            let mut boxes = self.lock();
            if let Some(Mailbox::Early(posted, poster)) = boxes.remove(&(conversation, call.clone())) {
                boxes.insert((conversation, call.clone()), Mailbox::Emptied { _poster: Some(poster) });
                return Some(posted);
            }
            let (sender, receiver) = oneshot::channel();
            boxes.insert((conversation, call.clone()), Mailbox::Awaited(sender));
            receiver
        };
        awaited.await.ok()
    }

    /// Hands a result over. Nothing, if there has been one.
    pub fn post(&self, conversation: ConversationId, call: &CallId, posted: Posted) -> Option<Ended> {
        let mut boxes = self.lock();
        let key = (conversation, call.clone());
        let (poster, ended) = oneshot::channel();
        match boxes.remove(&key) {
            Some(Mailbox::Awaited(waiting)) => {
                boxes.insert(key, Mailbox::Emptied { _poster: Some(poster) });
                waiting.send(posted).is_ok().then_some(ended)
            }
            None => {
                boxes.insert(key, Mailbox::Early(posted, poster));
                Some(ended)
            }
            Some(full @ (Mailbox::Early(..) | Mailbox::Emptied { .. })) => {
                boxes.insert(key, full);
                None
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
        let ended = posts.post(conversation, &early, Ok(1.into())).unwrap();
        assert!(posts.post(conversation, &early, Ok(2.into())).is_none());
        assert_eq!(posts.wait(conversation, &early).await, Some(Ok(1.into())));
        assert!(posts.post(conversation, &early, Ok(3.into())).is_none(), "it has been taken");
        let waiting = tokio::spawn({
            let (posts, late) = (Arc::clone(&posts), late.clone());
            async move { posts.wait(conversation, &late).await }
        });
        tokio::task::yield_now().await;
        assert!(posts.post(conversation, &late, Err("no".into())).is_some());
        assert_eq!(waiting.await.unwrap(), Some(Err("no".into())));
        posts.forget(conversation, &early);
        assert!(ended.await.is_err(), "whoever posted hears that it is over");
        posts.forget(conversation, &late);
        assert!(posts.lock().is_empty());
    }
}
