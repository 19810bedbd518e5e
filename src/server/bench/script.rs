//! The events of calls that nobody makes.

use serde_json::json;

use crate::{
    model::{
        CallId, CallStatus, Event, Executor, Metadata, RunId, Stage,
        event::{ToolCallEvent, ToolResult, ToolsAggregate},
        message::ToolCallInfo,
    },
    server::clock,
};

/// In the order in which they are written.
#[derive(Default)]
pub struct Script {
    pub events: Vec<Event>,
}

impl Script {
    /// Each call begins, makes progress and ends before the next one.
    pub fn one_by_one(run: &RunId, calls: usize, progress: usize) -> Self {
        let calls = (0..calls).map(|_| Call::new(run));
        Self {
            events: calls.flat_map(|call| (0..progress + 2).map(move |nth| call.event(nth, progress + 2))).collect(),
        }
    }

    /// All calls go on side by side, with so many events in all.
    pub fn side_by_side(run: &RunId, calls: usize, events: usize) -> Self {
        let each = (events / calls.max(1)).max(2);
        let calls: Vec<Call> = (0..calls).map(|_| Call::new(run)).collect();
        Self { events: (0..each).flat_map(|nth| calls.iter().map(move |call| call.event(nth, each))).collect() }
    }

    /// A finished call with so many entries in its timeline, and its result.
    pub fn finished(run: &RunId, entries: usize) -> Vec<Event> {
        let call = Call::new(run);
        let mut events = vec![call.arguments()];
        events.extend((0..entries).map(|nth| call.event(nth, entries)));
        events.insert(entries, call.result());
        events
    }
}

struct Call {
    id: CallId,
    run: RunId,
}

impl Call {
    fn new(run: &RunId) -> Self {
        Self { id: CallId::mint(), run: run.clone() }
    }

    /// The nth of all.
    fn event(&self, nth: usize, all: usize) -> Event {
        let (is_first, is_last) = (nth == 0, nth + 1 == all);
        let status = match (is_first, is_last) {
            (true, _) => CallStatus::Starting,
            (_, true) => CallStatus::Completed,
            _ => CallStatus::InProgress,
        };
        let stage = match (is_first, is_last) {
            (true, _) => Stage::PreparingSearch,
            (_, true) => Stage::Finalizing,
            _ => Stage::ExecutingQuery,
        };
        let metadata = Metadata {
            query: Some("clean water".into()),
            iteration: (!is_first && !is_last).then_some(nth as u32),
            max_iterations: Some(all as u32),
            progress: (!is_first && !is_last).then(|| nth as f64 / all as f64),
            results_found: (!is_first).then_some(nth as u64),
            total_results: is_last.then_some(nth as u64),
            ..Metadata::default()
        };
        Event::ToolCall(ToolCallEvent {
            id: self.id.clone(),
            tool_name: is_first.then(|| "search_bills".to_owned()),
            title: is_first.then(|| "Search bills".to_owned()),
            status,
            stage: Some(stage),
            metadata,
            timestamp: clock::now(),
            run_id: Some(self.run.clone()),
            parent_id: None,
            attempt: Some(1),
            executor: Some(Executor::Server),
            error_kind: None,
            family: None,
            repeats: None,
            ask: None,
            tab: None,
        })
    }

    fn arguments(&self) -> Event {
        let info = ToolCallInfo {
            id: Some(self.id.clone()),
            name: "search_bills".into(),
            args: Some(json!({"query": "clean water"})),
            args_summary: None,
        };
        Event::ToolsAggregate(ToolsAggregate {
            message_id: self.id.as_str().into(),
            tool_calls: vec![info],
            tool_results: vec![],
        })
    }

    fn result(&self) -> Event {
        Event::ToolResult(ToolResult {
            tool_call_id: self.id.clone(),
            result: json!({"found": 3, "note": "A result of ordinary size: a sentence or two, and a few numbers."}),
            is_error: false,
            duration_ms: 120,
            cached: false,
            whole: None,
        })
    }
}
