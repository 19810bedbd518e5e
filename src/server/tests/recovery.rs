//! A server that was killed, and starts again. What it left open is closed; what it had not begun is done.

use super::*;
use crate::{
    model::{
        CallStatus, ErrorKind, Event, RunStatus,
        event::{AgentStatus, Delta, ToolCallEvent, ToolResult, ToolsCallUpdate},
        run::Continuation,
    },
    server::{db, log::EventLog},
    testing::{call_event, user_message},
};

/// Writes a log as a server would have left it.
async fn left_behind(folder: &Path, events: &[Event]) -> ConversationId {
    let (db, writer) = db::open(&folder.join("vitrine.db")).await.unwrap();
    let log = EventLog::open(db, writer);
    let conversation = ConversationId::mint();
    log.create(conversation, "left behind".into(), events).await.unwrap();
    log.close().await;
    conversation
}

fn running(run: &str) -> Event {
    Event::AgentStatus(AgentStatus {
        run_id: run.into(),
        status: RunStatus::Running,
        error_message: None,
        timestamp: None,
    })
}

fn call(id: &str, tool: &str, status: CallStatus) -> Event {
    let (tool_name, run_id) = (Some(tool.to_owned()), Some("r".into()));
    Event::ToolCall(ToolCallEvent { tool_name, run_id, ..call_event(id, status) })
}

fn args(call: &str, args: &str) -> Event {
    Event::ToolsCallUpdate(ToolsCallUpdate {
        message_id: "m".into(),
        index: 0,
        tool_call_id: call.into(),
        function_name: None,
        function_args: Some(args.into()),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_safe_runs_again_and_the_rest_says_that_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    let child = ToolCallEvent {
        tool_name: Some("fault".into()),
        run_id: Some("r".into()),
        parent_id: Some("safe".into()),
        ..call_event("child", CallStatus::InProgress)
    };
    let events = [
        user_message("q", "?"),
        running("r"),
        call("safe", "search_bills", CallStatus::InProgress),
        args("safe", r#"{"query": "broadband"}"#),
        Event::ToolCall(child),
        call("half", "search_bills", CallStatus::Queued),
        args("half", r#"{"query": "bro"#),
        call("done", "search_bills", CallStatus::Completed),
        call("waiting", "fault_once", CallStatus::Queued),
        args("waiting", "{}"),
        call("once", "fault_once", CallStatus::Starting),
        args("once", "{}"),
        Event::ToolCall(ToolCallEvent {
            tool_name: Some("fault".into()),
            run_id: Some("r".into()),
            attempt: Some(3),
            ..call_event("thrice", CallStatus::Starting)
        }),
        args("thrice", "{}"),
    ];
    let conversation = left_behind(folder.path(), &events).await;

    let server = Server::start_in(folder).await;
    server.finished(conversation, 1).await;
    let folded = server.app.log.fold(conversation).await.unwrap();
    let found = |id: &str| folded.call(&id.into()).unwrap();
    let state = |id: &str| (found(id).status, found(id).error_kind, found(id).attempt);
    assert_eq!(state("safe"), (CallStatus::Completed, None, 2), "as a further attempt");
    assert!(found("safe").timeline.iter().any(|moment| moment.status == CallStatus::Retrying), "which is told");
    assert_eq!(state("child"), (CallStatus::Failed, Some(ErrorKind::Interrupted), 1));
    assert_eq!(state("half"), (CallStatus::Failed, Some(ErrorKind::Interrupted), 1));
    assert_eq!(state("done"), (CallStatus::Completed, None, 1));
    assert_eq!(state("waiting"), (CallStatus::Completed, None, 1), "it had not begun, so it may");
    assert_eq!(state("once"), (CallStatus::Failed, Some(ErrorKind::Interrupted), 1));
    assert!(found("once").error_text().unwrap().contains("outcome is unknown"));
    assert_eq!(state("thrice"), (CallStatus::Failed, Some(ErrorKind::Interrupted), 3), "not for ever");
    let ledger = std::fs::read_to_string(server.folder.path().join("ledger.txt")).unwrap();
    assert_eq!(ledger, "fault_once waiting\n", "what counts was started once");
    assert_eq!(folded.run(&"r".into()).unwrap().status, RunStatus::Completed, "and the run goes on");
    assert_eq!(server.app.db.due_conversations().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_half_said_is_said_whole_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let said = Delta { message_id: "a".into(), delta: "I fou".into() };
    let result = ToolResult {
        tool_call_id: "c".into(),
        result: "nothing".into(),
        is_error: true,
        duration_ms: 1,
        cached: false,
        whole: None,
    };
    let events = [
        user_message("q", "broadband"),
        running("r"),
        call("c", "search_bills", CallStatus::Starting),
        args("c", r#"{"query": "broadband"}"#),
        Event::ToolResult(result),
        call("c", "search_bills", CallStatus::Failed),
        Event::TextDelta(said),
    ];
    let conversation = left_behind(folder.path(), &events).await;
    let server = Server::start_in(folder).await;
    server.finished(conversation, 1).await;
    let folded = server.app.log.fold(conversation).await.unwrap();
    let said = folded.message(&"a".into()).unwrap();
    assert_eq!(said.content, "nothing", "what was found is said, and what was half said is gone");
    assert_eq!(folded.turns()[0].entries.len(), 3, "question, call, answer");
    assert_eq!(folded.call(&"c".into()).unwrap().timeline.len(), 2, "what had ended is left alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_being_done_over_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let ended = AgentStatus { run_id: "r".into(), status: RunStatus::Completed, error_message: None, timestamp: None };
    let again = ToolCallEvent {
        tool_name: Some("search_bills".into()),
        run_id: Some("r".into()),
        repeats: Some("c".into()),
        ..call_event("again", CallStatus::Queued)
    };
    let begun = [
        user_message("q", "?"),
        running("r"),
        call("c", "search_bills", CallStatus::Queued),
        args("c", r#"{"query": "broadband"}"#),
        call("c", "search_bills", CallStatus::Completed),
    ];
    let again = [Event::ToolCall(again), args("again", r#"{"query": "broadband"}"#)];
    let over = [&begun[..], &[Event::AgentStatus(ended)], &again].concat();
    let conversation = left_behind(folder.path(), &over).await;
    // The same while its run was still going.
    let going = left_behind(folder.path(), &[&begun[..], &again].concat()).await;
    let server = Server::start_in(folder).await;
    let is_done = async {
        while !server.app.db.due_conversations().await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(20), is_done).await.is_ok();
    let going_on = server.app.log.fold(going).await.unwrap();
    assert!(in_time, "it stayed open: {going_on:?}");
    for conversation in [conversation, going] {
        let folded = server.app.log.fold(conversation).await.unwrap();
        assert_eq!(folded.call(&"again".into()).unwrap().status, CallStatus::Completed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_taken_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let conversation =
        left_behind(folder.path(), &[user_message("q1", "?"), running("r"), user_message("q2", "broadband")]).await;

    let server = Server::start_in(folder).await;
    let events = server.finished(conversation, 2).await;
    let answered = events.iter().any(|(_, event)| event["data"]["result"]["query"] == "broadband");
    assert!(answered, "the second question had waited for the first");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_was_full_for_a_while_leaves_nothing_open() {
    let server = Server::start().await;
    let file = server.folder.path().join("vitrine.db");
    let conversation = ConversationId::mint();
    let question = [user_message("q", "fentanyl")];
    server.app.log.create(conversation, "q".into(), &question).await.unwrap();
    db::set_broken(&file, true).await;
    let before = server.app.log.commits();
    server.app.agent.take_up(conversation);
    let tried = async {
        while server.app.log.commits() == before {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), tried).await.expect("nobody tried to write");
    db::set_broken(&file, false).await;
    server.finished(conversation, 1).await;
    assert_eq!(server.app.db.due_conversations().await.unwrap(), []);
}

#[tokio::test]
async fn a_data_folder_has_one_server() {
    let server = Server::start().await;
    let second = App::open(&config(server.folder.path())).await;
    assert!(second.err().unwrap().to_string().contains("another Vitrine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stopped_is_not_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Continuation {
        run_id: "r".into(),
        should_continue: false,
        stop_reason: "cancelled".into(),
        resolved_by: "Cancelled".into(),
        evaluations: Vec::new(),
    };
    let events = [
        user_message("q", "broadband"),
        running("r"),
        call("c", "search_bills", CallStatus::Starting),
        args("c", r#"{"query": "broadband"}"#),
        Event::AgentContinuation(stop),
    ];
    let conversation = left_behind(folder.path(), &events).await;
    let server = Server::start_in(folder).await;
    server.finished(conversation, 1).await;
    let folded = server.app.log.fold(conversation).await.unwrap();
    assert_eq!(folded.call(&"c".into()).unwrap().status, CallStatus::Cancelled);
    assert_eq!(folded.run(&"r".into()).unwrap().status, RunStatus::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_end_once_also_when_nothing_can_be_written_for_a_while() {
    let server = Server::start().await;
    let file = server.folder.path().join("vitrine.db");
    let once = r#"{"tool": "fault_once", "slow_ms": 300}"#;
    let child = r#"{"slow_ms": 300, "children": [{"slow_ms": 300}]}"#;
    let conversation =
        server.ask(&format!("faults [{once}, {child}, {once}, {{\"slow_ms\": 300}}, {once}, {once}]")).await;
    let ledger = || std::fs::read_to_string(server.folder.path().join("ledger.txt")).unwrap_or_default();
    let begun = async {
        while ledger().lines().count() < 4 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), begun).await.expect("nothing began");
    db::set_broken(&file, true).await;
    // Every call is tried to be ended at least once meanwhile.
    let before = server.app.log.commits();
    let tried = async {
        while server.app.log.commits() < before + 12 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), tried).await.expect("nobody tried to write");
    db::set_broken(&file, false).await;
    let is_over = async {
        while !server.app.db.due_conversations().await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(20), is_over).await.is_ok();
    let folded = server.app.log.fold(conversation).await.unwrap();
    let open: Vec<_> = folded.calls().filter(|call| !call.status.is_ended()).collect();
    assert!(in_time && open.is_empty(), "still open: {open:?}");
    for call in folded.calls() {
        let endings = call.timeline.iter().filter(|moment| moment.status.is_ended()).count();
        let effects = ledger().lines().filter(|line| *line == format!("fault_once {}", call.id)).count();
        assert!(endings == 1 && effects <= 1, "{call:?}");
        assert!(call.status != CallStatus::Completed || call.tool_name != "fault_once" || effects == 1);
    }
}
