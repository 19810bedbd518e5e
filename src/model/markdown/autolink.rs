//! Web addresses that stand in plain text.

use super::{Inline, Target, target::is_plain};

/// The text, with its web addresses as links.
pub(super) fn linked(text: &str) -> Vec<Inline> {
    let mut inlines = Vec::new();
    let mut done = 0;
    for (colon, _) in text.match_indices("://") {
        let Some(start) = scheme_start(text, colon).filter(|&start| start >= done) else { continue };
        // Measured only if it has a host, so that no part of the text is measured twice.
        if !text[colon + "://".len()..].starts_with(char::is_alphanumeric) {
            continue;
        }
        let end = start + length(&text[start..]);
        let Some(to) = Target::of(&text[start..end]) else { continue };
        if start > done {
            inlines.push(Inline::Text(text[done..start].to_owned()));
        }
        inlines.push(Inline::Link { to, inside: vec![Inline::Text(text[start..end].to_owned())] });
        done = end;
    }
    if done < text.len() {
        inlines.push(Inline::Text(text[done..].to_owned()));
    }
    inlines
}

/// Where the `http` or `https` before the colon starts, unless it is the end of a longer word.
fn scheme_start(text: &str, colon: usize) -> Option<usize> {
    ["https", "http"].into_iter().find_map(|scheme| {
        let start = colon.checked_sub(scheme.len())?;
        let is_scheme = text.get(start..colon)?.eq_ignore_ascii_case(scheme);
        let is_new_word = !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'));
        (is_scheme && is_new_word).then_some(start)
    })
}

/// How much of the text is the address that it starts with: up to a space, a quotation mark or a bracket that was
/// opened outside, and without the punctuation of the sentence around it.
fn length(text: &str) -> usize {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    const SENTENCE: [char; 13] = ['.', ',', ':', ';', '!', '?', '\'', '*', '_', '~', '(', '[', '{'];
    let mut open = [0_usize; PAIRS.len()];
    let ends = |c: char| {
        for (&(opening, closing), open) in PAIRS.iter().zip(&mut open) {
            if c == opening {
                *open += 1;
            } else if c == closing {
                match open.checked_sub(1) {
                    Some(fewer) => *open = fewer,
                    None => return true,
                }
            }
        }
        is_delimiter(c) || !is_plain(c)
    };
    let end = text.find(ends).unwrap_or(text.len());
    text[..end].trim_end_matches(SENTENCE).len()
}

/// Quotation marks and the like, and the punctuation of scripts that leave no space after it.
fn is_delimiter(c: char) -> bool {
    matches!(c, '<' | '>' | '"' | '`' | '|' | '“' | '”' | '‘' | '’' | '«' | '»' | '…')
        || matches!(c, '、' | '。' | '〈'..='】' | '！' | '（' | '）' | '，' | '：' | '；' | '？')
}
