//! A line that tells how far an import is: how many, how fast, how long still, how many errors. On a terminal it is
//! written over and over; in a log file, every few seconds.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use super::sources::Source;
use crate::model::summary;

pub struct Progress {
    out: Box<dyn Write + Send>,
    is_terminal: bool,
    started: Instant,
    last: Option<Instant>,
    files: u64,
    bytes: u64,
    all_files: u64,
    all_bytes: u64,
    errors: u64,
}

const ON_TERMINAL: Duration = Duration::from_millis(100);
const IN_LOG: Duration = Duration::from_secs(5);
const WIDTH: usize = 24;

impl Progress {
    pub fn on_stderr() -> Self {
        Self::new(Box::new(std::io::stderr()), std::io::stderr().is_terminal())
    }

    pub fn new(out: Box<dyn Write + Send>, is_terminal: bool) -> Self {
        let started = Instant::now();
        Self { out, is_terminal, started, last: None, files: 0, bytes: 0, all_files: 0, all_bytes: 0, errors: 0 }
    }

    pub fn begin(&mut self, list: &[Source], bad: &[(String, String)]) {
        self.started = Instant::now();
        self.all_files = list.len() as u64;
        self.all_bytes = list.iter().map(Source::size).sum();
        for (source, reason) in bad {
            self.bad(source, reason);
        }
    }

    /// Says which file is bad, and why.
    pub fn bad(&mut self, source: &str, reason: &str) {
        self.errors += 1;
        let clear = self.clear();
        let _ = writeln!(self.out, "{clear}skipped {source}: {reason}");
    }

    pub fn advance(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        let pause = if self.is_terminal { ON_TERMINAL } else { IN_LOG };
        if self.last.unwrap_or(self.started).elapsed() >= pause {
            self.last = Some(Instant::now());
            let (clear, line) = (self.clear(), self.line(self.started.elapsed().as_secs_f64()));
            let _ = if self.is_terminal { write!(self.out, "{clear}{line}") } else { writeln!(self.out, "{line}") };
            let _ = self.out.flush();
        }
    }

    /// All is read; what follows takes a moment, too.
    pub fn finishing(&mut self) {
        let clear = self.clear();
        let end = if self.is_terminal { "" } else { "\n" };
        let _ = write!(self.out, "{clear}{} files read; making them searchable…{end}", self.files);
        let _ = self.out.flush();
    }

    pub fn end(&mut self) {
        let clear = self.clear();
        let _ = write!(self.out, "{clear}");
        let _ = self.out.flush();
    }

    const fn clear(&self) -> &'static str {
        if self.is_terminal { "\r\x1b[K" } else { "" }
    }

    fn line(&self, seconds: f64) -> String {
        let done = if self.all_bytes == 0 { 1.0 } else { (self.bytes as f64 / self.all_bytes as f64).min(1.0) };
        let filled = (done * WIDTH as f64) as usize;
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled));
        let rate = self.files as f64 / seconds.max(0.001);
        let left = summary::duration((seconds * 1000.0 * (1.0 - done) / done.max(0.001)) as u64);
        let errors = if self.errors == 1 { "1 error".into() } else { format!("{} errors", self.errors) };
        format!("{bar} {} of {} files · {rate:.0}/s · {left} left · {errors}", self.files, self.all_files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_rate_remaining_time_and_errors() {
        let mut progress = Progress::new(Box::new(std::io::sink()), false);
        (progress.files, progress.all_files, progress.errors) = (500, 1000, 2);
        (progress.bytes, progress.all_bytes) = (25, 100);
        assert_eq!(progress.line(1.0), "██████░░░░░░░░░░░░░░░░░░ 500 of 1000 files · 500/s · 3.0 s left · 2 errors");
    }
}
