//! Keeps a chatty tool from flooding the log: what it says goes out ten times a second at most, and the last word always
//! does.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// The shortest time between two.
pub const PAUSE: Duration = Duration::from_millis(100);

/// What becomes of something that waits when more is said.
pub trait Joins {
    fn join(&mut self, newer: Self);
}

/// At most one thing waits; what is newer joins it.
pub struct Throttle<T> {
    state: Arc<Mutex<State<T>>>,
}

struct State<T> {
    next: Instant,
    waiting: Option<T>,
    is_due: bool,
}

impl<T> Clone for Throttle<T> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state) }
    }
}

impl<T> Default for Throttle<T> {
    fn default() -> Self {
        Self { state: Arc::new(Mutex::new(State { next: Instant::now(), waiting: None, is_due: false })) }
    }
}

/// What to do about something that was said, and waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Take it, and say it.
    Now,
    /// Somebody must come for it then.
    ComeBack(Instant),
    /// Somebody will come.
    Waits,
}

impl<T: Joins> Throttle<T> {
    pub fn offer(&self, said: T) -> Verdict {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, had_none) = (Instant::now(), state.waiting.is_none());
        match &mut state.waiting {
            Some(waiting) => waiting.join(said),
            None => state.waiting = Some(said),
        }
        if now >= state.next && had_none {
            return Verdict::Now;
        }
        if std::mem::replace(&mut state.is_due, true) { Verdict::Waits } else { Verdict::ComeBack(state.next) }
    }

    /// What waits, to be said now.
    pub fn take(&self) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_due = false;
        let waiting = state.waiting.take();
        if waiting.is_some() {
            state.next = Instant::now() + PAUSE;
        }
        waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Joins for i32 {
        fn join(&mut self, newer: Self) {
            *self = newer;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn ten_a_second_and_the_last_word() {
        let throttle = Throttle::<i32>::default();
        let (mut said, mut comes) = (Vec::new(), None);
        for n in 0..1000 {
            match throttle.offer(n) {
                Verdict::Now => said.extend(throttle.take()),
                Verdict::ComeBack(at) => comes = Some(at),
                Verdict::Waits => {}
            }
            tokio::time::advance(Duration::from_millis(1)).await;
            if comes.is_some_and(|at| Instant::now() >= at) {
                said.extend(throttle.take());
                comes = None;
            }
        }
        said.extend(throttle.take());
        assert!((10..=12).contains(&said.len()), "{said:?}");
        assert_eq!((said[0], said[said.len() - 1]), (0, 999));
    }
}
