//! The list of conversations: what is in it, how it is searched, and how something leaves it and comes back.

use super::*;

async fn list(server: &Server, query: &str) -> Vec<Value> {
    let query: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let list = server.get(&format!("/api/list_conversations?query={query}")).send().await.unwrap();
    list.json::<Value>().await.unwrap()["conversations"].as_array().unwrap().clone()
}

fn titles(list: &[Value]) -> Vec<&str> {
    list.iter().map(|each| each["title"].as_str().unwrap()).collect()
}

async fn change(server: &Server, path: &str, id: ConversationId, more: &[(&str, &str)]) -> Response {
    let id = id.to_string();
    let fields = [&[("conversation_id", id.as_str())], more].concat();
    server.post(path, &fields).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_is_found_wherever_it_was() {
    let server = Server::start().await;
    for question in ["Which bills are about veterans?", "100% _odd_ \"title\" AND OR NOT", "EO 14110"] {
        let id = server.ask(question).await;
        server.finished(id, 1).await;
    }
    assert_eq!(list(&server, "").await.len(), 3);
    assert_eq!(titles(&list(&server, "veter").await), ["Which bills are about veterans?"], "a beginning of a word");
    let found = list(&server, "trustworthy").await;
    assert_eq!(titles(&found), ["EO 14110"], "what the agent said");
    assert!(found[0]["excerpt"].as_str().unwrap().contains("\u{1}Trustworthy\u{2}"), "{found:?}");
    assert_eq!(titles(&list(&server, "100% _odd_").await), ["100% _odd_ \"title\" AND OR NOT"]);
    for odd in ["\"", "* AND (", "NEAR(x", "zebra unicorn", "%", "_", "\\", "''"] {
        let path = format!(
            "/api/list_conversations?query={}",
            form_urlencoded::byte_serialize(odd.as_bytes()).collect::<String>()
        );
        assert_eq!(server.get(&path).send().await.unwrap().status(), StatusCode::OK, "{odd}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_renamed_deleted_and_brought_back() {
    let server = Server::start().await;
    let id = server.ask("hello").await;
    server.finished(id, 1).await;
    assert_eq!(change(&server, "/api/rename_conversation", id, &[("title", " A \n greeting ")]).await.status(), 200);
    assert_eq!(titles(&list(&server, "greet").await), ["A greeting"]);
    let refused = change(&server, "/api/rename_conversation", id, &[("title", " ")]).await;
    assert!(refused.text().await.unwrap().contains("A title has 1 to 120 characters"));
    let page = server.get(&format!("/c/{id}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("<title>A greeting"), "{page}");

    let deleted = change(&server, "/api/delete_conversation", id, &[]).await;
    assert_eq!(deleted.status(), 200);
    assert!(list(&server, "").await.is_empty() && list(&server, "hello").await.is_empty());
    for path in [format!("/c/{id}"), format!("/api/conversations/{id}/events")] {
        assert_eq!(server.get(&path).send().await.unwrap().status(), StatusCode::NOT_FOUND, "{path}");
    }
    let start = server.get(&format!("/?deleted={id}")).send().await.unwrap().text().await.unwrap();
    assert!(start.contains("The conversation is deleted.") && start.contains("Undo"));
    assert_eq!(change(&server, "/api/delete_conversation", id, &[]).await.status(), 404, "once");
    assert_eq!(change(&server, "/api/restore_conversation", id, &[]).await.status(), 200);
    assert_eq!(titles(&list(&server, "").await), ["A greeting"]);
    assert_eq!(change(&server, "/api/restore_conversation", id, &[]).await.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_tells_what_goes_on() {
    let server = Server::start().await;
    let failed = server.ask("H.R. 99999").await;
    server.finished(failed, 1).await;
    let id = server.ask(r#"faults [{"slow_ms": 50000}]"#).await;
    let mut stream = Stream::of(server.events(id, "")).await;
    while stream.next().await.unwrap().1["data"]["status"] != "starting" {}
    assert_eq!(list(&server, "").await[0]["mark"], "running");
    assert_eq!(change(&server, "/api/delete_conversation", id, &[]).await.status(), 200);
    assert_eq!(change(&server, "/api/restore_conversation", id, &[]).await.status(), 200);
    server.finished(id, 1).await;
    assert_eq!(list(&server, "").await[0]["mark"], "none", "what was deleted was stopped");
}
