//! Identical calls of tools whose results may be used again: what was found before, and calls that run at the same time
//! and share one execution.
//!
//! A key is a hash of the tool, its version, the edition of what it reads, and the arguments as canonical JSON. It says
//! nothing about who asks, so only tools whose results do not depend on that may be cacheable.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::schema::whole_numbers;

use crate::server::tools::{About, Done, ToolError};

/// All results together, and one of them, in bytes of JSON.
const MOST_BYTES: usize = 64 * 1024 * 1024;
const LARGEST: usize = 4 * 1024 * 1024;

/// Something that was found, to be used again.
pub type Found = Arc<Done<Value>>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    pub fn of(about: &About, edition: &str, args: &Value) -> Self {
        let args = canonical(&whole_numbers(args.clone()));
        let parts = [about.name.as_str(), &about.version.to_string(), edition, &args];
        let mut hash = Sha256::new();
        for part in parts {
            // With its length, so that no two different lists look alike.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

#[derive(Default)]
pub struct Cache {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<Key, Known>,
    bytes: usize,
    flights: HashMap<Key, watch::Receiver<Option<Landing>>>,
}

struct Known {
    found: Found,
    since: Instant,
    bytes: usize,
}

/// What came of an execution that others waited for.
pub type Landing = Result<Found, ToolError>;

/// What to do with a call.
pub enum Begin {
    /// It was found this long ago.
    Known(Found, Duration),
    /// The same call runs already.
    Wait(watch::Receiver<Option<Landing>>),
    /// Nobody is at it: run it, and tell those who wait.
    Lead(Flight),
}

/// An execution that others may wait for. If it is dropped without landing, one of them takes over.
pub struct Flight {
    cache: Arc<Cache>,
    key: Key,
    tell: watch::Sender<Option<Landing>>,
}

impl Cache {
    /// What was found no longer ago than this.
    pub fn known(&self, key: &Key, fresh_for: Duration) -> Option<(Found, Duration)> {
        self.lock().known(key, fresh_for)
    }

    pub fn begin(self: &Arc<Self>, key: Key, fresh_for: Duration) -> Begin {
        let mut state = self.lock();
        if let Some((found, age)) = state.known(&key, fresh_for) {
            return Begin::Known(found, age);
        }
        if let Some(flight) = state.flights.get(&key) {
            return Begin::Wait(flight.clone());
        }
        let (tell, flight) = watch::channel(None);
        state.flights.insert(key, flight);
        Begin::Lead(Flight { cache: Arc::clone(self), key, tell })
    }

    /// Remembers something, in the place of what was known.
    pub fn put(&self, key: Key, found: Found) {
        let bytes = super::keep::within(&found.output, LARGEST);
        let mut state = self.lock();
        state.forget(&key);
        let Some(bytes) = bytes else { return };
        while state.bytes + bytes > MOST_BYTES {
            // Rare, so the oldest is looked for instead of kept track of.
            let Some(oldest) = state.known.iter().min_by_key(|(_, known)| known.since).map(|(key, _)| *key) else {
                break;
            };
            state.forget(&oldest);
        }
        state.bytes += bytes;
        state.known.insert(key, Known { found, since: Instant::now(), bytes });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn known(&mut self, key: &Key, fresh_for: Duration) -> Option<(Found, Duration)> {
        if fresh_for.is_zero() {
            return None;
        }
        let (found, age) = self.known.get(key).map(|known| (Arc::clone(&known.found), known.since.elapsed()))?;
        if age > fresh_for {
            self.forget(key);
            return None;
        }
        Some((found, age))
    }

    fn forget(&mut self, key: &Key) {
        if let Some(known) = self.known.remove(key) {
            self.bytes -= known.bytes;
        }
    }
}

impl Flight {
    pub fn land(self, landing: Landing) {
        if let Ok(found) = &landing {
            self.cache.put(self.key, Arc::clone(found));
        }
        self.tell.send_replace(Some(landing));
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.cache.lock().flights.remove(&self.key);
    }
}

/// JSON that is the same for the same value: keys in order, no space.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            let fields =
                fields.iter().map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Metadata;
    use serde_json::json;

    fn found(text: &str) -> Found {
        Arc::new(Done { output: text.into(), metadata: Metadata::default() })
    }

    #[test]
    fn the_same_arguments_in_other_letters() {
        let args = [
            r#"{"a": 1, "b": [2.0, "x"], "c": {"e": null, "d": 1.5}}"#,
            r#"{"c":{"d":1.5,"e":null},"b":[2,"x"],"a":1.0}"#,
        ];
        let args = args.map(|json| whole_numbers(serde_json::from_str(json).unwrap()));
        assert_eq!(canonical(&args[0]), r#"{"a":1,"b":[2,"x"],"c":{"d":1.5,"e":null}}"#);
        assert_eq!(canonical(&args[0]), canonical(&args[1]));
        for (one, other) in [(json!(1), json!("1")), (json!([1, 2]), json!([2, 1])), (json!(-0.5), json!(0.5))] {
            assert_ne!(canonical(&one), canonical(&other));
        }
    }

    #[test]
    fn one_leads_and_when_it_leaves_another_does() {
        let (cache, key, hour) = (Arc::new(Cache::default()), Key([1; 32]), Duration::from_secs(3600));
        let Begin::Lead(leader) = cache.begin(key, hour) else { panic!("nobody was there") };
        let Begin::Wait(waiting) = cache.begin(key, hour) else { panic!("somebody is there") };
        drop(leader);
        assert!(waiting.has_changed().is_err(), "who waits hears of it");
        let Begin::Lead(leader) = cache.begin(key, hour) else { panic!("it is free again") };
        let Begin::Wait(waiting) = cache.begin(key, hour) else { panic!("somebody is there") };
        leader.land(Ok(found("a")));
        assert_eq!(waiting.borrow().clone().unwrap().unwrap().output, "a");
        let Begin::Known(again, _) = cache.begin(key, hour) else { panic!("it is known") };
        assert_eq!(again.output, "a");
        assert!(cache.known(&key, Duration::from_nanos(1)).is_none(), "too old");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let cache = Cache::default();
        let text = "x".repeat(LARGEST - 10);
        for n in 0..20 {
            cache.put(Key([n; 32]), found(&text));
        }
        let state = cache.lock();
        assert!(state.bytes <= MOST_BYTES && state.known.len() == 16, "{} in {}", state.bytes, state.known.len());
        assert!(
            state.known.contains_key(&Key([19; 32])) && !state.known.contains_key(&Key([0; 32])),
            "the oldest goes"
        );
        drop(state);
        cache.put(Key([99; 32]), found(&"x".repeat(LARGEST + 1)));
        assert!(cache.known(&Key([99; 32]), Duration::MAX).is_none(), "what is too large is not kept");
    }
}
