//! Recorded answers of many providers, and what must come out of them: whole, in small chunks, and cut off anywhere.
//! `VITRINE_STREAMS` names another folder of the same form.

/// Answers that break off, at every byte.
mod cut;
/// Answers as they were recorded.
mod whole;

use std::{env, fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::{
    anthropic::AnthropicDecoder,
    openai_chat::ChatDecoder,
    openai_responses::ResponsesDecoder,
    piece::{Decoder, Ending, Piece},
    sse,
};

const USUAL_FOLDER: &str = "../shared/data/streams";

#[derive(Deserialize)]
struct Entry {
    file: String,
    protocol: String,
    #[serde(default)]
    features: Vec<String>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    text: String,
    reasoning: String,
    tool_calls: Vec<ExpectedCall>,
    finish_reason: Option<String>,
    usage: Option<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct ExpectedCall {
    id: Option<String>,
    name: String,
    arguments: String,
    arguments_json: Option<Value>,
}

/// An answer, and the bytes in which it came.
struct Recording {
    entry: Entry,
    bytes: Vec<u8>,
}

/// All that one of the decoders understands.
fn recordings() -> Vec<Recording> {
    let folder = env::var_os("VITRINE_STREAMS").map_or_else(|| PathBuf::from(USUAL_FOLDER), PathBuf::from);
    let Ok(manifest) = fs::read_to_string(folder.join("manifest.json")) else {
        eprintln!("There are no recorded answers in {}, so none are tested.", folder.display());
        return Vec::new();
    };
    let entries: Vec<Entry> = serde_json::from_str(&manifest).unwrap();
    let known = ["openai_chat", "anthropic", "openai_responses"];
    let entries = entries.into_iter().filter(|entry| known.contains(&entry.protocol.as_str()));
    entries.map(|entry| Recording { bytes: fs::read(folder.join(&entry.file)).unwrap(), entry }).collect()
}

/// A connection, as the rest of the program would have it. It can be cut off and still go on.
#[derive(Clone, Default)]
struct Connection<D> {
    parser: sse::Parser,
    decoder: D,
}

impl<D: Decoder + Clone + Default> Connection<D> {
    fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let events = self.parser.push(bytes);
        events.iter().flat_map(|event| self.decoder.push(event)).collect()
    }

    fn end(mut self) -> (Vec<Piece>, Ending) {
        let events = self.parser.end();
        let mut pieces: Vec<Piece> = events.iter().flat_map(|event| self.decoder.push(event)).collect();
        let (left, ending) = self.decoder.end();
        pieces.extend(left);
        (pieces, ending)
    }
}

/// What must hold for every decoder.
trait Check {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording);

    fn check_all(&self) {
        for recording in recordings() {
            match recording.entry.protocol.as_str() {
                "openai_chat" => self.check::<ChatDecoder>(&recording),
                "anthropic" => self.check::<AnthropicDecoder>(&recording),
                "openai_responses" => self.check::<ResponsesDecoder>(&recording),
                other => panic!("no decoder for {other}"),
            }
        }
    }
}

fn decode<D: Decoder + Clone + Default>(bytes: &[u8], chunk: usize) -> (Vec<Piece>, Ending) {
    let mut connection = Connection::<D>::default();
    let mut pieces: Vec<Piece> = bytes.chunks(chunk.max(1)).flat_map(|chunk| connection.push(chunk)).collect();
    let (left, ending) = connection.end();
    pieces.extend(left);
    (merge(pieces), ending)
}

/// Chunks of the same thing that follow each other are one.
fn merge(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (merged.last_mut(), piece) {
            (Some(Piece::Text(all)), Piece::Text(more)) | (Some(Piece::Reasoning(all)), Piece::Reasoning(more)) => {
                all.push_str(&more);
            }
            (Some(Piece::Arguments { nth, chunk: all }), Piece::Arguments { nth: same, chunk: more })
                if *nth == same =>
            {
                all.push_str(&more);
            }
            (_, piece) => merged.push(piece),
        }
    }
    merged
}
