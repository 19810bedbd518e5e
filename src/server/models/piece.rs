//! What a model says, piece by piece, whoever it is; and how its answer ends.

use serde_json::Value;

use super::{complaint, sse};

#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Reasoning(String),
    /// A call is there, as soon as it has a name. `nth` counts the calls of this answer from 0. `id` is the model's
    /// own; if it gave none, it is made up as `call_{nth}`, and the caller may replace it.
    Call {
        nth: usize,
        id: String,
        name: String,
    },
    /// A chunk of the JSON of its arguments.
    Arguments {
        nth: usize,
        chunk: String,
    },
    /// Its arguments are complete, and are a JSON object. It can start.
    Ready {
        nth: usize,
        args: Value,
    },
    /// They never will be, or are no JSON object: why, in a sentence for people and models.
    Broken {
        nth: usize,
        why: String,
    },
    /// Tokens so far, in all.
    Usage {
        input_tokens: u64,
        output_tokens: u64,
    },
    /// What the API wants back, as it is, with the next request of the same run.
    Keep(Value),
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    Stop,
    /// It made calls, and waits for their results.
    Calls,
    Length,
    Refusal,
    Filtered,
    /// It never came to its end: the connection was lost.
    Cut,
    Failed(Failure),
}

impl Finish {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Calls => "tool_calls",
            Self::Length => "length",
            Self::Refusal => "refusal",
            Self::Filtered => "content_filter",
            Self::Cut => "cut",
            Self::Failed(_) => "error",
        }
    }
}

/// What went wrong, as the other side tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: String,
    pub message: String,
}

impl Failure {
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: code.to_owned(), message: message.to_owned() }
    }

    /// From an error event, in any of the forms that providers give it.
    pub fn said(event: &Value) -> Self {
        let complaint = complaint::find(event);
        let code = complaint.codes.into_iter().next().unwrap_or_else(|| "error".to_owned());
        let message = match complaint.message.is_empty() {
            true => "The provider gave no reason.".to_owned(),
            false => complaint::quote(&complaint.message),
        };
        Self { code, message }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub finish: Finish,
    /// As the API said it.
    pub said: Option<String>,
}

/// Understands one answer of one API.
pub trait Decoder: Send {
    fn push(&mut self, event: &sse::Event) -> Vec<Piece>;

    /// Whether all has been said: some keep the connection open after that.
    fn is_over(&self) -> bool;

    /// The stream is over: what was left, and how it ended.
    fn end(&mut self) -> (Vec<Piece>, Ending);
}

/// Tokens that were told, so that the same numbers are not told twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    input: u64,
    output: u64,
}

impl Tokens {
    /// Takes what is new. What is missing stays as it was.
    pub fn update(&mut self, input: Option<u64>, output: Option<u64>, pieces: &mut Vec<Piece>) {
        let now = Self { input: input.unwrap_or(self.input), output: output.unwrap_or(self.output) };
        if now != *self {
            pieces.push(Piece::Usage { input_tokens: now.input, output_tokens: now.output });
            *self = now;
        }
    }
}

/// Text, unless there is none.
pub fn say(text: &str, pieces: &mut Vec<Piece>) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

/// Reasoning, unless there is none.
pub fn reason(text: &str, pieces: &mut Vec<Piece>) {
    if !text.is_empty() {
        pieces.push(Piece::Reasoning(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn failures_are_understood_in_many_forms() {
        for (event, code, message) in [
            (json!({"error": {"code": 400, "message": "Token limit reached"}}), "400", "Token limit reached"),
            (
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}),
                "overloaded_error",
                "Busy",
            ),
            (json!({"type": "error", "code": "server_error", "message": "Oops"}), "server_error", "Oops"),
            (json!({"error": "No such model"}), "error", "No such model"),
            (json!({"error": {}}), "error", "The provider gave no reason."),
            (json!({"error": {"message": "Bad key sk-abcdefgh12345678"}}), "error", "Bad key […]"),
        ] {
            assert_eq!(Failure::said(&event), Failure::new(code, message), "{event}");
        }
    }

    #[test]
    fn tokens_are_told_when_they_change() {
        let (mut tokens, mut pieces) = (Tokens::default(), Vec::new());
        tokens.update(Some(5), None, &mut pieces);
        tokens.update(Some(5), Some(0), &mut pieces);
        tokens.update(None, Some(7), &mut pieces);
        let usage = |input_tokens, output_tokens| Piece::Usage { input_tokens, output_tokens };
        assert_eq!(pieces, [usage(5, 0), usage(5, 7)]);
    }
}
