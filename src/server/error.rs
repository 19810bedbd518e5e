//! What the server knows about what went wrong, and the one door through which a part of it reaches people.

use std::sync::Arc;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

use super::db::StorageError;
use crate::model::{ConversationId, Problem, ProblemKind, Seq};

#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no conversation {0}")]
    NoConversation(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Nothing(String),
    #[error("storage: {0}")]
    Storage(#[from] StorageError),
    #[error("encoding: {0}")]
    Encoding(Arc<serde_json::Error>),
    #[error("file: {0}")]
    File(Arc<std::io::Error>),
    #[error("the log of {conversation} has nothing after {after}, and then more")]
    Gap { conversation: ConversationId, after: Seq },
    #[error("the server is stopping")]
    Stopping,
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Encoding(Arc::new(error))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::File(Arc::new(error))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match &error {
            Error::NoConversation(_) => Self::new(
                ProblemKind::NotFound,
                "There is no such conversation. It may have been deleted, or the address is incomplete.",
            ),
            Error::Nothing(what) => Self::new(ProblemKind::NotFound, what.clone()),
            Error::Invalid(what) => Self::new(ProblemKind::InvalidInput, what.clone()),
            Error::Stopping => {
                Self::new(ProblemKind::Unavailable, "The server is being restarted. Try again in a few seconds.")
            }
            Error::Storage(_) | Error::Encoding(_) | Error::File(_) | Error::Gap { .. } => {
                tracing::error!(%error, "told as an internal problem");
                Self::new(
                    ProblemKind::Internal,
                    "The server could not save or read this. Try again; if it stays so, its log says why.",
                )
            }
        }
    }
}

impl Problem {
    pub const fn status(&self) -> StatusCode {
        match self.kind {
            ProblemKind::InvalidInput => StatusCode::UNPROCESSABLE_ENTITY,
            ProblemKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ProblemKind::NotFound => StatusCode::NOT_FOUND,
            ProblemKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ProblemKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), axum::Json(self)).into_response()
    }
}
