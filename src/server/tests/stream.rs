//! The event stream, from anywhere to the end.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_told_from_its_first_event_to_its_last() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl zebra").await;
    let events = server.finished(conversation, 1).await;
    assert_eq!(events.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), (1..=events.len() as Seq).collect::<Vec<_>>());

    let types: Vec<&str> = events.iter().map(|(_, event)| event["type"].as_str().unwrap()).collect();
    assert_eq!(types[..4], ["message", "agent.status", "tool_call", "tools_call_update"]);
    let calls: Vec<&Value> = events.iter().filter(|(_, e)| e["type"] == "tool_call").map(|(_, e)| &e["data"]).collect();
    let steps: Vec<(&str, &str)> =
        calls.iter().map(|call| (call["status"].as_str().unwrap(), call["stage"].as_str().unwrap())).collect();
    let iteration = [("in_progress", "executing_query"), ("in_progress", "processing_results")];
    let mut expected = vec![("queued", "preparing_search"), ("starting", "preparing_search")];
    expected.extend(iteration);
    // Other words, beginnings of words, anywhere, and then without the one that nothing has.
    for _ in 2..=5 {
        expected.push(("in_progress", "refining_search"));
        expected.extend(iteration);
    }
    expected.push(("completed", "finalizing"));
    assert_eq!(steps, expected);
    assert_eq!(calls[0]["title"], "Search bills");
    assert_eq!(calls[1]["metadata"]["query"], "fentanyl zebra");
    let last = &calls[calls.len() - 1]["metadata"];
    assert_eq!((&last["iteration"], &last["final_query"]), (&5.into(), &"fentanyl… (or opioid, opioids)".into()));
    assert!(last["total_results"].as_u64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pieces_add_up_to_the_whole_wherever_it_is_cut() {
    let server = Server::start().await;
    let conversation = server.ask("rural broadband").await;
    let whole = server.finished(conversation, 1).await;
    for cut in 0..whole.len() {
        let after = cut.to_string();
        let by_query = server.events(conversation, &format!("?after={after}"));
        let by_header = server.events(conversation, "").header("last-event-id", &after);
        // A browser that reconnects repeats its old address and sends the header: the header is newer.
        let by_both = server.events(conversation, "?after=0").header("last-event-id", &after);
        for request in [by_query, by_header, by_both] {
            let mut stream = Stream::of(request).await;
            for expected in &whole[cut..] {
                assert_eq!(stream.next().await.as_ref(), Some(expected), "cut after {cut}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_has_it_all_waits_for_what_comes() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl").await;
    let before = server.finished(conversation, 1).await;
    let mut stream = Stream::of(server.events(conversation, &format!("?after={}", before.len()))).await;
    let fields = [("conversation_id", &*conversation.to_string()), ("text", "and broadband?")];
    let sent = server.post("/api/send_message", &fields).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::OK);
    let (seq, event) = stream.next().await.unwrap();
    assert_eq!((seq, &event["data"]["content"]), (before.len() as Seq + 1, &"and broadband?".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_the_log_does_not_know_starts_anew() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl").await;
    let whole = server.finished(conversation, 1).await;
    for foreign in ["9999", "not-a-number", "-1", ""] {
        let mut stream = Stream::of(server.events(conversation, "").header("last-event-id", foreign)).await;
        let frame = stream.frame().await.unwrap();
        let expected = format!(r#"{{"type":"resync","data":{{"last_seq":{}}}}}"#, whole.len());
        assert_eq!(frame, format!("event: resync\ndata: {expected}"), "{foreign:?}");
        assert_eq!(stream.next().await.as_ref(), whole.first());
    }
}

#[tokio::test]
async fn mistakes_are_told() {
    let server = Server::start().await;
    let conversation = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let refused = server.events(conversation, "?after=soon").send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("must be the number of an event"));
    for missing in [ConversationId::mint().to_string(), "nonsense".into()] {
        let answer = server.get(&format!("/api/conversations/{missing}/events")).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        assert_eq!(answer.json::<Value>().await.unwrap()["kind"], "not_found");
    }
}

#[tokio::test]
async fn streams_end_when_the_server_does() {
    let server = Server::start().await;
    let conversation = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let mut stream = Stream::of(server.events(conversation, "")).await;
    server.app.stopping.cancel();
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn an_idle_stream_says_that_it_is_there() {
    let quick = |app: &mut App| app.keep_alive = Duration::from_millis(20);
    let server = Server::start_with(tempfile::tempdir().unwrap(), quick).await;
    let conversation = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let mut response = server.events(conversation, "").send().await.unwrap();
    for _ in 0..3 {
        let said = response.chunk().await.unwrap().unwrap();
        assert!(said.starts_with(b": keep-alive\n"), "for what is in between");
        assert!(said.ends_with(b"\nevent: alive\ndata: {}\n\n"), "for scripts, and without an id");
    }
    // And what comes after all still comes.
    server.app.send_message(conversation, "fentanyl".into()).await.unwrap();
    let mut rest = Stream { response, buffer: Vec::new() };
    assert_eq!(rest.next().await.unwrap().0, 1);
}
