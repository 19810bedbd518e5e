//! Models that are not ours, played by a server of recorded answers: every case has the right card, text and ending.

use std::path::PathBuf;

use super::{
    mock::{KEY, Mock, chat_call, folded, messages, run, words},
    *,
};
use crate::model::{CallStatus, ErrorKind, RunStatus};

/// Where recorded streams are, if they are anywhere.
fn recorded() -> Option<PathBuf> {
    let folder = std::env::var_os("VITRINE_STREAMS").map_or_else(|| "../shared/data/streams".into(), PathBuf::from);
    if !folder.join("manifest.json").exists() {
        eprintln!("there are no recorded streams in {}; nothing to play", folder.display());
        return None;
    }
    Some(folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recorded_answer_has_its_cards_its_text_and_its_ending() {
    let Some(folder) = recorded() else { return };
    let manifest: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let mut played = 0;
    for protocol in ["openai_chat", "anthropic", "openai_responses"] {
        let mock = Mock::default();
        let server = mock.start(protocol, "").await;
        for case in manifest.iter().filter(|case| case["protocol"] == protocol) {
            let (file, expected) = (case["file"].as_str().unwrap(), &case["expected"]);
            mock.answers.lock().unwrap().clear();
            mock.plays(std::fs::read(folder.join(file)).unwrap()).plays(words(protocol, "That is all."));
            let folded = folded(&server, "?").await;
            let calls: Vec<_> = folded.calls().collect();
            let wanted = expected["tool_calls"].as_array().unwrap();
            assert_eq!(calls.len(), wanted.len(), "{file}: a card for every call");
            for call in &calls {
                assert!(call.status.is_ended(), "{file}: {call:?}");
                // None of these tools is here, or takes this.
                assert!(matches!(call.status, CallStatus::Failed | CallStatus::Completed), "{file}: {:?}", call.status);
                let is_told =
                    call.status == CallStatus::Completed || call.error_text().is_some_and(|why| why.len() > 10);
                assert!(is_told, "{file}: {call:?}");
            }
            let truncated = |call: &&Value| call["arguments_json"].is_null() && call["arguments"] != "null";
            let broken = wanted.iter().filter(truncated).count();
            let refused = calls.iter().filter(|call| call.error_kind == Some(ErrorKind::InvalidArguments)).count();
            assert!(refused >= broken, "{file}: what is truncated does not run");
            let text: String = messages(&folded).map(|message| message.content.as_str()).collect();
            let said = expected["text"].as_str().unwrap();
            assert!(text.starts_with(said), "{file}: {text:?} should begin with {said:?}");
            let run = run(&folded);
            let goes_on = text.ends_with("That is all.") && text.len() > said.len();
            let ends_well = run.status == RunStatus::Completed;
            let is_finished = !expected["finish_reason"].is_null() && expected["error"].is_null();
            assert_eq!(goes_on, ends_well && !wanted.is_empty(), "{file}: {:?} {:?}", run.status, run.continuation);
            assert!(
                is_finished || !ends_well || file.contains("snowflake"),
                "{file}: an answer that broke off is no answer"
            );
            assert!(ends_well || run.error_message.as_ref().is_some_and(|why| why.len() > 20), "{file}: {run:?}");
            assert!(run.continuation.is_some(), "{file}: it is told who decided");
            played += 1;
        }
    }
    assert!(played >= 3, "{played}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_http_error_is_a_sentence_and_no_key_gets_anywhere() {
    let Some(folder) = recorded() else { return };
    let errors: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("http_errors.json")).unwrap()).unwrap();
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    for error in &errors {
        let status = error["status"].as_u64().unwrap() as u16;
        let body = error["body"].as_str().unwrap_or_default();
        mock.answers.lock().unwrap().clear();
        // Long waits are not what is tested here.
        for _ in 0..4 {
            mock.answers(status, &[("retry-after-ms", "1")], format!("{body} {KEY}"));
        }
        let folded = folded(&server, "?").await;
        let run = run(&folded);
        let told = run.error_message.clone().unwrap_or_default();
        assert_eq!(run.status, RunStatus::Failed, "{status}");
        assert!(told.len() > 20 && told.ends_with(['.', '”', ')']), "{status}: {told}");
        assert!(!serde_json::to_string(&folded).unwrap().contains(KEY), "{status}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_calls_a_tool_hears_what_came_of_it_and_answers() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.answers(503, &[("retry-after", "0")], "{}");
    mock.plays(chat_call("search_bills", r#"{"query": "fentanyl"}"#))
        .plays(words("openai_chat", "There are **three**."));
    let folded = folded(&server, "Which bills are about fentanyl?").await;
    let call = folded.calls().next().unwrap();
    assert_eq!((call.tool_name.as_str(), call.status), ("search_bills", CallStatus::Completed));
    let run = run(&folded);
    assert_eq!((run.status, run.steps.len(), run.usage().input_tokens), (RunStatus::Completed, 2, 20));
    let asked = mock.asked.lock().unwrap();
    assert_eq!(asked.len(), 3, "asked again after a failure that may pass");
    let (first, last) = (&asked[1], &asked[2]);
    assert!(first["tools"].as_array().unwrap().iter().any(|tool| tool["function"]["name"] == "search_bills"));
    let messages = last["messages"].as_array().unwrap();
    let (made, result) = (&messages[messages.len() - 2], &messages[messages.len() - 1]);
    assert_eq!(made["tool_calls"][0]["id"], result["tool_call_id"]);
    assert!(result["content"].as_str().unwrap().contains("HALT Fentanyl Act"), "{result}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_only_writes_calls_by_a_marker() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "tools = 'marker'").await;
    let marked = r####"### Searching
###:{"toolName":"search_bills","parameters":{"query":"fentanyl"}}
###:{"toolName":"nothing","parameters":{}}
###:{"toolName":"search_bills","parameters":{"query":}"####;
    mock.plays(words("openai_chat", marked)).plays(words("openai_chat", "Three bills."));
    let folded = folded(&server, "fentanyl?").await;
    let mut ended: Vec<_> = folded.calls().map(|call| (call.id.clone(), call.status, call.error_kind)).collect();
    ended.sort();
    let ended: Vec<_> = ended.into_iter().map(|(_, status, kind)| (status, kind)).collect();
    assert_eq!(
        ended,
        [
            (CallStatus::Completed, None),
            (CallStatus::Failed, Some(ErrorKind::UnknownTool)),
            (CallStatus::Failed, Some(ErrorKind::InvalidArguments)),
        ]
    );
    let said: Vec<&str> = messages(&folded).map(|message| message.content.trim()).collect();
    assert_eq!(said, ["### Searching", "Three bills."], "a heading is text, and a marker is not shown");
    let asked = mock.asked.lock().unwrap();
    assert!(asked[0]["tools"].is_null() || asked[0]["tools"].as_array().unwrap().is_empty());
    assert!(asked[0].to_string().contains("search_bills"), "the tools are described");
    assert!(asked[1].to_string().contains("Result of search_bills:"), "and the results are told");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_and_silence_end_a_run_with_a_reason() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "max_steps = 2").await;
    for _ in 0..2 {
        mock.plays(chat_call("get_available_statuses", "{}"));
    }
    let limited = folded(&server, "?").await;
    let continuation = run(&limited).continuation.clone().unwrap();
    assert_eq!((continuation.stop_reason.as_str(), continuation.resolved_by.as_str()), ("steps_limit", "StepsLimit"));
    assert_eq!(run(&limited).status, RunStatus::Completed);
    let page = server.get(&format!("/c/{}", limited.id)).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Agent stopped: steps_limit") && page.contains("Continue"), "with a way to go on");

    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vitrine.toml");
    let address = silent.local_addr().unwrap();
    std::fs::write(&file, format!("[[models]]\nname = 'silent'\nbase_url = 'http://{address}'\nsilence_s = 1"))
        .unwrap();
    let server = Server::start_configured(folder, |config| config.config = Some(file)).await;
    let folded = folded(&server, "?").await;
    let told = run(&folded).error_message.clone().unwrap();
    assert!(told.contains("has said nothing for 1 seconds"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_for_the_model_that_it_names() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.plays(words("openai_chat", "Hello from the mock."));
    let ask = |model: &'static str| server.post("/api/new_conversation", &[("text", "hello"), ("model", model)]).send();
    let refused = ask("nobody").await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("There is no model “nobody” here"));
    for (model, says) in [("embedded", "built into Vitrine"), ("mock", "Hello from the mock.")] {
        let begun: Value = ask(model).await.unwrap().json().await.unwrap();
        let conversation = begun["conversation_id"].as_str().unwrap().parse().unwrap();
        server.finished(conversation, 1).await;
        let folded = server.app.log.fold(conversation).await.unwrap();
        assert!(serde_json::to_string(&folded).unwrap().contains(says), "{model}");
    }
    let models: Value = server.get("/api/list_models").send().await.unwrap().json().await.unwrap();
    assert_eq!((&models[0]["name"], &models[1]["name"]), (&"mock".into(), &"embedded".into()), "the default first");
}
