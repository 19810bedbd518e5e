//! Everything between "somebody wants this tool" and "here is the result", for every tool alike. A call is one execution
//! of one tool; what happens to it is said in events, and exactly one of them ends it.

use std::{collections::HashSet, sync::Arc, time::Duration};

use super::tools::Registry;
use crate::model::{CallId, ConversationId};

/// What was found before, and calls that share one execution.
mod cache;
/// Where calls come from.
mod caller;
/// Tools that call tools.
mod children;
/// How long an attempt may take.
mod deadline;
/// Calls that run elsewhere.
mod elsewhere;
/// How a call ends.
mod ending;
/// From a call's arguments to its ending, with all events in between.
pub mod execution;
/// Where a call stops and asks a person.
pub mod gate;
/// What is too large for an event.
pub mod keep;
/// How many calls run at once.
pub mod lanes;
/// What a tool prints while it runs.
mod output;
/// People who are waited for.
mod people;
/// Results that come from outside.
mod posts;
/// How long it takes until a card is seen.
pub mod receipts;
/// What a tool holds while it runs.
mod reporter;
/// Calls that are under way.
mod running;
/// Values against their schema.
pub mod schema;
/// The calls of one step, side by side.
pub mod step;
/// Pages that are open, and which of them runs what.
mod tabs;
/// Ten words a second, and the last one.
mod throttle;
/// How long a tool usually takes.
mod usual;
/// What is said about one call.
mod voice;

pub use caller::Caller;
pub use children::Child;
pub use ending::interruption;
pub use posts::Posted;
pub use reporter::Reporter;
pub use tabs::{Here, Page};

use self::{
    cache::Cache,
    lanes::{Lanes, Limits},
    people::People,
    posts::Posts,
    receipts::Receipts,
    running::Running,
    tabs::Tabs,
    usual::Usual,
};

/// What all calls of a server share: the tools, the slots, what was found before, and the list of those under way.
#[derive(Clone)]
pub struct Calls {
    pub tools: Registry,
    lanes: Arc<Lanes>,
    running: Arc<Running>,
    cache: Arc<Cache>,
    usual: Arc<Usual>,
    posts: Arc<Posts>,
    pub people: Arc<People>,
    pub tabs: Arc<Tabs>,
    /// How long a question waits for an answer.
    pub patience: Duration,
    pub receipts: Arc<Receipts>,
}

impl Calls {
    /// With how long the tools took before.
    pub fn new(tools: Registry, limits: Limits, history: Vec<(String, u64)>) -> Self {
        Self {
            tools,
            lanes: Arc::new(Lanes::new(limits)),
            running: Arc::default(),
            cache: Arc::default(),
            usual: Arc::new(Usual::new(history)),
            posts: Arc::default(),
            people: Arc::default(),
            tabs: Arc::default(),
            patience: gate::PATIENCE,
            receipts: Arc::default(),
        }
    }

    /// Tells a call, and everything it has called, to stop. False if it is not under way.
    pub fn cancel(&self, conversation: ConversationId, call: &CallId) -> bool {
        self.running.cancel(conversation, call)
    }

    /// The calls of a conversation that somebody is at.
    pub fn under_way(&self, conversation: ConversationId) -> HashSet<CallId> {
        self.running.of(conversation)
    }

    /// What a page tells of the cards it shows: `call_1:12,call_2:7`. What is nonsense is not counted.
    pub fn take_receipts(&self, told: &str) {
        const MOST: usize = 500;
        for (call, ago) in told.split(',').take(MOST).filter_map(|each| each.rsplit_once(':')) {
            if let Ok(millis) = ago.parse() {
                self.receipts.seen(&call.into(), Duration::from_millis(millis));
            }
        }
    }

    /// The same, with other tools.
    pub fn with_tools(&self, tools: Registry) -> Self {
        Self { tools, ..self.clone() }
    }

    /// Hands over what came of an open call that runs elsewhere. Nothing, if it has its result.
    pub fn post(&self, conversation: ConversationId, call: &CallId, posted: Posted) -> Option<posts::Ended> {
        self.posts.post(conversation, call, posted)
    }

    /// How long calls of this tool take: half of them, and nearly all of them, no longer than so many milliseconds.
    pub fn usual(&self, tool: &str) -> Option<(u64, u64)> {
        self.usual.of(tool)
    }
}
