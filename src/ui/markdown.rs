//! Text that a model wrote, as it is meant: headings, lists, tables, code. Every piece of it is text to the browser; where
//! a link leads has been decided before.

use std::{cell::RefCell, rc::Rc};

use super::{
    copy::copy_button,
    view::{
        Element, View, a, blockquote, br, code, div, each, em, figcaption, figure, h3, h4, h5, hr, li, ol, p, pre, s,
        span, strong, table, tbody, td, th, thead, tr, ul,
    },
};
use crate::model::markdown::{Align, Block, Inline, Item, Stream, Target};

/// A text that may still grow, until it is whole. What is finished is rendered once and stays; only its end is rendered
/// again.
pub fn markdown(text: impl Fn() -> String + 'static, is_whole: impl Fn() -> bool + 'static) -> View {
    let known = Rc::new(RefCell::new(Known::default()));
    let looked_at = Rc::clone(&known);
    let look = move || {
        let (text, is_whole) = (text(), is_whole());
        looked_at.borrow_mut().look(&text, is_whole)
    };
    each(look, move |key: &Key| {
        let known = known.borrow();
        known.stream.blocks().nth(key.nth).map(|(_, block)| render(block))
    })
}

/// What was read at the last look.
#[derive(Default)]
struct Known {
    stream: Stream,
    is_whole: bool,
    generation: u64,
}

/// The same for as long as its block is.
#[derive(Hash)]
struct Key {
    nth: usize,
    /// Changes with every look that finds something new, while the block may still change.
    generation: u64,
}

impl Known {
    /// A key for each block. Who looks twice finds the same: a page looks again at what the server has written.
    fn look(&mut self, text: &str, is_whole: bool) -> Vec<Key> {
        if self.stream.text() != text || self.is_whole != is_whole {
            take(&mut self.stream, text, is_whole);
            self.is_whole = is_whole;
            self.generation += 1;
        }
        let (finished, generation) = (self.stream.finished(), self.generation);
        let key = |nth| Key { nth, generation: if nth < finished { 0 } else { generation } };
        self.stream.blocks().map(|(nth, _)| key(nth)).collect()
    }
}

/// What is new goes on where the last left off; a text that turned out to be another is read anew.
fn take(stream: &mut Stream, text: &str, is_whole: bool) {
    match text.strip_prefix(stream.text()) {
        Some("") => {}
        Some(more) => stream.push(more),
        None => {
            *stream = Stream::default();
            stream.push(text);
        }
    }
    if is_whole {
        stream.finish();
    }
}

fn render(block: &Block) -> Element {
    match block {
        Block::Paragraph(inside) => p("").all(inlines(inside)),
        // The page has its own first and second level.
        Block::Heading(1 | 2, inside) => h3("").all(inlines(inside)),
        Block::Heading(3, inside) => h4("").all(inlines(inside)),
        Block::Heading(_, inside) => h5("").all(inlines(inside)),
        Block::Code { language, text, .. } => {
            let copied = text.clone();
            let language = if language.is_empty() { "text".to_owned() } else { language.clone() };
            let caption =
                figcaption("").with(span("").with(language)).with(copy_button("Copy code", move || copied.clone()));
            figure("codeblock").with(caption).with(pre("code").attr("tabindex", "0").with(code("").with(text.clone())))
        }
        Block::Quote(inside) => blockquote("").all(all(inside)),
        Block::List { start: None, items } => ul("").all(items.iter().map(item)),
        Block::List { start: Some(start), items } => {
            ol("").attr("start", start.to_string()).all(items.iter().map(item))
        }
        Block::Table { head, align, rows } => {
            let named = |(cell, align): (&Vec<Inline>, &Align)| aligned(th(""), cell, *align);
            let cell = |(cell, align): (&Vec<Inline>, &Align)| aligned(td(""), cell, *align);
            let head = tr("").all(head.iter().zip(align).map(named));
            let rows = rows.iter().map(|row| tr("").all(row.iter().zip(align).map(cell)));
            div("tablewrap").attr("tabindex", "0").with(table("").with(thead("").with(head)).with(tbody("").all(rows)))
        }
        Block::Rule => hr(""),
    }
}

fn aligned(cell: Element, inside: &[Inline], align: Align) -> Element {
    cell.attr("data-align", side(align)).all(inlines(inside))
}

fn all(blocks: &[Block]) -> Vec<Element> {
    blocks.iter().map(render).collect()
}

fn item(item: &Item) -> Element {
    // A line of its own needs no paragraph.
    let inside = match &item.blocks[..] {
        [Block::Paragraph(line)] => inlines(line),
        blocks => all(blocks),
    };
    match item.is_done {
        None => li("").all(inside),
        Some(is_done) => {
            let (mark, label) = if is_done { ("☑ ", "Done: ") } else { ("☐ ", "To do: ") };
            li("task")
                .with(span("").attr("aria-hidden", "true").with(mark))
                .with(span("sr-only").with(label))
                .all(inside)
        }
    }
}

fn inlines(inside: &[Inline]) -> Vec<Element> {
    inside.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> Element {
    match inline {
        Inline::Text(text) => span("").with(text.clone()),
        Inline::Code(text) => code("").with(text.clone()),
        Inline::Strong(inside) => strong("").all(inlines(inside)),
        Inline::Emphasis(inside) => em("").all(inlines(inside)),
        Inline::Strike(inside) => s("").all(inlines(inside)),
        Inline::Break => br(""),
        // Past the router: it would look for a page.
        Inline::Link { to: Target::Card(id), inside } => {
            a("cite").attr("href", format!("#{id}")).attr("rel", "external").all(inlines(inside))
        }
        Inline::Link { to: Target::Web(to), inside } => away(to).all(inlines(inside)),
        // Loading it would tell its host that somebody reads this.
        Inline::Image { to, alt } => {
            away(to).with(if alt.is_empty() { "Image".to_owned() } else { format!("Image: {alt}") })
        }
    }
}

fn away(to: &str) -> Element {
    a("").attr("href", to.to_owned()).attr("rel", "external noopener noreferrer nofollow").attr("target", "_blank")
}

const fn side(align: Align) -> Option<&'static str> {
    match align {
        Align::None | Align::Left => None,
        Align::Center => Some("center"),
        Align::Right => Some("right"),
    }
}
