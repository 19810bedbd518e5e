//! Scenarios to measure with, in builds made for that: typed into the chat they are played instead of answered, through the
//! same log and the same streams as anything else. `s1 <calls> <progress> <gap ms>`: calls one after another. `s2 <calls>
//! <events>`: all at once. `s6 <calls> <events> <per second>`: steadily. `s3 <events> <gap ms>`: one more call.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::header,
    response::{Html, IntoResponse},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};

use super::{App, Error, log::EventLog};
use crate::model::{ConversationId, Problem, RunId};

/// A long conversation out of nothing.
mod history;
/// The events of calls that nobody makes.
mod script;
/// A card in every state.
mod states;

use script::Script;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scenario {
    OneByOne { calls: usize, progress: usize, gap_ms: f64 },
    AtOnce { calls: usize, events: usize },
    Steadily { calls: usize, events: usize, per_second: f64 },
    OneMore { events: usize, gap_ms: f64 },
}

impl Scenario {
    pub fn of(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = |nth: usize| words.get(nth)?.parse::<usize>().ok();
        let number = |nth: usize| words.get(nth)?.parse::<f64>().ok();
        match *words.first()? {
            "s1" => Some(Self::OneByOne { calls: count(1)?, progress: count(2)?, gap_ms: number(3)? }),
            "s2" => Some(Self::AtOnce { calls: count(1)?, events: count(2)? }),
            "s6" => Some(Self::Steadily { calls: count(1)?, events: count(2)?, per_second: number(3)? }),
            "s3" => Some(Self::OneMore { events: count(1)?, gap_ms: number(2)? }),
            _ => None,
        }
    }

    /// Plays it to its end.
    pub async fn play(
        self,
        log: &EventLog,
        marks: &Marks,
        conversation: ConversationId,
        run: &RunId,
    ) -> Result<(), Error> {
        let (script, gap_ms) = match self {
            Self::OneByOne { calls, progress, gap_ms } => (Script::one_by_one(run, calls, progress), gap_ms),
            Self::AtOnce { calls, events } => (Script::side_by_side(run, calls, events), 0.0),
            Self::Steadily { calls, events, per_second } => {
                (Script::side_by_side(run, calls, events), 1000.0 / per_second.max(1.0))
            }
            Self::OneMore { events, gap_ms } => (Script::one_by_one(run, 1, events.saturating_sub(2)), gap_ms),
        };
        marks.begin();
        let began = Instant::now();
        let mut events = script.events.as_slice();
        let mut done = 0;
        while !events.is_empty() {
            // What is due by now goes together; without gaps, a few hundred at a time.
            let due = if gap_ms > 0.0 {
                sleep_until(began + Duration::from_secs_f64(done as f64 * gap_ms / 1000.0)).await;
                (began.elapsed().as_secs_f64() * 1000.0 / gap_ms) as usize + 1 - done
            } else {
                500
            };
            let (now, later) = events.split_at(due.clamp(1, events.len()));
            log.append(conversation, now).await?;
            done += now.len();
            events = later;
        }
        marks.end();
        Ok(())
    }
}

/// When what was written, by the last scenario.
#[derive(Clone, Default)]
pub struct Marks(Arc<Mutex<Log>>);

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    /// Just before the first byte of a call's first event goes to a stream.
    first_write: BTreeMap<String, f64>,
    t0: f64,
    t_end: Option<f64>,
}

impl Marks {
    fn with<T>(&self, act: impl FnOnce(&mut Log) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn begin(&self) {
        self.with(|log| *log = Log { t0: epoch_ms(), ..Log::default() });
    }

    fn end(&self) {
        self.with(|log| log.t_end = Some(epoch_ms()));
    }

    /// Something is about to be written to a stream.
    pub fn writes(&self, frames: &[u8]) {
        if !super::IS_MEASURED {
            return;
        }
        const CALL: &str = r#""type":"tool_call","data":{"id":""#;
        let (now, text) = (epoch_ms(), String::from_utf8_lossy(frames));
        self.with(|log| {
            for (at, _) in text.match_indices(CALL) {
                let id = text[at + CALL.len()..].split('"').next().unwrap_or_default();
                if !log.first_write.contains_key(id) {
                    log.first_write.insert(id.to_owned(), now);
                }
            }
        });
    }
}

fn epoch_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

#[derive(Deserialize)]
struct Wanted {
    cards: usize,
}

/// A page that shows the events of a conversation by hand, to compare ours with.
async fn floor() -> impl IntoResponse {
    const POLICY: &str =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'";
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(include_str!("bench/floor.html")))
}

/// The addresses that only such builds have.
pub fn routes() -> Router<App> {
    let log = async |State(app): State<App>| Json(app.agent.marks.with(|log| log.clone()));
    let history = async |State(app): State<App>, Query(wanted): Query<Wanted>| {
        let made = history::make(&app.log, wanted.cards).await;
        made.map(|id| format!("/c/{id}")).map_err(Problem::from)
    };
    let states =
        async |State(app): State<App>| states::make(&app.log).await.map(|id| format!("/c/{id}")).map_err(Problem::from);
    Router::new()
        .route("/bench/floor", get(floor))
        .route("/bench/log", get(log))
        .route("/bench/history", post(history))
        .route("/bench/states", post(states))
}

#[cfg(test)]
mod tests;
