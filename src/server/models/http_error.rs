//! What an answer that is no answer means: for people in a sentence, and for the program whether to try again.

/// How long to wait.
mod retry_after;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::Value;

use self::retry_after::retry_after;
use super::complaint::{self, Complaint};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpProblem {
    pub kind: ProblemKind,
    /// One sentence: what happened, what can be done, and what the provider said.
    pub message: String,
    pub may_retry: bool,
    /// How long the provider wants us to wait.
    pub retry_after: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    Auth,
    NotFound,
    RateLimited,
    Overloaded,
    /// More than fits into the model's context.
    TooLong,
    BadRequest,
    Billing,
    Server,
    Other,
}

/// Names of headers are in lower case.
pub fn explain(status: u16, headers: &[(String, String)], body: &str, now_unix_seconds: u64) -> HttpProblem {
    let complaint = read(body);
    let kind = kind(status, &complaint);
    let may_retry = may_retry(status, headers, kind);
    let retry_after = may_retry.then(|| retry_after(status, headers, now_unix_seconds)).flatten();
    HttpProblem { kind, message: sentence(status, kind, &complaint), may_retry, retry_after }
}

fn read(body: &str) -> Complaint {
    let body = body.trim();
    match serde_json::from_str::<Value>(body) {
        // Some put it into a list.
        Ok(Value::Array(all)) => all.first().map(complaint::find).unwrap_or_default(),
        Ok(body) => complaint::find(&body),
        // A page is for browsers.
        Err(_) if body.starts_with('<') => Complaint::default(),
        Err(_) => Complaint { codes: Vec::new(), message: body.to_owned() },
    }
}

/// The code tells more than the status, and its words tell more than the code: providers differ in both.
fn kind(status: u16, complaint: &Complaint) -> ProblemKind {
    let has_code = |codes: &[&str]| complaint.codes.iter().any(|code| codes.contains(&code.as_str()));
    let words = complaint.message.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let is_refusal = (400..500).contains(&status);
    if is_refusal && (status == 402 || has_code(&BILLING_CODES) || is_out_of_money(&words, complaint)) {
        return ProblemKind::Billing;
    }
    if status == 401 || status == 403 || has_code(&["invalid_api_key", "authentication_error", "permission_error"]) {
        return ProblemKind::Auth;
    }
    if status == 400 && says(&["api key not valid", "invalid api key", "incorrect api key"]) {
        return ProblemKind::Auth;
    }
    if status == 413 || has_code(&TOO_LONG_CODES) || is_refusal && status != 429 && says(&TOO_LONG_PHRASES) {
        return ProblemKind::TooLong;
    }
    let is_about_model =
        words.contains("model") && says(&["not found", "does not exist", "not exist", "unknown model"]);
    if status == 404 || has_code(&["model_not_found", "not_found_error"]) || is_refusal && is_about_model {
        return ProblemKind::NotFound;
    }
    match status {
        429 => ProblemKind::RateLimited,
        503 | 529 => ProblemKind::Overloaded,
        _ if has_code(&["overloaded_error", "overloaded"]) => ProblemKind::Overloaded,
        500..=599 => ProblemKind::Server,
        408 | 409 | 425 => ProblemKind::Other,
        400..=499 => ProblemKind::BadRequest,
        _ => ProblemKind::Other,
    }
}

const BILLING_CODES: [&str; 5] =
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance", "billing_error"];

const TOO_LONG_CODES: [&str; 4] =
    ["context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length"];

const TOO_LONG_PHRASES: [&str; 7] = [
    "context length",
    "context size",
    "context window",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "exceed context limit",
];

fn is_out_of_money(words: &str, complaint: &Complaint) -> bool {
    let phrases = ["credit balance", "insufficient balance", "insufficient credits", "requires more credits"];
    // Google says the same of limits that are over in a minute.
    let is_google = complaint.codes.iter().any(|code| code == "RESOURCE_EXHAUSTED");
    phrases.iter().any(|phrase| words.contains(phrase)) || !is_google && words.contains("exceeded your current quota")
}

fn may_retry(status: u16, headers: &[(String, String)], kind: ProblemKind) -> bool {
    // Some know it better.
    let told = headers.iter().find(|(name, _)| name == "x-should-retry").map(|(_, value)| value.trim());
    match (told, kind) {
        (_, ProblemKind::Billing | ProblemKind::Auth) | (Some("false"), _) => false,
        (Some("true"), _) => true,
        (_, _) => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
    }
}

fn sentence(status: u16, kind: ProblemKind, complaint: &Complaint) -> String {
    let what = match (kind, status) {
        (ProblemKind::Auth, 403) => {
            "The provider does not allow this: check that the API key is right and may use this model"
        }
        (ProblemKind::Auth, _) => "The provider does not accept the API key: check that it is complete and still valid",
        (ProblemKind::NotFound, _) => {
            "The provider does not know this model or address: check the name of the model and the URL"
        }
        (ProblemKind::RateLimited, _) => "The provider gets too many requests from here: wait a moment and try again",
        (ProblemKind::Overloaded, _) => "The provider is overloaded: wait a moment and try again",
        (ProblemKind::TooLong, _) => {
            "The conversation is too long for this model: begin a new one, or choose a model that takes more"
        }
        (ProblemKind::BadRequest, _) => {
            "The provider refused the request: change what it complains about, or choose another model"
        }
        (ProblemKind::Billing, _) => {
            "The account at the provider has no money or quota left: add some there, or choose another provider"
        }
        (ProblemKind::Server, _) => "The provider has a problem of its own: try again later, or choose another model",
        (ProblemKind::Other, 408 | 409 | 425) => "The provider could not take the request just now: try again",
        (ProblemKind::Other, _) => "The provider gave an answer that is not understood: check its URL",
    };
    match complaint::quote(&complaint.message) {
        quote if quote.is_empty() => format!("{what} (HTTP {status})."),
        quote => format!("{what} (HTTP {status}, “{quote}”)."),
    }
}
