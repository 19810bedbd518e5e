//! What time it is, for what ticks. It is the server's clock: a page begins with the time at which it was rendered, so
//! that hydration finds what the server wrote, and a wrong clock in the browser disturbs nobody.

use leptos::prelude::*;

use crate::{browser, model::Timestamp};

#[derive(Clone, Copy)]
pub struct Clock {
    now: RwSignal<Timestamp>,
    rough: RwSignal<Timestamp>,
    /// Whether this page lives in a browser, which knows in what zone its person is.
    is_local: RwSignal<bool>,
}

impl Clock {
    /// A clock that stands still on the server. Once the page is alive it ticks, as long as there is a reason to.
    pub fn new(now: Timestamp, is_needed: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let clock = Self { now: RwSignal::new(now), rough: RwSignal::new(now), is_local: RwSignal::new(false) };
        let is_needed = Memo::new(move |_| is_needed());
        // Effects run in the browser only, after hydration: until then the page must say what the server said.
        Effect::new(move |began: Option<f64>| {
            let began = began.unwrap_or_else(browser::clock::monotonic_ms);
            clock.is_local.set(true);
            if is_needed.get() {
                let tick = move || {
                    let elapsed_ms = (browser::clock::monotonic_ms() - began) as i64;
                    let at = Timestamp::from_millis(now.millis().saturating_add(elapsed_ms));
                    clock.now.set(at);
                    if at.millis_since(clock.rough.get_untracked()) >= 500 {
                        clock.rough.set(at);
                    }
                };
                tick();
                let ticking = browser::clock::every_tenth_of_a_second(tick);
                on_cleanup(move || drop(ticking));
            }
            began
        });
        clock
    }

    /// Now. Whoever asks is asked again ten times a second, so only what runs should.
    pub fn now(self) -> Timestamp {
        self.now.get()
    }

    /// The time by which everything that has ended is over.
    pub fn rough_untracked(self) -> Timestamp {
        self.rough.get_untracked()
    }

    /// Now, twice a second: for what need not be exact.
    pub fn now_and_then(self) -> Timestamp {
        self.rough.get()
    }

    /// `10:30:05`, where the person is.
    pub fn local(self, at: Timestamp) -> String {
        if self.is_local.get() { browser::clock::local_time(at) } else { format!("{} UTC", at.clock()) }
    }
}
