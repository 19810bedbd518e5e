//! How long an attempt may take. The clock stands still while a person is waited for: for the call that asks, and for
//! all above it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

pub struct Deadline {
    state: Mutex<State>,
    changed: Notify,
    above: Option<Arc<Deadline>>,
    /// How long it was at first.
    pub limit: Duration,
}

struct State {
    until: Instant,
    /// How many wait for somebody, and since when.
    held: u32,
    since: Instant,
}

/// The clock stands still as long as this is there.
pub struct Hold(Arc<Deadline>);

impl Deadline {
    /// Never later than what is above it.
    pub fn after(limit: Duration, above: Option<Arc<Self>>) -> Arc<Self> {
        let now = Instant::now();
        let until = above.as_ref().map_or(now + limit, |above| above.until().min(now + limit));
        let state = Mutex::new(State { until, held: 0, since: now });
        Arc::new(Self { state, changed: Notify::new(), above, limit: until - now })
    }

    fn until(&self) -> Instant {
        let state = self.lock();
        // What stands still moves on by as long as it stands.
        if state.held > 0 { state.until + state.since.elapsed() } else { state.until }
    }

    /// Waits until there is no more time.
    pub async fn passed(&self) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // From here on no change is missed.
            changed.as_mut().enable();
            let (until, is_held) = {
                let state = self.lock();
                (state.until, state.held > 0)
            };
            if is_held {
                changed.await;
                continue;
            }
            tokio::select! {
                () = tokio::time::sleep_until(until) => return,
                () = changed => {}
            }
        }
    }

    pub fn hold(self: &Arc<Self>) -> Hold {
        self.each(|state, now| {
            if state.held == 0 {
                state.since = now;
            }
            state.held += 1;
        });
        Hold(Arc::clone(self))
    }

    fn each(&self, change: impl Fn(&mut State, Instant)) {
        let (mut next, now) = (Some(self), Instant::now());
        while let Some(deadline) = next {
            change(&mut deadline.lock(), now);
            deadline.changed.notify_waiters();
            next = deadline.above.as_deref();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.each(|state, now| {
            state.held = state.held.saturating_sub(1);
            if state.held == 0 {
                state.until += now - state.since;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn time_stands_still_while_somebody_is_waited_for() {
        let (second, began) = (Duration::from_secs(1), Instant::now());
        let above = Deadline::after(10 * second, None);
        let below = Deadline::after(20 * second, Some(Arc::clone(&above)));
        assert_eq!(below.limit, 10 * second, "no later than what is above");
        tokio::time::sleep(4 * second).await;
        let hold = below.hold();
        let waiting = tokio::spawn({
            let above = Arc::clone(&above);
            async move { above.passed().await }
        });
        tokio::time::sleep(3600 * second).await;
        assert!(!waiting.is_finished());
        assert_eq!(above.until() - Instant::now(), 6 * second);
        drop(hold);
        waiting.await.unwrap();
        below.passed().await;
        assert_eq!(began.elapsed(), 3610 * second);
    }
}
