//! Long conversations: a page begins with the end of one, and all of it can be reached from there.

use super::*;
use crate::model::{Conversation, Joined, Stretch};

async fn long(server: &Server, cards: usize) -> String {
    let path = format!("/bench/history?cards={cards}");
    let made = server.client.post(format!("{}{path}", server.url)).send().await.unwrap();
    made.text().await.unwrap().strip_prefix("/c/").unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_conversation_is_read_from_its_end() {
    let server = Server::start().await;
    let id = long(&server, 205).await;
    let whole = server.app.log.fold(id.parse().unwrap()).await.unwrap();
    assert_eq!((whole.calls().count(), whole.turn_count()), (205, 21));
    assert!(whole.calls().all(|call| call.timeline.len() == 7 && call.status.is_ended()), "{:?}", whole.calls().next());

    let answer = server.get(&format!("/api/load_conversation?conversation_id={id}")).send().await.unwrap();
    let mut page: Conversation =
        serde_json::from_value(answer.json::<Value>().await.unwrap()["conversation"].take()).unwrap();
    assert!(page.first_turn() > 14 && page.turn_count() == 21 && page.calls().count() < 60);
    while page.first_turn() > 0 {
        let path = format!("/api/load_before?conversation_id={id}&turn={}", page.first_turn());
        let stretch: Stretch = server.get(&path).send().await.unwrap().json().await.unwrap();
        assert_eq!(page.prepend(stretch), Joined::Done);
    }
    assert_eq!(page.turns(), whole.turns());
    assert!(page.calls().eq(whole.calls()));

    let first = whole.calls().next().unwrap();
    let find = async |call: &str| {
        let path = format!("/api/find_call?conversation_id={id}&call_id={call}");
        let answer = server.get(&path).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    let turn = whole.turn_of_call(&first.id).unwrap();
    assert_eq!(find(first.id.as_str()).await, (StatusCode::OK, turn.to_string()));
    assert_eq!(find("call_nowhere").await, (StatusCode::OK, "null".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_can_be_read_page_by_page() {
    let server = Server::start().await;
    let id = long(&server, 205).await;
    let (mut address, mut questions) = (format!("/c/{id}"), Vec::new());
    loop {
        let html = server.get(&address).send().await.unwrap().text().await.unwrap();
        let here: Vec<usize> =
            html.split("<p>Question ").skip(1).filter_map(|rest| rest.split('<').next()?.parse().ok()).collect();
        assert!(!here.is_empty(), "{address}");
        questions.splice(0..0, here);
        let link = html.split("href=\"").find(|rest| rest.starts_with(&format!("/c/{id}/before/")));
        let Some(link) = link.and_then(|link| link.split('"').next()) else { break };
        address = link.to_owned();
    }
    assert_eq!(questions, (1..=21).collect::<Vec<_>>());
    for nowhere in ["0", "x", "-1"] {
        let page = server.get(&format!("/c/{id}/before/{nowhere}")).send().await.unwrap();
        assert_eq!(page.status(), StatusCode::NOT_FOUND, "{nowhere}");
    }
}
