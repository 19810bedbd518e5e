//! What a question carries beside its text: a preset, notes, a plan, tools of whoever asks.

use super::{
    mock::{Mock, chat_call, messages, run, words},
    *,
};
use crate::model::{CallStatus, Conversation, ErrorKind, Executor, RunStatus};

const TOOLS: &str =
    r#"[{"name": "get_local_time", "description": "What time it is there.", "parameters": {"type": "object"}}]"#;

async fn asked(server: &Server, fields: &[(&str, &str)]) -> ConversationId {
    let response = server.post("/api/new_conversation", fields).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{}", response.text().await.unwrap());
    let begun: Value = response.json().await.unwrap();
    begun["conversation_id"].as_str().unwrap().parse().unwrap()
}

async fn refused(server: &Server, path: &str, fields: &[(&str, &str)]) -> String {
    let response = server.post(path, fields).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    response.json::<Value>().await.unwrap()["message"].as_str().unwrap().to_owned()
}

async fn fold(server: &Server, id: ConversationId) -> Conversation {
    server.app.log.fold(id).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_gets_the_preset_the_notes_and_the_plan() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call(
        "update_todos",
        r#"{"todos": [{"text": "Look", "status": "in_progress"}, {"text": "Write", "status": "pending"}]}"#,
    ));
    mock.plays(words("openai_chat", "Done.")).plays(words("openai_chat", "Again."));
    let fields = [
        ("text", "Tell me all"),
        ("prompt_path", "plain-language"),
        ("briefs", r#"["Only the Senate."]"#),
        ("todos", r#"[{"text": "Begin", "status": "pending"}]"#),
    ];
    let id = asked(&server, &fields).await;
    server.finished(id, 1).await;
    let system = |nth: usize| mock.asked.lock().unwrap()[nth]["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system(0).contains("people who are not lawyers"), "{}", system(0));
    assert!(system(0).contains("- Only the Senate.") && system(0).contains("- [ ] Begin"), "{}", system(0));
    assert!(system(1).contains("- [~] Look\n- [ ] Write"), "the plan as the model has changed it: {}", system(1));
    let known = fold(&server, id).await;
    assert_eq!(known.arrangements().progress(), (0, 2));
    let page = server.get(&format!("/c/{id}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("0 of 2 done"), "the plan is on the page");
    assert!(page.contains("Only the Senate."), "so are the notes");

    // Another preset, another note; the first one is gone.
    let conversation = id.to_string();
    let brief = known.arrangements().briefs[0].id.to_string();
    let pin = [("conversation_id", conversation.as_str()), ("note", "Only this year.")];
    server.post("/api/pin_brief", &pin).send().await.unwrap().error_for_status().unwrap();
    let remove = [("conversation_id", conversation.as_str()), ("brief_id", brief.as_str())];
    server.post("/api/remove_brief", &remove).send().await.unwrap().error_for_status().unwrap();
    let more = [("conversation_id", conversation.as_str()), ("text", "And now?")];
    server.post("/api/send_message", &more).send().await.unwrap().error_for_status().unwrap();
    server.finished(id, 2).await;
    assert!(system(2).contains("You are the research assistant") && system(2).contains("- Only this year."));
    assert!(!system(2).contains("Only the Senate"), "{}", system(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_carried_is_refused_with_a_reason() {
    let server = Server::start().await;
    let id = server.ask("hello").await.to_string();
    for (field, value, problem) in [
        ("prompt_path", "nowhere", "There is no prompt preset “nowhere”. There are: cite-everything"),
        ("prompt_path", "../../etc/passwd", "There is no prompt preset"),
        ("client_tools", "{", "client_tools is a JSON list"),
        ("todos", "[1]", "todos is a JSON list"),
        ("briefs", "[1]", "briefs is a JSON list"),
        ("briefs", r#"[" "]"#, "Write the note first"),
        ("media", "media_nothing", "not here any more"),
    ] {
        let fields = [("conversation_id", id.as_str()), ("text", "hello"), (field, value)];
        let told = refused(&server, "/api/send_message", &fields).await;
        assert!(told.contains(problem), "{field}: {told}");
        let told = refused(&server, "/api/new_conversation", &fields[1..]).await;
        assert!(told.contains(problem), "{field}: {told}");
    }
    let long = "x".repeat(2_001);
    assert!(refused(&server, "/api/pin_brief", &[("conversation_id", &id), ("note", &long)]).await.contains("2001"));
    for nth in 0..20 {
        let text = format!("note {nth}");
        let pinned = server.post("/api/pin_brief", &[("conversation_id", &id), ("note", &text)]).send().await.unwrap();
        assert_eq!(pinned.status(), StatusCode::OK);
    }
    let told = refused(&server, "/api/pin_brief", &[("conversation_id", &id), ("note", "one more")]).await;
    assert!(told.contains("20 notes already"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_whoever_asks_runs_there_and_its_result_counts_once() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("get_local_time", "{}")).plays(words("openai_chat", "It is noon."));
    let id = asked(&server, &[("text", "What time is it?"), ("client_tools", TOOLS)]).await;
    let mut stream = Stream::of(server.events(id, "")).await;
    let call = loop {
        let (_, event) = stream.next().await.unwrap();
        let data = &event["data"];
        if event["type"] == "tool_call" && data["status"] == "starting" {
            assert_eq!(data["executor"], "client");
            break data["id"].as_str().unwrap().to_owned();
        }
    };
    let conversation = id.to_string();
    let post = |result: &'static str| {
        let fields = [("conversation_id", conversation.as_str()), ("call_id", call.as_str()), ("result", result)];
        server.post("/api/post_result", &fields).send()
    };
    let broken = post("noon").await.unwrap();
    assert!(broken.text().await.unwrap().contains("The result is no JSON"));
    assert_eq!(post(r#"{"time": "12:00"}"#).await.unwrap().status(), StatusCode::OK);
    assert_eq!(post(r#"{"time": "13:00"}"#).await.unwrap().status(), StatusCode::UNPROCESSABLE_ENTITY, "once");
    server.finished(id, 1).await;
    let known = fold(&server, id).await;
    let done = known.calls().next().unwrap();
    assert_eq!((done.status, done.executor), (CallStatus::Completed, Executor::Client));
    let last = mock.asked.lock().unwrap().last().unwrap().to_string();
    assert!(last.contains("12:00") && !last.contains("13:00"), "{last}");
    let first = mock.asked.lock().unwrap()[0].to_string();
    assert!(first.contains("What time it is there."), "the model knows the tool");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_runs_elsewhere_is_waited_for_again_after_a_restart() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("get_local_time", "{}"));
    let id = asked(&server, &[("text", "What time is it?"), ("client_tools", TOOLS)]).await;
    let mut stream = Stream::of(server.events(id, "")).await;
    while stream.next().await.unwrap().1["data"]["status"] != "starting" {}
    let folder = server.stop_at_once().await;
    mock.plays(words("openai_chat", "It is noon."));
    let file = folder.path().join("vitrine.toml");
    let server = Server::start_configured(folder, |config| config.config = Some(file)).await;
    let mut stream = Stream::of(server.events(id, "")).await;
    let call = loop {
        let (_, event) = stream.next().await.unwrap();
        if event["data"]["status"] == "starting" && event["data"]["attempt"] == 2 {
            break event["data"]["id"].as_str().unwrap().to_owned();
        }
    };
    let conversation = id.to_string();
    let fields = [
        ("conversation_id", conversation.as_str()),
        ("call_id", &call),
        ("result", r#""no clock""#),
        ("is_error", "true"),
    ];
    let posted = server.post("/api/post_result", &fields).send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::OK, "{}", posted.text().await.unwrap());
    server.finished(id, 1).await;
    let known = fold(&server, id).await;
    let call = known.calls().next().unwrap();
    assert_eq!((call.status, call.error_kind), (CallStatus::Failed, Some(ErrorKind::ToolError)));
    assert_eq!(call.error_text().as_deref(), Some("no clock"));
    assert_eq!(run(&known).status, RunStatus::Completed, "the run goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_names_the_conversation_once() {
    let mock = Mock::default();
    let server = mock.start_titled("openai_chat").await;
    mock.plays(words("openai_chat", "Three bills.")).plays(words("openai_chat", "**Water bills.**"));
    let id = server.ask("which bills are about water please").await;
    let mut stream = Stream::of(server.events(id, "")).await;
    while stream.next().await.unwrap().1["type"] != "conversation.updated" {}
    assert_eq!(server.app.db.title(id).await.unwrap().as_deref(), Some("Water bills"));
    let listed: Value = server.get("/api/list_conversations").send().await.unwrap().json().await.unwrap();
    assert_eq!(listed["conversations"][0]["title"], "Water bills");
    mock.plays(words("openai_chat", "No more."));
    let conversation = id.to_string();
    server.post("/api/send_message", &[("conversation_id", &conversation), ("text", "And?")]).send().await.unwrap();
    server.finished(id, 2).await;
    assert_eq!(mock.asked.lock().unwrap().len(), 3, "only once");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_and_thinking_are_told() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"Hm.\"}}]}\n\n";
    mock.answers(503, &[("retry-after", "0")], "{}");
    mock.plays(format!("{thought}{}", words("openai_chat", "Yes.")));
    let id = server.ask("?").await;
    let events = server.finished(id, 1).await;
    let lines: Vec<&str> = events
        .iter()
        .filter(|(_, event)| event["data"]["role"] == "status")
        .map(|(_, event)| event["data"]["content"].as_str().unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("Asking again in"), "{lines:?}");
    assert_eq!(lines[1], "", "and it goes when there is an answer");
    let known = fold(&server, id).await;
    let answer = messages(&known).next().unwrap();
    assert!(answer.metadata.as_ref().unwrap().thought_ms.is_some());
}
