//! `POST /chat/completions`, as OpenAI speaks it, and as many others nearly do. Their differences are told where they
//! are handled; recorded answers of theirs are in the tests.

/// The request.
mod body;
/// One piece of a call.
mod fragment;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::{Value, json};

pub use self::body::body;
use self::fragment::Fragment;
use super::{
    drafts::{Blank, Drafts},
    piece::{Decoder, Ending, Failure, Finish, Piece, Tokens, reason, say},
    sse,
    think::Think,
};

/// What is kept of reasoning that the API wants back.
const LARGEST_REASONING: usize = 1024 * 1024;

#[derive(Clone, Debug, Default)]
pub struct ChatDecoder {
    drafts: Drafts,
    /// Which call an index means at the moment.
    places: HashMap<u64, usize>,
    /// The call that was written last.
    last: Option<usize>,
    think: Think,
    tokens: Tokens,
    /// What came as `reasoning_content`: those who send it so refuse the next request if it is missing there.
    reasoning: String,
    said: Option<String>,
    failure: Option<Failure>,
    has_spoken: bool,
    has_refused: bool,
    is_done: bool,
}

impl Decoder for ChatDecoder {
    fn push(&mut self, event: &sse::Event) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if event.data.trim() == "[DONE]" {
            self.is_done = true;
            if self.failure.is_none() {
                self.drafts.settle_all(Blank::IsEmpty, &mut pieces);
            }
        } else if let Ok(chunk) = serde_json::from_str(&event.data) {
            self.read(&event.name, &chunk, &mut pieces);
        }
        pieces
    }

    fn is_over(&self) -> bool {
        self.is_done
    }

    fn end(&mut self) -> (Vec<Piece>, Ending) {
        let mut pieces = Vec::new();
        self.think.flush(&mut pieces);
        let finish = self.finish();
        self.drafts.finish(&finish, &mut pieces);
        if self.drafts.has_any() && !self.reasoning.is_empty() {
            let reasoning = std::mem::take(&mut self.reasoning);
            pieces.push(Piece::Keep(json!({"type": "reasoning_content", "reasoning_content": reasoning})));
        }
        (pieces, Ending { finish, said: self.said.clone() })
    }
}

impl ChatDecoder {
    fn read(&mut self, name: &str, chunk: &Value, pieces: &mut Vec<Piece>) {
        let has_error = chunk.get("error").is_some_and(|error| !error.is_null());
        if has_error || name == "error" || chunk["object"] == "error" {
            self.failure.get_or_insert_with(|| Failure::said(chunk));
        }
        if let Some(choice) = first_choice(chunk) {
            // Some send the whole message at once.
            let delta = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
            self.read_delta(delta, pieces);
            let reason = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty());
            if let Some(reason) = reason {
                self.hear_finish(reason, chunk, pieces);
            }
        }
        for usage in [&chunk["x_groq"]["usage"], &chunk["usage"]] {
            self.tokens.update(usage["prompt_tokens"].as_u64(), usage["completion_tokens"].as_u64(), pieces);
        }
    }

    fn read_delta(&mut self, delta: &Value, pieces: &mut Vec<Piece>) {
        let before = pieces.len();
        self.read_reasoning(delta, pieces);
        self.read_content(&delta["content"], pieces);
        if let Some(refusal) = delta["refusal"].as_str().filter(|refusal| !refusal.is_empty()) {
            self.has_refused = true;
            say(refusal, pieces);
        }
        let calls = delta["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
        // What calls looked like before there could be several.
        let old = Some(&delta["function_call"]).filter(|call| call.is_object()).map(Fragment::of_function);
        let fragments: Vec<Fragment> = calls.iter().map(Fragment::of).chain(old).collect();
        if !fragments.is_empty() {
            self.think.flush(pieces);
        }
        fragments.iter().for_each(|fragment| self.read_fragment(fragment, pieces));
        self.has_spoken |= pieces.len() > before;
    }

    fn read_reasoning(&mut self, delta: &Value, pieces: &mut Vec<Piece>) {
        // Some send the same under both names.
        let content = delta["reasoning_content"].as_str().filter(|text| !text.is_empty());
        if let Some(text) = content
            && self.reasoning.len() + text.len() <= LARGEST_REASONING
        {
            self.reasoning.push_str(text);
        }
        reason(content.or_else(|| delta["reasoning"].as_str()).unwrap_or_default(), pieces);
    }

    /// Text, or a list of parts of which some may be reasoning.
    fn read_content(&mut self, content: &Value, pieces: &mut Vec<Piece>) {
        match content {
            Value::String(text) => {
                self.has_spoken |= !text.is_empty();
                self.think.push(text, pieces);
            }
            Value::Array(parts) => parts.iter().for_each(|part| self.read_part(part, pieces)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
    }

    fn read_part(&mut self, part: &Value, pieces: &mut Vec<Piece>) {
        match (part["type"].as_str(), &part["thinking"]) {
            (Some("thinking"), Value::Array(inner)) => {
                inner.iter().for_each(|each| reason(each["text"].as_str().unwrap_or_default(), pieces));
            }
            (Some("thinking"), thinking) => reason(thinking.as_str().unwrap_or_default(), pieces),
            (_, _) => self.think.push(part["text"].as_str().unwrap_or_default(), pieces),
        }
    }

    fn read_fragment(&mut self, fragment: &Fragment, pieces: &mut Vec<Piece>) {
        self.last = self.place(fragment, pieces);
        let Some(at) = self.last else { return };
        self.drafts.identify(at, fragment.id);
        self.drafts.name(at, fragment.name, pieces);
        self.drafts.write(at, &fragment.arguments, pieces);
    }

    /// The call a fragment belongs to. Nothing, if there are too many calls.
    fn place(&mut self, fragment: &Fragment, pieces: &mut Vec<Piece>) -> Option<usize> {
        let by_id = Some(fragment.id).filter(|id| !id.is_empty()).and_then(|id| self.drafts.find(id));
        let by_index = fragment.index.and_then(|index| self.places.get(&index).copied());
        let known = [by_id, by_index].into_iter().flatten().find(|at| self.continues(*at, fragment));
        if known.is_some() {
            return known;
        }
        // Some count the fragments instead of the calls: what has neither id nor name goes on with the last call.
        let is_new = !fragment.id.is_empty() || !fragment.name.is_empty() || !self.has_begun();
        if !is_new {
            return self.last;
        }
        self.drafts.settle_all(Blank::Waits, pieces);
        let at = self.drafts.begin();
        if let Some(index) = fragment.index {
            match at {
                Some(at) => self.places.insert(index, at),
                None => self.places.remove(&index),
            };
        }
        at
    }

    fn has_begun(&self) -> bool {
        self.drafts.get(0).is_some()
    }

    /// Whether a fragment goes on with this call. Some give every call the same index, some repeat the name.
    fn continues(&self, at: usize, fragment: &Fragment) -> bool {
        let Some(draft) = self.drafts.get(at) else { return false };
        let (has_id, is_same) = (!fragment.id.is_empty() && !draft.id.is_empty(), fragment.id == draft.id);
        if has_id && !is_same {
            return false;
        }
        if fragment.name.is_empty() || draft.name.is_empty() {
            return true;
        }
        let is_repeated = has_id && fragment.arguments == draft.arguments;
        fragment.name == draft.name && (fragment.arguments.is_empty() || is_repeated || !draft.is_complete())
    }

    fn hear_finish(&mut self, reason: &str, chunk: &Value, pieces: &mut Vec<Piece>) {
        if matches!(reason, "error" | "insufficient_system_resource") {
            self.failure.get_or_insert_with(|| match chunk.get("error") {
                Some(_) => Failure::said(chunk),
                None => Failure::new(reason, "The provider could not finish the answer."),
            });
        }
        // The first counts: some repeat it with the usage.
        self.said.get_or_insert_with(|| reason.to_owned());
        if self.failure.is_none() {
            self.drafts.settle_all(Blank::IsEmpty, pieces);
        }
    }

    fn finish(&self) -> Finish {
        if let Some(failure) = &self.failure {
            return Finish::Failed(failure.clone());
        }
        match self.said.as_deref() {
            None if !(self.is_done && self.has_spoken) => Finish::Cut,
            Some("length" | "max_tokens" | "model_length" | "MAX_TOKENS") => Finish::Length,
            Some("content_filter" | "safety" | "SAFETY" | "RECITATION") => Finish::Filtered,
            Some("refusal") => Finish::Refusal,
            Some("abort" | "cancelled") => Finish::Cut,
            Some(_) | None if self.drafts.has_any() => Finish::Calls,
            Some(_) | None if self.has_refused => Finish::Refusal,
            Some(_) | None => Finish::Stop,
        }
    }
}

/// Only one answer is asked for.
fn first_choice(chunk: &Value) -> Option<&Value> {
    chunk["choices"].as_array()?.iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
}
