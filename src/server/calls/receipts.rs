//! How long it takes until a card is seen: from the moment a call is known until a page says that its card is on the
//! screen. Pages tell how long ago that was, so no clock needs to agree with another.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{api::ReceiptsInfo, model::CallId};

/// Calls whose cards are waited for, and times that are remembered.
const WAITED_FOR: usize = 10_000;
const REMEMBERED: usize = 2_000;
/// What took longer was not looked at: a tab in the background, a laptop that slept.
const LONGEST: Duration = Duration::from_secs(60);

/// Upper ends of what is counted together, in milliseconds.
pub const BUCKETS: [u64; 10] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000];

#[derive(Default)]
pub struct Receipts {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    known: HashMap<CallId, Instant>,
    order: VecDeque<CallId>,
    times: VecDeque<u64>,
    counts: [u64; BUCKETS.len() + 1],
    sum_ms: u64,
}

/// For whoever collects numbers: how many took no longer than each of the buckets, all of them, and their sum.
pub struct Histogram {
    pub up_to: [u64; BUCKETS.len()],
    pub count: u64,
    pub sum_ms: u64,
}

impl Receipts {
    /// A call is known from now on.
    pub fn announce(&self, call: &CallId) {
        let mut inner = self.lock();
        if inner.known.insert(call.clone(), Instant::now()).is_none() {
            inner.order.push_back(call.clone());
        }
        if inner.order.len() > WAITED_FOR
            && let Some(oldest) = inner.order.pop_front()
        {
            inner.known.remove(&oldest);
        }
    }

    /// Its card was seen so long ago. The first page that saw it counts.
    pub fn seen(&self, call: &CallId, ago: Duration) {
        let mut inner = self.lock();
        let Some(known) = inner.known.remove(call) else { return };
        let took = known.elapsed().saturating_sub(ago);
        if took > LONGEST {
            return;
        }
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.iter().position(|most| millis <= *most).unwrap_or(BUCKETS.len());
        inner.counts[bucket] += 1;
        inner.sum_ms += millis;
        inner.times.push_back(millis);
        if inner.times.len() > REMEMBERED {
            inner.times.pop_front();
        }
    }

    /// What the last cards took.
    pub fn info(&self) -> ReceiptsInfo {
        let inner = self.lock();
        let mut times: Vec<u64> = inner.times.iter().copied().collect();
        times.sort_unstable();
        let at = |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1))).copied();
        ReceiptsInfo { count: inner.counts.iter().sum(), p50_ms: at(50), p99_ms: at(99) }
    }

    pub fn histogram(&self) -> Histogram {
        let inner = self.lock();
        let mut sum = 0;
        let mut up_to = [0; BUCKETS.len()];
        for (up_to, count) in up_to.iter_mut().zip(inner.counts) {
            sum += count;
            *up_to = sum;
        }
        Histogram { up_to, count: inner.counts.iter().sum(), sum_ms: inner.sum_ms }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_counts_once_and_only_if_its_call_is_known() {
        let (receipts, call) = (Receipts::default(), CallId::mint());
        receipts.seen(&call, Duration::ZERO);
        assert_eq!(receipts.info().count, 0, "nobody knows this call");
        receipts.announce(&call);
        receipts.seen(&call, Duration::from_secs(5));
        receipts.seen(&call, Duration::ZERO);
        let info = receipts.info();
        assert_eq!((info.count, info.p50_ms), (1, Some(0)), "it cannot have been seen before it was there");
        assert_eq!((receipts.histogram().up_to[0], receipts.histogram().count), (1, 1));
        for _ in 0..WAITED_FOR + 10 {
            receipts.announce(&CallId::mint());
        }
        assert_eq!(receipts.lock().known.len(), WAITED_FOR);
    }
}
