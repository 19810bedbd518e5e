//! Points at which a server under test can be made to die as if it had been killed, to see what it makes of that when it
//! starts again: `VITRINE_CRASH_AT=started:2` dies when `started` is passed for the second time.

use std::sync::atomic::{AtomicU32, Ordering};

/// A marked point. Nothing happens here, except in servers under test that are told so.
pub fn point(name: &str) {
    static PASSED: AtomicU32 = AtomicU32::new(0);
    if !super::IS_UNDER_TEST {
        return;
    }
    let Ok(wanted) = std::env::var("VITRINE_CRASH_AT") else { return };
    let (at, nth) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if at == name && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == nth.parse().unwrap_or(1) {
        std::process::abort();
    }
}
