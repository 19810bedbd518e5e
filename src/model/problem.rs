//! What a person, or a program, may be told when something went wrong: what it is, and what to do. What the server
//! knows beyond that goes to its log.

use serde::{Deserialize, Serialize};
use server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    pub kind: ProblemKind,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    InvalidInput,
    NotFound,
    /// The server could not be reached, or could not do it now.
    Unavailable,
    Internal,
}

impl Problem {
    pub fn new(kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl FromServerFnError for Problem {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        match error {
            E::Args(what) | E::MissingArg(what) | E::Deserialization(what) => {
                Self::new(ProblemKind::InvalidInput, format!("This request is not complete: {what}."))
            }
            E::Request(_) | E::Response(_) => Self::new(
                ProblemKind::Unavailable,
                "The server cannot be reached. Your text is still here; try again in a moment.",
            ),
            E::Registration(_)
            | E::UnsupportedRequestMethod(_)
            | E::ServerError(_)
            | E::MiddlewareError(_)
            | E::Serialization(_) => Self::new(ProblemKind::Internal, "The server could not do this. Try again."),
        }
    }
}
