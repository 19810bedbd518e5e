//! Puts blocks together from parts that begin and end. It keeps a stack instead of recursing, since a text may nest as
//! deep as it is long.

use std::ops::Range;

use super::{Align, Block, Inline, Item, MAX_DEPTH, Target, autolink};

pub(super) struct Builder<'a> {
    source: &'a str,
    /// Finished top-level blocks, each with the place of its first character.
    pub blocks: Vec<(usize, Block)>,
    /// What has begun and not ended, outermost first.
    stack: Vec<Part>,
    /// Plain text in a row. The parser tells it in pieces, and one address may span some.
    words: String,
    /// An address inside a link is no link of its own.
    links: usize,
    /// How many parts have begun below the deepest that counts.
    too_deep: usize,
}

struct Part {
    kind: Kind,
    start: usize,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
}

pub(super) enum Kind {
    Paragraph,
    Heading(u8),
    Html,
    Code { language: String, is_fenced: bool, text: String, text_end: Option<usize> },
    Quote,
    List { start: Option<u64>, items: Vec<Item> },
    Item { is_done: Option<bool> },
    Table { align: Vec<Align>, head: Vec<Vec<Inline>>, rows: Vec<Vec<Vec<Inline>>> },
    Row { is_head: bool, cells: Vec<Vec<Inline>> },
    Cell,
    Strong,
    Emphasis,
    Strike,
    Link(Option<Target>),
}

impl Kind {
    fn is_inline(&self) -> bool {
        matches!(self, Self::Strong | Self::Emphasis | Self::Strike | Self::Link(_))
    }

    /// Whether it may hold others like itself. An item goes with its list.
    fn nests(&self) -> bool {
        matches!(self, Self::Quote | Self::List { .. }) || self.is_inline()
    }
}

impl<'a> Builder<'a> {
    pub fn new(source: &'a str) -> Self {
        Self { source, blocks: Vec::new(), stack: Vec::new(), words: String::new(), links: 0, too_deep: 0 }
    }

    pub fn begin(&mut self, kind: Kind, at: usize) {
        self.end_words();
        match kind.is_inline() {
            true => self.begin_line(at),
            false => self.end_line(),
        }
        self.links += usize::from(matches!(kind, Kind::Link(_)));
        let is_too_deep = match kind {
            Kind::Item { .. } => self.too_deep > 0,
            _ => kind.nests() && self.is_deep(),
        };
        match is_too_deep {
            true => self.too_deep += 1,
            false => self.push(kind, at),
        }
    }

    /// The end of a quote, a list or an item.
    pub fn end_container(&mut self) {
        self.end_line();
        self.end_nested();
    }

    /// The end of emphasis or a link.
    pub fn end_inline(&mut self, is_link: bool) {
        self.end_words();
        self.links = self.links.saturating_sub(usize::from(is_link));
        self.end_nested();
    }

    /// The end of a block that holds no blocks, or of a part of a table.
    pub fn end_leaf(&mut self, at: usize) {
        self.end_words();
        self.pop(at);
    }

    /// The end of a paragraph, also of one that nobody began: a tight item's.
    pub fn end_line(&mut self) {
        self.end_words();
        if matches!(self.stack.last(), Some(Part { kind: Kind::Paragraph, .. })) {
            self.pop(0);
        }
    }

    pub fn words(&mut self, text: &str, range: Range<usize>) {
        match self.stack.last_mut().map(|part| &mut part.kind) {
            Some(Kind::Code { text: code, text_end, .. }) => {
                code.push_str(text);
                *text_end = Some(range.end);
            }
            Some(Kind::Html) => self.inline(Inline::Text(text.to_owned()), range.start),
            _ => {
                self.begin_line(range.start);
                self.words.push_str(text);
            }
        }
    }

    pub fn inline(&mut self, inline: Inline, at: usize) {
        self.end_words();
        self.begin_line(at);
        self.add(inline);
    }

    pub fn rule(&mut self, at: usize) {
        self.end_line();
        self.block(Block::Rule, at);
    }

    /// The box of a task. Too deep for an item, it is text.
    pub fn task(&mut self, is_checked: bool, at: usize) {
        let item = self.stack.iter_mut().rev().find_map(|part| match &mut part.kind {
            Kind::Item { is_done } => Some(is_done),
            _ => None,
        });
        match item {
            Some(is_done) if self.too_deep == 0 => *is_done = Some(is_checked),
            _ => self.words(if is_checked { "[x] " } else { "[ ] " }, at..at),
        }
    }

    fn is_deep(&self) -> bool {
        self.stack.iter().filter(|part| part.kind.nests()).count() >= MAX_DEPTH
    }

    fn end_nested(&mut self) {
        match self.too_deep.checked_sub(1) {
            Some(fewer) => self.too_deep = fewer,
            None => self.pop(0),
        }
    }

    fn begin_line(&mut self, at: usize) {
        let is_between_blocks = match self.stack.last().map(|part| &part.kind) {
            None | Some(Kind::Quote | Kind::List { .. } | Kind::Item { .. }) => true,
            Some(_) => false,
        };
        if is_between_blocks {
            self.push(Kind::Paragraph, at);
        }
    }

    fn end_words(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        if self.links > 0 || self.is_deep() {
            return self.add(Inline::Text(words));
        }
        for inline in autolink::linked(&words) {
            self.add(inline);
        }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.stack.push(Part { kind, start, blocks: Vec::new(), inlines: Vec::new() });
    }

    /// The innermost part has ended and goes where it belongs.
    fn pop(&mut self, end: usize) {
        let Some(Part { kind, start, blocks, mut inlines }) = self.stack.pop() else { return };
        match kind {
            Kind::Paragraph if inlines.is_empty() => {}
            Kind::Paragraph => self.block(Block::Paragraph(inlines), start),
            Kind::Heading(level) => self.block(Block::Heading(level, inlines), start),
            Kind::Html => {
                trim_end(&mut inlines, &['\n', '\r']);
                self.block(Block::Paragraph(inlines), start);
            }
            Kind::Code { language, is_fenced, mut text, text_end } => {
                if text.ends_with('\n') {
                    text.pop();
                }
                let is_open = is_fenced && self.is_fence_open(start..end, text_end);
                self.block(Block::Code { language, text, is_open }, start);
            }
            Kind::Quote => self.block(Block::Quote(blocks), start),
            Kind::List { start: number, items } => self.block(Block::List { start: number, items }, start),
            Kind::Item { is_done } => {
                if let Some(Part { kind: Kind::List { items, .. }, .. }) = self.stack.last_mut() {
                    items.push(Item { is_done, blocks });
                }
            }
            Kind::Table { align, head, rows } => self.block(Block::Table { head, align, rows }, start),
            Kind::Row { is_head, cells } => match self.stack.last_mut().map(|part| &mut part.kind) {
                Some(Kind::Table { head, .. }) if is_head => *head = cells,
                Some(Kind::Table { rows, .. }) => rows.push(cells),
                _ => {}
            },
            Kind::Cell => {
                trim_start(&mut inlines);
                trim_end(&mut inlines, &[' ', '\t']);
                if let Some(Part { kind: Kind::Row { cells, .. }, .. }) = self.stack.last_mut() {
                    cells.push(inlines);
                }
            }
            // Nothing inside, nothing to see.
            Kind::Strong | Kind::Emphasis | Kind::Strike | Kind::Link(_) if inlines.is_empty() => {}
            Kind::Strong => self.add(Inline::Strong(inlines)),
            Kind::Emphasis => self.add(Inline::Emphasis(inlines)),
            Kind::Strike => self.add(Inline::Strike(inlines)),
            Kind::Link(Some(to)) => self.add(Inline::Link { to, inside: inlines }),
            Kind::Link(None) => inlines.into_iter().for_each(|inline| self.add(inline)),
        }
    }

    fn block(&mut self, block: Block, start: usize) {
        match self.stack.last_mut() {
            Some(part) => part.blocks.push(block),
            None => self.blocks.push((start, block)),
        }
    }

    /// Texts that meet become one.
    fn add(&mut self, inline: Inline) {
        let Some(part) = self.stack.last_mut() else { return };
        match (part.inlines.last_mut(), inline) {
            (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
            (_, Inline::Text(text)) if text.is_empty() => {}
            (_, inline) => part.inlines.push(inline),
        }
    }

    /// The parser does not tell, but only a fence that closes is left of the block after its text.
    fn is_fence_open(&self, block: Range<usize>, text_end: Option<usize>) -> bool {
        let rest_of = |range: Range<usize>| self.source.get(range).unwrap_or_default();
        let first_line = rest_of(block.clone()).find('\n').map_or(block.end, |at| block.start + at);
        let is_closed = rest_of(text_end.unwrap_or(first_line)..block.end).contains(['`', '~']);
        !is_closed && rest_of(block.end..self.source.len()).trim().is_empty()
    }
}

fn trim_start(inlines: &mut Vec<Inline>) {
    if let Some(Inline::Text(text)) = inlines.first_mut() {
        *text = text.trim_start().to_owned();
        if text.is_empty() {
            inlines.remove(0);
        }
    }
}

fn trim_end(inlines: &mut Vec<Inline>, what: &[char]) {
    if let Some(Inline::Text(text)) = inlines.last_mut() {
        text.truncate(text.trim_end_matches(what).len());
        if text.is_empty() {
            inlines.pop();
        }
    }
}
