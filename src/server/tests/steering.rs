//! A person who changes the course of things: other messages, other arguments, other results, another branch.

use super::{
    mock::{Mock, chat_call, words},
    people::{post, until, until_over, until_waiting},
    *,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_message_goes_in_before_the_next_step_and_can_be_changed_until_then() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("fault", r#"{"slow_ms": 1500}"#));
    mock.plays(words("openai_chat", "Both, then."));
    let id = server.ask("First").await;
    let name = id.to_string();
    until(&server, id, |known| known.calls().any(|call| call.started_at.is_some())).await;
    let first = server.app.send_message(id, "Secnd".into()).await.unwrap().message_id;
    let gone = server.app.send_message(id, "Never mind".into()).await.unwrap().message_id;
    let edit = [("conversation_id", name.as_str()), ("message_id", first.as_str()), ("question", "Second")];
    assert_eq!(post(&server, "/api/edit_queued", &edit).await.0, StatusCode::OK);
    let withdraw = [("conversation_id", name.as_str()), ("message_id", gone.as_str())];
    assert_eq!(post(&server, "/api/withdraw_queued", &withdraw).await.0, StatusCode::OK);
    let known = until_over(&server, id, 1).await;
    assert_eq!(known.turns().len(), 1, "all of it is one turn");
    let asked: Vec<&str> = known.questions(&known.turns()[0]).map(|message| message.content.as_str()).collect();
    assert_eq!(asked, ["First", "Second"]);
    let second = mock.asked.lock().unwrap()[1]["messages"].clone();
    let roles: Vec<&str> = second.as_array().unwrap().iter().map(|said| said["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
    assert!(second[4].to_string().contains("Second") && !second.to_string().contains("Never mind"));
    for (path, fields) in [("/api/edit_queued", &edit[..]), ("/api/withdraw_queued", &edit[..2])] {
        let late = post(&server, path, fields).await;
        assert!(late.1.contains("taken this up already"), "{}", late.1);
    }
    // Nothing is due any more: whoever asks next is answered next.
    mock.plays(words("openai_chat", "Third, too."));
    server.app.send_message(id, "Third".into()).await.unwrap();
    until_over(&server, id, 2).await;
    let words: Value = server.get("/api/list_conversations?query=Secnd").send().await.unwrap().json().await.unwrap();
    assert!(words["conversations"].as_array().unwrap().is_empty(), "what was corrected is not found as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_run_again_with_other_arguments_and_what_counts_asks_first() {
    let server = Server::start().await;
    let id = server.ask(r#"faults [{"tool": "fault_once", "key": "x", "says": "one"}]"#).await;
    let known = until_over(&server, id, 1).await;
    let (call, name) = (known.calls().next().unwrap().id.to_string(), id.to_string());
    let again = |args: &'static str| {
        let (server, name, call) = (&server, name.clone(), call.clone());
        async move {
            let fields = [("conversation_id", name.as_str()), ("call_id", call.as_str()), ("args", args)];
            post(server, "/api/run_again", &fields).await
        }
    };
    assert!(again("{").await.1.contains("no JSON"));
    assert!(again(r#"{"mood": 1}"#).await.1.contains("mood is not known here"));
    assert_eq!(again(r#"{"key": "x", "says": "two"}"#).await.0, StatusCode::OK);
    let asking = until_waiting(&server, id).await;
    assert_eq!(asking.repeats.as_ref().unwrap().as_str(), call);
    let fields = [("conversation_id", name.as_str()), ("call_id", asking.id.as_str()), ("decision", "approve")];
    assert_eq!(post(&server, "/api/approve_call", &fields).await.0, StatusCode::OK);
    let known = until(&server, id, |known| known.call(&asking.id).unwrap().status.is_ended()).await;
    assert_eq!(known.call(&asking.id).unwrap().shown_result().unwrap().result, "two");
    assert_eq!(known.calls().count(), 2, "the old one stays");
    let old = known.calls().find(|call| call.repeats.is_none()).unwrap();
    assert_eq!(old.shown_result().unwrap().result, "one");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_left_out_and_taken_in_again() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("search_bills", r#"{"query": "fentanyl"}"#));
    mock.plays(words("openai_chat", "Found."));
    let id = server.ask("fentanyl?").await;
    let known = until_over(&server, id, 1).await;
    let (call, name) = (known.calls().next().unwrap().id.to_string(), id.to_string());
    for (nth, (is_left_out, is_seen)) in [("true", false), ("false", true)].into_iter().enumerate() {
        let fields = [("conversation_id", name.as_str()), ("call_id", call.as_str()), ("is_left_out", is_left_out)];
        assert_eq!(post(&server, "/api/leave_out", &fields).await.0, StatusCode::OK);
        mock.plays(words("openai_chat", "And?"));
        server.app.send_message(id, "Go on".into()).await.unwrap();
        until_over(&server, id, nth + 2).await;
        let told = mock.asked.lock().unwrap().last().unwrap().to_string();
        assert_eq!(told.contains("HALT Fentanyl Act"), is_seen);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_goes_on_from_an_earlier_turn_and_knows_nothing_of_the_rest() {
    let server = Server::start().await;
    let id = server.ask("fentanyl").await;
    until_over(&server, id, 1).await;
    server.app.pin_brief(id, "Early note").await.unwrap();
    server.app.send_message(id, "veterans".into()).await.unwrap();
    until_over(&server, id, 2).await;
    server.app.pin_brief(id, "Late note").await.unwrap();
    let name = id.to_string();
    let none = post(&server, "/api/branch", &[("conversation_id", &name), ("turn", "7")]).await;
    assert!(none.0 == StatusCode::NOT_FOUND && none.1.contains("no turn 8"), "{none:?}");
    let made: Value =
        serde_json::from_str(&post(&server, "/api/branch", &[("conversation_id", &name), ("turn", "0")]).await.1)
            .unwrap();
    let branch: ConversationId = made["conversation_id"].as_str().unwrap().parse().unwrap();
    let (whole, branched) = (server.app.log.fold(id).await.unwrap(), server.app.log.fold(branch).await.unwrap());
    assert_eq!(branched.turns(), &whole.turns()[..1]);
    assert_eq!(branched.arrangements().branch_of, Some(id));
    assert!(branched.arrangements().briefs.is_empty(), "notes came later");
    let call = branched.calls().next().unwrap();
    let mut original = whole.call(&call.id).unwrap().clone();
    // Only the places in the log differ.
    for (moment, own) in original.timeline.iter_mut().zip(&call.timeline) {
        moment.seq = own.seq;
    }
    assert_eq!(*call, original);
    server.app.send_message(branch, "only Democrats".into()).await.unwrap();
    let branched = until_over(&server, branch, 2).await;
    assert_eq!((branched.turns().len(), server.app.log.fold(id).await.unwrap().turns().len()), (2, 2));
    let grown: Value = server.get("/api/list_conversations").send().await.unwrap().json().await.unwrap();
    assert_eq!(grown["conversations"][0]["title"], "fentanyl (branch)");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stopped_is_not_answered_with_the_next_question() {
    let server = Server::start().await;
    let id = server.ask(r#"faults [{"slow_ms": 50000}]"#).await;
    until(&server, id, |known| known.calls().any(|call| call.started_at.is_some())).await;
    post(&server, "/api/cancel_run", &[("conversation_id", &id.to_string())]).await;
    until_over(&server, id, 1).await;
    server.app.send_message(id, "veterans".into()).await.unwrap();
    let known = until_over(&server, id, 2).await;
    let tools: Vec<&str> = known.calls().map(|call| call.tool_name.as_str()).collect();
    assert_eq!(tools, ["fault", "search_bills"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_gets_what_came_of_doing_it_over() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(chat_call("fault", r#"{"says": "the first"}"#));
    mock.plays(words("openai_chat", "One."));
    let id = server.ask("Go").await;
    let (known, name) = (until_over(&server, id, 1).await, id.to_string());
    let call = known.calls().next().unwrap().id.to_string();
    let fields =
        [("conversation_id", name.as_str()), ("call_id", call.as_str()), ("args", r#"{"says": "the second"}"#)];
    assert_eq!(post(&server, "/api/run_again", &fields).await.0, StatusCode::OK);
    until(&server, id, |known| known.calls().filter(|call| call.status.is_ended()).count() == 2).await;
    mock.plays(words("openai_chat", "Two."));
    server.app.send_message(id, "And now?".into()).await.unwrap();
    until_over(&server, id, 2).await;
    let asked = mock.asked.lock().unwrap().last().unwrap()["messages"].to_string();
    assert!(
        asked.contains("the second\\n(The person had this run again") && !asked.contains("\"the first\""),
        "{asked}"
    );
}
