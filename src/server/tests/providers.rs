//! Providers as they really are: they keep connections open, quote keys, redirect, refuse fields and are busy.

use super::mock::{Mock, chat_call, folded, messages, run, words};
use crate::model::RunStatus;

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_over_when_it_says_so() {
    for protocol in ["openai_chat", "anthropic", "openai_responses"] {
        let mock = Mock::default();
        let server = mock.start(protocol, "silence_s = 600").await;
        mock.answers(200, &[("x-stays-open", "1")], words(protocol, "All said."));
        let folded = folded(&server, "?").await;
        assert_eq!(run(&folded).status, RunStatus::Completed, "{protocol}");
        assert_eq!(messages(&folded).next().unwrap().content, "All said.", "{protocol}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_quoted_is_not_passed_on() {
    let mock = Mock::default();
    let secret = "correcthorsebattery";
    let server = mock.start("openai_chat", &format!("headers = {{ x-team = '{secret}' }}")).await;
    mock.answers(403, &[], format!(r#"{{"error": {{"message": "Team {secret} is not allowed to do this."}}}}"#));
    let refused = folded(&server, "?").await;
    assert!(run(&refused).error_message.as_ref().unwrap().contains("is not allowed"), "{:?}", run(&refused));
    let in_stream =
        format!("data: {{\"error\": {{\"message\": \"Team {secret} has no money\", \"code\": \"x\"}}}}\n\n");
    mock.plays(in_stream);
    let broken = folded(&server, "?").await;
    for folded in [refused, broken] {
        let known = serde_json::to_string(&folded).unwrap();
        assert!(!known.contains(secret), "{known}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_goes_nowhere_else() {
    let (mock, thief) = (Mock::default(), Mock::default());
    let server = mock.start("anthropic", "").await;
    let elsewhere = thief.start("anthropic", "").await;
    mock.answers(307, &[("location", &format!("{}/v1/messages", elsewhere.url))], "");
    let folded = folded(&server, "?").await;
    assert_eq!(run(&folded).status, RunStatus::Failed);
    assert!(thief.asked.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_refused_is_left_out_from_then_on() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    mock.answers(
        422,
        &[],
        r#"{"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}}"#,
    );
    mock.plays(words("openai_chat", "One.")).plays(words("openai_chat", "Two."));
    for _ in 0..2 {
        assert_eq!(run(&folded(&server, "?").await).status, RunStatus::Completed);
    }
    let sent: Vec<bool> = mock.asked.lock().unwrap().iter().map(|body| body["stream_options"].is_object()).collect();
    assert_eq!(sent, [true, false, false]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_begins_with_busy_is_asked_again() {
    let mock = Mock::default();
    let server = mock.start("anthropic", "").await;
    mock.plays(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n\
         event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
    );
    mock.plays(words("anthropic", "Now."));
    let known = folded(&server, "?").await;
    assert_eq!(run(&known).status, RunStatus::Completed, "{:?}", run(&known).error_message);
    mock.answers(429, &[("retry-after", "300")], "{}");
    let known = folded(&server, "?").await;
    let told = run(&known).error_message.clone().unwrap();
    assert!(told.contains("It asks to wait for 5 min"), "nobody waits that long in silence: {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_told_in_words_to_who_cannot_call() {
    let mock = Mock::default();
    let more =
        "[[models]]\nname = 'mute'\ntools = 'off'\nkey = 'sk-test-0123456789abcdef'\ntitles = false\nbase_url = ";
    let server = mock.start_with_second("openai_chat", more).await;
    mock.plays(chat_call("get_available_statuses", "{}")).plays(words("openai_chat", "These."));
    let id = server.ask("Which statuses are there?").await;
    server.finished(id, 1).await;
    mock.plays(words("openai_chat", "Yes."));
    let name = id.to_string();
    let fields = [("conversation_id", name.as_str()), ("text", "Sure?"), ("model", "mute")];
    server.post("/api/send_message", &fields).send().await.unwrap().error_for_status().unwrap();
    server.finished(id, 2).await;
    let asked = mock.asked.lock().unwrap().last().unwrap().clone();
    assert!(asked["tools"].is_null() && !asked.to_string().contains("tool_call_id"), "{asked}");
    assert!(asked.to_string().contains("I called get_available_statuses"), "{asked}");
}
