//! The newest frames of conversations that somebody follows, and the bell that wakes those who wait.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use super::frame::Frames;
use crate::model::{ConversationId, Seq};

/// A reader that is further behind than this reads the log instead, so memory does not grow with slow readers.
pub const KEPT_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub struct Tails {
    /// With the number of their readers, so that the last one to go can tell that it is the last.
    of: Mutex<HashMap<ConversationId, (Arc<Tail>, usize)>>,
}

pub struct Tail {
    frames: Mutex<Kept>,
    /// The last committed sequence number that was published here; 0 before the first.
    bell: watch::Sender<Seq>,
}

#[derive(Default)]
struct Kept {
    frames: VecDeque<Frames>,
    bytes: usize,
}

/// One reader's share in a tail. The last one to go takes the tail with it.
pub struct Subscription {
    tails: Arc<Tails>,
    conversation: ConversationId,
    tail: Arc<Tail>,
    pub bell: watch::Receiver<Seq>,
}

impl Tails {
    pub fn subscribe(tails: &Arc<Self>, conversation: ConversationId) -> Subscription {
        let mut of = lock(&tails.of);
        let (tail, readers) = of.entry(conversation).or_default();
        *readers += 1;
        let (tail, bell) = (Arc::clone(tail), tail.bell.subscribe());
        Subscription { tails: Arc::clone(tails), conversation, tail, bell }
    }

    /// Hands committed events to those who follow. `encode` is not called when nobody does.
    pub fn publish(&self, conversation: ConversationId, encode: impl FnOnce() -> Frames) {
        let Some(tail) = lock(&self.of).get(&conversation).map(|(tail, _)| Arc::clone(tail)) else { return };
        let frames = encode();
        let last = frames.last;
        tail.keep(frames);
        tail.bell.send_replace(last);
    }

    /// How many conversations are followed, and how many bytes are kept for them.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize) {
        let of = lock(&self.of);
        (of.len(), of.values().map(|(tail, _)| lock(&tail.frames).bytes).sum())
    }
}

impl Default for Tail {
    fn default() -> Self {
        Self { frames: Mutex::default(), bell: watch::Sender::new(0) }
    }
}

impl Tail {
    fn keep(&self, frames: Frames) {
        let mut kept = lock(&self.frames);
        kept.bytes += frames.bytes.len();
        kept.frames.push_back(frames);
        // The newest always stays, however large: everyone who keeps up is about to take it.
        while kept.bytes > KEPT_BYTES && kept.frames.len() > 1 {
            if let Some(dropped) = kept.frames.pop_front() {
                kept.bytes -= dropped.bytes.len();
            }
        }
    }
}

impl Subscription {
    pub const fn conversation(&self) -> ConversationId {
        self.conversation
    }

    /// The frames that begin right after `position`, if they are still kept.
    pub fn after(&self, position: Seq) -> Option<Frames> {
        let kept = lock(&self.tail.frames);
        let at = kept.frames.partition_point(|frames| frames.first <= position);
        kept.frames.get(at).filter(|frames| frames.first == position + 1).cloned()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut of = lock(&self.tails.of);
        if let Entry::Occupied(mut entry) = of.entry(self.conversation) {
            let (_, readers) = entry.get_mut();
            *readers -= 1;
            if *readers == 0 {
                entry.remove();
            }
        }
    }
}

/// A panic elsewhere leaves these maps whole, so its poison is no reason to stop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
