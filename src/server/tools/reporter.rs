//! The one way in which a tool tells of itself. What it says is committed before it goes on.

use std::time::Duration;

use super::ToolError;
use crate::{
    model::{
        CallId, CallStatus, ConversationId, Event, Executor, Metadata, RunId, Stage, event::ToolCallEvent,
        event::ToolOutput,
    },
    server::{Error, clock, log::EventLog},
};

/// Which call it is, and where its events go. Whoever executes calls writes their beginning and their ending with it;
/// the tool itself says what happens in between.
pub struct Reporter {
    pub call: CallId,
    pub run: RunId,
    sink: Sink,
    /// A pause after each thing said, for those who want to watch.
    pace: Duration,
}

enum Sink {
    Log(EventLog, ConversationId),
    #[cfg(test)]
    Memory(std::sync::Arc<std::sync::Mutex<Vec<Event>>>),
}

impl Reporter {
    pub const fn new(log: EventLog, conversation: ConversationId, run: RunId, call: CallId, pace: Duration) -> Self {
        Self { call, run, sink: Sink::Log(log, conversation), pace }
    }

    /// For a tool's own tests: everything it says, in order.
    #[cfg(test)]
    pub fn recording() -> (Self, std::sync::Arc<std::sync::Mutex<Vec<Event>>>) {
        let events = std::sync::Arc::<std::sync::Mutex<Vec<Event>>>::default();
        let sink = Sink::Memory(std::sync::Arc::clone(&events));
        (Self { call: CallId::mint(), run: RunId::mint(), sink, pace: Duration::ZERO }, events)
    }

    /// What the tool is busy with now.
    pub async fn stage(&self, stage: Stage, metadata: Metadata) -> Result<(), ToolError> {
        let event = ToolCallEvent { metadata, ..self.event(CallStatus::InProgress, stage) };
        Ok(self.append(&[Event::ToolCall(event)]).await?)
    }

    /// Output while it runs.
    pub async fn output(&self, chunk: impl Into<String> + Send) -> Result<(), ToolError> {
        let output = ToolOutput { tool_call_id: self.call.clone(), chunk: chunk.into() };
        Ok(self.append(&[Event::ToolOutput(output)]).await?)
    }

    /// The common part of everything that is said about the call.
    pub(super) fn event(&self, status: CallStatus, stage: Stage) -> ToolCallEvent {
        ToolCallEvent {
            id: self.call.clone(),
            tool_name: None,
            status,
            stage: Some(stage),
            metadata: Metadata::default(),
            timestamp: clock::now(),
            run_id: Some(self.run.clone()),
            parent_id: None,
            attempt: Some(1),
            executor: Some(Executor::Server),
            title: None,
            error_kind: None,
        }
    }

    pub(super) async fn append(&self, events: &[Event]) -> Result<(), Error> {
        match &self.sink {
            Sink::Log(log, conversation) => {
                log.append(*conversation, events).await?;
            }
            #[cfg(test)]
            Sink::Memory(kept) => kept.lock().unwrap().extend_from_slice(events),
        }
        if !self.pace.is_zero() {
            tokio::time::sleep(self.pace).await;
        }
        Ok(())
    }
}
