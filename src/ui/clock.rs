//! What time it is, for what ticks. It is the server's clock: a page begins with the time at which it was rendered, so
//! that hydration finds what the server wrote, and a wrong clock in the browser disturbs nobody.

use leptos::prelude::*;

use crate::{browser, model::Timestamp};

#[derive(Clone, Copy)]
pub struct Clock {
    now: RwSignal<Timestamp>,
    /// Whether this page lives in a browser, which knows in what zone its person is.
    is_local: RwSignal<bool>,
}

impl Clock {
    /// A clock that stands still on the server, and starts to tick once the page is alive.
    pub fn new(now: Timestamp) -> Self {
        let clock = Self { now: RwSignal::new(now), is_local: RwSignal::new(false) };
        // Effects run in the browser only, after hydration: until then the page must say what the server said.
        Effect::new(move || {
            clock.is_local.set(true);
            let ticking = browser::clock::every_tenth_of_a_second(move |elapsed_ms| {
                clock.now.set(Timestamp::from_millis(now.millis().saturating_add(elapsed_ms)));
            });
            on_cleanup(move || drop(ticking));
        });
        clock
    }

    /// Now. Whoever asks is asked again ten times a second, so only what runs should.
    pub fn now(self) -> Timestamp {
        self.now.get()
    }

    /// `10:30:05`, where the person is.
    pub fn local(self, at: Timestamp) -> String {
        if self.is_local.get() { browser::clock::local_time(at) } else { format!("{} UTC", at.clock()) }
    }
}
