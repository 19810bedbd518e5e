//! One execution of one tool, folded from its events. Its card is its face.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CallId, MessageId, Metadata, RunId, Seq, Timestamp,
    ask::{Answer, AnswerEvent, Ask, Asked, Scope},
    event::{Kept, ToolCallEvent, ToolOutput, ToolResult},
    summary::display_name,
    words::{CallStatus, ErrorKind, Executor, Family, Stage},
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
    pub family: Option<Family>,
    /// The call that this one does over.
    pub repeats: Option<CallId>,
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
    /// Where all of the output is kept, if it was too much.
    pub whole_output: Option<Kept>,
    pub result: Option<ToolResult>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub timeline: Vec<Moment>,
    /// The model does not get to see what came of it.
    #[serde(default)]
    pub is_left_out: bool,
    /// What it has asked of a person, and what that said.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// For how long it was allowed, where that was needed.
    #[serde(default)]
    pub allowed: Option<Scope>,
    /// The arguments as the model wrote them, where a person has changed them.
    #[serde(default)]
    pub model_args: Option<String>,
    /// Which page runs it, where it runs in one.
    #[serde(default)]
    pub tab: Option<String>,
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
            family: None,
            repeats: None,
            executor: Executor::Server,
            attempt: 1,
            status: CallStatus::Queued,
            stage: None,
            error_kind: None,
            metadata: Metadata::default(),
            args_json: String::new(),
            output: String::new(),
            whole_output: None,
            result: None,
            started_at: None,
            ended_at: None,
            timeline: Vec::new(),
            is_left_out: false,
            asked: Vec::new(),
            allowed: None,
            model_args: None,
            tab: None,
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
        let may = if self.status.is_ended() {
            // A record has closed it; its own ending may still tell how it went.
            self.ended_at.is_none() && event.status == self.status
        } else {
            event.status == self.status || is_further_attempt || self.status.may_become(event.status)
        };
        if attempt < self.attempt || !may {
            return false;
        }
        if is_further_attempt {
            if self.error_kind == Some(ErrorKind::Interrupted) {
                // The time until somebody took it up again was not its own.
                self.started_at = None;
            }
            (self.metadata.progress, self.metadata.error_message, self.error_kind) = (None, None, None);
        }
        if self.status == CallStatus::Queued && event.status != CallStatus::Queued {
            // Its place in the queue is no news any more.
            self.metadata.message = None;
        }
        self.attempt = attempt;
        self.status = event.status;
        self.stage = event.stage.or(self.stage);
        self.error_kind = event.error_kind.or(self.error_kind);
        self.executor = event.executor.unwrap_or(self.executor);
        self.family = self.family.or(event.family);
        self.repeats = self.repeats.take().or_else(|| event.repeats.clone());
        self.run_id = self.run_id.take().or_else(|| event.run_id.clone());
        self.metadata.merge(&event.metadata);
        self.tab = event.tab.clone().or_else(|| self.tab.take());
        self.take_question(event.ask.as_deref());
        if event.status.is_running() {
            self.started_at.get_or_insert(event.timestamp);
        }
        if event.status.is_ended() {
            // An interruption is noticed later, and the time until then was not the call's own.
            let last_seen = self.timeline.last().filter(|_| event.error_kind == Some(ErrorKind::Interrupted));
            self.ended_at = Some(last_seen.map_or(event.timestamp, |moment| moment.at));
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

    fn take_question(&mut self, ask: Option<&Ask>) {
        let Some(ask) = ask.filter(|ask| self.asked.last().is_none_or(|last| last.ask.nth < ask.nth)) else { return };
        self.asked.push(Asked { ask: ask.clone(), answer: None, answered_at: None });
    }

    /// The first answer to a question counts.
    pub fn take_answer(&mut self, event: &AnswerEvent) -> bool {
        let asked = self.asked.iter_mut().find(|asked| asked.ask.nth == event.nth && asked.answer.is_none());
        if self.status.is_ended() || event.nth > 0 && asked.is_none() {
            return false;
        }
        if let Some(asked) = asked {
            (asked.answer, asked.answered_at) = (Some(event.answer.clone()), Some(event.timestamp));
        }
        if let Answer::Approved { scope, args } = &event.answer {
            self.allowed = Some(*scope);
            if let Some(args) = args {
                let before = std::mem::replace(&mut self.args_json, args.to_string());
                self.model_args.get_or_insert(before);
            }
        }
        true
    }

    /// Whether nothing happens until a person does something.
    pub fn waits_for_person(&self) -> bool {
        match self.status {
            CallStatus::AwaitingApproval | CallStatus::AwaitingInput => {
                self.asked.last().is_none_or(|asked| asked.answer.is_none())
            }
            CallStatus::Queued
            | CallStatus::Starting
            | CallStatus::InProgress
            | CallStatus::Retrying
            | CallStatus::Completed
            | CallStatus::Failed
            | CallStatus::Cancelled
            | CallStatus::Denied => false,
        }
    }

    /// What it waits to hear from a person.
    pub fn open_question(&self) -> Option<&Ask> {
        let is_waiting = matches!(self.status, CallStatus::AwaitingApproval | CallStatus::AwaitingInput);
        self.asked.last().filter(|asked| is_waiting && asked.answer.is_none()).map(|asked| &asked.ask)
    }

    /// What a person said to the question with this number.
    pub fn answer(&self, nth: u32) -> Option<&Answer> {
        self.asked.iter().find(|asked| asked.ask.nth == nth)?.answer.as_ref()
    }

    /// Why a person did not allow it, if they said.
    pub fn denial(&self) -> Option<&str> {
        self.asked.iter().rev().find_map(|asked| match &asked.answer {
            Some(Answer::Denied { reason }) => reason.as_deref(),
            _ => None,
        })
    }

    pub fn take_output(&mut self, output: &ToolOutput) -> bool {
        self.output.push_str(&output.chunk);
        self.whole_output = self.whole_output.take().or_else(|| output.whole.clone());
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
        let is_wanted = match self.status {
            CallStatus::Cancelled | CallStatus::Denied => false,
            CallStatus::Queued
            | CallStatus::AwaitingApproval
            | CallStatus::AwaitingInput
            | CallStatus::Starting
            | CallStatus::InProgress
            | CallStatus::Retrying
            | CallStatus::Completed
            | CallStatus::Failed => true,
        };
        self.result.as_ref().filter(|_| is_wanted)
    }

    /// Whether its result is that of an earlier call.
    pub fn is_cached(&self) -> bool {
        self.shown_result().is_some_and(|result| result.cached)
    }

    /// What the tool itself said about its failure.
    pub fn error_text(&self) -> Option<String> {
        let of_result = || {
            let result = &self.shown_result().filter(|result| result.is_error)?.result;
            Some(result.as_str().map_or_else(|| format!("{result:#}"), str::to_owned))
        };
        self.metadata.error_message.clone().or_else(of_result)
    }

    /// The arguments, once they are complete.
    pub fn args(&self) -> Option<Value> {
        serde_json::from_str(&self.args_json).ok()
    }

    /// Begun and not ended: its clock ticks, also while it waits for somebody.
    pub fn is_under_way(&self) -> bool {
        self.started_at.is_some() && !self.status.is_ended()
    }

    /// How long it was seen to run.
    pub fn seen_ms(&self) -> u64 {
        let last = self.timeline.last().map(|moment| moment.at);
        self.started_at.zip(last).map_or(0, |(started, last)| last.millis_since(started))
    }

    /// How long it took, or takes as of `now`. Nothing before it starts.
    pub fn duration_ms(&self, now: Timestamp) -> Option<u64> {
        match &self.result {
            Some(result) if self.status.is_ended() => Some(result.duration_ms),
            _ if self.is_under_way() => Some(now.millis_since(self.started_at?)),
            _ => Some(self.ended_at?.millis_since(self.started_at?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::call_event;
    use serde_json::json;

    fn at(status: CallStatus, millis: i64) -> ToolCallEvent {
        ToolCallEvent { timestamp: Timestamp::from_millis(millis), ..call_event("c", status) }
    }

    fn result(is_error: bool) -> ToolResult {
        ToolResult {
            tool_call_id: "c".into(),
            result: json!("broken"),
            is_error,
            duration_ms: 250,
            cached: false,
            whole: None,
        }
    }

    #[test]
    fn time_passes_from_start_to_end_also_while_it_waits() {
        let mut call = ToolCall::new("c".into());
        let now = Timestamp::from_millis(9_000);
        assert_eq!(call.duration_ms(now), None);
        call.apply(1, &at(CallStatus::Starting, 1_000));
        call.apply(2, &at(CallStatus::AwaitingInput, 2_000));
        assert_eq!(call.duration_ms(now), Some(8_000));
        let mut interrupted = call.clone();
        call.apply(3, &at(CallStatus::Cancelled, 4_000));
        assert_eq!(call.duration_ms(now), Some(3_000));
        let noticed = ToolCallEvent { error_kind: Some(ErrorKind::Interrupted), ..at(CallStatus::Failed, 90_000) };
        interrupted.apply(3, &noticed);
        assert_eq!(interrupted.duration_ms(now), Some(1_000), "as long as it was seen to run");
    }

    #[test]
    fn a_record_closes_a_call_and_its_ending_still_tells_how_it_went() {
        let mut call = ToolCall::new("c".into());
        call.apply(1, &at(CallStatus::InProgress, 1_000));
        assert!(call.settle(&result(false)));
        assert_eq!((call.status, call.duration_ms(Timestamp::default())), (CallStatus::Completed, Some(250)));
        assert!(!call.apply(2, &at(CallStatus::Failed, 2_000)), "another ending is none");
        assert!(call.apply(3, &at(CallStatus::Completed, 2_000)));
        assert!(!call.apply(4, &at(CallStatus::Completed, 3_000)), "and it ends once");
        assert_eq!(call.timeline.len(), 2);
    }

    #[test]
    fn what_was_said_in_the_queue_is_not_said_of_a_running_call() {
        let mut call = ToolCall::new("c".into());
        call.name("some_tool", None);
        let place = Metadata { message: Some("Waiting behind 3 others".into()), ..Metadata::default() };
        call.apply(1, &ToolCallEvent { metadata: place, ..at(CallStatus::Queued, 0) });
        assert_eq!(call.stage_line(), "Waiting behind 3 others");
        call.apply(2, &at(CallStatus::Starting, 1_000));
        assert_eq!(call.stage_line(), "Running…");
    }

    #[test]
    fn what_went_wrong_is_told_by_the_event_or_by_the_result() {
        let mut call = ToolCall::new("c".into());
        call.take_result(&result(true));
        call.apply(1, &at(CallStatus::Failed, 1_000));
        assert_eq!(call.error_text().as_deref(), Some("broken"));
    }
}
