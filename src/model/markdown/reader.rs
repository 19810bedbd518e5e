//! Reads the parser's events into blocks.

use std::collections::BTreeMap;

use pulldown_cmark::{Alignment, BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::{
    Align, Block, Inline, Target,
    builder::{Builder, Kind},
    cost, target,
};

/// Addresses of reference links by label.
pub(super) type Definitions = BTreeMap<String, String>;

pub(super) struct Reading {
    /// Each with the place of its first character.
    pub blocks: Vec<(usize, Block)>,
    /// Label, address and place of each reference definition.
    pub definitions: Vec<(String, String, usize)>,
}

impl Reading {
    pub fn into_blocks(self) -> Vec<Block> {
        self.blocks.into_iter().map(|(_, block)| block).collect()
    }
}

/// Reads a text, which may use definitions that were made before it.
pub(super) fn read(text: &str, known: &Definitions) -> Reading {
    if cost::is_too_high(text) {
        let all = Block::Paragraph(vec![Inline::Text(text.to_owned())]);
        return Reading { blocks: vec![(0, all)], definitions: Vec::new() };
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let look_up = |link: BrokenLink<'_>| Some((known.get(&label(&link.reference))?.clone().into(), CowStr::from("")));
    let events = Parser::new_with_broken_link_callback(text, options, Some(look_up)).into_offset_iter();
    let found = events.reference_definitions().iter();
    let definitions = found.map(|(name, it)| (label(name), it.dest.to_string(), it.span.start)).collect();

    let mut builder = Builder::new(text);
    let mut picture: Option<Picture> = None;
    for (event, range) in events {
        if let Some(open) = &mut picture {
            open.read(&event);
            if let Some(closed) = picture.take_if(|picture| picture.depth == 0) {
                builder.inline(closed.into(), range.start);
            }
            continue;
        }
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => picture = Some(Picture::to(&dest_url)),
            Event::Start(tag) => {
                if let Some(kind) = begun(tag) {
                    builder.begin(kind, range.start);
                }
            }
            Event::End(tag) => end(&mut builder, tag, range.end),
            Event::Text(text) => builder.words(&text, range),
            Event::SoftBreak => builder.words(" ", range),
            Event::HardBreak => builder.inline(Inline::Break, range.start),
            Event::Code(code) => builder.inline(Inline::Code(code.into_string()), range.start),
            Event::Html(html) | Event::InlineHtml(html) => {
                builder.inline(Inline::Text(html.into_string()), range.start);
            }
            Event::Rule => builder.rule(range.start),
            Event::TaskListMarker(is_checked) => builder.task(is_checked, range.start),
            // Not among the options.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                builder.words(&text, range);
            }
        }
    }
    Reading { blocks: builder.blocks, definitions }
}

/// Labels are the same in upper and lower case and however they are spaced.
fn label(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn begun(tag: Tag<'_>) -> Option<Kind> {
    Some(match tag {
        Tag::Paragraph => Kind::Paragraph,
        Tag::Heading { level, .. } => Kind::Heading(level as u8),
        Tag::HtmlBlock => Kind::Html,
        Tag::CodeBlock(kind) => code(&kind),
        Tag::BlockQuote(_) => Kind::Quote,
        Tag::List(start) => Kind::List { start, items: Vec::new() },
        Tag::Item => Kind::Item { is_done: None },
        Tag::Table(align) => {
            Kind::Table { align: align.into_iter().map(alignment).collect(), head: Vec::new(), rows: Vec::new() }
        }
        Tag::TableHead => Kind::Row { is_head: true, cells: Vec::new() },
        Tag::TableRow => Kind::Row { is_head: false, cells: Vec::new() },
        Tag::TableCell => Kind::Cell,
        Tag::Strong => Kind::Strong,
        Tag::Emphasis => Kind::Emphasis,
        Tag::Strikethrough => Kind::Strike,
        Tag::Link { link_type: LinkType::Email, dest_url, .. } => Kind::Link(Target::of(&format!("mailto:{dest_url}"))),
        Tag::Link { dest_url, .. } => Kind::Link(Target::of(&dest_url)),
        // A picture is read apart; the others are not among the options.
        Tag::Image { .. } | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => return None,
        Tag::Superscript | Tag::Subscript => return None,
        Tag::DefinitionList | Tag::DefinitionListTitle | Tag::DefinitionListDefinition => return None,
    })
}

fn end(builder: &mut Builder<'_>, tag: TagEnd, at: usize) {
    match tag {
        TagEnd::Paragraph => builder.end_line(),
        TagEnd::Heading(_) | TagEnd::HtmlBlock | TagEnd::CodeBlock => builder.end_leaf(at),
        TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell => builder.end_leaf(at),
        TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => builder.end_container(),
        TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough => builder.end_inline(false),
        TagEnd::Link => builder.end_inline(true),
        TagEnd::Image | TagEnd::FootnoteDefinition | TagEnd::MetadataBlock(_) => {}
        TagEnd::Superscript | TagEnd::Subscript => {}
        TagEnd::DefinitionList | TagEnd::DefinitionListTitle | TagEnd::DefinitionListDefinition => {}
    }
}

/// A fence's first word is its language: "rust" of "rust,ignore" or "{.rust title=x}".
fn code(kind: &CodeBlockKind<'_>) -> Kind {
    let info = match kind {
        CodeBlockKind::Indented => "",
        CodeBlockKind::Fenced(info) => info,
    };
    let mut words = info.split([' ', '\t', ',', '{', '}']).map(|word| word.trim_start_matches('.'));
    let language = words.find(|word| !word.is_empty()).unwrap_or_default().to_owned();
    Kind::Code { language, is_fenced: kind.is_fenced(), text: String::new(), text_end: None }
}

fn alignment(align: Alignment) -> Align {
    match align {
        Alignment::None => Align::None,
        Alignment::Left => Align::Left,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::Right,
    }
}

/// An image whose alternative text is being read. It is plain, whatever it is made of.
struct Picture {
    to: Option<String>,
    alt: String,
    /// Its description may hold images, too.
    depth: usize,
}

impl Picture {
    fn to(address: &str) -> Self {
        Self { to: target::picture(address), alt: String::new(), depth: 1 }
    }

    fn read(&mut self, event: &Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.alt.push_str(text);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.alt.push_str(text);
            }
            Event::SoftBreak | Event::HardBreak => self.alt.push(' '),
            Event::Start(Tag::Image { .. }) => self.depth += 1,
            Event::End(TagEnd::Image) => self.depth -= 1,
            Event::Start(_) | Event::End(_) | Event::Rule | Event::TaskListMarker(_) => {}
        }
    }
}

/// An image that may not be loaded leaves its description.
impl From<Picture> for Inline {
    fn from(Picture { to, alt, .. }: Picture) -> Self {
        match to {
            Some(to) => Self::Image { to, alt },
            None => Self::Text(alt),
        }
    }
}
