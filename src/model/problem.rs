//! What a person, or a program, may be told when something went wrong: what it is, and what to do. What the server
//! knows beyond that goes to its log.

use serde::{Deserialize, Serialize};
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    pub kind: ProblemKind,
    pub message: String,
    /// What it is about, where a page has several of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    InvalidInput,
    TooLarge,
    NotFound,
    /// The server could not be reached, or could not do it now.
    Unavailable,
    Internal,
}

impl Problem {
    pub fn new(kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), about: None }
    }

    /// Of this one.
    pub fn about(self, what: &str) -> Self {
        Self { about: Some(what.to_owned()), ..self }
    }

    /// Whether it may be about this one.
    pub fn is_about(&self, what: &str) -> bool {
        self.about.as_ref().is_none_or(|about| about == what)
    }
}
