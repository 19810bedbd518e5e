//! How a tool may be called: what it does to the world, how long it may take, how often it is tried.

use std::time::Duration;

/// What calling a tool does. What is not safe to repeat is started at most once, ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    ReadOnly,
    /// Changes something, and a second time changes nothing more.
    Idempotent,
    /// Every call counts.
    Once,
}

impl Effect {
    /// Whether the same call may be made again when nobody knows what came of the first.
    pub const fn may_repeat(self) -> bool {
        match self {
            Self::ReadOnly | Self::Idempotent => true,
            Self::Once => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub effect: Effect,
    /// Takes something away that nobody can bring back.
    pub is_destructive: bool,
    /// For one attempt.
    pub deadline: Duration,
    /// How often a failure that may pass is tried again.
    pub retries: u32,
    /// The first pause before that; each further one is twice as long.
    pub pause: Duration,
    /// For how long the same call may be answered with the same result. Zero: every call runs.
    pub fresh_for: Duration,
}

impl Policy {
    /// What only looks something up here.
    pub const LOOKUP: Self = Self {
        effect: Effect::ReadOnly,
        is_destructive: false,
        deadline: Duration::from_secs(60),
        retries: 2,
        pause: Duration::from_millis(250),
        fresh_for: Duration::from_secs(15 * 60),
    };

    /// How long to wait before the attempt after this many failures: longer each time, and never the same for two who
    /// failed together. `chance` is from 0 to 1.
    pub fn pause_after(&self, failures: u32, chance: f64) -> Duration {
        const LONGEST: Duration = Duration::from_secs(30);
        let longest = self.pause.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(LONGEST);
        longest.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0))
    }

    /// Whether results may be used again: never of what changes something.
    pub const fn is_cacheable(&self) -> bool {
        matches!(self.effect, Effect::ReadOnly) && !self.fresh_for.is_zero()
    }

    /// How many retries there really are: none where a second attempt could do harm.
    pub const fn most_retries(&self) -> u32 {
        if self.effect.may_repeat() { self.retries } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ() {
        let policy = Policy { pause: Duration::from_millis(100), ..Policy::LOOKUP };
        let pauses = [1, 2, 3].map(|failures| policy.pause_after(failures, 1.0).as_millis());
        assert_eq!(pauses, [100, 200, 400]);
        assert_eq!(policy.pause_after(1, 0.0).as_millis(), 50);
        assert_eq!(policy.pause_after(99, 1.0), Duration::from_secs(30));
        assert_eq!(Policy { effect: Effect::Once, ..policy }.most_retries(), 0);
        assert!(policy.is_cacheable() && !Policy { effect: Effect::Idempotent, ..policy }.is_cacheable());
    }
}
