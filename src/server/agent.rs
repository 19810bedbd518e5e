//! The agent takes up questions and answers them with the help of tools.
//!
//! What there is to do stands in the log: a question without a run, or a run without an end. So one worker per
//! conversation folds the log, does what is due, and looks again; a server that was killed does the same when it
//! starts. Nothing is queued anywhere else.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use super::{Error, log::EventLog, tools::Calls};
use crate::model::{
    CallStatus, Conversation, ConversationId, Entry, ErrorKind, Event, Metadata, Role, RunId, RunStatus, Seq, Stage,
    Turn,
    event::{AgentStatus, ToolCallEvent},
};

/// The embedded agent's way from a question to an answer.
mod answer;
/// Which tool a question calls for.
mod plan;
/// What was found, in words.
mod report;

/// How long a worker waits before it tries again what failed, at first and at most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub struct Agent {
    log: EventLog,
    pub calls: Calls,
    pace: Duration,
    /// The run that is going on in a conversation, and the way to stop it.
    runs: Arc<Mutex<HashMap<ConversationId, CancellationToken>>>,
    /// Conversations with a worker, and whether it should look once more before it goes.
    busy: Arc<Mutex<HashMap<ConversationId, bool>>>,
}

impl Agent {
    pub fn new(log: EventLog, calls: Calls, pace: Duration) -> Self {
        Self { log, calls, pace, runs: Arc::default(), busy: Arc::default() }
    }

    /// Stops the run that is going on, and every call of it. False if there is none.
    pub fn cancel(&self, conversation: ConversationId) -> bool {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let found = runs.get(&conversation);
        if let Some(token) = found {
            token.cancel();
        }
        found.is_some()
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
        let mut pause = SHORTEST_PAUSE;
        loop {
            let agent = self.clone();
            // A task of its own, so that a panic in there does not leave the conversation without a worker.
            let done = tokio::spawn(async move { agent.do_what_is_due(conversation).await }).await;
            match done {
                Ok(Ok(())) if self.may_go(conversation) => return,
                Ok(Ok(())) => pause = SHORTEST_PAUSE,
                Ok(Err(Error::Stopping | Error::NoConversation(_))) => return,
                Ok(Err(error)) => {
                    tracing::error!(%conversation, %error, "a run could not go on; trying again in {pause:?}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(failure) => {
                    tracing::error!(%conversation, %failure, "a run broke off; closing it in {pause:?}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
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

    async fn do_what_is_due(&self, id: ConversationId) -> Result<(), Error> {
        loop {
            let conversation = self.log.fold(id).await?;
            match next_due(&conversation) {
                Some(Due::Close(run)) => self.log.append(id, &interrupted(&conversation, run)).await?,
                Some(Due::Answer(question)) => self.answer(id, question).await?,
                None => return Ok(()),
            };
        }
    }

    /// Answers one question in a run of its own, and ends the run whatever comes.
    async fn answer(&self, id: ConversationId, question: &str) -> Result<Seq, Error> {
        let (run, token) = (RunId::mint(), CancellationToken::new());
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).insert(id, token.clone());
        let answered = answer::answer(self, id, &run, question, &token).await;
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        match answered {
            Ok(status) => {
                let ended = AgentStatus { run_id: run, status, error_message: None };
                self.log.append(id, &[Event::AgentStatus(ended)]).await
            }
            Err(error) => {
                tracing::error!(conversation = %id, %error, "a run failed");
                self.log.append(id, &interrupted(&self.log.fold(id).await?, &run)).await
            }
        }
    }
}

enum Due<'a> {
    Answer(&'a str),
    /// A run that nobody is at: this conversation's only worker has just begun to look.
    Close(&'a RunId),
}

fn next_due(conversation: &Conversation) -> Option<Due<'_>> {
    conversation.unfinished_turns().find_map(|turn| match &turn.run {
        Some(run) => Some(Due::Close(run)),
        None => question(conversation, turn).map(Due::Answer),
    })
}

fn question<'a>(conversation: &'a Conversation, turn: &Turn) -> Option<&'a str> {
    turn.entries.iter().find_map(|entry| match entry {
        Entry::Message(id) => conversation.message(id).filter(|m| m.role == Role::User).map(|m| m.content.as_str()),
        Entry::Call(_) => None,
    })
}

/// The endings that a run did not get to write before its server stopped.
fn interrupted(conversation: &Conversation, run: &RunId) -> Vec<Event> {
    let now = super::clock::now();
    let open =
        conversation.calls().filter(|call| !call.status.is_ended() && call.run_id.as_ref().is_none_or(|of| of == run));
    let mut events: Vec<Event> = open
        .map(|call| {
            Event::ToolCall(ToolCallEvent {
                id: call.id.clone(),
                tool_name: Some(call.tool_name.clone()),
                status: CallStatus::Failed,
                stage: Some(call.stage.unwrap_or(Stage::PreparingSearch)),
                metadata: Metadata {
                    error_message: Some("This call was interrupted before it had ended.".into()),
                    ..Metadata::default()
                },
                timestamp: now,
                run_id: Some(run.clone()),
                parent_id: call.parent_id.clone(),
                attempt: Some(call.attempt),
                executor: Some(call.executor),
                title: Some(call.title.clone()),
                error_kind: Some(ErrorKind::Interrupted),
            })
        })
        .collect();
    events.push(Event::AgentStatus(AgentStatus {
        run_id: run.clone(),
        status: RunStatus::Failed,
        error_message: Some(
            "This answer was interrupted before it was complete. What it had found is kept; ask again to go on.".into(),
        ),
    }));
    events
}
