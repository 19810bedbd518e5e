//! An event as bytes of the stream: `id:` and `data:`, JSON only in `data:`, which never holds a line break.

use std::{
    io::Write,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;

use crate::model::Seq;

/// Goes out when nothing else does, so that nobody on the way takes the connection for dead. Scripts do not get to see
/// comments, so an event without an id tells them too: a page that misses it looks for another connection.
pub const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\nevent: alive\ndata: {}\n\n");

/// What a browser can take in without being held up.
const MOST_IN_A_PACK: usize = 100;

/// Consecutive events, encoded once for all readers.
#[derive(Clone, Debug)]
pub struct Frames {
    pub first: Seq,
    pub last: Seq,
    pub bytes: Bytes,
    packed: Arc<OnceLock<Bytes>>,
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
        Self { first, last: next - 1, bytes: bytes.into(), packed: Arc::default() }
    }

    /// The same in fewer frames, each a list of events, with the number of the last: a thousand frames cost a browser a
    /// thousand events of its own, whatever is in them. Encoded once, too, when the first reader wants it so.
    pub fn packed(&self) -> Bytes {
        let pack = || {
            let lines = self.bytes.split(|byte| *byte == b'\n');
            let events: Vec<&[u8]> = lines.filter_map(|line| line.strip_prefix(b"data: ")).collect();
            let mut packed = Vec::with_capacity(self.bytes.len());
            let mut last = self.first - 1;
            for pack in events.chunks(MOST_IN_A_PACK) {
                last += pack.len() as Seq;
                // Writing to memory cannot fail.
                let _ = write!(packed, "id: {last}\ndata: [");
                packed.extend(pack.join(&b","[..]));
                packed.extend_from_slice(b"]\n\n");
            }
            packed.into()
        };
        self.packed.get_or_init(pack).clone()
    }
}

/// Tells a reader that came with an id this log does not know to forget what it has: all of the log follows.
pub fn resync(last_seq: Seq) -> Bytes {
    format!("event: resync\ndata: {{\"type\":\"resync\",\"data\":{{\"last_seq\":{last_seq}}}}}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_has_the_same_events() {
        let frames = Frames::encode(7, &[r#"{"a":"data: \n"}"#.to_owned(), "{}".to_owned()]);
        assert_eq!(&*frames.packed(), b"id: 8\ndata: [{\"a\":\"data: \\n\"},{}]\n\n");
        let many = Frames::encode(1, &vec!["{}".to_owned(); 250]);
        let ids: Vec<String> = String::from_utf8(many.packed().to_vec())
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("id"))
            .map(str::to_owned)
            .collect();
        assert_eq!(ids, ["id: 100", "id: 200", "id: 250"]);
    }
}
