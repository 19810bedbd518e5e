//! Tools: what an agent can do. A tool is one small file: typed input, typed output, `run(input, reporter)`. It speaks
//! only through its reporter, and its failure is a value that the model reads.
//!
//! To add one: write the file, then `register` it in `registry()`. Nothing else.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Error,
    calls::{keep, schema::whole_numbers},
    corpus::Corpus,
};
use crate::{
    api::ToolInfo,
    model::{
        ErrorKind, Executor, Family, Metadata,
        ask::{Approval, Subject},
        summary::{display_name, shorten},
    },
};

/// Tools of whoever asks.
mod client;
/// How a tool may be called.
pub mod policy;

/// What only the person knows.
pub mod ask_user;
/// Bills side by side.
pub mod compare_bills;
/// What a tool takes, read and checked in one place.
mod filters;
/// Which sponsors there are.
pub mod get_available_sponsors;
/// Which statuses there are.
pub mod get_available_statuses;
/// Which topics there are.
pub mod get_available_topics;
/// A bill's page.
pub mod get_bill_details;
/// An executive action's page.
pub mod get_executive_action_details;
/// A note that stays with the conversation.
pub mod pin_note;
/// Searching step by step: wider while too little is found, narrower when it is far too much.
mod refine;
/// All about a topic, by calling the other tools.
pub mod research_topic;
/// Full-text search over bills.
pub mod search_bills;
/// Full-text search over executive actions.
pub mod search_executive_actions;
/// Other words for what people look for.
mod thesaurus;
/// The agent's plan.
pub mod update_todos;

/// A tool that does everything wrong, for servers under test.
pub mod fault;

#[cfg(test)]
mod tests;

pub use super::calls::{Child, Reporter};
pub use policy::{Effect, Policy};

pub trait Tool: Send + Sync + 'static {
    /// Its doc comment is the tool's description, and those of its fields are theirs.
    type Input: DeserializeOwned + JsonSchema + Send;
    type Output: Serialize + JsonSchema + Send;

    const NAME: &'static str;
    /// The card's title, for as long as there is the card.
    const TITLE: &'static str;
    /// The same, where there is little room.
    const SHORT_TITLE: &'static str;
    /// In whose words it is spoken of, and with which icon.
    const FAMILY: Family;
    const EXECUTOR: Executor = Executor::Server;
    /// Arguments that show what it can do, as JSON.
    const EXAMPLES: &'static [&'static str];
    const POLICY: Policy = Policy::LOOKUP;
    /// Whether a person is asked first. What only reads needs nobody; what does something does.
    const ASKS: bool = !matches!(Self::POLICY.effect, Effect::ReadOnly);
    /// Goes up when the same arguments begin to lead to something else.
    const VERSION: u32 = 1;

    /// What can be told before it starts.
    fn announce(&self, _input: &Self::Input) -> Metadata {
        Metadata::default()
    }

    /// What a person is asked before it runs: what it will do, in words.
    fn approval(&self, _input: &Self::Input) -> Option<Approval> {
        None
    }

    /// What its results depend on beside its arguments. While this stays the same, they may be used again.
    fn edition(&self) -> impl Future<Output = String> + Send {
        async { String::new() }
    }

    fn run(
        &self,
        input: Self::Input,
        reporter: &Reporter,
    ) -> impl Future<Output = Result<Done<Self::Output>, ToolError>> + Send;
}

/// What a tool declares about itself.
#[derive(Clone, Debug)]
pub struct About {
    pub name: String,
    pub title: String,
    pub short_title: String,
    pub family: Family,
    pub description: String,
    /// JSON Schema of the arguments, with a description of each of them.
    pub input_schema: Value,
    pub output_schema: Value,
    pub executor: Executor,
    pub examples: &'static [&'static str],
    pub policy: Policy,
    /// Whether a person is asked first.
    pub asks: bool,
    /// Where it comes from; nothing if it is one of our own.
    pub server: String,
    pub version: u32,
}

impl About {
    /// What a permission for it binds. All that it says about itself counts: a tool that has changed asks again.
    pub fn subject(&self) -> Subject {
        let Self { name, title, description, input_schema, policy, version, server, .. } = self;
        let said = serde_json::json!([name, title, description, input_schema, format!("{:?}", policy.effect), version]);
        let definition = keep::sha256(&said.to_string());
        Subject { tool: name.clone(), server: server.clone(), definition }
    }

    /// What there is to say where the tool says nothing.
    fn plain_approval(&self, args: &Value) -> Approval {
        let effects = args.as_object().into_iter().flatten();
        let changes = match self.policy.effect {
            Effect::ReadOnly => "Changes nothing",
            Effect::Idempotent => "Changes something; doing it twice changes nothing more",
            Effect::Once => "Changes something, each time it runs",
        };
        let back = if self.policy.is_destructive { Some("Cannot be taken back") } else { None };
        Approval {
            lede: format!("Run “{}”?", self.title),
            effects: effects.map(|(name, value)| format!("{}: {}", display_name(name), plain(value))).collect(),
            facts: [Some(changes), back].into_iter().flatten().map(str::to_owned).collect(),
            ..Approval::default()
        }
    }

    /// For whoever asks, with how long it usually takes.
    pub fn info(&self, usual: Option<(u64, u64)>) -> ToolInfo {
        let Self { policy, .. } = self;
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let (p50_ms, p95_ms) = usual.unzip();
        ToolInfo {
            name: self.name.clone(),
            title: self.title.clone(),
            short_title: self.short_title.clone(),
            family: self.family,
            description: self.description.clone(),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone(),
            executor: self.executor,
            is_read_only: policy.effect == Effect::ReadOnly,
            is_idempotent: policy.effect.may_repeat(),
            is_destructive: policy.is_destructive,
            deadline_ms: millis(policy.deadline),
            max_retries: policy.most_retries(),
            cached_for_ms: if policy.is_cacheable() { millis(policy.fresh_for) } else { 0 },
            examples: self.examples.iter().filter_map(|example| serde_json::from_str(example).ok()).collect(),
            p50_ms,
            p95_ms,
        }
    }
}

/// What a tool found, and what its last event says about it.
#[derive(Clone, Debug)]
pub struct Done<T> {
    pub output: T,
    pub metadata: Metadata,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub kind: ErrorKind,
    pub message: String,
    /// The tool itself says that another attempt may succeed.
    is_transient: bool,
}

impl ToolError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), is_transient: false }
    }

    /// A failure that may pass by itself.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { is_transient: true, ..Self::new(ErrorKind::ToolError, message) }
    }

    /// What a tool hears that goes on although it was told to stop.
    pub fn stopped() -> Self {
        Self::new(ErrorKind::ToolError, "This call was told to stop.")
    }

    /// Whether it is worth another attempt.
    pub const fn may_pass(&self) -> bool {
        match self.kind {
            ErrorKind::Timeout | ErrorKind::Transport => true,
            ErrorKind::ToolError
            | ErrorKind::InvalidArguments
            | ErrorKind::UnknownTool
            | ErrorKind::InvalidOutput
            | ErrorKind::Interrupted
            | ErrorKind::TooLarge => self.is_transient,
        }
    }
}

/// What the server failed at is logged where it happened; the model and people get a sentence.
impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        if matches!(&error, Error::Storage(error) if error.is_interrupted()) {
            return Self::stopped();
        }
        tracing::error!(%error, "inside a tool");
        Self::new(ErrorKind::ToolError, "Vitrine could not read or save what this tool needed.")
    }
}

pub type Run<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// A tool with its types erased, as the registry keeps it.
pub trait AnyTool: Send + Sync {
    fn announce(&self, args: &Value) -> Result<Metadata, ToolError>;
    /// What a person is asked before it runs.
    fn approval(&self, args: &Value, about: &About) -> Result<Approval, ToolError>;
    fn edition(&self) -> Pin<Box<dyn Future<Output = String> + Send + '_>>;
    fn run<'a>(&'a self, args: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>>;
}

impl<T: Tool> AnyTool for T {
    fn announce(&self, args: &Value) -> Result<Metadata, ToolError> {
        Ok(Tool::announce(self, &input_from::<T>(args.clone())?))
    }

    fn approval(&self, args: &Value, about: &About) -> Result<Approval, ToolError> {
        let said = Tool::approval(self, &input_from::<T>(args.clone())?);
        Ok(said.unwrap_or_else(|| about.plain_approval(args)))
    }

    fn edition(&self) -> Pin<Box<dyn Future<Output = String> + Send + '_>> {
        Box::pin(Tool::edition(self))
    }

    fn run<'a>(&'a self, args: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>> {
        Box::pin(async move {
            let done = Tool::run(self, input_from::<T>(args)?, reporter).await?;
            let output = serde_json::to_value(done.output).map_err(Error::from)?;
            Ok(Done { output, metadata: done.metadata })
        })
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| shorten(text, 300))
}

fn input_from<T: Tool>(args: Value) -> Result<T::Input, ToolError> {
    serde_json::from_value(whole_numbers(args)).map_err(|error| {
        ToolError::new(ErrorKind::InvalidArguments, format!("{} does not take this: {error}.", T::NAME))
    })
}

/// All tools there are, by name.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Arc<BTreeMap<String, Registered>>,
}

#[derive(Clone)]
pub struct Registered {
    pub about: Arc<About>,
    pub tool: Arc<dyn AnyTool>,
}

pub fn registry(corpus: &Corpus) -> Registry {
    let mut registry = Registry::default();
    registry.register(ask_user::AskUser);
    registry.register(compare_bills::CompareBills(corpus.clone()));
    registry.register(get_available_sponsors::GetAvailableSponsors(corpus.clone()));
    registry.register(get_available_statuses::GetAvailableStatuses(corpus.clone()));
    registry.register(get_available_topics::GetAvailableTopics(corpus.clone()));
    registry.register(get_bill_details::GetBillDetails(corpus.clone()));
    registry.register(get_executive_action_details::GetExecutiveActionDetails(corpus.clone()));
    registry.register(pin_note::PinNote);
    registry.register(research_topic::ResearchTopic);
    registry.register(search_bills::SearchBills(corpus.clone()));
    registry.register(search_executive_actions::SearchExecutiveActions(corpus.clone()));
    registry.register(update_todos::UpdateTodos);
    registry
}

impl Registry {
    pub fn register<T: Tool>(&mut self, tool: T) {
        let input_schema = schemars::schema_for!(T::Input).to_value();
        let about = About {
            name: T::NAME.into(),
            title: T::TITLE.into(),
            short_title: T::SHORT_TITLE.into(),
            family: T::FAMILY,
            description: input_schema["description"].as_str().unwrap_or_default().to_owned(),
            input_schema,
            output_schema: schemars::schema_for!(T::Output).to_value(),
            executor: T::EXECUTOR,
            examples: T::EXAMPLES,
            policy: T::POLICY,
            asks: T::ASKS,
            server: String::new(),
            version: T::VERSION,
        };
        self.insert(about, tool);
    }

    fn insert(&mut self, about: About, tool: impl AnyTool + 'static) {
        let registered = Registered { about: Arc::new(about), tool: Arc::new(tool) };
        Arc::make_mut(&mut self.tools).insert(registered.about.name.clone(), registered);
    }

    /// The owner's word on who asks: those that do although they only read, and those that do not although they change
    /// something. Or which of these there are not.
    pub fn set_asking(&mut self, ask: &[String], trust: &[String]) -> Result<(), String> {
        for (names, asks) in [(ask, true), (trust, false)] {
            for name in names {
                let Some(found) = Arc::make_mut(&mut self.tools).get_mut(name) else {
                    return Err(self.get(name).err().map_or_else(String::new, |error| error.message));
                };
                Arc::make_mut(&mut found.about).asks = asks;
            }
        }
        Ok(())
    }

    /// The same, but for those that somebody has switched off.
    pub fn without(&self, names: &[String]) -> Self {
        let mut fewer = self.clone();
        if !names.is_empty() {
            Arc::make_mut(&mut fewer.tools).retain(|name, _| !names.contains(name));
        }
        fewer
    }

    pub fn iter(&self) -> impl Iterator<Item = &Registered> {
        self.tools.values()
    }

    /// What people call the tool of this name, and in whose words.
    pub fn named(&self, name: &str) -> (String, Option<Family>, Executor) {
        match self.tools.get(name) {
            Some(Registered { about, .. }) => (about.title.clone(), Some(about.family), about.executor),
            None => (display_name(name), None, Executor::Server),
        }
    }

    /// The tool of this name, or an error that lists those there are.
    pub fn get(&self, name: &str) -> Result<&Registered, ToolError> {
        self.tools.get(name).ok_or_else(|| {
            let names = self.tools.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            ToolError::new(ErrorKind::UnknownTool, format!("There is no tool “{name}”. There are: {names}."))
        })
    }
}
