//! Server functions, called as curl and browsers do.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn programs_get_json() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl").await;
    let id = conversation.to_string();
    server.finished(conversation, 1).await;

    let sent =
        server.post("/api/send_message", &[("conversation_id", &id), ("text", "veterans")]).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::OK);
    assert!(sent.json::<Value>().await.unwrap()["message_id"].as_str().unwrap().starts_with("msg_"));
    server.finished(conversation, 2).await;

    let list: Value = server.get("/api/list_conversations").send().await.unwrap().json().await.unwrap();
    assert_eq!(
        (&list["conversations"][0]["id"], &list["conversations"][0]["title"]),
        (&id.as_str().into(), &"fentanyl".into())
    );

    let loaded = server.get(&format!("/api/load_conversation?conversation_id={id}")).send().await.unwrap();
    let loaded: Value = loaded.json().await.unwrap();
    let folded = serde_json::to_value(server.app.log.fold(conversation).await.unwrap()).unwrap();
    assert_eq!(loaded["conversation"], folded);
}

#[tokio::test]
async fn browsers_without_javascript_are_sent_to_a_page() {
    let server = Server::start().await;
    const HTML: &str = "text/html,application/xhtml+xml";
    let begun = server
        .post("/api/new_conversation", &[("text", "fentanyl")])
        .header(header::ACCEPT, HTML)
        .send()
        .await
        .unwrap();
    assert_eq!(begun.status(), StatusCode::SEE_OTHER);
    let page = begun.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let id = page.strip_prefix("/c/").unwrap();

    let from = format!("{}{page}", server.url);
    let reply = |text: &str| {
        let fields = [("conversation_id", id), ("text", text)];
        server.post("/api/send_message", &fields).header(header::ACCEPT, HTML).header(header::REFERER, &from).send()
    };
    let back = reply("veterans").await.unwrap();
    assert_eq!((back.status(), back.headers()[header::LOCATION].to_str().unwrap()), (StatusCode::SEE_OTHER, &*page));

    // What is wrong is told on the page that it came from, once, and to nobody else. What was written is still there.
    let long = format!("too long <b>{}", "x".repeat(40_000));
    let back = reply(&long).await.unwrap();
    assert_eq!(back.headers()[header::LOCATION], page);
    let cookie = back.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let look = async |cookie: &str| {
        let shown = server.get(&page).header(header::COOKIE, cookie).send().await.unwrap();
        let is_forgotten =
            shown.headers().get(header::SET_COOKIE).is_some_and(|set| set.to_str().unwrap().contains("Max-Age=0"));
        (shown.text().await.unwrap(), is_forgotten)
    };
    assert!(!look("vitrine_told=guessed").await.0.contains("characters"));
    let (shown, is_forgotten) = look(&cookie).await;
    assert!(shown.contains("40012 characters") && shown.contains("too long &lt;b&gt;xxx") && is_forgotten);
    assert!(!look(&cookie).await.0.contains("characters"));
}

#[tokio::test]
async fn mistakes_have_their_status_and_say_what_to_do() {
    let server = Server::start().await;
    let nowhere = ConversationId::mint().to_string();
    let long = "x".repeat(40_000);
    let begun = server.app.new_conversation(None, &Default::default()).await.unwrap().to_string();
    for (path, fields, status, says) in [
        ("/api/new_conversation", vec![("text", "  ")], 422, "Type a question first"),
        ("/api/send_message", vec![("conversation_id", &*begun)], 422, "text"),
        ("/api/send_message", vec![("conversation_id", "x"), ("text", "y")], 404, "no such conversation"),
        ("/api/send_message", vec![("conversation_id", &*nowhere), ("text", "y")], 404, "no such conversation"),
        ("/api/send_message", vec![("conversation_id", &*begun), ("text", &*long)], 422, "40000 characters"),
        ("/api/make_coffee", vec![], 404, "no such function"),
    ] {
        let answer = server.post(path, &fields).send().await.unwrap();
        assert_eq!(answer.status(), status, "{path} {:?}", fields.first());
        let problem: Value = answer.json().await.unwrap();
        assert!(problem["message"].as_str().unwrap().contains(says), "{problem}");
    }
    assert_eq!(server.app.log.fold(begun.parse().unwrap()).await.unwrap().last_seq(), 0, "nothing of it was kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_one_after_the_other() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl").await;
    let id = conversation.to_string();
    for question in ["veterans", "broadband", "land"] {
        server.app.send_message(conversation, question.into()).await.unwrap();
    }
    // Some of them may go into a run that is going on.
    let mut stream = Stream::of(server.events(conversation, "")).await;
    let mut events = Vec::new();
    let is_answered = |event: &Value| {
        let text = event["data"]["content"].as_str().unwrap_or_default();
        event["type"] == "message" && event["data"]["role"] == "assistant" && text.contains("“land”")
    };
    while !events.iter().any(|(_, event)| is_answered(event)) {
        let next = tokio::time::timeout(Duration::from_secs(20), stream.next()).await;
        events.push(next.expect("the last question has no answer").expect("the stream ended early"));
    }
    let mut open = 0;
    for (_, event) in events.iter().filter(|(_, event)| event["type"] == "agent.status") {
        open += if event["data"]["status"] == "running" { 1 } else { -1 };
        assert!((0..=1).contains(&open), "two runs at once in {id}");
    }
    let queries = events.iter().filter(|(_, event)| event["type"] == "tool_result");
    let queries: Vec<&str> = queries.map(|(_, event)| event["data"]["result"]["query"].as_str().unwrap()).collect();
    assert_eq!(queries, ["fentanyl", "veterans", "broadband", "land"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_although_whoever_asked_has_gone() {
    use tokio::io::AsyncWriteExt;
    let server = Server::start().await;
    let address = server.url.strip_prefix("http://").unwrap();
    for _ in 0..20 {
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = "POST /api/new_conversation HTTP/1.1\r\nhost: x\r\ncontent-length: 13\r\n\
                       content-type: application/x-www-form-urlencoded\r\n\r\ntext=fentanyl";
        socket.write_all(request.as_bytes()).await.unwrap();
        drop(socket);
    }
    // One more, who waits: by then all the others have been taken or were never read.
    let last = server.ask("veterans").await;
    server.finished(last, 1).await;
    let list: Value = server.get("/api/list_conversations").send().await.unwrap().json().await.unwrap();
    for each in list["conversations"].as_array().unwrap() {
        server.finished(each["id"].as_str().unwrap().parse().unwrap(), 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_gets_its_title_from_its_first_question() {
    let server = Server::start().await;
    let conversation = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let title = async || server.app.snapshot(&conversation.to_string()).await.unwrap().title;
    assert_eq!(title().await, "New chat");
    server.app.send_message(conversation, "rural broadband\nplease".into()).await.unwrap();
    server.app.send_message(conversation, "veterans".into()).await.unwrap();
    assert_eq!(title().await, "rural broadband");
}

#[tokio::test]
async fn what_is_no_form_is_refused_before_it_is_taken_for_an_empty_one() {
    let server = Server::start().await;
    let post = |kind: &'static str, body: String| {
        let request = server.client.post(format!("{}/api/new_conversation", server.url));
        request.header(header::CONTENT_TYPE, kind).body(body).send()
    };
    let json = post("application/json", r#"{"text":"a"}"#.into()).await.unwrap();
    assert_eq!(json.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(json.text().await.unwrap().contains("as a form"));
    let large = post("application/x-www-form-urlencoded", "x".repeat(2_000_000)).await.unwrap();
    assert_eq!(large.status(), StatusCode::PAYLOAD_TOO_LARGE);

    let got = server.get("/api/send_message").send().await.unwrap();
    assert_eq!(
        (got.status(), &got.headers()[header::ALLOW]),
        (StatusCode::METHOD_NOT_ALLOWED, &"POST".parse().unwrap())
    );
    assert!(got.text().await.unwrap().contains("The Allow header"));
    assert!(server.app.list(None).await.unwrap().conversations.is_empty());
}

#[tokio::test]
async fn what_is_not_running_cannot_be_stopped() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl").await;
    let id = conversation.to_string();
    server.finished(conversation, 1).await;
    for (path, fields) in [
        ("/api/cancel_run", vec![("conversation_id", &*id)]),
        ("/api/cancel_call", vec![("conversation_id", &*id), ("call_id", "call_1")]),
    ] {
        let refused = server.post(path, &fields).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        assert!(refused.text().await.unwrap().contains("any more"));
    }
}
