//! Markdown as plain data. A language model or a tool wrote the text, so nobody vouches for it: nothing here becomes
//! HTML by itself, raw HTML is text like any other, and a link leads only where `Target` can say.
//!
//! - `reader` reads the parser's events, `builder` puts blocks together
//! - `cost` refuses what would keep the parser busy for long
//! - `target` decides where a link may lead
//! - `autolink` finds web addresses in plain text
//! - `stream` holds a text that is still being written
//! - `tail` shows its unfinished end without half-written markers

use std::collections::BTreeMap;

/// Web addresses in plain text.
mod autolink;
/// Blocks, put together.
mod builder;
/// What would keep the parser busy for long.
mod cost;
/// The parser's events.
mod reader;
/// A text that is still being written.
mod stream;
/// Its unfinished end.
mod tail;
/// Where a link may lead.
mod target;

#[cfg(test)]
mod hard_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod rule_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod stream_tests;

pub use stream::Stream;

/// Quotes, lists, emphasis and links nest at most this deep. What is deeper keeps its text and loses its form, so that
/// whoever walks the blocks may recurse.
pub const MAX_DEPTH: usize = 32;

/// Top-level blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    reader::read(text, &BTreeMap::new()).into_blocks()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Also raw HTML, as it was written.
    Paragraph(Vec<Inline>),
    /// Its level is 1 to 6.
    Heading(u8, Vec<Inline>),
    /// Fenced or indented, without its last line break. Open while its fence is not closed and text may still come.
    Code {
        language: String,
        text: String,
        is_open: bool,
    },
    Quote(Vec<Block>),
    /// Numbered when it has a start.
    List {
        start: Option<u64>,
        items: Vec<Item>,
    },
    /// Every row has as many cells as the head.
    Table {
        head: Vec<Vec<Inline>>,
        align: Vec<Align>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Of a task list.
    pub is_done: Option<bool>,
    /// A line of a tight list is one paragraph.
    pub blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    None,
    Left,
    Center,
    Right,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Never empty, and never beside another one.
    Text(String),
    Code(String),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strike(Vec<Inline>),
    Link {
        to: Target,
        inside: Vec<Inline>,
    },
    /// From http or https. Loading it tells its host that somebody reads this: the view decides.
    Image {
        to: String,
        alt: String,
    },
    /// A line break that was meant. One that was not is a space.
    Break,
}

/// Where a link may lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Begins with `http://`, `https://` or `mailto:`.
    Web(String),
    /// The id of a card on this page, without the `#`: `call_0-9`.
    Card(String),
}
