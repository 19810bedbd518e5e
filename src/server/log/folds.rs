//! Conversations that were read lately, folded and kept: reading one costs the events since the last time, not all of
//! them. The log stays the only truth; what is kept here can be thrown away at any time.

use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{Conversation, ConversationId};

/// How many events the kept conversations may have been folded from, all in all. They are the measure of memory.
const MOST_EVENTS: u64 = 60_000;

type Kept = Arc<tokio::sync::Mutex<Conversation>>;

/// The one read last comes first.
#[derive(Default)]
pub struct Folds(Mutex<Vec<Entry>>);

struct Entry {
    id: ConversationId,
    events: u64,
    kept: Kept,
}

impl Folds {
    /// A conversation as it was when it was last read, or at its beginning.
    pub fn of(&self, id: ConversationId) -> Kept {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = entries.iter().position(|entry| entry.id == id).map(|place| entries.remove(place));
        let new = || Entry { id, events: 0, kept: Arc::new(tokio::sync::Mutex::new(Conversation::new(id))) };
        let entry = known.unwrap_or_else(new);
        let kept = Arc::clone(&entry.kept);
        entries.insert(0, entry);
        kept
    }

    /// It has grown to so many events; the ones that nobody has read for the longest make room.
    pub fn grown(&self, id: ConversationId, events: u64) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.iter_mut().find(|entry| entry.id == id) {
            entry.events = events;
        }
        let mut room = MOST_EVENTS;
        // The newest stays, however large: somebody reads it.
        let fits = |entry: &Entry| {
            let fits = room >= entry.events;
            room = room.saturating_sub(entry.events.max(1));
            fits
        };
        let fitting = entries.iter().map(fits).collect::<Vec<_>>();
        let mut place = 0;
        entries.retain(|_| {
            place += 1;
            place == 1 || fitting[place - 1]
        });
    }

    /// It cannot be trusted.
    pub fn forget(&self, id: ConversationId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|entry| entry.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_read_last_are_kept_as_far_as_there_is_room() {
        let folds = Folds::default();
        let ids: Vec<_> = (0..4).map(|n| ConversationId::from_uuid(uuid::Uuid::from_u128(n))).collect();
        for (id, events) in ids.iter().zip([10, MOST_EVENTS / 2, MOST_EVENTS / 3, MOST_EVENTS * 2]) {
            folds.of(*id);
            folds.grown(*id, events);
            let kept: Vec<_> = folds.0.lock().unwrap().iter().map(|entry| entry.id).collect();
            assert_eq!(kept.first(), Some(id));
        }
        let kept = |folds: &Folds| folds.0.lock().unwrap().iter().map(|entry| entry.id).collect::<Vec<_>>();
        assert_eq!(kept(&folds), [ids[3]], "one that is larger than all the room stands alone");
        folds.of(ids[1]);
        folds.grown(ids[1], 5);
        assert_eq!(kept(&folds), [ids[1]]);
        folds.forget(ids[1]);
        assert!(kept(&folds).is_empty());
    }
}
