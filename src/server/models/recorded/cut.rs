//! Answers that are cut off anywhere: nothing starts that the whole answer would not start, and the loss is told.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    super::piece::{Decoder, Finish, Piece},
    Check, Connection, Recording, decode,
};

fn ready(pieces: &[Piece]) -> HashMap<usize, Value> {
    let ready = pieces.iter().filter_map(|piece| match piece {
        Piece::Ready { nth, args } => Some((*nth, args.clone())),
        _ => None,
    });
    ready.collect()
}

/// Where the line ends that says how the answer ended.
fn end_is_known_at(recording: &Recording) -> Option<usize> {
    let says_so = |line: &str| {
        let Some(data) = line.strip_prefix("data:") else { return false };
        let Ok(data) = serde_json::from_str::<Value>(data) else { return data.trim() == "[DONE]" };
        let kind = data["type"].as_str().unwrap_or_default();
        data["choices"][0]["finish_reason"].is_string()
            || data["delta"]["stop_reason"].is_string()
            || ["response.completed", "response.incomplete", "response.failed"].contains(&kind)
    };
    let text = std::str::from_utf8(&recording.bytes).unwrap();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if says_so(line) {
            return Some(from + line.trim_end().len());
        }
        from += line.len();
    }
    None
}

struct Cut;

impl Check for Cut {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording) {
        let (file, bytes) = (&recording.entry.file, &recording.bytes);
        let (whole, whole_ending) = decode::<D>(bytes, bytes.len());
        let (whole, is_known_at) = (ready(&whole), end_is_known_at(recording));
        let mut connection = Connection::<D>::default();
        for cut in 0..bytes.len() {
            let (left, ending) = connection.clone().end();
            for (nth, args) in ready(&left) {
                assert_eq!(whole.get(&nth), Some(&args), "{file} cut at {cut}: call {nth}");
            }
            match is_known_at {
                Some(at) if cut >= at => {
                    let is_same = ending.finish == whole_ending.finish;
                    // What comes after the end may still be an error.
                    assert!(
                        is_same || matches!(whole_ending.finish, Finish::Failed(_)),
                        "{file} cut at {cut}: {ending:?}"
                    );
                }
                Some(_) | None => {
                    let is_lost = matches!(ending.finish, Finish::Cut | Finish::Failed(_));
                    assert!(is_lost, "{file} cut at {cut}: {ending:?}");
                }
            }
            for (nth, args) in ready(&connection.push(&bytes[cut..=cut])) {
                assert_eq!(whole.get(&nth), Some(&args), "{file} at {cut}: call {nth}");
            }
        }
    }
}

/// Loses one event, or hears it twice.
struct Lost;

impl Check for Lost {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording) {
        let text = std::str::from_utf8(&recording.bytes).unwrap();
        let events: Vec<&str> = text.split_inclusive("\n\n").collect();
        // Long answers are many times the same.
        for nth in (0..events.len()).step_by(1 + events.len() / 50) {
            for times in [0, 2] {
                let (before, after) = (events[..nth].concat(), events[nth + 1..].concat());
                let stream = [before, events[nth].repeat(times), after].concat();
                let (pieces, _) = decode::<D>(stream.as_bytes(), stream.len());
                let calls = pieces.iter().filter(|piece| matches!(piece, Piece::Call { .. })).count();
                let settled = pieces.iter().filter(|piece| matches!(piece, Piece::Ready { .. } | Piece::Broken { .. }));
                assert_eq!(settled.count(), calls, "{}: event {nth}, {times} times", recording.entry.file);
            }
        }
    }
}

/// Bytes that are not what they were.
struct Garbled;

impl Check for Garbled {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording) {
        let mut random = 1_u64;
        for _ in 0..20 {
            let mut bytes = recording.bytes.clone();
            for _ in 0..8 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (at, byte) = ((random >> 16) as usize % bytes.len(), (random >> 56) as u8);
                bytes[at] = byte;
            }
            decode::<D>(&bytes, bytes.len());
        }
    }
}

#[test]
fn garbled_answers_do_no_harm() {
    Garbled.check_all();
}

#[test]
fn every_call_is_settled_once_whatever_is_lost_or_repeated() {
    Lost.check_all();
}

#[test]
fn an_answer_may_be_cut_off_at_any_byte() {
    Cut.check_all();
}
