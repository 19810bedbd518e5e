//! What tests share: fixed seeds, and events of every kind.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use serde_json::json;

use crate::model::{
    CallId, CallStatus, ErrorKind, Event, Executor, Message, MessageId, Metadata, Role, RunId, RunStatus, Stage,
    Timestamp,
    ask::{Answer, AnswerEvent, Approval, Ask, Question, Scope},
    event::{
        AgentStatus, AgentStepCompleted, Delta, QueueEvent, RunUsage, SteerEvent, ToolCallEvent, ToolOutput,
        ToolResult, ToolsAggregate, ToolsCallUpdate,
    },
    message::{MessageMetadata, ToolCallInfo},
    run::{Continuation, Usage},
    words::StatusType,
};

/// The same cases on every machine, unless `VITRINE_SEED` asks for others.
pub fn cases(cases: u32) -> Config {
    let seed = std::env::var("VITRINE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_116);
    eprintln!("proptest: {cases} cases with seed {seed}");
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}

/// A `tool_call` event with nothing but its call and status.
pub fn call_event(id: &str, status: CallStatus) -> ToolCallEvent {
    ToolCallEvent {
        id: id.into(),
        tool_name: None,
        status,
        stage: None,
        metadata: Metadata::default(),
        timestamp: Timestamp::default(),
        run_id: None,
        parent_id: None,
        attempt: None,
        executor: None,
        title: None,
        error_kind: None,
        family: None,
        repeats: None,
        ask: None,
        tab: None,
    }
}

pub fn user_message(id: &str, content: &str) -> Event {
    let id = MessageId::from(id);
    Event::Message(Message { role: Role::User, content: content.into(), ..Message::streaming(id) })
}

/// Any event at all about a handful of things, whether or not it makes sense where it comes.
pub fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => any_call_event().prop_map(Event::ToolCall),
        3 => (message_id(), call_id(), name(), chunk()).prop_map(|(message_id, tool_call_id, function_name, function_args)| {
            Event::ToolsCallUpdate(ToolsCallUpdate { message_id, index: 0, tool_call_id, function_name, function_args })
        }),
        2 => (call_id(), "[a-z]{1,3}").prop_map(|(tool_call_id, chunk)| Event::ToolOutput(ToolOutput { tool_call_id, chunk, whole: None })),
        2 => any_result().prop_map(Event::ToolResult),
        1 => (message_id(), call_id(), any_result()).prop_map(|(message_id, id, result)| {
            let call = ToolCallInfo { id: Some(id), name: "aggregated".into(), args: Some(json!({"a": 1})), args_summary: None };
            Event::ToolsAggregate(ToolsAggregate { message_id, tool_calls: vec![call], tool_results: vec![result] })
        }),
        3 => any_delta().prop_map(Event::TextDelta),
        1 => any_delta().prop_map(Event::ReasoningDelta),
        2 => any_message().prop_map(Event::Message),
        2 => (run_id(), word(RunStatus::ALL)).prop_map(|(run_id, status)| {
            Event::AgentStatus(AgentStatus { run_id, status, error_message: None, timestamp: None })
        }),
        1 => run_id().prop_map(|run_id| {
            let usage = Usage { input_tokens: 1, output_tokens: u64::MAX };
            Event::AgentStepCompleted(AgentStepCompleted { run_id, step: 1, duration_ms: u64::MAX, usage, model_ms: None, timestamp: None })
        }),
        1 => run_id().prop_map(|run_id| Event::AgentContinuation(Continuation {
            run_id, should_continue: false, stop_reason: "done".into(), resolved_by: "Test".into(), evaluations: vec![],
        })),
        1 => run_id().prop_map(|run_id| Event::Usage(RunUsage { run_id, input_tokens: 3, output_tokens: 4 })),
        1 => (call_id(), 0..3_u32, prop_oneof![
            Just(Answer::Approved { scope: Scope::Once, args: Some(json!({"a": 2})) }),
            Just(Answer::Denied { reason: None }),
            Just(Answer::Withdrawn),
        ]).prop_map(|(tool_call_id, nth, answer)| {
            Event::Answer(AnswerEvent { tool_call_id, nth, answer, subject: None, timestamp: Timestamp::default() })
        }),
        1 => (message_id(), option("[a-z]{1,3}")).prop_map(|(message_id, text)| Event::Queue(QueueEvent { message_id, text })),
        1 => (run_id(), message_id()).prop_map(|(run_id, message_id)| Event::Steer(SteerEvent { run_id, message_id })),
        1 => Just(Event::Unknown),
    ]
}

pub fn any_call_event() -> impl Strategy<Value = ToolCallEvent> {
    let what = (call_id(), name(), word(CallStatus::ALL), option(word(Stage::ALL)), any_metadata());
    let of = (option(run_id()), option(call_id()), option(1..3_u32), option(word(ErrorKind::ALL)), 0..100_i64);
    let ask = (1..3_u32)
        .prop_map(|nth| Box::new(Ask { nth, expires_at: None, question: Question::Approval(Approval::default()) }));
    (what, of, option(ask)).prop_map(|((id, tool_name, status, stage, metadata), of, ask)| {
        let (run_id, parent_id, attempt, error_kind, at) = of;
        let timestamp = Timestamp::from_millis(at);
        let executor = attempt.map(|_| Executor::Server);
        let event = call_event(id.as_str(), status);
        ToolCallEvent {
            tool_name,
            stage,
            metadata,
            timestamp,
            run_id,
            parent_id,
            attempt,
            executor,
            error_kind,
            ask,
            ..event
        }
    })
}

pub fn any_metadata() -> impl Strategy<Value = Metadata> {
    (option("[a-z]{1,4}"), option(1..9_u32), option(0..40_u64), option(0.0..1.0_f64)).prop_map(
        |(query, iteration, results_found, progress)| Metadata {
            query,
            iteration,
            max_iterations: iteration.map(|_| 20),
            results_found,
            progress,
            ..Metadata::default()
        },
    )
}

fn any_message() -> impl Strategy<Value = Message> {
    let metadata =
        (option(call_id()), option(word(StatusType::ALL)), any::<bool>()).prop_map(|(call, status_type, calls)| {
            let info =
                ToolCallInfo { id: call.clone(), name: "told".into(), args: Some(json!({"b": 2})), args_summary: None };
            MessageMetadata {
                tool_calls: if calls { vec![info] } else { vec![] },
                tool_call_id: call,
                status_type,
                ..MessageMetadata::default()
            }
        });
    (message_id(), word(Role::ALL), "[a-z{]{0,4}", option(metadata)).prop_map(|(id, role, content, metadata)| Message {
        role,
        content,
        metadata,
        ..Message::streaming(id)
    })
}

fn any_result() -> impl Strategy<Value = ToolResult> {
    (call_id(), 0..5_u64, any::<bool>()).prop_map(|(tool_call_id, n, is_error)| ToolResult {
        tool_call_id,
        result: json!({ "n": n }),
        is_error,
        duration_ms: n,
        cached: false,
        whole: None,
    })
}

fn any_delta() -> impl Strategy<Value = Delta> {
    (message_id(), "[a-z ]{1,4}").prop_map(|(message_id, delta)| Delta { message_id, delta })
}

fn call_id() -> impl Strategy<Value = CallId> {
    (0..5_u8).prop_map(|n| CallId::from(format!("c{n}").as_str()))
}

fn message_id() -> impl Strategy<Value = MessageId> {
    (0..4_u8).prop_map(|n| MessageId::from(format!("m{n}").as_str()))
}

fn run_id() -> impl Strategy<Value = RunId> {
    (0..3_u8).prop_map(|n| RunId::from(format!("r{n}").as_str()))
}

fn name() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        Just(None),
        Just(Some(String::new())),
        Just(Some("search_bills".to_owned())),
        Just(Some("other".to_owned()))
    ]
}

fn chunk() -> impl Strategy<Value = Option<String>> {
    option(prop_oneof![Just("{\"q\":".to_owned()), Just("1}".to_owned()), Just("{}".to_owned())])
}

fn word<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(all)
}

fn option<S: Strategy>(inner: S) -> impl Strategy<Value = Option<S::Value>> {
    proptest::option::of(inner)
}
