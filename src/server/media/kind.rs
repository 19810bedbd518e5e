//! What a file is: its first bytes say it, and for text its ending.

use super::pdf;
use crate::model::summary::bytes;

/// What models take of an image.
const LARGEST_IMAGE: usize = 5 * 1024 * 1024;
const LARGEST_TEXT: usize = 2 * 1024 * 1024;

const WHAT: &str = "Text, Markdown, CSV, PDF and images (PNG, JPEG, GIF, WebP) can be attached.";

/// Its type, and what a model reads of it if it is no image.
pub async fn read(name: &str, content: &[u8]) -> Result<(&'static str, Option<String>), String> {
    if content.is_empty() {
        return Err(format!("“{name}” is empty."));
    }
    if let Some(kind) = image(content) {
        return match content.len() {
            0..=LARGEST_IMAGE => Ok((kind, None)),
            _ => Err(format!("“{name}” is too large: an image has at most {}.", bytes(LARGEST_IMAGE as u64))),
        };
    }
    if content.starts_with(b"%PDF-") {
        let text = pdf::text(content.to_vec()).await.map_err(|why| format!("“{name}” cannot be read: {why}"))?;
        return match text.trim().is_empty() {
            false => Ok(("application/pdf", Some(text))),
            true => Err(format!("“{name}” has no text; it may be a scan. Attach its pages as images instead.")),
        };
    }
    let text = decoded(content).ok_or_else(|| format!("“{name}” is nothing that can be read here. {WHAT}"))?;
    if text.len() > LARGEST_TEXT {
        return Err(format!("“{name}” is too large: a text has at most {}.", bytes(LARGEST_TEXT as u64)));
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let kind = match ending.as_str() {
        "md" | "markdown" => "text/markdown",
        "csv" => "text/csv",
        "tsv" => "text/tab-separated-values",
        "json" => "application/json",
        _ => "text/plain",
    };
    Ok((kind, Some(text)))
}

fn image(content: &[u8]) -> Option<&'static str> {
    match content {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// UTF-8, or UTF-16 that says so. Anything with a zero in it is no text.
fn decoded(content: &[u8]) -> Option<String> {
    let wide = |bytes: &[u8], from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|two| from([two[0], two[1]])).collect();
        String::from_utf16(&units).ok()
    };
    let text = match content {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes)?,
        [0xef, 0xbb, 0xbf, rest @ ..] => std::str::from_utf8(rest).ok()?.to_owned(),
        _ => std::str::from_utf8(content).ok()?.to_owned(),
    };
    (!text.contains('\0')).then_some(text)
}

/// Letters that turn a line around, or are not seen at all.
pub const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_content_says_what_a_file_is() {
        let png = b"\x89PNG\r\n\x1a\nrest";
        for (name, content, kind) in [
            ("a.txt", &b"hello"[..], "text/plain"),
            ("a.MD", b"# hello", "text/markdown"),
            ("a.csv", b"x,y\n1,2", "text/csv"),
            ("a.html", b"<script>alert(1)</script>", "text/plain"),
            ("a.svg", b"<svg onload='alert(1)'/>", "text/plain"),
            ("a.txt", png, "image/png"),
            ("a.jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
            ("wide.txt", b"\xff\xfeh\0i\0", "text/plain"),
        ] {
            assert_eq!(read(name, content).await.unwrap().0, kind, "{name}");
        }
        assert_eq!(read("wide.txt", b"\xff\xfeh\0i\0").await.unwrap().1.as_deref(), Some("hi"));
        for (name, content, problem) in [
            ("a.txt", &b""[..], "“a.txt” is empty"),
            ("a.zip", b"PK\x03\x04\0\0", "nothing that can be read here"),
            ("a.txt", b"\xc3\x28", "nothing that can be read here"),
            ("a.pdf", b"%PDF-1.7 and then nothing", "cannot be read"),
        ] {
            let told = read(name, content).await.unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
        let large = [png.to_vec(), vec![0; LARGEST_IMAGE]].concat();
        assert!(
            read("a.png", &large).await.unwrap_err().contains("an image has at most 5"),
            "an image that is too large"
        );
        assert!(read("a.txt", &vec![b'a'; LARGEST_TEXT + 1]).await.unwrap_err().contains("a text has at most 2"));
    }
}
