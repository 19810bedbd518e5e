//! Tools: what an agent can do. A tool is one small file: typed input, typed output, `run(input, reporter)`. It speaks
//! only through its reporter, and its failure is a value that the model reads.
//!
//! To add one: write the file, then `register` it in `registry()`. Nothing else.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Error, corpus::Corpus};
use crate::model::{ErrorKind, Metadata, summary::display_name};

/// From a call's arguments to its ending, with all events in between.
pub mod execution;
/// The one way in which a tool tells of itself.
pub mod reporter;

/// Full-text search over bills.
pub mod search_bills;

pub use reporter::Reporter;

pub trait Tool: Send + Sync + 'static {
    type Input: DeserializeOwned + Send;
    type Output: Serialize + Send;

    const NAME: &'static str;
    /// The card's title, for as long as there is the card.
    const TITLE: &'static str;

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
}

impl ToolError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
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
    fn announce(&self, args: &Value) -> Result<Metadata, ToolError>;
    fn run<'a>(&'a self, args: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>>;
}

impl<T: Tool> AnyTool for T {
    fn title(&self) -> &'static str {
        T::TITLE
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

/// All tools there are, by name.
#[derive(Clone, Default)]
pub struct Registry {
    tools: BTreeMap<&'static str, Arc<dyn AnyTool>>,
}

pub fn registry(corpus: &Corpus) -> Registry {
    let mut registry = Registry::default();
    registry.register(search_bills::SearchBills::new(corpus.clone()));
    registry
}

impl Registry {
    pub fn register<T: Tool>(&mut self, tool: T) {
        self.tools.insert(T::NAME, Arc::new(tool));
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
