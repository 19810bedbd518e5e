//! What stands in a `<textarea>`. Leptos writes that into a page as it is, markup and all; so everything that goes there
//! goes through here.

/// The text, as it can stand there.
pub fn inside(text: &str) -> String {
    // In a browser it becomes a text by itself, never markup.
    if cfg!(target_arch = "wasm32") { text.to_owned() } else { escaped(text) }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // The first line break in there is not read.
    if text.starts_with('\n') { format!("\n{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_there_is_markup() {
        assert_eq!(
            escaped("</textarea><script>1 && 2</script>"),
            "&lt;/textarea&gt;&lt;script&gt;1 &amp;&amp; 2&lt;/script&gt;"
        );
        assert_eq!(escaped("\na"), "\n\na");
    }
}
