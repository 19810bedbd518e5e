//! How many calls run at once: so many per conversation, so many per server. The rest waits in the order in which it
//! came, and is told its place.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::model::ConversationId;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub per_conversation: usize,
    pub per_server: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { per_conversation: 4, per_server: 64 }
    }
}

pub struct Lanes {
    limits: Limits,
    server: Arc<Semaphore>,
    /// Only of conversations with calls.
    conversations: Mutex<HashMap<ConversationId, Weak<Lane>>>,
}

/// One conversation's slots, and who waits for them.
pub struct Lane {
    slots: Arc<Semaphore>,
    server: Arc<Semaphore>,
    queue: Mutex<Queue>,
    /// Rings when somebody leaves the queue.
    bell: watch::Sender<()>,
}

#[derive(Default)]
struct Queue {
    next: u64,
    /// In the order in which they came.
    tickets: Vec<u64>,
}

/// Leave to run; dropping it lets the next one in.
pub struct Slot {
    _conversation: OwnedSemaphorePermit,
    _server: OwnedSemaphorePermit,
}

impl Lanes {
    pub fn new(limits: Limits) -> Self {
        Self { limits, server: Arc::new(Semaphore::new(limits.per_server)), conversations: Mutex::default() }
    }

    pub fn lane(&self, conversation: ConversationId) -> Arc<Lane> {
        let mut lanes = self.conversations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = lanes.get(&conversation).and_then(Weak::upgrade) {
            return lane;
        }
        lanes.retain(|_, lane| lane.strong_count() > 0);
        let slots = Arc::new(Semaphore::new(self.limits.per_conversation));
        let (server, bell) = (Arc::clone(&self.server), watch::Sender::new(()));
        let lane = Arc::new(Lane { slots, server, queue: Mutex::default(), bell });
        lanes.insert(conversation, Arc::downgrade(&lane));
        lane
    }
}

impl Lane {
    /// A slot, if one is free now.
    pub fn try_enter(&self) -> Option<Slot> {
        let conversation = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let server = Arc::clone(&self.server).try_acquire_owned().ok()?;
        Some(Slot { _conversation: conversation, _server: server })
    }

    /// Joins the queue. Whoever drops this leaves it.
    pub fn queue(&self) -> Queued<'_> {
        let mut queue = self.lock();
        let ticket = queue.next;
        queue.next += 1;
        queue.tickets.push(ticket);
        Queued { lane: self, ticket }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Queued<'a> {
    lane: &'a Lane,
    ticket: u64,
}

impl Queued<'_> {
    /// Counts from 1.
    pub fn place(&self) -> usize {
        self.lane.lock().tickets.partition_point(|ticket| *ticket < self.ticket) + 1
    }

    /// Waits until it has come this far.
    pub async fn reach(&self, place: usize) {
        let mut bell = self.lane.bell.subscribe();
        while self.place() > place {
            // The bell is there for as long as the lane.
            let _ = bell.changed().await;
        }
    }

    /// Waits for its turn. First the conversation's, so that one with many calls does not hold the server's slots.
    pub async fn enter(&self) -> Option<Slot> {
        let conversation = Arc::clone(&self.lane.slots).acquire_owned().await.ok()?;
        let server = Arc::clone(&self.lane.server).acquire_owned().await.ok()?;
        Some(Slot { _conversation: conversation, _server: server })
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.lane.lock().tickets.retain(|ticket| *ticket != self.ticket);
        self.lane.bell.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_lane_queues_and_another_is_free() {
        let lanes = Lanes::new(Limits { per_conversation: 1, per_server: 2 });
        let (one, other) = (lanes.lane(ConversationId::mint()), lanes.lane(ConversationId::mint()));
        let slot = one.try_enter().unwrap();
        assert!(one.try_enter().is_none());
        let _second = other.try_enter().unwrap();
        let third = lanes.lane(ConversationId::mint());
        assert!(third.try_enter().is_none(), "the server is full");

        let (first, second, third) = (one.queue(), one.queue(), one.queue());
        assert_eq!((first.place(), second.place(), third.place()), (1, 2, 3));
        drop(second);
        third.reach(2).await;
        assert_eq!(third.place(), 2, "who waits moves up");
        drop(slot);
        assert!(first.enter().await.is_some());
        drop(first);
        third.reach(1).await;
        assert_eq!((third.place(), one.queue().place()), (1, 2));
    }
}
