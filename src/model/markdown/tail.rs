//! The end of a text that is still being written: what is only half a marker is not shown yet, so that nothing flickers
//! from one kind to another.

use super::{Block, Inline};

/// The text without an end that says nothing yet: a last line of mere markers may become a list, a rule, a heading, a
/// fence or a table, and a marker at the very end may open or close something.
pub(super) fn settled(text: &str) -> &str {
    let start_of_line = text.rfind('\n').map_or(0, |end| end + 1);
    let line = text[start_of_line..].trim_start_matches([' ', '\t', '>']);
    let marks = line.trim_end();
    // Enough for a fence, which may open or close as it is.
    if marks.len() >= 3 && ['`', '~'].iter().any(|&fence| marks.chars().all(|c| c == fence)) {
        return text;
    }
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if after_number.len() < line.len() { after_number.trim_start_matches(['.', ')']) } else { line };
    if rest.chars().all(|c| " \t>-=+*_~`#|:[]\\".contains(c)) {
        return &text[..start_of_line];
    }
    let shown = text.trim_end_matches(['*', '_', '~', '`', '[', '\\']);
    if text[shown.len()..].starts_with('[') { shown.trim_end_matches('!') } else { shown }
}

/// Takes markers that nothing closes out of the last line of text.
pub(super) fn tidy(blocks: &mut [Block]) {
    match blocks.last_mut() {
        Some(Block::Paragraph(inlines) | Block::Heading(_, inlines)) => tidy_line(inlines),
        Some(Block::Quote(blocks)) => tidy(blocks),
        Some(Block::List { items, .. }) => {
            if let Some(item) = items.last_mut() {
                tidy(&mut item.blocks);
            }
        }
        Some(Block::Table { rows, .. }) => {
            let last_row = rows.last_mut().into_iter().flatten();
            if let Some(cell) = last_row.rev().find(|cell| !cell.is_empty()) {
                tidy_line(cell);
            }
        }
        Some(Block::Code { .. } | Block::Rule) | None => {}
    }
}

fn tidy_line(inlines: &mut Vec<Inline>) {
    tidy_link(inlines);
    for inline in inlines.iter_mut() {
        if let Inline::Text(text) = inline {
            tidy_emphasis(text);
        }
    }
    inlines.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
}

/// `see [the docs](https://exa` is "see the docs".
fn tidy_link(inlines: &mut Vec<Inline>) {
    // What there is of the address may look like one already.
    if let [.., Inline::Text(before), Inline::Link { .. }] = inlines.as_slice()
        && before.ends_with("](")
    {
        inlines.pop();
    }
    let Some(Inline::Text(last)) = inlines.last_mut() else { return };
    match last.rfind("](") {
        Some(end) if !last[end..].contains(')') => last.truncate(end),
        _ if last.rfind('[') > last.rfind(']') => {}
        _ => return,
    }
    let mut texts = inlines.iter_mut().rev().filter_map(|inline| match inline {
        Inline::Text(text) => Some(text),
        _ => None,
    });
    if let Some((text, opening)) = texts.find_map(|text| text.rfind('[').map(|opening| (text, opening))) {
        let start = if text[..opening].ends_with('!') { opening - 1 } else { opening };
        text.replace_range(start..=opening, "");
    }
}

/// Whatever could close has closed, so a marker left in the text that could open something waits for its end.
fn tidy_emphasis(text: &mut String) {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['*', '_', '~', '`']) {
        let (before, marked) = rest.split_at(at);
        let marker = &marked[..1];
        let after = marked.trim_start_matches(marker);
        let run = &marked[..marked.len() - after.len()];
        kept.push_str(before);
        let opens = !kept.ends_with(|c: char| c.is_alphanumeric() || c == '\\')
            && !after.starts_with(char::is_whitespace)
            && (marker != "~" || run.len() == 2);
        if !opens {
            kept.push_str(run);
        }
        rest = after;
    }
    kept.push_str(rest);
    *text = kept;
}
