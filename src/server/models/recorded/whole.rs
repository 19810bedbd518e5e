//! What comes out of a whole answer, in chunks of any size.

use serde_json::{Value, json};

use super::{
    super::piece::{Decoder, Ending, Finish, Piece},
    Check, Entry, ExpectedCall, Recording, decode,
};

/// A call as it was told.
#[derive(Debug, Default)]
struct Told {
    id: String,
    name: String,
    arguments: String,
    ready: Option<Value>,
    broken: Option<String>,
}

#[derive(Debug, Default)]
struct Heard {
    text: String,
    reasoning: String,
    calls: Vec<Told>,
    usage: Option<(u64, u64)>,
}

fn hear(file: &str, pieces: &[Piece]) -> Heard {
    let mut heard = Heard::default();
    for piece in pieces {
        match piece.clone() {
            Piece::Text(text) => heard.text.push_str(&text),
            Piece::Reasoning(text) => heard.reasoning.push_str(&text),
            Piece::Call { nth, id, name } => {
                assert_eq!(nth, heard.calls.len(), "{file}: calls are counted");
                heard.calls.push(Told { id, name, ..Told::default() });
            }
            Piece::Arguments { nth, chunk } => {
                let call = &mut heard.calls[nth];
                assert!(call.ready.is_none() && call.broken.is_none(), "{file}: arguments after the end");
                call.arguments.push_str(&chunk);
            }
            Piece::Ready { nth, args } => assert_eq!(heard.calls[nth].ready.replace(args), None, "{file}: ready twice"),
            Piece::Broken { nth, why } => {
                assert_eq!(heard.calls[nth].broken.replace(why), None, "{file}: broken twice")
            }
            Piece::Usage { input_tokens, output_tokens } => heard.usage = Some((input_tokens, output_tokens)),
            Piece::Keep(_) => {}
        }
    }
    heard
}

fn check_call(entry: &Entry, told: &Told, expected: &ExpectedCall) {
    let file = &entry.file;
    assert_eq!(told.name, expected.name, "{file}");
    if let Some(id) = &expected.id {
        assert_eq!(told.id, *id, "{file}");
    }
    // What came as an object has no text of its own.
    if !entry.features.iter().any(|feature| feature == "arguments-object") {
        assert_eq!(told.arguments, expected.arguments, "{file}");
    }
    let args = match expected.arguments.trim() {
        "null" => Some(json!({})),
        _ => expected.arguments_json.clone().filter(|args| !args.is_null()),
    };
    assert_eq!(told.ready, args, "{file}: {told:?}");
    assert_eq!(told.broken.is_some(), args.is_none(), "{file}: {told:?}");
}

fn check_ending(recording: &Recording, ending: &Ending) {
    let (file, expected) = (&recording.entry.file, &recording.entry.expected);
    assert_eq!(ending.said, expected.finish_reason, "{file}");
    if let Some(error) = &expected.error {
        let Finish::Failed(failure) = &ending.finish else { panic!("{file}: {ending:?}") };
        let code = [&error["code"], &error["type"]].into_iter().find(|code| !code.is_null());
        let code = code.map_or_else(String::new, |code| code.as_str().map_or_else(|| code.to_string(), str::to_owned));
        assert_eq!(failure.code, code, "{file}");
        // How we call a breach of the protocol is our own.
        if code != "protocol" {
            assert_eq!(Some(failure.message.as_str()), error["message"].as_str(), "{file}");
        }
        return;
    }
    let has_calls = !expected.tool_calls.is_empty();
    let is_done = recording.bytes.windows(6).any(|bytes| bytes == b"[DONE]");
    let word = match expected.finish_reason.as_deref() {
        Some("length" | "max_tokens" | "incomplete") => "length",
        Some("refusal") => "refusal",
        Some("content_filter") => "content_filter",
        None if !is_done => "cut",
        Some(_) | None if has_calls => "tool_calls",
        Some(_) | None => "stop",
    };
    assert_eq!(ending.finish.word(), word, "{file}");
}

fn tokens(usage: &Value) -> (u64, u64) {
    let count = |names: [&str; 2]| names.iter().find_map(|name| usage[*name].as_u64()).unwrap_or(0);
    let cached: u64 = ["cache_creation_input_tokens", "cache_read_input_tokens"]
        .iter()
        .filter_map(|name| usage[*name].as_u64())
        .sum();
    (count(["input_tokens", "prompt_tokens"]) + cached, count(["output_tokens", "completion_tokens"]))
}

struct Whole;

impl Check for Whole {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording) {
        let (entry, bytes) = (&recording.entry, &recording.bytes);
        let (pieces, ending) = decode::<D>(bytes, bytes.len());
        let (heard, expected) = (hear(&entry.file, &pieces), &entry.expected);
        assert_eq!(heard.text, expected.text, "{}", entry.file);
        assert_eq!(heard.reasoning, expected.reasoning, "{}", entry.file);
        assert_eq!(heard.calls.len(), expected.tool_calls.len(), "{}: {:?}", entry.file, heard.calls);
        heard.calls.iter().zip(&expected.tool_calls).for_each(|(told, expected)| check_call(entry, told, expected));
        assert_eq!(heard.usage, expected.usage.as_ref().filter(|usage| !usage.is_null()).map(tokens), "{}", entry.file);
        check_ending(recording, &ending);
    }
}

struct Chunks;

impl Check for Chunks {
    fn check<D: Decoder + Clone + Default>(&self, recording: &Recording) {
        let bytes = &recording.bytes;
        let whole = decode::<D>(bytes, bytes.len());
        for size in [1, 2, 3, 7] {
            assert_eq!(decode::<D>(bytes, size), whole, "{} in chunks of {size}", recording.entry.file);
        }
    }
}

#[test]
fn every_recorded_answer_is_understood() {
    Whole.check_all();
}

#[test]
fn the_size_of_the_chunks_does_not_matter() {
    Chunks.check_all();
}
