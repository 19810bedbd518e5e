//! A server that was killed, and starts again. What it left open is closed; what it had not begun is done.

use super::*;
use crate::{
    model::{CallStatus, ErrorKind, Event, RunStatus, event::AgentStatus, event::ToolCallEvent},
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
    Event::AgentStatus(AgentStatus { run_id: run.into(), status: RunStatus::Running, error_message: None })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_stays_open() {
    let folder = tempfile::tempdir().unwrap();
    let call = |id: &str, status| {
        let (tool_name, run_id) = (Some("search_bills".to_owned()), Some("r".into()));
        Event::ToolCall(ToolCallEvent { tool_name, run_id, ..call_event(id, status) })
    };
    let events = [
        user_message("q", "?"),
        running("r"),
        call("a", CallStatus::InProgress),
        call("b", CallStatus::Completed),
        call("c", CallStatus::Queued),
    ];
    let conversation = left_behind(folder.path(), &events).await;

    let server = Server::start_in(folder).await;
    server.finished(conversation, 1).await;
    let folded = server.app.log.fold(conversation).await.unwrap();
    let state = |id: &str| folded.call(&id.into()).map(|call| (call.status, call.error_kind)).unwrap();
    assert_eq!(state("a"), (CallStatus::Failed, Some(ErrorKind::Interrupted)));
    assert_eq!(state("b"), (CallStatus::Completed, None));
    assert_eq!(state("c"), (CallStatus::Failed, Some(ErrorKind::Interrupted)));
    assert_eq!(folded.run(&"r".into()).unwrap().status, RunStatus::Failed);
    assert_eq!(server.app.db.due_conversations().await.unwrap(), []);
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
