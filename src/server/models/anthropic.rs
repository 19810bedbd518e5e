//! `POST /v1/messages`, as Anthropic speaks it. An answer is a list of blocks, which begin, grow and end.

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

/// What is kept of one block of thinking.
const LARGEST_THINKING: usize = 4 * 1024 * 1024;
/// How many blocks may be open at once.
const MOST_OPEN: usize = 256;

#[derive(Clone, Debug, Default)]
pub struct AnthropicDecoder {
    drafts: Drafts,
    /// The blocks that have not ended, by their index.
    blocks: HashMap<u64, Block>,
    usage: Usage,
    tokens: Tokens,
    /// The message that is being told. Its id may be missing.
    message: Option<Option<String>>,
    said: Option<String>,
    failure: Option<Failure>,
    is_stopped: bool,
}

#[derive(Clone, Debug)]
enum Block {
    Text,
    /// The API wants it back as it was, with its signature.
    Thinking(Value),
    /// It has no text, and wants to be given back, too.
    Redacted(Value),
    /// A call for us, and its input if it came at once.
    Call {
        at: usize,
        input: Value,
    },
    /// Calls that the API makes itself, their results, and what is not known.
    Other,
}

/// Tokens as they are counted there: what comes from the cache is not part of the input.
#[derive(Clone, Debug, Default)]
struct Usage {
    input: u64,
    written_to_cache: u64,
    read_from_cache: u64,
}

impl Decoder for AnthropicDecoder {
    fn push(&mut self, event: &sse::Event) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if self.failure.is_some() || self.is_stopped {
            return pieces;
        }
        if let Ok(data) = serde_json::from_str::<Value>(&event.data) {
            let kind = data["type"].as_str().unwrap_or(&event.name);
            self.read(kind, &data, &mut pieces);
        }
        pieces
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.failure.is_some()
    }

    fn end(&mut self) -> (Vec<Piece>, Ending) {
        let mut pieces = Vec::new();
        let finish = self.finish();
        self.drafts.finish(&finish, &mut pieces);
        (pieces, Ending { finish, said: self.said.clone() })
    }
}

impl AnthropicDecoder {
    fn read(&mut self, kind: &str, data: &Value, pieces: &mut Vec<Piece>) {
        match kind {
            "message_start" => self.begin(&data["message"], pieces),
            "content_block_start" => self.open(index(data), &data["content_block"], pieces),
            "content_block_delta" => self.grow(index(data), &data["delta"], pieces),
            "content_block_stop" => self.close(index(data), pieces),
            "message_delta" => {
                if let Some(reason) = data["delta"]["stop_reason"].as_str() {
                    self.said = Some(reason.to_owned());
                }
                self.count(&data["usage"], pieces);
            }
            "message_stop" => self.is_stopped = true,
            "error" => self.failure = Some(Failure::said(data)),
            // Pings, and what is not known.
            _ => {}
        }
    }

    /// The same beginning may come twice. Another one means that two answers were mixed up, and neither can be trusted.
    fn begin(&mut self, message: &Value, pieces: &mut Vec<Piece>) {
        let id = message["id"].as_str().map(str::to_owned);
        if self.message.as_ref().is_some_and(|open| *open != id) {
            let told = "Another answer began before this one had ended.";
            self.failure = Some(Failure::new("protocol", told));
            return;
        }
        self.message = Some(id);
        self.count(&message["usage"], pieces);
    }

    fn count(&mut self, usage: &Value, pieces: &mut Vec<Piece>) {
        let known = &mut self.usage;
        for (field, tokens) in [
            ("input_tokens", &mut known.input),
            ("cache_creation_input_tokens", &mut known.written_to_cache),
            ("cache_read_input_tokens", &mut known.read_from_cache),
        ] {
            *tokens = usage[field].as_u64().unwrap_or(*tokens);
        }
        let input = known.input.saturating_add(known.written_to_cache).saturating_add(known.read_from_cache);
        self.tokens.update(Some(input), usage["output_tokens"].as_u64(), pieces);
    }

    fn open(&mut self, index: u64, block: &Value, pieces: &mut Vec<Piece>) {
        let block = match block["type"].as_str() {
            Some("text") => {
                say(block["text"].as_str().unwrap_or_default(), pieces);
                Block::Text
            }
            Some("thinking") => {
                reason(block["thinking"].as_str().unwrap_or_default(), pieces);
                Block::Thinking(block.clone())
            }
            Some("redacted_thinking") => Block::Redacted(block.clone()),
            Some("tool_use") => self.open_call(block, pieces),
            Some(_) | None => Block::Other,
        };
        if self.blocks.len() < MOST_OPEN {
            self.blocks.insert(index, block);
        }
    }

    fn open_call(&mut self, block: &Value, pieces: &mut Vec<Piece>) -> Block {
        let Some(at) = self.drafts.begin() else { return Block::Other };
        self.drafts.identify(at, block["id"].as_str().unwrap_or_default());
        self.drafts.name(at, block["name"].as_str().unwrap_or_default(), pieces);
        Block::Call { at, input: block["input"].clone() }
    }

    fn grow(&mut self, index: u64, delta: &Value, pieces: &mut Vec<Piece>) {
        let text = |field: &str| delta[field].as_str().unwrap_or_default();
        match (delta["type"].as_str(), self.blocks.get_mut(&index)) {
            (Some("text_delta"), Some(Block::Text) | None) => say(text("text"), pieces),
            (Some("thinking_delta"), Some(Block::Thinking(block))) => {
                reason(text("thinking"), pieces);
                append(block, "thinking", text("thinking"));
            }
            (Some("signature_delta"), Some(Block::Thinking(block))) => append(block, "signature", text("signature")),
            (Some("input_json_delta"), Some(Block::Call { at, .. })) => {
                self.drafts.write(*at, text("partial_json"), pieces);
            }
            // Citations, what belongs to calls of the API itself, and what is not known.
            (_, _) => {}
        }
    }

    fn close(&mut self, index: u64, pieces: &mut Vec<Piece>) {
        match self.blocks.remove(&index) {
            Some(Block::Call { at, input }) => {
                let is_blank = self.drafts.get(at).is_some_and(|draft| draft.arguments.is_empty());
                if is_blank && input.as_object().is_some_and(|input| !input.is_empty()) {
                    self.drafts.write(at, &input.to_string(), pieces);
                }
                self.drafts.settle(at, Blank::IsEmpty, pieces);
            }
            // Without a signature it would be refused.
            Some(Block::Thinking(block)) if block["signature"].as_str().is_some_and(|signed| !signed.is_empty()) => {
                pieces.push(Piece::Keep(block));
            }
            Some(Block::Redacted(block)) => pieces.push(Piece::Keep(block)),
            Some(Block::Thinking(_) | Block::Text | Block::Other) | None => {}
        }
    }

    fn finish(&self) -> Finish {
        if let Some(failure) = &self.failure {
            return Finish::Failed(failure.clone());
        }
        match self.said.as_deref() {
            None if !self.is_stopped => Finish::Cut,
            Some("max_tokens" | "model_context_window_exceeded") => Finish::Length,
            Some("refusal") => Finish::Refusal,
            Some(_) | None if self.drafts.has_any() => Finish::Calls,
            Some(_) | None => Finish::Stop,
        }
    }
}

fn index(data: &Value) -> u64 {
    data["index"].as_u64().unwrap_or(0)
}

/// Adds to a text of a block, unless it is far too long.
fn append(block: &mut Value, field: &str, more: &str) {
    let Some(block) = block.as_object_mut() else { return };
    match block.get_mut(field) {
        Some(Value::String(text)) if text.len() + more.len() <= LARGEST_THINKING => text.push_str(more),
        Some(Value::String(_)) => {}
        Some(_) | None => {
            block.insert(field.to_owned(), more.into());
        }
    }
}
