//! When results go to the model: at once, after a look, or with the next message.

use super::{
    mock::{Mock, chat_call, words},
    *,
};
use crate::model::{Conversation, RunStatus};

async fn post(server: &Server, path: &str, fields: &[(&str, &str)]) -> Response {
    server.post(path, fields).send().await.unwrap()
}

/// A conversation in which results wait for the person, with one that does.
async fn waiting(server: &Server, mock: &Mock, follow_up: &str) -> (ConversationId, String) {
    let id = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let name = id.to_string();
    let set = [("conversation_id", name.as_str()), ("follow_up", follow_up)];
    assert_eq!(post(server, "/api/set_follow_up", &set).await.status(), StatusCode::OK);
    mock.plays(chat_call("search_bills", r#"{"query": "fentanyl"}"#));
    let ask = [("conversation_id", name.as_str()), ("text", "fentanyl?")];
    assert_eq!(post(server, "/api/send_message", &ask).await.status(), StatusCode::OK);
    (id, name)
}

/// Reads on until the run has this status.
async fn until(server: &Server, id: ConversationId, status: &str) -> Conversation {
    let mut stream = Stream::of(server.events(id, "")).await;
    let wait = async {
        loop {
            let (_, event) = stream.next().await.unwrap();
            if event["type"] == "agent.status" && event["data"]["status"] == status {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait).await.expect(status);
    server.app.log.fold(id).await.unwrap()
}

fn statuses(known: &Conversation) -> Vec<RunStatus> {
    known.turns().iter().filter_map(|turn| Some(known.run(turn.run.as_ref()?)?.status)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn results_wait_for_a_look_and_are_sent_once() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    let (id, name) = waiting(&server, &mock, "after_confirmation").await;
    let known = until(&server, id, "waiting").await;
    assert_eq!(statuses(&known), [RunStatus::Waiting]);
    assert_eq!(mock.asked.lock().unwrap().len(), 1, "the model does not know yet");
    let page = server.get(&format!("/c/{name}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Send to the agent") && page.contains("Discard"), "both ways are offered");

    // It waits as long as it takes, over restarts.
    let folder = server.stop_at_once().await;
    let file = folder.path().join("vitrine.toml");
    let server = Server::start_configured(folder, |config| config.config = Some(file)).await;
    mock.plays(words("openai_chat", "Three bills."));
    let fields = [("conversation_id", name.as_str())];
    let (one, other) =
        tokio::join!(post(&server, "/api/send_results", &fields), post(&server, "/api/send_results", &fields));
    let mut answers = [one.status(), other.status()];
    answers.sort();
    assert_eq!(answers, [StatusCode::OK, StatusCode::UNPROCESSABLE_ENTITY], "of two, one decides");
    let known = until(&server, id, "completed").await;
    assert_eq!(statuses(&known), [RunStatus::Completed]);
    let asked = mock.asked.lock().unwrap();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].to_string().contains("HALT Fentanyl Act"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_discarded_the_model_never_sees() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    let (id, name) = waiting(&server, &mock, "after_confirmation").await;
    until(&server, id, "waiting").await;
    let fields = [("conversation_id", name.as_str())];
    assert_eq!(post(&server, "/api/discard_results", &fields).await.status(), StatusCode::OK);
    let known = until(&server, id, "completed").await;
    assert!(known.calls().all(|call| call.is_left_out && call.shown_result().is_some()), "it stays on the page");
    mock.plays(words("openai_chat", "Then not."));
    post(&server, "/api/send_message", &[("conversation_id", &name), ("text", "Why not?")]).await;
    let mut stream = Stream::of(server.events(id, "")).await;
    let mut ends = 0;
    while ends < 2 {
        let (_, event) = stream.next().await.unwrap();
        ends += usize::from(event["type"] == "agent.status" && event["data"]["status"] == "completed");
    }
    let last = mock.asked.lock().unwrap().last().unwrap().to_string();
    assert!(last.contains("left it out") && !last.contains("HALT Fentanyl Act"), "{last}");
    assert!(post(&server, "/api/discard_results", &fields).await.text().await.unwrap().contains("Nothing waits"));
}

#[tokio::test(flavor = "multi_thread")]
async fn results_go_with_the_next_message() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "").await;
    for (follow_up, first) in [("with_next_message", "completed"), ("after_confirmation", "waiting")] {
        let (id, name) = waiting(&server, &mock, follow_up).await;
        until(&server, id, first).await;
        let before = mock.asked.lock().unwrap().len();
        mock.plays(words("openai_chat", "Three bills."));
        post(&server, "/api/send_message", &[("conversation_id", &name), ("text", "And in short?")]).await;
        let mut stream = Stream::of(server.events(id, "")).await;
        let mut ends = 0;
        while ends < 2 {
            let (_, event) = stream.next().await.unwrap();
            ends += usize::from(event["type"] == "agent.status" && event["data"]["status"] == "completed");
        }
        let known = server.app.log.fold(id).await.unwrap();
        assert_eq!(statuses(&known), [RunStatus::Completed; 2], "{follow_up}");
        let asked = mock.asked.lock().unwrap();
        assert_eq!(asked.len(), before + 1, "{follow_up}");
        let last = asked.last().unwrap().to_string();
        assert!(last.contains("HALT Fentanyl Act") && last.contains("And in short?"), "{follow_up}: {last}");
    }
    let fields = [("conversation_id", "x"), ("follow_up", "at_once")];
    assert_eq!(post(&server, "/api/set_follow_up", &fields).await.status(), StatusCode::NOT_FOUND);
    let name = server.app.new_conversation(None, &Default::default()).await.unwrap().to_string();
    let told = post(&server, "/api/set_follow_up", &[("conversation_id", &name), ("follow_up", "never")]).await;
    assert!(told.text().await.unwrap().contains("at_once, after_confirmation, with_next_message"));
}
