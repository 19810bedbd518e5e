//! Models: whoever answers. Each is asked with the same request and answers with the same pieces, whether it is a server
//! somewhere, a program on this machine, or the embedded agent that needs neither.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde::Deserialize;
use tokio::sync::mpsc;

use crate::{api::ModelInfo, server::models::settings::Secret};

/// Anthropic's Messages.
mod anthropic;
/// What a provider complains about, in its own words.
mod complaint;
/// The calls of one answer, while they are being written.
mod drafts;
/// The agent that needs no model.
mod embedded;
/// Errors of other servers, in a sentence.
mod http_error;
/// Fields that some servers refuse.
mod lean;
/// Calls of tools inside of a text, for models that know no others.
mod marker;
/// OpenAI's chat completions, as everybody speaks them.
mod openai_chat;
/// OpenAI's Responses.
mod openai_responses;
/// What a model says, piece by piece.
pub mod piece;
/// Asking over HTTP.
mod remote;
/// What a model is asked.
pub mod request;
/// Which models there are.
pub mod settings;
/// Events of a stream.
mod sse;
/// Reasoning that is written into the text between tags.
mod think;

/// Recorded answers of many providers, and what must come out of them.
#[cfg(test)]
mod recorded;

pub use piece::{Ending, Failure, Finish, Piece};
pub use request::{ARGS_CHANGED, Attached, Image, Made, Request, Said, ToolSpec};

#[derive(Clone, Debug)]
pub struct Model {
    /// What it is chosen by.
    pub name: String,
    /// What people call it.
    pub label: String,
    source: Source,
    pub tools: ToolMode,
    /// How many steps a run may have.
    pub max_steps: u32,
    /// How many tokens a run may use.
    pub token_budget: Option<u64>,
    /// Whether it takes images.
    pub sees: bool,
    /// Whether it is asked for a title.
    pub titles: bool,
}

#[derive(Clone, Debug)]
enum Source {
    Embedded,
    Remote(Box<Remote>),
}

/// A model somewhere else.
#[derive(Clone, Debug)]
struct Remote {
    protocol: Protocol,
    base_url: String,
    /// For people.
    host: String,
    model: String,
    key: Option<Secret>,
    headers: BTreeMap<String, Secret>,
    max_tokens: Option<u32>,
    temperature: Option<f64>,
    /// How long it may say nothing.
    silence: Duration,
    /// What it has refused so far.
    lean: lean::Lean,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    #[default]
    OpenaiChat,
    Anthropic,
    OpenaiResponses,
}

impl Protocol {
    /// Where it is spoken, if nobody says otherwise.
    const fn usual_url(self) -> &'static str {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
        }
    }
}

/// How a model calls tools.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ToolMode {
    #[default]
    Native,
    /// By writing a marker into its text.
    Marker,
    Off,
}

/// What is heard of a model that was asked.
#[derive(Debug)]
pub enum Heard {
    Piece(Piece),
    /// It is asked again, after a pause.
    Again {
        why: String,
        pause: Duration,
    },
    /// The last thing.
    End(Ending),
}

#[derive(Clone)]
pub struct Models {
    all: Arc<[Model]>,
    default: Arc<str>,
    client: reqwest::Client,
    /// The embedded agent speaks line by line; with a pause in between for those who want to watch.
    pace: Duration,
}

impl Model {
    pub const EMBEDDED: &str = "embedded";

    fn info(&self) -> ModelInfo {
        let is_embedded = matches!(self.source, Source::Embedded);
        ModelInfo { name: self.name.clone(), label: self.label.clone(), is_embedded }
    }

    fn embedded() -> Self {
        Self {
            name: Self::EMBEDDED.into(),
            label: "Embedded agent".into(),
            source: Source::Embedded,
            tools: ToolMode::Native,
            max_steps: settings::most_steps(),
            token_budget: None,
            sees: false,
            titles: false,
        }
    }
}

impl Models {
    pub fn new((all, default): (Vec<Model>, String), pace: Duration) -> Self {
        Self { all: all.into(), default: default.into(), client: remote::client(), pace }
    }

    /// The model of this name, or the default where there is none of it any more.
    pub fn get(&self, name: Option<&str>) -> &Model {
        let named = |name: &str| self.all.iter().find(|model| model.name == name);
        name.and_then(named).or_else(|| named(&self.default)).unwrap_or(&self.all[0])
    }

    /// For those who choose: the one they prefer first, or else the default.
    pub fn list(&self, preferred: Option<&str>) -> Vec<ModelInfo> {
        let first = &self.get(preferred).name;
        let mut list: Vec<ModelInfo> = self.all.iter().map(Model::info).collect();
        list.sort_by_key(|model| model.name != *first);
        list
    }

    /// Asks, and tells what is heard as it comes. Whoever stops listening stops it.
    pub fn ask(&self, model: &Model, request: Request) -> mpsc::Receiver<Heard> {
        let (tell, heard) = mpsc::channel(64);
        match &model.source {
            Source::Embedded => {
                tokio::spawn(embedded::answer(request, tell, self.pace));
            }
            Source::Remote(remote) => {
                tokio::spawn(remote::ask(self.client.clone(), (**remote).clone(), model.tools, request, tell));
            }
        }
        heard
    }
}
