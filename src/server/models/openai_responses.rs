//! `POST /v1/responses`, as OpenAI speaks it. An answer is a list of items: reasoning, messages, calls.

/// The request.
mod body;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::Value;

pub use self::body::body;
use super::{
    drafts::{Blank, Drafts},
    piece::{Decoder, Ending, Failure, Finish, Piece, Tokens, reason, say},
    sse,
};

#[derive(Clone, Debug, Default)]
pub struct ResponsesDecoder {
    drafts: Drafts,
    by_id: HashMap<String, usize>,
    by_index: HashMap<u64, usize>,
    tokens: Tokens,
    /// How it ended: `completed`, `incomplete`, `failed`.
    said: Option<String>,
    /// Why it is incomplete.
    why: Option<String>,
    failure: Option<Failure>,
    /// Some tell an item only when it is complete.
    has_item: bool,
    has_text: bool,
    has_refused: bool,
}

impl Decoder for ResponsesDecoder {
    fn push(&mut self, event: &sse::Event) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if self.said.is_some() || self.failure.is_some() {
            return pieces;
        }
        if let Ok(data) = serde_json::from_str::<Value>(&event.data) {
            let kind = data["type"].as_str().unwrap_or(&event.name);
            self.read(kind, &data, &mut pieces);
        }
        pieces
    }

    fn is_over(&self) -> bool {
        self.said.is_some() || self.failure.is_some()
    }

    fn end(&mut self) -> (Vec<Piece>, Ending) {
        let mut pieces = Vec::new();
        let finish = self.finish();
        self.drafts.finish(&finish, &mut pieces);
        (pieces, Ending { finish, said: self.said.clone() })
    }
}

impl ResponsesDecoder {
    fn read(&mut self, kind: &str, data: &Value, pieces: &mut Vec<Piece>) {
        let delta = data["delta"].as_str().unwrap_or_default();
        match kind {
            "response.output_item.added" => {
                self.add(data, pieces);
            }
            "response.output_item.done" => self.complete(data, pieces),
            "response.output_text.delta" => self.hear(delta, pieces),
            "response.refusal.delta" => {
                self.has_refused = true;
                self.hear(delta, pieces);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => reason(delta, pieces),
            "response.function_call_arguments.delta" => {
                if let Some(at) = self.place(data) {
                    self.drafts.write(at, delta, pieces);
                }
            }
            "response.function_call_arguments.done" => {
                let whole = data["arguments"].as_str().unwrap_or_default();
                self.hear_arguments(self.place(data), whole, Blank::Waits, pieces);
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.close(kind, &data["response"], pieces);
            }
            "error" => self.failure = Some(Failure::said(data)),
            // What repeats what was told before, and what is not known.
            _ => {}
        }
    }

    fn hear(&mut self, text: &str, pieces: &mut Vec<Piece>) {
        self.has_text |= !text.is_empty();
        say(text, pieces);
    }

    /// Where the call is, if it is one.
    fn add(&mut self, data: &Value, pieces: &mut Vec<Piece>) -> Option<usize> {
        let item = &data["item"];
        self.has_item = true;
        self.has_text = false;
        if item["type"] != "function_call" {
            return None;
        }
        let at = self.drafts.begin()?;
        if let Some(id) = item["id"].as_str().or_else(|| data["item_id"].as_str()) {
            self.by_id.insert(id.to_owned(), at);
        }
        if let Some(index) = data["output_index"].as_u64() {
            self.by_index.insert(index, at);
        }
        self.drafts.identify(at, item["call_id"].as_str().or_else(|| item["id"].as_str()).unwrap_or_default());
        self.drafts.name(at, item["name"].as_str().unwrap_or_default(), pieces);
        self.drafts.write(at, item["arguments"].as_str().unwrap_or_default(), pieces);
        Some(at)
    }

    fn complete(&mut self, data: &Value, pieces: &mut Vec<Piece>) {
        let item = &data["item"];
        self.has_item = true;
        match item["type"].as_str() {
            Some("function_call") => {
                let at = self.known(data).or_else(|| self.add(data, pieces));
                if let Some(at) = at {
                    self.drafts.name(at, item["name"].as_str().unwrap_or_default(), pieces);
                }
                // A call that was cut off says so, and then nothing does not mean that it needs nothing.
                let blank = if item["status"] == "incomplete" { Blank::Waits } else { Blank::IsEmpty };
                self.hear_arguments(at, item["arguments"].as_str().unwrap_or_default(), blank, pieces);
            }
            Some("message") if !self.has_text => self.read_message(item, pieces),
            Some("reasoning") => pieces.push(Piece::Keep(item.clone())),
            // What the API does itself, and what is not known.
            Some(_) | None => {}
        }
    }

    fn read_message(&mut self, item: &Value, pieces: &mut Vec<Piece>) {
        for part in item["content"].as_array().into_iter().flatten() {
            let refusal = part["refusal"].as_str();
            self.has_refused |= refusal.is_some();
            say(refusal.or_else(|| part["text"].as_str()).unwrap_or_default(), pieces);
        }
    }

    fn hear_arguments(&mut self, at: Option<usize>, whole: &str, blank: Blank, pieces: &mut Vec<Piece>) {
        let Some(at) = at else { return };
        if !whole.is_empty() {
            self.drafts.replace(at, whole, pieces);
        }
        self.drafts.settle(at, blank, pieces);
    }

    /// Some change the ids from event to event, some count all items as the first.
    fn known(&self, data: &Value) -> Option<usize> {
        let id = data["item"]["id"].as_str().or_else(|| data["item_id"].as_str());
        let by_id = id.and_then(|id| self.by_id.get(id));
        by_id.or_else(|| self.by_index.get(&data["output_index"].as_u64()?)).copied()
    }

    /// The call that arguments belong to.
    fn place(&self, data: &Value) -> Option<usize> {
        let has_no_address = data["item_id"].is_null() && data["output_index"].is_null();
        self.known(data)
            .or_else(|| self.by_index.values().chain(self.by_id.values()).max().copied().filter(|_| has_no_address))
    }

    fn close(&mut self, kind: &str, response: &Value, pieces: &mut Vec<Piece>) {
        if !self.has_item {
            for item in response["output"].as_array().into_iter().flatten() {
                self.complete(&serde_json::json!({"item": item}), pieces);
            }
        }
        let usage = &response["usage"];
        self.tokens.update(usage["input_tokens"].as_u64(), usage["output_tokens"].as_u64(), pieces);
        self.why = response["incomplete_details"]["reason"].as_str().map(str::to_owned);
        if matches!(kind, "response.failed" | "response.cancelled") {
            self.failure = Some(Failure::said(response));
        }
        let status = response["status"].as_str().filter(|status| *status != "in_progress");
        self.said = Some(status.unwrap_or_else(|| kind.trim_start_matches("response.")).to_owned());
    }

    fn finish(&self) -> Finish {
        if let Some(failure) = &self.failure {
            return Finish::Failed(failure.clone());
        }
        match (self.said.as_deref(), self.why.as_deref()) {
            (None, _) => Finish::Cut,
            (Some("incomplete"), Some("content_filter")) => Finish::Filtered,
            (Some("incomplete"), _) => Finish::Length,
            (Some(_), _) if self.drafts.has_any() => Finish::Calls,
            (Some(_), _) if self.has_refused => Finish::Refusal,
            (Some(_), _) => Finish::Stop,
        }
    }
}
