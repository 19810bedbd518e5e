//! What can go wrong on the way to a server function and back, before or after our own code runs.

use server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};

use crate::model::{Problem, ProblemKind};

impl FromServerFnError for Problem {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        match error {
            E::Args(what) | E::MissingArg(what) => {
                Self::new(ProblemKind::InvalidInput, format!("This request is not complete: {what}."))
            }
            E::Request(_) | E::Response(_) | E::Deserialization(_) => {
                Self::new(ProblemKind::Unavailable, "The server cannot be reached. Try again in a moment.")
            }
            E::Registration(_)
            | E::UnsupportedRequestMethod(_)
            | E::ServerError(_)
            | E::MiddlewareError(_)
            | E::Serialization(_) => Self::new(ProblemKind::Internal, "The server could not do this. Try again."),
        }
    }
}
