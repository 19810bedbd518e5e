//! What nobody can guess.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// 256 bits, as text that can stand anywhere.
#[expect(clippy::expect_used, reason = "a system without randomness can keep no secret, so it must not go on")]
pub fn token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives randomness");
    URL_SAFE_NO_PAD.encode(bytes)
}
