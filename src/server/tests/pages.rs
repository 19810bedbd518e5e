//! What is rendered, and under which rules.

use super::*;

fn nonce_of(policy: &str) -> &str {
    policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_can_be_read_as_it_is_sent() {
    let server = Server::start().await;
    let conversation = server.ask("fentanyl <script>zebra(1)</script>").await;
    server.finished(conversation, 1).await;
    let page = server.get(&format!("/c/{conversation}")).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let html = page.text().await.unwrap();
    for part in [
        "<details",
        "data-status=\"completed\"",
        "Search bills",
        "HALT Fentanyl Act",
        "Refining search",
        "action=\"/api/send_message\"",
    ] {
        assert!(html.contains(part), "no {part} in the page");
    }
    assert!(!html.contains("<script>zebra"), "what a person wrote became markup");
    assert!(html.contains("&lt;script&gt;zebra(1)&lt;/script&gt;"));
}

#[tokio::test]
async fn pages_run_only_our_own_script() {
    let server = Server::start().await;
    let mut nonces = Vec::new();
    for _ in 0..3 {
        let page = server.get("/").send().await.unwrap();
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        for rule in ["default-src 'none'", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(rule), "no {rule} in {policy}");
        }
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let nonce = nonce_of(&policy).to_owned();
        let html = page.text().await.unwrap();
        assert_eq!(html.matches("<script").count(), html.matches(&format!("nonce=\"{nonce}\"")).count());
        assert!(!html.contains(" style=\""), "an inline style would be refused by the policy");
        nonces.push(nonce);
    }
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(nonces.len(), 3, "every page has a nonce of its own");
}

#[tokio::test]
async fn what_is_not_there_says_so() {
    let server = Server::start().await;
    for path in [format!("/c/{}", ConversationId::mint()), "/nowhere".into(), "/c/nonsense".into()] {
        let page = server.get(&path).send().await.unwrap();
        assert_eq!(page.status(), StatusCode::NOT_FOUND, "{path}");
        let html = page.text().await.unwrap();
        assert!(html.contains("Not found") && html.contains("New chat"), "{path}");
    }
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let server = Server::start().await;
    for path in ["/", "/api/list_conversations", "/api/nothing", "/pkg/nothing.js", "/favicon.ico"] {
        let answer = server.get(path).send().await.unwrap();
        for name in ["content-security-policy", "x-content-type-options", "referrer-policy"] {
            assert!(answer.headers().contains_key(name), "{path} has no {name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_do_not_leak_into_each_other() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("picture.svg"), "<svg/>").unwrap();
    let server = std::sync::Arc::new(Server::start_in(folder).await);
    let conversation = server.ask("fentanyl").await;
    server.finished(conversation, 1).await;
    let page = format!("/c/{conversation}");
    for _ in 0..40 {
        let requests = [&*page, "/picture.svg", "/api/list_conversations", "/", "/picture.svg", &*page, "/picture.svg"];
        let asked = requests.map(|path| {
            let (server, path) = (std::sync::Arc::clone(&server), path.to_owned());
            tokio::spawn(async move {
                let answer = server.get(&path).send().await.unwrap();
                let policy = answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
                (path, policy, answer.text().await.unwrap())
            })
        });
        for answer in asked {
            let (path, policy, body) = answer.await.unwrap();
            if body.starts_with("<!DOCTYPE") {
                let nonce = nonce_of(&policy);
                assert!(body.contains(&format!("nonce=\"{nonce}\"")), "{path} came under another page's policy");
            } else {
                assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'", "{path} took a page's headers");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_the_same_every_time() {
    let server = Server::start().await;
    let id = server.ask("H.R. 4405").await;
    server.finished(id, 1).await;
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let page = server.get(&format!("/c/{id}")).send().await.unwrap();
        let nonce = nonce_of(page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap()).to_owned();
        let html = page.text().await.unwrap().replace(&nonce, "");
        // Only what time it is may differ.
        let (page, handed) = html.split_once("id=\"handed\"").unwrap();
        let (_, now) = handed.split_once("\"now\":").unwrap();
        seen.insert((page.to_owned(), handed.len() - now.len()));
    }
    assert_eq!(seen.len(), 1, "a browser would find something else than it makes itself");
}
