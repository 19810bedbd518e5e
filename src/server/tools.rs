//! Tools: what an agent can do. A tool is one small file: typed input, typed output, `run(input, reporter)`. It speaks
//! only through its reporter, and its failure is a value that the model reads.
//!
//! To add one: write the file, then `register` it in `registry()`. Nothing else.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Error, corpus::Corpus};
use crate::model::{CallId, ConversationId, ErrorKind, Metadata, summary::display_name};

/// From a call's arguments to its ending, with all events in between.
pub mod execution;
/// How many calls run at once.
pub mod lanes;
/// How a tool may be called.
pub mod policy;
/// The one way in which a tool tells of itself.
pub mod reporter;
/// Calls that are under way.
mod running;
/// Arguments against their schema.
mod schema;
/// Ten words a second, and the last one.
mod throttle;

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

#[cfg(test)]
mod tests;

pub use policy::{Effect, Policy};
pub use reporter::{Identity, Reporter};

use self::{
    lanes::{Lanes, Limits},
    running::Running,
};

pub trait Tool: Send + Sync + 'static {
    /// Its doc comment is the tool's description, and those of its fields are theirs.
    type Input: DeserializeOwned + JsonSchema + Send;
    type Output: Serialize + Send;

    const NAME: &'static str;
    /// The card's title, for as long as there is the card.
    const TITLE: &'static str;
    /// Arguments that show what it can do, as JSON.
    const EXAMPLES: &'static [&'static str];
    const POLICY: Policy = Policy::LOOKUP;

    /// What can be told before it starts.
    fn announce(&self, _input: &Self::Input) -> Metadata {
        Metadata::default()
    }

    fn run(
        &self,
        input: Self::Input,
        reporter: &Reporter,
    ) -> impl Future<Output = Result<Done<Self::Output>, ToolError>> + Send;
}

/// What a tool found, and what its last event says about it.
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
        tracing::error!(%error, "inside a tool");
        Self::new(ErrorKind::ToolError, "Vitrine could not read or save what this tool needed.")
    }
}

pub type Run<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// A tool with its types erased, as the registry keeps it.
pub trait AnyTool: Send + Sync {
    fn title(&self) -> &'static str;
    fn examples(&self) -> &'static [&'static str];
    /// JSON Schema of the arguments, with a description of the tool and of each of them.
    fn input_schema(&self) -> Value;
    fn policy(&self) -> Policy;
    fn announce(&self, args: &Value) -> Result<Metadata, ToolError>;
    fn run<'a>(&'a self, args: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>>;
}

impl<T: Tool> AnyTool for T {
    fn title(&self) -> &'static str {
        T::TITLE
    }

    fn examples(&self) -> &'static [&'static str] {
        T::EXAMPLES
    }

    fn input_schema(&self) -> Value {
        schemars::schema_for!(T::Input).to_value()
    }

    fn policy(&self) -> Policy {
        T::POLICY
    }

    fn announce(&self, args: &Value) -> Result<Metadata, ToolError> {
        Ok(Tool::announce(self, &input_from::<T>(args.clone())?))
    }

    fn run<'a>(&'a self, args: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>> {
        Box::pin(async move {
            let done = Tool::run(self, input_from::<T>(args)?, reporter).await?;
            let output = serde_json::to_value(done.output).map_err(Error::from)?;
            Ok(Done { output, metadata: done.metadata })
        })
    }
}

fn input_from<T: Tool>(args: Value) -> Result<T::Input, ToolError> {
    serde_json::from_value(args).map_err(|error| {
        ToolError::new(ErrorKind::InvalidArguments, format!("{} does not take this: {error}.", T::NAME))
    })
}

/// What all calls of a server share: the tools, the slots, and the list of those under way.
#[derive(Clone)]
pub struct Calls {
    pub tools: Registry,
    lanes: Arc<Lanes>,
    running: Arc<Running>,
}

impl Calls {
    pub fn new(tools: Registry, limits: Limits) -> Self {
        Self { tools, lanes: Arc::new(Lanes::new(limits)), running: Arc::default() }
    }

    /// Tells a call, and everything it has called, to stop. False if it is not under way.
    pub fn cancel(&self, conversation: ConversationId, call: &CallId) -> bool {
        self.running.cancel(conversation, call)
    }
}

/// All tools there are, by name.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Arc<BTreeMap<&'static str, Arc<dyn AnyTool>>>,
}

pub fn registry(corpus: &Corpus) -> Registry {
    let mut registry = Registry::default();
    registry.register(compare_bills::CompareBills(corpus.clone()));
    registry.register(get_available_sponsors::GetAvailableSponsors(corpus.clone()));
    registry.register(get_available_statuses::GetAvailableStatuses(corpus.clone()));
    registry.register(get_available_topics::GetAvailableTopics(corpus.clone()));
    registry.register(get_bill_details::GetBillDetails(corpus.clone()));
    registry.register(get_executive_action_details::GetExecutiveActionDetails(corpus.clone()));
    registry.register(research_topic::ResearchTopic(corpus.clone()));
    registry.register(search_bills::SearchBills(corpus.clone()));
    registry.register(search_executive_actions::SearchExecutiveActions(corpus.clone()));
    registry
}

impl Registry {
    pub fn register<T: Tool>(&mut self, tool: T) {
        Arc::make_mut(&mut self.tools).insert(T::NAME, Arc::new(tool));
    }

    /// Every tool with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Arc<dyn AnyTool>)> {
        self.tools.iter().map(|(name, tool)| (*name, tool))
    }

    /// What people call the tool of this name.
    pub fn title(&self, name: &str) -> String {
        self.tools.get(name).map_or_else(|| display_name(name), |tool| tool.title().to_owned())
    }

    /// The tool of this name, or an error that lists those there are.
    pub fn get(&self, name: &str) -> Result<&Arc<dyn AnyTool>, ToolError> {
        self.tools.get(name).ok_or_else(|| {
            let names = self.tools.keys().copied().collect::<Vec<_>>().join(", ");
            ToolError::new(ErrorKind::UnknownTool, format!("There is no tool “{name}”. There are: {names}."))
        })
    }
}
