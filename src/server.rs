//! The server: what only it can do. Read in this order:

/// From a question to an answer.
pub mod agent;
/// What a person says to a call that waits.
pub mod answering;
/// From what somebody sends to a question.
pub mod asking;
/// Scenarios to measure with.
mod bench;
/// A conversation that goes on from an earlier point of another.
mod branching;
/// From "somebody wants this tool" to "here is the result".
pub mod calls;
/// What time it is.
pub mod clock;
/// Flags and environment.
pub mod config;
/// Bills, to be searched.
pub mod corpus;
/// Points at which a server under test can be made to die.
mod crash;
/// The database file.
pub mod db;
/// All of what a call has left.
mod download;
/// What the server knows about what went wrong, and what people are told.
pub mod error;
/// What a form that was sent without a script is told.
mod flashes;
/// Forms that a browser sends by itself.
mod forms;
/// Official data into the corpus.
pub mod import;
/// The list of conversations.
mod list;
/// The event log: append, follow, fold.
pub mod log;
/// Files that come with a question.
pub mod media;
/// Numbers for those who watch servers.
mod metrics;
/// Whoever answers.
pub mod models;
/// Pages.
mod pages;
/// How somebody wants it.
pub mod preferences;
/// Questions that wait while a run goes on.
mod queueing;
/// Conversations as pages need them.
mod reading;
/// Every address there is.
pub mod router;
/// What nobody can guess.
mod secret;
/// The built site: names, places, caching.
pub mod site;
/// The event log over HTTP.
pub mod sse;
/// What an agent can do.
pub mod tools;

#[cfg(test)]
mod tests;

use std::{
    fs::{File, TryLockError},
    path::Path,
    sync::Arc,
    time::Duration,
};

use leptos::prelude::use_context;
use tokio_util::sync::CancellationToken;

pub use error::Error;

use self::{
    agent::{Agent, presets::Presets},
    calls::{Calls, Page, lanes::Limits},
    config::Config,
    corpus::Corpus,
    db::Db,
    flashes::Flashes,
    log::EventLog,
    models::{Models, settings},
};
use crate::{
    api::ToolInfo,
    model::{CallId, ConversationId, Event, Executor, FollowUp, Problem, ProblemKind, event::ConversationUpdated},
};

/// Everything that a request may need.
#[derive(Clone)]
pub struct App {
    pub db: Db,
    pub log: EventLog,
    pub agent: Agent,
    /// Ends what would otherwise never end: open streams.
    pub stopping: CancellationToken,
    /// How often an idle stream says that it is there.
    pub keep_alive: Duration,
    flashes: Arc<Flashes>,
    _lock: Arc<File>,
}

/// Whether this is a server to be tested: with tools that go wrong as they are told to, and points at which it can be made
/// to die. What people get is not.
const IS_UNDER_TEST: bool = cfg!(any(test, feature = "faults"));

/// Whether this is a server to be measured.
const IS_MEASURED: bool = cfg!(any(test, feature = "bench"));

const KEEP_ALIVE: Duration = Duration::from_secs(15);

impl App {
    /// Opens the databases, and takes up what was going on when the server last stopped.
    pub async fn open(config: &Config) -> Result<Self, Error> {
        std::fs::create_dir_all(&config.data)?;
        let place = |file: &str| config.data.join(file);
        let lock = Arc::new(lock(&place("vitrine.lock"))?);
        let (db, writer) = db::open(&place("vitrine.db")).await?;
        let log = EventLog::open(db.clone(), writer);
        let corpus = Corpus::open(&config.corpus()).await?;
        let mut tools = tools::registry(&corpus);
        if IS_UNDER_TEST {
            tools::fault::Faults::with_ledger(&place("ledger.txt")).register(&mut tools);
        }
        let settings::Tools { ask, trust } = config.tools().map_err(Error::Invalid)?;
        tools.set_asking(&ask, &trust).map_err(|why| Error::Invalid(format!("[tools] in the configuration: {why}")))?;
        let calls = Calls::new(tools, Limits::default(), db.durations().await?);
        let models = Models::new(config.models().map_err(Error::Invalid)?, config.pace());
        let presets = Presets::read(config.prompts().as_deref()).map_err(Error::Invalid)?;
        let agent = Agent::new(log.clone(), db.clone(), calls, models, presets, config.pace());
        for conversation in db.due_conversations().await? {
            agent.take_up(conversation);
        }
        let (stopping, flashes) = (CancellationToken::new(), Arc::default());
        Ok(Self { db, log, agent, stopping, keep_alive: KEEP_ALIVE, flashes, _lock: lock })
    }

    /// Stops a call, and everything it has called.
    pub fn cancel_call(&self, conversation: ConversationId, call: &CallId) -> Result<(), Error> {
        let is_stopped = self.agent.calls.cancel(conversation, call);
        is_stopped.then_some(()).ok_or_else(|| Error::Invalid("This call is not running any more.".into()))
    }

    /// Does a call over, without what is known already.
    pub async fn run_again(&self, conversation: ConversationId, call: CallId, args: Option<&str>) -> Result<(), Error> {
        let args = match args.map(str::trim).filter(|args| !args.is_empty()) {
            Some(written) => {
                let known = self.log.read(conversation, |known| known.call(&call).cloned()).await?;
                known.map(|call| self.changed_args(&call, written)).transpose()?.flatten()
            }
            None => None,
        };
        let agent = self.agent.clone();
        uninterrupted(async move { agent.run_again(conversation, &call, args).await }).await
    }

    /// Stops the run that is going on.
    pub async fn cancel_run(&self, conversation: ConversationId) -> Result<(), Error> {
        let agent = self.agent.clone();
        let is_stopped = uninterrupted(async move { agent.cancel(conversation).await }).await?;
        is_stopped.then_some(()).ok_or_else(|| Error::Invalid("Nothing is running here any more.".into()))
    }

    /// What came of a call that runs where the question came from.
    pub async fn post_result(
        &self,
        conversation: ConversationId,
        call: CallId,
        result: &str,
        is_error: bool,
    ) -> Result<(), Error> {
        let value: serde_json::Value =
            serde_json::from_str(result).map_err(|error| Error::Invalid(format!("The result is no JSON: {error}.")))?;
        let known = self.log.fold(conversation).await?;
        let is_over = || Error::Invalid("This call has ended, or has its result already.".into());
        match known.call(&call).map(|call| (call.executor, call.status.is_ended())) {
            Some((Executor::Client, false)) => {}
            Some((Executor::Client, true)) => return Err(is_over()),
            Some((Executor::Server, _)) => return Err(Error::Invalid("This call runs on the server.".into())),
            None => return Err(Error::Nothing("There is no such call in this conversation.".into())),
        }
        let posted = match (is_error, value) {
            (false, value) => Ok(value),
            (true, serde_json::Value::String(why)) => Err(why),
            (true, why) => Err(why.to_string()),
        };
        let ended = self.agent.calls.post(conversation, &call, posted).ok_or_else(is_over)?;
        // Whoever hears that it was taken may forget it, so it must be in the log by then.
        let _ = tokio::time::timeout(Duration::from_secs(30), ended).await;
        Ok(())
    }

    /// A page begins a call that runs in it. No, if it is not for this page, or another one has begun it.
    pub fn begin_call(&self, conversation: ConversationId, call: &CallId, page: Page) -> bool {
        self.agent.calls.tabs.begin(conversation, call, page)
    }

    /// Results that wait for a look go to the model, or are left out.
    pub async fn decide_results(&self, conversation: ConversationId, are_sent: bool) -> Result<(), Error> {
        let agent = self.agent.clone();
        uninterrupted(async move {
            match are_sent {
                true => agent.send_results(conversation).await,
                false => agent.discard_results(conversation).await,
            }
        })
        .await
    }

    /// When results go to the model, from the next step on.
    pub async fn set_follow_up(&self, conversation: ConversationId, word: &str) -> Result<(), Error> {
        let words = || FollowUp::ALL.iter().map(|each| each.as_str()).collect::<Vec<_>>().join(", ");
        let Some(follow_up) = FollowUp::named(word) else {
            return Err(Error::Invalid(format!("The follow-up is one of {}.", words())));
        };
        let updated = ConversationUpdated { follow_up: Some(follow_up), ..ConversationUpdated::default() };
        self.log.append(conversation, &[Event::ConversationUpdated(updated)]).await?;
        Ok(())
    }

    /// What the tools say about themselves.
    pub fn tools(&self) -> Vec<ToolInfo> {
        let calls = &self.agent.calls;
        calls.tools.iter().map(|found| found.about.info(calls.usual(&found.about.name))).collect()
    }
}

/// The state, inside a server function.
pub fn app() -> Result<App, Problem> {
    use_context().ok_or_else(|| Problem::new(ProblemKind::Internal, "This function was called outside of the server."))
}

/// What cannot be an id is not the id of anything.
pub fn conversation_id(id: &str) -> Result<ConversationId, Error> {
    id.parse().map_err(|_| Error::NoConversation(id.to_owned()))
}

/// Runs to its end even when whoever asked has gone: a question that is in the log must be taken up.
async fn uninterrupted<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.unwrap_or(Err(Error::Stopping))
}

/// One server per data folder: a second one would take the first one's runs for interrupted.
fn lock(file: &Path) -> Result<File, Error> {
    let lock = File::create(file)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::Invalid("another Vitrine is using it".into())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Until its first question, a conversation has no title of its own.
fn shown_title(title: String) -> String {
    if title.is_empty() { "New chat".into() } else { title }
}
