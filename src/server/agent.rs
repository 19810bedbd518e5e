//! The agent takes up questions and answers them with the help of tools.
//!
//! What there is to do stands in the log: a question without a run, or a run without an end. So one worker per
//! conversation folds the log, does what is due, and looks again; a server that was killed does the same when it
//! starts. Nothing is queued anywhere else.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Error,
    calls::{Caller, Calls, execution},
    clock,
    db::Db,
    log::EventLog,
    models::Models,
};
use crate::model::{
    CallId, CallStatus, Conversation, ConversationId, Event, Message, MessageId, RunId, RunStatus, ToolCall, Turn,
    event::{AgentStatus, SteerEvent},
    run::Continuation,
};

/// Results that wait for somebody to look at them.
mod confirming;
/// Whether a run goes on.
mod continuation;
/// Attached files as a model gets them.
mod files;
/// The conversation as a model gets it.
mod history;
/// From what a model says to events and calls.
mod listening;
/// What a model is told about itself.
pub mod presets;
/// What was left open.
mod recovery;
/// The loop.
mod run;
/// What a model is told before the conversation.
mod system;
/// What a conversation is called.
mod titles;

use presets::Presets;
use run::Ended;

use super::bench::Marks;

/// How long a worker waits before it tries again what failed, at first and at most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub struct Agent {
    log: EventLog,
    db: Db,
    pub calls: Calls,
    pub models: Models,
    pub presets: Presets,
    pace: Duration,
    /// The run that is going on in a conversation, and the way to stop it.
    runs: Arc<Mutex<HashMap<ConversationId, (RunId, CancellationToken)>>>,
    /// Conversations that have been looked through for calls that an earlier server left open.
    recovered: Arc<Mutex<HashSet<ConversationId>>>,
    /// Conversations with a worker, and whether it should look once more before it goes.
    busy: Arc<Mutex<HashMap<ConversationId, bool>>>,
    /// Where things are measured: when what was written.
    pub marks: Marks,
}

impl Agent {
    pub fn new(log: EventLog, db: Db, calls: Calls, models: Models, presets: Presets, pace: Duration) -> Self {
        Self {
            log,
            db,
            calls,
            models,
            presets,
            pace,
            runs: Arc::default(),
            recovered: Arc::default(),
            busy: Arc::default(),
            marks: Marks::default(),
        }
    }

    /// Stops the run that is going on, and every call of it. False if there is none. That it was stopped is in the log
    /// before anything is stopped, so that a server that starts again does not go on with it.
    pub async fn cancel(&self, conversation: ConversationId) -> Result<bool, Error> {
        let found = self.runs.lock().unwrap_or_else(PoisonError::into_inner).get(&conversation).cloned();
        let Some((run_id, token)) = found else { return Ok(false) };
        let stop = Continuation {
            run_id,
            should_continue: false,
            stop_reason: "cancelled".into(),
            resolved_by: "Cancelled".into(),
            evaluations: Vec::new(),
        };
        self.log.append(conversation, &[Event::AgentContinuation(stop)]).await?;
        token.cancel();
        Ok(true)
    }

    /// Whoever decides something that can be decided once waits for this.
    pub async fn deciding(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.calls.people.deciding.lock().await
    }

    /// Sees to it that what is due in this conversation gets done.
    pub fn take_up(&self, conversation: ConversationId) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look_again) = busy.get_mut(&conversation) {
            *look_again = true;
            return;
        }
        busy.insert(conversation, false);
        drop(busy);
        tokio::spawn(self.clone().work(conversation));
    }

    /// Does what is due until nothing is. What fails is tried again, because a call must not stay open: a disk that was
    /// full has room again, and a run that panicked can still be closed.
    async fn work(self, conversation: ConversationId) {
        let (mut pause, mut may_go_on) = (SHORTEST_PAUSE, true);
        loop {
            let agent = self.clone();
            // A task of its own, so that a panic in there does not leave the conversation without a worker.
            let done = tokio::spawn(async move { agent.do_what_is_due(conversation, may_go_on).await }).await;
            match done {
                Ok(Ok(())) if self.may_go(conversation) => return,
                Ok(Ok(())) => (pause, may_go_on) = (SHORTEST_PAUSE, true),
                Ok(Err(Error::Stopping | Error::NoConversation(_))) => return,
                Ok(Err(error)) => {
                    tracing::error!(%conversation, %error, "a run could not go on; trying again in {pause:?}");
                    tokio::time::sleep(pause).await;
                    (pause, may_go_on) = ((pause * 2).min(LONGEST_PAUSE), false);
                }
                Err(failure) => {
                    tracing::error!(%conversation, %failure, "a run broke off; closing it in {pause:?}");
                    tokio::time::sleep(pause).await;
                    (pause, may_go_on) = ((pause * 2).min(LONGEST_PAUSE), false);
                }
            }
        }
    }

    /// Whether nobody has asked for another look meanwhile.
    fn may_go(&self, conversation: ConversationId) -> bool {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = busy.insert(conversation, false) == Some(true);
        if !is_wanted {
            busy.remove(&conversation);
        }
        !is_wanted
    }

    /// The conversation, and the calls that somebody is at: those that were listed before or after it was read. A call that
    /// ends in between is no orphan.
    async fn look(&self, id: ConversationId) -> Result<(HashSet<CallId>, Conversation), Error> {
        let mut live = self.calls.under_way(id);
        let conversation = self.log.fold(id).await?;
        live.extend(self.calls.under_way(id));
        Ok((live, conversation))
    }

    /// A run that was interrupted goes on, unless it is what has just gone wrong.
    async fn do_what_is_due(&self, id: ConversationId, may_go_on: bool) -> Result<(), Error> {
        let mut may_go_on = may_go_on;
        loop {
            let (live, conversation) = self.look(id).await?;
            if self.recovered.lock().unwrap_or_else(PoisonError::into_inner).insert(id) {
                self.take_up_orphans(&conversation, &live);
            }
            match next_due(&conversation) {
                Some((Some(run), question)) if !may_go_on || question.is_none() => {
                    self.log.append(id, &self.interrupted(&conversation, run, &live)).await?;
                    may_go_on = true;
                }
                // Somebody may have decided meanwhile, so look again.
                Some((None, _)) if confirming::waiting(&conversation).is_some() => {
                    self.close_waiting(&conversation).await?;
                }
                Some((run, _)) => {
                    let run = run.cloned().unwrap_or_else(RunId::mint);
                    self.answer(id, run).await?;
                }
                None => return Ok(()),
            }
        }
    }

    /// Answers one question in a run of its own, and ends the run whatever comes.
    async fn answer(&self, id: ConversationId, run: RunId) -> Result<(), Error> {
        if !self.begin(id, &run).await? {
            return Ok(());
        }
        let token = CancellationToken::new();
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).insert(id, (run.clone(), token.clone()));
        let answered = run::run(self, id, &run, &token).await;
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        match answered {
            Ok(Ended { status, error_message, model }) => {
                let error_message = match status {
                    // A conversation that was deleted has nobody to tell.
                    RunStatus::Cancelled => self.log.read(id, |known| stopped(known, &run)).await.unwrap_or_default(),
                    _ => error_message,
                };
                let ended = AgentStatus { run_id: run, status, error_message, timestamp: Some(clock::now()) };
                self.log.append(id, &[Event::AgentStatus(ended)]).await?;
                if status == RunStatus::Completed {
                    self.improve_title(id, model);
                }
                Ok(())
            }
            Err(error) => {
                tracing::error!(conversation = %id, %error, "a run failed");
                let (live, conversation) = self.look(id).await?;
                self.log.append(id, &self.interrupted(&conversation, &run, &live)).await.map(drop)
            }
        }
    }

    /// Takes a question up, if there still is one: it may have been withdrawn just now. From here on it cannot be.
    async fn begin(&self, id: ConversationId, run: &RunId) -> Result<bool, Error> {
        let _deciding = self.deciding().await;
        let (has_begun, is_due) =
            self.log.read(id, |known| (known.run(run).is_some(), known.waiting().next().is_some())).await?;
        if has_begun || !is_due {
            return Ok(has_begun);
        }
        let running = AgentStatus {
            run_id: run.clone(),
            status: RunStatus::Running,
            error_message: None,
            timestamp: Some(clock::now()),
        };
        self.log.append(id, &[Event::AgentStatus(running)]).await?;
        Ok(true)
    }

    /// What was asked meanwhile goes into the run that is going on, unless it wants another model, other tools or another
    /// prompt: then it waits for a run of its own, and so does what comes after it.
    async fn steer(&self, id: ConversationId, run: &RunId) -> Result<(), Error> {
        let _deciding = self.deciding().await;
        let waiting = self.log.read(id, |known| {
            let wants = |message: &Message| {
                let metadata = message.metadata.clone().unwrap_or_default();
                let model = self.models.get(metadata.model.as_deref()).name.clone();
                let preset = self.presets.chosen(metadata.prompt_path.as_deref()).text.clone();
                (model, preset, metadata.tools_off)
            };
            let asked = known.turn_of_run(run).and_then(|turn| known.question(turn)).map(wants);
            let fitting = known.waiting().take_while(|message| Some(wants(message)) == asked);
            fitting.map(|message| message.id.clone()).collect::<Vec<_>>()
        });
        let steer = |message_id: MessageId| Event::Steer(SteerEvent { run_id: run.clone(), message_id });
        let events: Vec<Event> = waiting.await?.into_iter().map(steer).collect();
        if !events.is_empty() {
            self.log.append(id, &events).await?;
        }
        Ok(())
    }

    /// Whoever makes the calls of a run, with the tools that came with its question.
    fn caller(&self, known: &Conversation, run: &RunId, cancelled: &CancellationToken) -> Caller {
        let question = known.turn_of_run(run).and_then(|turn| known.question(turn));
        let metadata = question.and_then(|question| question.metadata.as_ref());
        // Whoever asked last has the page at hand.
        let offers =
            |question: &Message| question.metadata.clone().filter(|metadata| !metadata.client_tools.is_empty());
        let offered = known.turn_of_run(run).and_then(|turn| known.questions(turn).rev().find_map(offers));
        let (clients, tab) = offered.map(|metadata| (metadata.client_tools, metadata.tab)).unwrap_or_default();
        let tools_off = metadata.map_or(&[][..], |metadata| &metadata.tools_off);
        Caller {
            log: self.log.clone(),
            calls: self.calls.with_tools(self.calls.tools.without(tools_off).with_clients(&clients, tab.as_deref())),
            conversation: known.id,
            run: run.clone(),
            cancelled: cancelled.clone(),
            tasks: TaskTracker::new(),
            pace: self.pace,
        }
    }

    /// Does a call over, below the first one, and without what is known already.
    pub async fn run_again(&self, id: ConversationId, call: &CallId, args: Option<Value>) -> Result<(), Error> {
        let known = self.log.fold(id).await?;
        let no = |why: &str| Err(Error::Invalid(why.into()));
        let Some(call) = known.call(call) else { return no("There is no such call in this conversation.") };
        let (Some(run), Some(args)) = (&call.run_id, args.or_else(|| call.args())) else {
            return no("This call has no arguments that it could be run with.");
        };
        if !call.status.is_ended() {
            return no("This call is still running.");
        }
        let caller = self.caller(&known, run, &CancellationToken::new());
        let may_repeat = match caller.calls.tools.get(&call.tool_name) {
            Ok(found) => found.about.policy.effect.may_repeat(),
            Err(error) => return no(&error.message),
        };
        // What must not simply happen twice asks first.
        let must_ask = !may_repeat && call.started_at.is_some() || recovery::has_taken_effect(self, &known, &call.id);
        let reporter = caller.repeating(call, must_ask);
        let message_id = call.message_id.clone().unwrap_or_else(MessageId::mint);
        let events = [reporter.announcement(), reporter.arguments(&message_id, 0, &args)];
        self.log.append(id, &events).await?;
        let agent = self.clone();
        tokio::spawn(async move {
            if let Err(error) = execution::execute(reporter, args).await {
                tracing::error!(conversation = %id, %error, "a repeated call broke off");
                agent.recovered.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                agent.take_up(id);
            }
        });
        Ok(())
    }
}

/// What was stopped with a run, in words.
fn stopped(known: &Conversation, run: &RunId) -> Option<String> {
    let is_its = |call: &&ToolCall| call.run_id.as_ref() == Some(run) && call.status == CallStatus::Cancelled;
    let titles: Vec<&str> = known.calls().filter(is_its).map(|call| call.title.as_str()).collect();
    let listed = titles.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    match titles.len() {
        0 => None,
        1 => Some(format!("1 call was stopped: {listed}.")),
        n @ 2..=3 => Some(format!("{n} calls were stopped: {listed}.")),
        n => Some(format!("{n} calls were stopped: {listed} and {} more.", n - 3)),
    }
}

/// The first turn that is not over, and does not wait for somebody: its question, and its run if that has begun. This conversation's only worker looks,
/// so nobody is at it.
fn next_due(conversation: &Conversation) -> Option<(Option<&RunId>, Option<&Message>)> {
    let is_waiting = |turn: &&Turn| {
        turn.run.as_ref().and_then(|run| conversation.run(run)).is_some_and(|run| run.status == RunStatus::Waiting)
    };
    let unfinished = conversation.unfinished_turns().filter(|turn| !is_waiting(turn));
    let mut turns = unfinished.map(|turn| (turn.run.as_ref(), conversation.question(turn)));
    turns.find(|(run, question)| run.is_some() || question.is_some())
}
