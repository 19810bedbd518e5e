//! Ticks, and the time of day where the person is.

use std::time::Duration;

use leptos::prelude::{IntervalHandle, set_interval_with_handle, window};

use crate::model::Timestamp;

/// Ticks until it is dropped.
pub struct Ticking(Option<IntervalHandle>);

impl Drop for Ticking {
    fn drop(&mut self) {
        if let Some(interval) = self.0.take() {
            interval.clear();
        }
    }
}

pub fn every_tenth_of_a_second(tick: impl Fn() + 'static) -> Ticking {
    every(Duration::from_millis(100), tick)
}

pub fn every(pause: Duration, tick: impl Fn() + 'static) -> Ticking {
    Ticking(set_interval_with_handle(tick, pause).ok())
}

/// How far the person's clock is ahead of UTC.
pub fn offset_ms() -> i64 {
    -(js_sys::Date::new_0().get_timezone_offset() as i64) * 60_000
}

/// Milliseconds since the page began, by a clock that nobody sets.
pub fn monotonic_ms() -> f64 {
    thread_local! {
        static CLOCK: Option<web_sys::Performance> = window().performance();
    }
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, web_sys::Performance::now))
}

/// `10:30:05`
pub fn local_time(at: Timestamp) -> String {
    let date = js_sys::Date::new(&(at.millis() as f64).into());
    format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds())
}
