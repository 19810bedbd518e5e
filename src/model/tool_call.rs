//! One execution of one tool, folded from its events. Its card is its face.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CallId, MessageId, Metadata, RunId, Seq, Timestamp,
    event::{ToolCallEvent, ToolResult},
    summary::display_name,
    words::{CallStatus, ErrorKind, Executor, Stage},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: CallId,
    pub run_id: Option<RunId>,
    pub parent_id: Option<CallId>,
    /// The assistant message of the step that made this call.
    pub message_id: Option<MessageId>,
    /// Empty until an event names the tool. A call without a name is only a place where early facts wait.
    pub tool_name: String,
    /// What people call the tool. Said once, with the name, and never changed.
    pub title: String,
    pub executor: Executor,
    pub attempt: u32,
    pub status: CallStatus,
    pub stage: Option<Stage>,
    pub error_kind: Option<ErrorKind>,
    /// What all events so far said, newest first.
    pub metadata: Metadata,
    /// The arguments' JSON, as far as it has streamed in.
    pub args_json: String,
    pub output: String,
    pub result: Option<ToolResult>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub timeline: Vec<Moment>,
    /// In the order in which they became known.
    pub children: Vec<CallId>,
}

/// One entry of a call's timeline: what one event said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    pub seq: Seq,
    pub status: CallStatus,
    pub stage: Option<Stage>,
    pub attempt: u32,
    pub metadata: Metadata,
    pub at: Timestamp,
}

impl ToolCall {
    pub fn new(id: CallId) -> Self {
        Self {
            id,
            run_id: None,
            parent_id: None,
            message_id: None,
            tool_name: String::new(),
            title: String::new(),
            executor: Executor::Server,
            attempt: 1,
            status: CallStatus::Queued,
            stage: None,
            error_kind: None,
            metadata: Metadata::default(),
            args_json: String::new(),
            output: String::new(),
            result: None,
            started_at: None,
            ended_at: None,
            timeline: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Known means that it has a name, and so a card.
    pub fn is_known(&self) -> bool {
        !self.tool_name.is_empty()
    }

    /// The first name holds, and so does the title that came with it.
    pub fn name(&mut self, tool_name: &str, title: Option<&str>) {
        if !self.is_known() {
            self.tool_name = tool_name.to_owned();
            self.title = title.map_or_else(|| display_name(tool_name), str::to_owned);
        }
    }

    /// Takes one event about this call, or leaves it: an ended call never reopens, a status never goes back within an
    /// attempt, and an attempt that has been given up has no more say. Tells whether it was taken.
    pub fn apply(&mut self, seq: Seq, event: &ToolCallEvent) -> bool {
        let attempt = event.attempt.unwrap_or(self.attempt);
        let is_further_attempt = attempt > self.attempt;
        let may = event.status == self.status || is_further_attempt || self.status.may_become(event.status);
        if self.status.is_ended() || attempt < self.attempt || !may {
            return false;
        }
        if is_further_attempt {
            (self.metadata.progress, self.metadata.error_message) = (None, None);
        }
        self.attempt = attempt;
        self.status = event.status;
        self.stage = event.stage.or(self.stage);
        self.error_kind = event.error_kind.or(self.error_kind);
        self.executor = event.executor.unwrap_or(self.executor);
        self.run_id = self.run_id.take().or_else(|| event.run_id.clone());
        self.metadata.merge(&event.metadata);
        if event.status.is_running() {
            self.started_at.get_or_insert(event.timestamp);
        }
        if event.status.is_ended() {
            self.ended_at = Some(event.timestamp);
        }
        self.timeline.push(Moment {
            seq,
            status: event.status,
            stage: event.stage,
            attempt,
            metadata: event.metadata.clone(),
            at: event.timestamp,
        });
        true
    }

    /// The first result is the one that counts, whenever it comes.
    pub fn take_result(&mut self, result: &ToolResult) -> bool {
        let is_first = self.result.is_none();
        if is_first {
            self.result = Some(result.clone());
        }
        is_first
    }

    /// A complete record of a step closes what its events, if there were any, had left open.
    pub fn settle(&mut self, result: &ToolResult) -> bool {
        let took = self.take_result(result);
        if self.status.is_ended() {
            return took;
        }
        self.status = if result.is_error { CallStatus::Failed } else { CallStatus::Completed };
        true
    }

    /// The result, unless a person had said that it is not wanted any more.
    pub fn shown_result(&self) -> Option<&ToolResult> {
        let unwanted = matches!(self.status, CallStatus::Cancelled | CallStatus::Denied);
        self.result.as_ref().filter(|_| !unwanted)
    }

    /// The arguments, once they are complete.
    pub fn args(&self) -> Option<Value> {
        serde_json::from_str(&self.args_json).ok()
    }

    /// How long it took, or takes as of `now`. Nothing before it starts.
    pub fn duration_ms(&self, now: Timestamp) -> Option<u64> {
        match (self.ended_at, &self.result) {
            (Some(_), Some(result)) => Some(result.duration_ms),
            (ended_at, _) => Some(ended_at.unwrap_or(now).millis_since(self.started_at?)),
        }
    }
}
