//! A person in the loop: allowing, denying, answering.

use super::{
    mock::{Mock, chat_call, words},
    *,
};
use crate::model::{CallStatus, Conversation, ToolCall, ask::Scope};

pub(super) async fn post(server: &Server, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
    let response = server.post(path, fields).send().await.unwrap();
    (response.status(), response.text().await.unwrap())
}

/// Reads on until the conversation looks like this.
pub(super) async fn until(server: &Server, id: ConversationId, is: impl Fn(&Conversation) -> bool) -> Conversation {
    let mut stream = Stream::of(server.events(id, "")).await;
    let wait = async {
        loop {
            let known = server.app.log.fold(id).await.unwrap();
            if is(&known) {
                return known;
            }
            stream.next().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait).await.expect("it never came to that")
}

pub(super) async fn until_waiting(server: &Server, id: ConversationId) -> ToolCall {
    let is = |known: &Conversation| known.calls().any(|call| call.open_question().is_some());
    let known = until(server, id, is).await;
    known.calls().find(|call| call.open_question().is_some()).unwrap().clone()
}

pub(super) async fn until_over(server: &Server, id: ConversationId, runs: usize) -> Conversation {
    let is_over = |known: &Conversation| {
        let ended = known
            .turns()
            .iter()
            .filter(|turn| turn.run.as_ref().and_then(|run| known.run(run)).is_some_and(|run| run.status.is_ended()));
        ended.count() >= runs && known.calls().all(|call| call.status.is_ended())
    };
    until(server, id, is_over).await
}

fn starts(server: &Server) -> usize {
    let ledger = std::fs::read_to_string(server.folder.path().join("ledger.txt")).unwrap_or_default();
    ledger.lines().filter(|line| line.starts_with("fault_asks")).count()
}

const ASKS: &str = r#"faults [{"tool": "fault_asks", "key": "a", "says": "done"}]"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_something_waits_over_a_restart_and_runs_once() {
    let server = Server::start().await;
    let id = server.ask(ASKS).await;
    let call = until_waiting(&server, id).await;
    assert_eq!((call.status, call.started_at), (CallStatus::AwaitingApproval, None));
    let list = post(&server, "/api/list_conversations", &[]).await;
    assert!(
        server.get("/api/list_conversations").send().await.unwrap().text().await.unwrap().contains("waiting"),
        "{list:?}"
    );

    let server = Server::start_in(server.stop_at_once().await).await;
    let call = until_waiting(&server, id).await;
    let name = id.to_string();
    let page = server.get(&format!("/c/{name}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Approve") && page.contains("Deny"), "it can be answered without a script");
    let fields = [("conversation_id", name.as_str()), ("call_id", call.id.as_str()), ("decision", "approve")];
    let (one, other) =
        tokio::join!(post(&server, "/api/approve_call", &fields), post(&server, "/api/approve_call", &fields));
    let (late, taken) = if one.0 == StatusCode::OK { (other, one) } else { (one, other) };
    assert_eq!(taken.0, StatusCode::OK);
    assert_eq!(late.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(late.1.contains("allowed already"), "{}", late.1);
    let known = until_over(&server, id, 1).await;
    let call = known.call(&call.id).unwrap();
    assert_eq!((call.status, call.allowed, starts(&server)), (CallStatus::Completed, Some(Scope::Once), 1));
    assert_eq!(call.asked.len(), 1, "it has asked once");
    let list = server.get("/api/list_conversations").send().await.unwrap().text().await.unwrap();
    assert!(!list.contains("waiting"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_denied_does_not_run_and_the_model_hears_why() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("pin_note", r#"{"text": "Only water."}"#));
    mock.plays(words("openai_chat", "Then not."));
    let id = server.ask("Remember water").await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let fields = [
        ("conversation_id", name.as_str()),
        ("call_id", call.id.as_str()),
        ("decision", "deny"),
        ("reason", "air, not water"),
    ];
    assert_eq!(post(&server, "/api/approve_call", &fields).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    let call = known.call(&call.id).unwrap();
    assert_eq!((call.status, call.denial()), (CallStatus::Denied, Some("air, not water")));
    assert_eq!(call.stage_line(), "Denied by you · air, not water");
    assert!(known.arrangements().briefs.is_empty());
    assert!(mock.asked.lock().unwrap()[1].to_string().contains("air, not water"));
    let late = post(&server, "/api/approve_call", &fields).await;
    assert!(late.1.contains("denied already"), "{}", late.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_can_be_changed_before_they_are_allowed() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("pin_note", r#"{"text": "Only water."}"#));
    mock.plays(words("openai_chat", "Noted."));
    let id = server.ask("Remember water").await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let with = |args: &'static str| {
        let (server, name, call) = (&server, name.clone(), call.id.to_string());
        async move {
            let fields =
                [("conversation_id", name.as_str()), ("call_id", &call), ("decision", "approve"), ("args", args)];
            post(server, "/api/approve_call", &fields).await
        }
    };
    assert!(with("{oops").await.1.contains("no JSON"));
    assert!(with(r#"{"text": 1}"#).await.1.contains("text must be"), "{:?}", with(r#"{"text": 1}"#).await);
    assert_eq!(with(r#"{"text": "Only air."}"#).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    let call = known.call(&call.id).unwrap();
    assert_eq!(call.args(), Some(serde_json::json!({"text": "Only air."})));
    assert_eq!(call.model_args.as_deref(), Some(r#"{"text": "Only water."}"#));
    assert_eq!(known.arrangements().briefs[0].text, "Only air.");
    assert!(mock.asked.lock().unwrap()[1].to_string().contains("changed the arguments"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_holds_where_it_was_given_until_it_is_taken_back() {
    let server = Server::start().await;
    let allow = async |id: ConversationId, scope: &str| {
        let (call, name) = (until_waiting(&server, id).await, id.to_string());
        let fields = [
            ("conversation_id", name.as_str()),
            ("call_id", call.id.as_str()),
            ("decision", "approve"),
            ("scope", scope),
        ];
        assert_eq!(post(&server, "/api/approve_call", &fields).await.0, StatusCode::OK);
        call
    };
    let id = server.ask(ASKS).await;
    allow(id, "conversation").await;
    until_over(&server, id, 1).await;
    server.app.send_message(id, ASKS.into()).await.unwrap();
    let known = until_over(&server, id, 2).await;
    assert_eq!(known.calls().last().unwrap().allowed, Some(Scope::Conversation));
    assert_eq!(starts(&server), 2, "the second one did not ask");

    let other = server.ask(ASKS).await;
    allow(other, "always").await;
    until_over(&server, other, 1).await;
    let third = server.ask(ASKS).await;
    until_over(&server, third, 1).await;
    assert_eq!(starts(&server), 4);

    let grants: Value = serde_json::from_str(&post(&server, "/api/list_grants", &[]).await.1).unwrap();
    assert_eq!(grants.as_array().unwrap().len(), 2, "{grants}");
    assert_eq!((&grants[0]["title"], &grants[0]["conversation"]), (&"Fault asks".into(), &Value::Null));
    let always = grants[0]["id"].to_string();
    assert_eq!(post(&server, "/api/revoke_grant", &[("id", &always)]).await.0, StatusCode::OK);
    assert!(post(&server, "/api/revoke_grant", &[("id", &always)]).await.1.contains("taken back already"));
    let fourth = server.ask(ASKS).await;
    let call = until_waiting(&server, fourth).await;
    let page = server.get(&format!("/c/{fourth}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("You took back your permission"), "it says why it asks again");
    assert_eq!((call.status, starts(&server)), (CallStatus::AwaitingApproval, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_has_changed_asks_again() {
    let server = Server::start().await;
    let id = server.ask(ASKS).await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let fields = [
        ("conversation_id", name.as_str()),
        ("call_id", call.id.as_str()),
        ("decision", "approve"),
        ("scope", "always"),
    ];
    post(&server, "/api/approve_call", &fields).await;
    until_over(&server, id, 1).await;
    let found = server.app.agent.calls.tools.get("fault_asks").unwrap();
    let subject = found.about.subject();
    let given = server.app.log.permission(id, &subject).await.unwrap();
    assert_eq!(given, crate::server::db::grants::Permission::Given { is_local: false });
    let mut about = (*found.about).clone();
    about.description.push_str(" And more.");
    let changed = server.app.log.permission(id, &about.subject()).await.unwrap();
    assert!(matches!(changed, crate::server::db::grants::Permission::Changed { .. }));
    about = (*found.about).clone();
    about.server = "elsewhere".into();
    let foreign = server.app.log.permission(id, &about.subject()).await.unwrap();
    assert_eq!(foreign, crate::server::db::grants::Permission::None, "the same name, of another server");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_answers_expires_and_one_that_is_stopped_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder, |app| app.agent.calls.patience = Duration::from_millis(300)).await;
    let id = server.ask(ASKS).await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let known = until_over(&server, id, 1).await;
    let ended = known.call(&call.id).unwrap();
    assert_eq!((ended.status, starts(&server)), (CallStatus::Failed, 0));
    assert!(ended.error_text().unwrap().contains("Nobody answered within"));
    let fields = [("conversation_id", name.as_str()), ("call_id", call.id.as_str()), ("decision", "approve")];
    let late = post(&server, "/api/approve_call", &fields).await;
    assert!(late.1.contains("had expired"), "{}", late.1);

    let server = Server::start().await;
    let id = server.ask(ASKS).await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    post(&server, "/api/cancel_run", &[("conversation_id", &name)]).await;
    let known = until_over(&server, id, 1).await;
    assert_eq!(known.call(&call.id).unwrap().status, CallStatus::Cancelled);
    let run = known.run(known.turns()[0].run.as_ref().unwrap()).unwrap();
    assert_eq!(run.error_message.as_deref(), Some("1 call was stopped: Fault asks."));
    let fields = [("conversation_id", name.as_str()), ("call_id", call.id.as_str()), ("decision", "approve")];
    let late = post(&server, "/api/approve_call", &fields).await;
    assert!(late.1.contains("the call was stopped before you answered"), "{}", late.1);
    assert_eq!(starts(&server), 0);
}

const FORM: &str = r#"{"question": "Who is it for?", "schema": {"properties": {
    "who": {"title": "Audience", "enum": ["A legislator", "The public"]},
    "pages": {"title": "Pages", "type": "integer", "minimum": 1}}, "required": ["who"]}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_form_waits_over_restarts_is_checked_and_goes_to_the_model() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("ask_user", FORM));
    mock.plays(words("openai_chat", "For the public, then."));
    let id = server.ask("Write it up").await;
    let mut call = until_waiting(&server, id).await;
    let name = id.to_string();
    // Over more restarts than there are attempts.
    let (mut server, mut restarts) = (server, 0);
    while restarts < 4 {
        let folder = server.stop_at_once().await;
        let file = folder.path().join("vitrine.toml");
        server = Server::start_configured(folder, |config| config.config = Some(file)).await;
        call = until_waiting(&server, id).await;
        restarts += 1;
    }
    assert_eq!((call.status, call.attempt, call.asked.len()), (CallStatus::AwaitingInput, 1, 1));
    let answer = async |fields: &[(&str, &str)]| {
        let mut all = vec![("conversation_id", name.as_str()), ("call_id", call.id.as_str())];
        all.extend(fields);
        post(&server, "/api/answer_call", &all).await
    };
    assert!(answer(&[]).await.1.contains("“Audience” is needed."));
    assert!(answer(&[("fields[f0]", "1"), ("fields[f1]", "0")]).await.1.contains("“Pages” is at least 1."));
    assert_eq!(answer(&[("fields[f0]", "1"), ("fields[f1]", "2")]).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    let ended = known.call(&call.id).unwrap();
    let result = &ended.shown_result().unwrap().result;
    assert_eq!(result["answer"], serde_json::json!({"who": "The public", "pages": 2}));
    assert!(answer(&[("skip", "1")]).await.1.contains("answered already"));
    assert!(mock.asked.lock().unwrap()[1].to_string().contains("The public"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_skipped_is_answered() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("ask_user", FORM));
    mock.plays(words("openai_chat", "For anybody, then."));
    let id = server.ask("Write it up").await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let fields = [("conversation_id", name.as_str()), ("call_id", call.id.as_str()), ("skip", "1")];
    assert_eq!(post(&server, "/api/answer_call", &fields).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    let ended = known.call(&call.id).unwrap();
    assert_eq!(ended.shown_result().unwrap().result["is_answered"], false);
    assert_eq!(ended.stage_line(), "Skipped by you");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_changed_is_not_asked_for_again() {
    let server = Server::start().await;
    let id = server.ask("Remember that only water matters").await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    let fields = [
        ("conversation_id", name.as_str()),
        ("call_id", call.id.as_str()),
        ("decision", "approve"),
        ("args", r#"{"text": "only air matters"}"#),
    ];
    assert_eq!(post(&server, "/api/approve_call", &fields).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    assert_eq!(known.calls().count(), 1);
    assert_eq!(known.arrangements().briefs[0].text, "only air matters");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_asks_stops_the_clock_of_those_above_it() {
    let server = Server::start().await;
    // It has two seconds, and another call, beside it, takes three.
    let id = server
        .ask(r#"faults [{"tool": "fault_once", "children": [{"tool": "fault_asks", "key": "below"}]}, {"slow_ms": 3000}]"#)
        .await;
    let (call, name) = (until_waiting(&server, id).await, id.to_string());
    assert!(call.parent_id.is_some());
    until(&server, id, |known| known.calls().any(|call| call.status == CallStatus::Completed)).await;
    let fields = [("conversation_id", name.as_str()), ("call_id", call.id.as_str()), ("decision", "approve")];
    assert_eq!(post(&server, "/api/approve_call", &fields).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    assert!(known.calls().all(|call| call.status == CallStatus::Completed && call.attempt == 1));
    assert_eq!(starts(&server), 1);
}
