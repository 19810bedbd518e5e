//! Markup to text. Summaries come as HTML; what is kept is what one can read.

/// The text of some markup: paragraphs and list items on lines of their own, entities as their letters.
pub fn text_of(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = if rest.starts_with('<') { skip_tag(rest, &mut text) } else { take_entity(rest, &mut text) };
    }
    text.push_str(rest);
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn skip_tag<'a>(rest: &'a str, text: &mut String) -> &'a str {
    // A `<` that begins no tag is one that somebody meant.
    let is_tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
    let Some(end) = is_tag.then(|| rest.find('>')).flatten() else {
        text.push('<');
        return &rest[1..];
    };
    let name = rest[1..end].trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
    match name.map(str::to_ascii_lowercase).as_deref() {
        Some("li") if !rest.starts_with("</") => text.push_str("\n• "),
        Some("p" | "br" | "div" | "ul" | "ol" | "li" | "tr" | "h1" | "h2" | "h3" | "h4") => text.push('\n'),
        Some("td" | "th") => text.push(' '),
        _ => {}
    }
    &rest[end + 1..]
}

fn take_entity<'a>(rest: &'a str, text: &mut String) -> &'a str {
    const LONGEST: usize = 10;
    let near: &str = rest.char_indices().nth(LONGEST + 2).map_or(rest, |(end, _)| &rest[..end]);
    let name = near[1..].split_once(';').map(|(name, _)| name);
    match name.and_then(|name| Some((name, letter(name)?))) {
        Some((name, letter)) => {
            text.push(letter);
            &rest[name.len() + 2..]
        }
        None => {
            text.push('&');
            &rest[1..]
        }
    }
}

fn letter(entity: &str) -> Option<char> {
    if let Some(number) = entity.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        };
        return code.and_then(char::from_u32);
    }
    Some(match entity {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "mdash" => '—',
        "ndash" => '–',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "sect" => '§',
        "hellip" => '…',
        "eacute" => 'é',
        "ntilde" => 'ñ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn keeps_what_one_can_read() {
        for (markup, text) in [
            (
                "<p><b>Thin Blue Line Act</b></p> <p>This bill&nbsp;makes  it</p>",
                "Thin Blue Line Act\nThis bill makes it",
            ),
            ("<ul><li>one</li><li>two &amp; three</li></ul>", "• one\n• two & three"),
            ("1 < 2 &gt; 0 &#8217;&#x2014; &bogus; & so", "1 < 2 > 0 ’— &bogus; & so"),
            ("<script>alert(1)", "alert(1)"),
            ("a<", "a<"),
            ("&", "&"),
        ] {
            assert_eq!(text_of(markup), text, "{markup}");
        }
    }
}
