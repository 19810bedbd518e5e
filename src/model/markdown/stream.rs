//! A text that is still being written. What is finished is read once; only the end is read again as more comes.

use super::{
    Block,
    reader::{self, Definitions, Reading},
    tail,
};

/// Holds the whole text, its finished blocks and those at its open end.
///
/// Markdown is made of lines, and a line that begins a new top-level block ends the one before for good. So all but the
/// last block of the whole lines are finished, be they lists that had blank lines, quotes with lazy lines or tables.
/// There is one exception: a reference that is used before its definition stays text until `finish`.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    text: String,
    finished: Vec<Block>,
    open: Vec<Block>,
    /// Where the text of the open blocks starts.
    open_from: usize,
    read_to: usize,
    definitions: Definitions,
}

/// A block longer than this is read again only when it has grown by a few lines, so that one may be a megabyte long.
const LONG: usize = 16 * 1024;

impl Stream {
    pub fn push(&mut self, delta: &str) {
        self.text.push_str(delta);
        if self.is_more_code() {
            return;
        }
        let open = self.text.len() - self.open_from;
        let unread = self.text.len() - self.read_to;
        if unread == 0 || open > LONG && unread < open / 64 {
            return;
        }
        let is_read = self.text[self.read_to..].contains('\n') && self.settle();
        if !is_read {
            let shown = tail::settled(&self.text[self.open_from..]);
            self.open = reader::read(shown, &self.definitions).into_blocks();
        }
        tail::tidy(&mut self.open);
        self.read_to = self.text.len();
    }

    /// The text has ended: its blocks are now those of the whole, which differ where the end was half-written or a
    /// reference was defined late. Tells whether a finished block has changed after all.
    pub fn finish(&mut self) -> bool {
        let mut whole = super::blocks(&self.text);
        self.open = whole.split_off(self.finished.len().min(whole.len()));
        let has_changed = self.finished != whole;
        if has_changed {
            self.finished = whole;
        }
        has_changed
    }

    /// All blocks in order. The index of a block stays, so it can serve as a key.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.finished.iter().chain(&self.open).enumerate()
    }

    /// How many of the first blocks stay as they are while more text comes.
    pub fn finished(&self) -> usize {
        self.finished.len()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    #[cfg(test)]
    pub(super) fn open_from(&self) -> usize {
        self.open_from
    }

    /// Code is what grows longest, and without the sign of a fence in it, more of it needs no reading.
    fn is_more_code(&mut self) -> bool {
        const FENCES: [char; 2] = ['`', '~'];
        let (open, unread) = (&self.text[self.open_from..], &self.text[self.read_to..]);
        let [Block::Code { text, is_open: true, .. }] = self.open.as_mut_slice() else { return false };
        // An indented fence takes its indentation from every line, and a carriage return is never part of one.
        let is_plain = open.starts_with(FENCES) && !open.contains('\r') && !unread.contains(FENCES);
        let Some((_, code)) = open.split_once('\n').filter(|_| is_plain) else { return false };
        code.strip_suffix('\n').unwrap_or(code).clone_into(text);
        self.read_to = self.text.len();
        true
    }

    /// Moves what whole lines have finished. Tells whether that was all there is to read.
    fn settle(&mut self) -> bool {
        let open = &self.text[self.open_from..];
        let lines = open.rfind('\n').map_or("", |end| &open[..=end]);
        let is_all = lines.len() == open.len();
        let Reading { mut blocks, definitions } = reader::read(lines, &self.definitions);
        let last = blocks.pop();
        if let Some((at, _)) = last.as_ref().filter(|_| !blocks.is_empty()) {
            // The last block begins with its indentation.
            let start = lines[..*at].trim_end_matches([' ', '\t']).len();
            for (label, to, _) in definitions.into_iter().filter(|&(.., at)| at < start) {
                self.definitions.entry(label).or_insert(to);
            }
            self.finished.extend(blocks.into_iter().map(|(_, block)| block));
            self.open_from += start;
        }
        if is_all {
            self.open = last.into_iter().map(|(_, block)| block).collect();
        }
        is_all
    }
}
