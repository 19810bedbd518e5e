//! What is too large for an event: all of it is kept in parts, and the event carries a preview with its size and hash.

use std::{fmt::Write as _, io, sync::Arc};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::{
    model::{ErrorKind, event::Kept, summary::bytes},
    server::{Error, db::events::Part, log::EventLog, tools::ToolError},
};

/// What an event may carry.
pub const LARGEST_EVENT: usize = 64 * 1024;
/// What is kept at all.
pub const LARGEST: usize = 32 * 1024 * 1024;
/// What a person reads at once.
const PART: usize = 32 * 1024;
/// How many parts go to the disk at once, so that others need not wait for long.
const AT_ONCE: usize = 8;

/// How large a value is as JSON.
pub fn size(value: &Value) -> usize {
    within(value, usize::MAX).unwrap_or(usize::MAX)
}

/// The same, unless it is more than this: then it is not even counted to the end.
pub fn within(value: &Value, most: usize) -> Option<usize> {
    struct Count {
        bytes: usize,
        most: usize,
    }
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes = self.bytes.saturating_add(bytes.len());
            if self.bytes > self.most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count { bytes: 0, most };
    serde_json::to_writer(&mut count, value).ok().map(|()| count.bytes)
}

/// Refuses what is too large to be kept.
pub fn admit(value: &Value) -> Result<(), ToolError> {
    let size = size(value);
    if size <= LARGEST {
        return Ok(());
    }
    let (is, most) = (bytes(size as u64), bytes(LARGEST as u64));
    let told = format!("The result has {is}, and at most {most} can be kept. Ask for less at once.");
    Err(ToolError::new(ErrorKind::TooLarge, told))
}

/// Keeps a text, and tells how it is found again.
pub async fn keep(log: &EventLog, text: String) -> Result<Kept, Error> {
    let (kept, parts) = tokio::task::spawn_blocking(move || split(&text)).await.map_err(|_| Error::Stopping)?;
    let mut parts = parts.into_iter();
    loop {
        let some: Vec<Part> = parts.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return Ok(kept);
        }
        log.keep(some).await?;
    }
}

/// As people read it: a text as it is, everything else as JSON over several lines.
pub fn readable(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value:#}"), str::to_owned)
}

/// Of a text's bytes, in hexadecimal.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn split(text: &str) -> (Kept, Vec<Part>) {
    let sha256 = sha256(text);
    let shared: Arc<str> = sha256.as_str().into();
    let (mut parts, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (body, more) = rest.split_at(cut(rest));
        parts.push(Part { sha256: Arc::clone(&shared), part: parts.len() as u32 + 1, body: body.to_owned() });
        rest = more;
    }
    (Kept { bytes: text.len() as u64, sha256, parts: parts.len() as u32 }, parts)
}

/// Where the next part ends: at the end of a line, if there is one in its second half.
fn cut(text: &str) -> usize {
    if text.len() <= PART {
        return text.len();
    }
    let most = text.floor_char_boundary(PART);
    let line = text[..most].rfind('\n').map(|end| end + 1);
    line.filter(|end| *end > PART / 2).unwrap_or(most)
}

/// The same value with less in it, so that it is no larger than `largest`: lists lose their ends, and so do texts.
pub fn preview(value: &Value, largest: usize) -> Value {
    let (mut items, mut letters) = (100, 8_000);
    loop {
        let less = shortened(value, items, letters, 0);
        if size(&less) <= largest {
            return less;
        }
        if items == 1 && letters == 16 {
            // So many fields that not even their beginnings fit.
            return Value::Null;
        }
        (items, letters) = ((items / 2).max(1), (letters / 2).max(16));
    }
}

fn shortened(value: &Value, items: usize, letters: usize, depth: usize) -> Value {
    const DEEPEST: usize = 16;
    match value {
        Value::String(text) => match text.char_indices().nth(letters) {
            Some((end, _)) => format!("{}…", &text[..end]).into(),
            None => text.as_str().into(),
        },
        Value::Array(_) | Value::Object(_) if depth == DEEPEST => "…".into(),
        Value::Array(all) => all.iter().take(items).map(|each| shortened(each, items, letters, depth + 1)).collect(),
        Value::Object(fields) => fields
            .iter()
            .take(items.max(8))
            .map(|(name, each)| (name.clone(), shortened(each, items, letters, depth + 1)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_put_together_are_the_whole() {
        for text in ["ä".repeat(100_000), "a line of text\n".repeat(50_000), "x".to_owned(), "\n".repeat(PART)] {
            let (kept, parts) = split(&text);
            assert_eq!(parts.iter().map(|part| part.body.as_str()).collect::<String>(), text);
            assert!(parts.iter().all(|part| !part.body.is_empty() && part.body.len() <= PART));
            assert_eq!((kept.bytes, kept.parts), (text.len() as u64, parts.len() as u32));
            assert_eq!(kept.sha256.len(), 64);
        }
        let (kept, _) = split("abc");
        assert_eq!(kept.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let lines = split(&"a line of text\n".repeat(50_000)).1;
        assert!(lines.iter().all(|part| part.body.ends_with('\n')), "parts end with a line");
    }

    #[test]
    fn a_preview_keeps_the_shape_and_fits() {
        let bills: Vec<Value> = (0..10_000).map(|n| json!({"n": n, "title": "t".repeat(100)})).collect();
        let found = json!({"query": "q", "total": 10_000, "bills": bills});
        let less = preview(&found, LARGEST_EVENT);
        assert!(size(&less) <= LARGEST_EVENT);
        assert_eq!(
            (&less["query"], &less["total"], &less["bills"][0]),
            (&json!("q"), &json!(10_000), &found["bills"][0])
        );
        assert!(less["bills"].as_array().unwrap().len() >= 50);

        let text = preview(&"é".repeat(1_000_000).into(), 4_000);
        assert!(text.as_str().is_some_and(|text| text.ends_with('…')) && size(&text) <= 4_000);

        let wide: Map<String, Value> = (0..50_000).map(|n| (format!("field{n}"), json!(n))).collect();
        assert!(size(&preview(&wide.into(), LARGEST_EVENT)) <= LARGEST_EVENT);
        let mut deep = json!("x".repeat(100_000));
        for _ in 0..100 {
            deep = json!([deep]);
        }
        assert!(size(&preview(&deep, LARGEST_EVENT)) < 200);
        assert!(size(&preview(&json!({"k".repeat(100_000): 1}), 1_000)) <= 1_000);
    }

    #[test]
    fn what_is_far_too_large_is_refused_with_its_size() {
        assert!(admit(&"x".repeat(LARGEST - 2).into()).is_ok());
        let refused = admit(&"x".repeat(LARGEST - 1).into()).err().unwrap();
        assert_eq!(refused.kind, ErrorKind::TooLarge);
        assert!(refused.message.contains("32 MB"), "{}", refused.message);
    }
}
