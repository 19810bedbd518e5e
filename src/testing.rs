//! What tests share.

use proptest::test_runner::{Config, RngSeed};

/// The same cases on every machine, unless `VITRINE_SEED` asks for others.
pub fn cases(cases: u32) -> Config {
    let seed = std::env::var("VITRINE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_261_116);
    eprintln!("proptest: {cases} cases with seed {seed}");
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    }
}
