//! How long a tool usually takes, from its own last calls.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use crate::server::db::derived::REMEMBERED;

/// With fewer, nothing is usual yet.
const FEWEST: usize = 5;

pub struct Usual {
    of: Mutex<HashMap<String, VecDeque<u64>>>,
}

impl Usual {
    /// With tools and milliseconds of former calls, the oldest first.
    pub fn new(history: Vec<(String, u64)>) -> Self {
        let usual = Self { of: Mutex::default() };
        for (tool, millis) in history {
            usual.add(&tool, millis);
        }
        usual
    }

    pub fn add(&self, tool: &str, millis: u64) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = of.entry(tool.to_owned()).or_default();
        if calls.len() == REMEMBERED as usize {
            calls.pop_front();
        }
        calls.push_back(millis);
    }

    /// Half of its calls took no longer than the first, and 95 of 100 no longer than the second.
    pub fn of(&self, tool: &str) -> Option<(u64, u64)> {
        let of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let mut calls: Vec<u64> = of.get(tool).filter(|calls| calls.len() >= FEWEST)?.iter().copied().collect();
        calls.sort_unstable();
        let at = |percent: usize| calls[(calls.len() * percent).div_ceil(100) - 1];
        Some((at(50), at(95)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_and_nearly_all() {
        let usual = Usual::new((1..=4).map(|n| ("a".to_owned(), n)).collect());
        assert_eq!(usual.of("a"), None, "four are not enough");
        usual.add("a", 5);
        assert_eq!(usual.of("a"), Some((3, 5)));
        (1..=100).for_each(|n| usual.add("b", n));
        assert_eq!(usual.of("b"), Some((50, 95)));
        (0..200).for_each(|_| usual.add("b", 7));
        assert_eq!((usual.of("b"), usual.of("c")), (Some((7, 7)), None), "what is long ago does not count");
    }
}
