//! The one way in which a tool tells of itself. What it says is committed before it goes on.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;

use super::{
    Registry, Tool, ToolError,
    execution::{announcement, execute},
};
use crate::{
    model::{
        CallId, CallStatus, ConversationId, Event, Executor, MessageId, Metadata, RunId, Stage,
        event::{ToolCallEvent, ToolOutput, ToolResult, ToolsCallUpdate},
    },
    server::{Error, clock, log::EventLog},
};

/// Which call it is, and where its events go. Whoever executes calls writes their beginning and their ending with it;
/// the tool itself says what happens in between.
pub struct Reporter {
    pub call: CallId,
    pub run: RunId,
    parent: Option<CallId>,
    tools: Registry,
    title: String,
    /// What the tool was last busy with: that is where it fails, if it does.
    stage: Mutex<Stage>,
    sink: Sink,
    /// A pause after each thing said, for those who want to watch.
    pace: Duration,
}

#[derive(Clone)]
enum Sink {
    Log(EventLog, ConversationId),
    #[cfg(test)]
    Memory(std::sync::Arc<Mutex<Vec<Event>>>),
}

impl Reporter {
    pub fn new(
        log: EventLog,
        conversation: ConversationId,
        run: RunId,
        call: CallId,
        tools: Registry,
        name: &str,
        pace: Duration,
    ) -> Self {
        let (stage, title) = (Mutex::new(Stage::PreparingSearch), tools.title(name));
        Self { call, run, parent: None, tools, title, stage, sink: Sink::Log(log, conversation), pace }
    }

    /// For a tool's own tests: everything it says, in order.
    #[cfg(test)]
    pub fn recording(tools: Registry) -> (Self, std::sync::Arc<Mutex<Vec<Event>>>) {
        let events = std::sync::Arc::<Mutex<Vec<Event>>>::default();
        let (stage, sink) = (Mutex::new(Stage::PreparingSearch), Sink::Memory(std::sync::Arc::clone(&events)));
        let (call, run, pace) = (CallId::mint(), RunId::mint(), Duration::ZERO);
        (Self { call, run, parent: None, tools, title: "Test".into(), stage, sink, pace }, events)
    }

    /// Calls another tool, whose card stands below this one's. A failure of the other is a value, too.
    pub async fn call<T: Tool>(&self, args: Value) -> Result<ToolResult, ToolError> {
        let child = Self {
            call: CallId::mint(),
            run: self.run.clone(),
            parent: Some(self.call.clone()),
            tools: self.tools.clone(),
            title: self.tools.title(T::NAME),
            stage: Mutex::new(Stage::PreparingSearch),
            sink: self.sink.clone(),
            pace: self.pace,
        };
        let named = ToolsCallUpdate {
            message_id: MessageId::mint(),
            index: 0,
            tool_call_id: child.call.clone(),
            function_name: Some(T::NAME.into()),
            function_args: Some(args.to_string()),
        };
        child.append(&[announcement(&child, T::NAME), Event::ToolsCallUpdate(named)]).await?;
        Ok(execute(&self.tools, child, T::NAME, args).await?)
    }

    /// What the tool is busy with now.
    pub async fn stage(&self, stage: Stage, metadata: Metadata) -> Result<(), ToolError> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        let event = ToolCallEvent { metadata, ..self.event(CallStatus::InProgress) };
        Ok(self.append(&[Event::ToolCall(event)]).await?)
    }

    /// Output while it runs.
    pub async fn output(&self, chunk: impl Into<String> + Send) -> Result<(), ToolError> {
        let output = ToolOutput { tool_call_id: self.call.clone(), chunk: chunk.into() };
        Ok(self.append(&[Event::ToolOutput(output)]).await?)
    }

    /// The common part of everything that is said about the call.
    pub(super) fn event(&self, status: CallStatus) -> ToolCallEvent {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        ToolCallEvent {
            id: self.call.clone(),
            tool_name: None,
            status,
            stage: Some(stage),
            metadata: Metadata::default(),
            timestamp: clock::now(),
            run_id: Some(self.run.clone()),
            parent_id: self.parent.clone(),
            attempt: Some(1),
            executor: Some(Executor::Server),
            title: Some(self.title.clone()),
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
