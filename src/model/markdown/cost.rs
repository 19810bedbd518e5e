//! Tells a text that was made to keep the parser busy.

/// A line that begins with ten thousand `>` is cheap, and so are ten thousand lines after it, but each of these is
/// compared with every quote that it may belong to. No honest text comes near this many comparisons.
const TOO_MANY: usize = 1 << 26;

/// Lines go on with a quote or a list above them until a blank line.
pub(super) fn is_too_high(text: &str) -> bool {
    let (mut deepest, mut lines) = (0_usize, 0_usize);
    text.split(['\n', '\r']).any(|line| {
        if line.trim_ascii_start().is_empty() {
            (deepest, lines) = (0, 0);
            return false;
        }
        lines += 1;
        deepest = deepest.max(most_openings(line));
        deepest.saturating_mul(lines) > TOO_MANY
    })
}

/// How many quotes and lists the line may belong to, at most: the length of what comes before its first word.
fn most_openings(line: &str) -> usize {
    line.bytes()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'>' | b'-' | b'+' | b'*' | b'.' | b')' | b'0'..=b'9'))
        .count()
}
