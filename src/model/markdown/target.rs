//! Where a link may lead. A short list of what is fine, since the list of what is not has no end.

use super::Target;

impl Target {
    /// Nothing for any other scheme, a relative path, or an address with a character that could hide one of these.
    pub(super) fn of(address: &str) -> Option<Self> {
        if let Some(id) = address.strip_prefix('#') {
            return is_card(id).then(|| Self::Card(id.to_owned()));
        }
        let (scheme, rest) = address.split_once(':')?;
        let scheme = scheme.to_ascii_lowercase();
        let leads_somewhere = match scheme.as_str() {
            "http" | "https" => rest.strip_prefix("//")?.starts_with(|c: char| c.is_alphanumeric() || c == '['),
            "mailto" => rest.starts_with(char::is_alphanumeric),
            _ => false,
        };
        (leads_somewhere && rest.chars().all(is_plain)).then(|| Self::Web(format!("{scheme}:{rest}")))
    }
}

/// The address of a picture, if it may be shown.
pub(super) fn picture(address: &str) -> Option<String> {
    match Target::of(address)? {
        Target::Web(to) if !to.starts_with("mailto:") => Some(to),
        Target::Web(_) | Target::Card(_) => None,
    }
}

/// Neither space nor control, nor one that is not seen or turns the direction of writing, nor the backslash, which
/// browsers read as a slash.
pub(super) fn is_plain(c: char) -> bool {
    let is_unseen = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    !(c.is_whitespace() || c.is_control() || is_unseen || c == '\\')
}

fn is_card(id: &str) -> bool {
    let is_fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    id.strip_prefix("call_").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_fine))
}
