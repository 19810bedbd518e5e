//! A conversation that nobody had, with a card in every state there is.

use serde_json::json;

use crate::{
    model::{
        CallId, CallStatus, ConversationId, ErrorKind, Event, Executor, Message, MessageId, Metadata, Role, RunId,
        RunStatus, Stage,
        ask::{Approval, Ask, Inquiry, Question},
        event::{AgentStatus, ToolCallEvent, ToolOutput, ToolResult, ToolsAggregate},
        message::ToolCallInfo,
    },
    server::{Error, clock, log::EventLog},
};

pub async fn make(log: &EventLog) -> Result<ConversationId, Error> {
    let conversation = ConversationId::mint();
    let run = RunId::mint();
    let question = Message {
        role: Role::User,
        content: "Every state of a card".into(),
        timestamp: clock::now(),
        ..Message::streaming(MessageId::mint())
    };
    let running = AgentStatus {
        run_id: run.clone(),
        status: RunStatus::Running,
        error_message: None,
        timestamp: Some(clock::now()),
    };
    let mut events = vec![Event::Message(question), Event::AgentStatus(running)];
    events.extend(CallStatus::ALL.iter().flat_map(|status| life(&run, *status)));
    log.create(conversation, "Every state".into(), &events).await?;
    Ok(conversation)
}

/// What a call in this state asks.
fn asked(status: CallStatus) -> Option<Ask> {
    let question = match status {
        CallStatus::AwaitingApproval => Question::Approval(Approval {
            lede: "Search for clean water?".into(),
            effects: vec!["Markup: S. 914, Senate Finance".into(), "Hearing: H.R. 3310".into()],
            facts: vec!["Changes nothing".into(), "Nobody hears of it".into()],
            why_again: Some("You took back your permission on 2026-01-31, so it asks again.".into()),
            ..Approval::default()
        }),
        CallStatus::AwaitingInput => Question::Form(Inquiry {
            message: "Who is the summary for?".into(),
            schema: json!({
                "properties": {
                    "who": {"title": "Audience", "enum": ["A legislator", "Colleagues", "The public"]},
                    "omit": {"type": "string", "title": "Anything to leave out?", "description": "For example: bills without a hearing date"},
                    "pages": {"type": "integer", "title": "Pages", "minimum": 1, "maximum": 20, "default": 2},
                    "sure": {"type": "boolean", "title": "With tables"},
                    "since": {"type": "string", "format": "date", "title": "Since"},
                    "state": {"title": "State", "enum": ["AK", "AL", "AR", "AZ", "CA", "CO", "CT"]},
                    "topics": {"type": "array", "title": "Topics", "items": {"enum": ["Water", "Air", "Land"]}},
                },
                "required": ["who"],
            }),
            server: None,
        }),
        _ => return None,
    };
    Some(Ask { nth: 1, expires_at: None, question })
}

/// All that happened to a call until it is in this state.
fn life(run: &RunId, status: CallStatus) -> Vec<Event> {
    let id = CallId::from(format!("call_{}", status.as_str()).as_str());
    let event = |status, stage, metadata, error_kind| {
        Event::ToolCall(ToolCallEvent {
            id: id.clone(),
            tool_name: Some("search_bills".into()),
            title: Some("Search bills".into()),
            status,
            stage,
            metadata,
            timestamp: clock::now(),
            run_id: Some(run.clone()),
            parent_id: None,
            attempt: Some(if status == CallStatus::Retrying { 2 } else { 1 }),
            executor: Some(Executor::Server),
            error_kind,
            family: None,
            repeats: None,
            ask: asked(status).map(Box::new),
            tab: None,
        })
    };
    let query = || Metadata { query: Some("clean water".into()), ..Metadata::default() };
    let info = ToolCallInfo {
        id: Some(id.clone()),
        name: "search_bills".into(),
        args: Some(json!({"query": "clean water", "congress": 119})),
        args_summary: None,
    };
    let mut events = vec![
        event(CallStatus::Queued, None, Metadata::default(), None),
        Event::ToolsAggregate(ToolsAggregate {
            message_id: MessageId::from("step"),
            tool_calls: vec![info],
            tool_results: vec![],
        }),
    ];
    let begun = |events: &mut Vec<Event>| {
        events.push(event(CallStatus::Starting, Some(Stage::PreparingSearch), query(), None));
        let half = Metadata {
            iteration: Some(2),
            max_iterations: Some(20),
            results_found: Some(15),
            progress: Some(0.4),
            ..query()
        };
        events.push(event(CallStatus::InProgress, Some(Stage::ExecutingQuery), half, None));
    };
    match status {
        CallStatus::Queued => {}
        CallStatus::AwaitingApproval | CallStatus::AwaitingInput | CallStatus::Denied => {
            events.push(event(status, None, Metadata::default(), None));
        }
        CallStatus::Starting => events.push(event(status, Some(Stage::PreparingSearch), query(), None)),
        CallStatus::InProgress => {
            begun(&mut events);
            events.push(Event::ToolOutput(ToolOutput {
                tool_call_id: id.clone(),
                chunk: "reading the index\nscoring 15 bills\n".into(),
                whole: None,
            }));
        }
        CallStatus::Retrying => {
            begun(&mut events);
            let why = Metadata {
                error_message: Some("The database was busy.".into()),
                retry_count: Some(2),
                max_retries: Some(3),
                ..query()
            };
            events.push(event(status, Some(Stage::ExecutingQuery), why, None));
        }
        CallStatus::Completed => {
            begun(&mut events);
            events.push(Event::ToolResult(ToolResult {
                tool_call_id: id.clone(),
                result: json!([{"bill": "H.R. 1", "title": "Clean Water Act"}, {"bill": "S. 2", "title": "Rivers Act"}]),
                is_error: false,
                duration_ms: 1240,
                cached: false,
                whole: None,
            }));
            let done = Metadata { results_found: Some(2), total_results: Some(2), ..query() };
            events.push(event(status, Some(Stage::Finalizing), done, None));
        }
        CallStatus::Failed => {
            begun(&mut events);
            let why = Metadata { error_message: Some("No answer within 10 s.".into()), ..query() };
            events.push(event(status, None, why, Some(ErrorKind::Timeout)));
        }
        CallStatus::Cancelled => {
            begun(&mut events);
            events.push(event(status, None, query(), None));
        }
    }
    events
}
