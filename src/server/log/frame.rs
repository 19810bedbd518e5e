//! An event as bytes of the stream: `id:` and `data:`, JSON only in `data:`, which never holds a line break.

use std::io::Write;

use bytes::Bytes;

use crate::model::Seq;

/// Goes out when nothing else does, so that nobody on the way takes the connection for dead. Scripts do not get to see
/// comments, so an event without an id tells them too: a page that misses it looks for another connection.
pub const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\nevent: alive\ndata: {}\n\n");

/// Consecutive events, encoded once for all readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    pub first: Seq,
    pub last: Seq,
    pub bytes: Bytes,
}

impl Frames {
    /// `events` must not be empty, and are numbered from `first` on.
    pub fn encode<'a>(first: Seq, events: impl IntoIterator<Item = &'a String>) -> Self {
        let mut bytes = Vec::new();
        let mut next = first;
        for event in events {
            // Writing to memory cannot fail.
            let _ = write!(bytes, "id: {next}\ndata: {event}\n\n");
            next += 1;
        }
        Self { first, last: next - 1, bytes: bytes.into() }
    }
}

/// Tells a reader that came with an id this log does not know to forget what it has: all of the log follows.
pub fn resync(last_seq: Seq) -> Bytes {
    format!("event: resync\ndata: {{\"type\":\"resync\",\"data\":{{\"last_seq\":{last_seq}}}}}\n\n").into()
}
