//! What a tool prints while it runs. The log gets its beginning, as it comes; if there is more, all of it is kept
//! elsewhere when the call ends.

use std::sync::{Mutex, PoisonError};

use super::{
    keep::LARGEST,
    throttle::{Joins, Throttle},
};

/// What of it goes into the log.
const MOST_SAID: usize = 32 * 1024;

const MORE: &str = "\n… There is more than fits here. All of it can be read when the call has ended.\n";

#[derive(Default)]
pub struct Output {
    pub throttle: Throttle<String>,
    printed: Mutex<Printed>,
}

#[derive(Default)]
struct Printed {
    whole: String,
    /// How much of it has gone into the log.
    said: usize,
    /// How much there was no room for at all.
    lost: usize,
}

impl Joins for String {
    fn join(&mut self, newer: Self) {
        self.push_str(&newer);
    }
}

impl Output {
    /// Takes what was printed, and returns what of it belongs into the log.
    pub fn print(&self, chunk: &str) -> Option<String> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = chunk.floor_char_boundary(LARGEST.saturating_sub(printed.whole.len()).min(chunk.len()));
        printed.whole.push_str(&chunk[..fits]);
        printed.lost += chunk.len() - fits;
        let room = MOST_SAID.saturating_sub(printed.said);
        if room == 0 || chunk.is_empty() {
            return None;
        }
        if chunk.len() <= room {
            printed.said += chunk.len();
            return Some(chunk.to_owned());
        }
        printed.said = MOST_SAID;
        Some(format!("{}{MORE}", &chunk[..chunk.floor_char_boundary(room)]))
    }

    /// All that was printed, if the log has not got all of it.
    pub fn whole(&self) -> Option<String> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if printed.whole.len() <= MOST_SAID {
            return None;
        }
        let mut whole = std::mem::take(&mut printed.whole);
        if printed.lost > 0 {
            whole.push_str(&format!("\n… {} more bytes were not kept.\n", printed.lost));
        }
        Some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_gets_the_beginning_and_the_rest_is_not_lost() {
        let output = Output::default();
        assert_eq!(output.print("a\n").as_deref(), Some("a\n"));
        assert_eq!(output.whole(), None, "the log has it all");
        let said = output.print(&"é".repeat(MOST_SAID)).unwrap();
        assert!(said.ends_with(MORE) && said.len() <= MOST_SAID + MORE.len());
        assert_eq!(output.print("the end"), None);
        let whole = output.whole().unwrap();
        assert!(whole.starts_with("a\né") && whole.ends_with("éthe end"));

        let flood = Output::default();
        flood.print(&"x".repeat(LARGEST + 5));
        assert!(flood.whole().unwrap().ends_with("… 5 more bytes were not kept.\n"));
    }
}
