//! Events out of the bytes of a `text/event-stream`, however they are cut.

/// What one event may have. One that has more ends the stream.
const LARGEST: usize = 16 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Empty, if it has none.
    pub name: String,
    pub data: String,
}

/// Takes bytes as they come, and gives events as soon as they are complete.
///
/// An event that is far too large becomes an event named `error`, in the form in which providers tell errors. Nothing
/// that comes after it is read.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    /// A line that has not ended yet. It stays bytes, because a letter may be cut.
    line: Vec<u8>,
    name: String,
    data: String,
    has_data: bool,
    /// A line feed that follows a carriage return ends no further line.
    after_return: bool,
    is_begun: bool,
    is_closed: bool,
}

impl Parser {
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let (mut events, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() && !self.is_closed {
            if std::mem::take(&mut self.after_return) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.line.len() + self.data.len() > LARGEST {
                events.push(self.close());
                break;
            }
            let Some(end) = end else { break };
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            events.extend(self.take_line());
        }
        events
    }

    /// The stream is over. An event that lacks only the empty line after it counts.
    pub fn end(&mut self) -> Vec<Event> {
        if self.is_closed {
            return Vec::new();
        }
        self.is_closed = true;
        let last = if self.line.is_empty() { None } else { self.take_line() };
        last.into_iter().chain(self.dispatch()).collect()
    }

    fn take_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let line = if is_first { line.strip_prefix('\u{feff}').unwrap_or(&line) } else { &line };
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.add_data(value),
            // Comments, ids, times to wait, and what is not known.
            _ => {}
        }
        None
    }

    fn add_data(&mut self, value: &str) {
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push('\n');
        }
        self.data.push_str(value);
    }

    fn dispatch(&mut self) -> Option<Event> {
        let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        std::mem::take(&mut self.has_data).then_some(Event { name, data })
    }

    fn close(&mut self) -> Event {
        *self = Self { is_closed: true, ..Self::default() };
        let data = r#"{"error":{"code":"too_large","message":"An event of the answer is larger than 16 MiB."}}"#;
        Event { name: "error".to_owned(), data: data.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut parser = Parser::default();
        let mut events: Vec<Event> = chunks.iter().flat_map(|chunk| parser.push(chunk)).collect();
        events.extend(parser.end());
        events.into_iter().map(|event| (event.name, event.data)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, data)| ((*name).to_owned(), (*data).to_owned())).collect()
    }

    #[test]
    fn events_come_out_however_the_bytes_are_cut() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            ("data: one\n\ndata: two\n\n", &[("", "one"), ("", "two")]),
            ("event: ping\r\ndata: {}\r\n\r\nevent: next\r\ndata:x\r\n\r\n", &[("ping", "{}"), ("next", "x")]),
            ("data: a\rdata: b\r\rdata: c\r\r", &[("", "a\nb"), ("", "c")]),
            (": a comment\n\n:\ndata: text\n\n", &[("", "text")]),
            ("\u{feff}data: Grüße 東京 🎉\n\n", &[("", "Grüße 東京 🎉")]),
            ("data\ndata: \ndata:  two spaces\n\n", &[("", "\n\n two spaces")]),
            ("event: nothing\n\nid: 7\nretry: 10\nfoo: bar\ndata: last", &[("", "last")]),
            ("data: has\u{feff} one inside\n\n\n\n", &[("", "has\u{feff} one inside")]),
        ];
        for (stream, expected) in cases {
            let bytes = stream.as_bytes();
            assert_eq!(parse(&[bytes]), pairs(expected), "{stream:?}");
            for cut in 0..=bytes.len() {
                assert_eq!(parse(&[&bytes[..cut], &bytes[cut..]]), pairs(expected), "{stream:?} cut at {cut}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(parse(&single), pairs(expected), "{stream:?} byte by byte");
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(parse(&[b"data: \xff\xfe\n\n"]), pairs(&[("", "\u{fffd}\u{fffd}")]));
    }

    #[test]
    fn an_event_that_is_far_too_large_ends_the_stream_with_an_error() {
        let chunk = vec![b'x'; 1024 * 1024];
        let mut parser = Parser::default();
        let mut events = parser.push(b"data: first\n\ndata: ");
        for _ in 0..20 {
            events.extend(parser.push(&chunk));
            assert!(parser.line.len() <= LARGEST);
        }
        events.extend(parser.push(b"\n\ndata: more\n\n"));
        events.extend(parser.end());
        assert_eq!(events.len(), 2);
        assert_eq!((events[0].data.as_str(), events[1].name.as_str()), ("first", "error"));
        assert!(events[1].data.contains("16 MiB"));
    }
}
