//! The server as the world sees it: a real one on a real socket with a real database.

use std::{net::SocketAddr, path::Path, time::Duration};

use reqwest::{Client, RequestBuilder, Response, StatusCode, header};
use serde_json::Value;
use tokio::net::TcpListener;

use super::{App, config::Config, router::router};
use crate::model::{ConversationId, Seq};

/// The embedded agent's answers.
mod answers;
/// What a question carries beside its text.
mod carried;
/// Results that wait for a person.
mod confirming;
/// Server functions, called as curl and browsers do.
mod functions;
/// The list of conversations.
mod list;
/// Attached files.
mod media;
/// A model that answers what it is told to.
mod mock;
/// Models that are not ours: recorded answers, errors, silence.
mod models;
/// What is rendered, and under which rules.
mod pages;
/// A person in the loop.
mod people;
/// Providers as they really are.
mod providers;
/// Long conversations.
mod reading;
/// A server that was killed, and starts again.
mod recovery;
/// A person who changes the course of things.
mod steering;
/// The event stream, from anywhere to the end.
mod stream;

/// A running server. It ends with the test.
struct Server {
    app: App,
    url: String,
    client: Client,
    folder: tempfile::TempDir,
}

impl Server {
    async fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap()).await
    }

    async fn start_in(folder: tempfile::TempDir) -> Self {
        Self::start_with(folder, |_| ()).await
    }

    async fn start_with(folder: tempfile::TempDir, change: impl FnOnce(&mut App)) -> Self {
        let mut app = App::open(&config(folder.path())).await.unwrap();
        change(&mut app);
        Self::serve(folder, app).await
    }

    async fn start_configured(folder: tempfile::TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = config(folder.path());
        change(&mut config);
        let app = App::open(&config).await.unwrap();
        Self::serve(folder, app).await
    }

    async fn serve(folder: tempfile::TempDir, app: App) -> Self {
        let router = router(app.clone(), folder.path()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { app, url: format!("http://{address}"), client, folder }
    }

    /// As if it had been killed: what it has written is there, and it writes no more.
    async fn stop_at_once(self) -> tempfile::TempDir {
        self.app.log.close().await;
        let copy = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(self.folder.path()).unwrap() {
            let file = file.unwrap().path();
            std::fs::copy(&file, copy.path().join(file.file_name().unwrap())).unwrap();
        }
        copy
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.url))
    }

    fn post(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.url)).form(fields)
    }

    /// Asks in a new conversation.
    async fn ask(&self, text: &str) -> ConversationId {
        let response = self.post("/api/new_conversation", &[("text", text)]).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let json: Value = response.json().await.unwrap();
        json["conversation_id"].as_str().unwrap().parse().unwrap()
    }

    fn events(&self, conversation: ConversationId, query: &str) -> RequestBuilder {
        self.get(&format!("/api/conversations/{conversation}/events{query}"))
    }

    /// All events of a conversation, once its runs have ended.
    async fn finished(&self, conversation: ConversationId, runs: usize) -> Vec<(Seq, Value)> {
        let mut stream = Stream::of(self.events(conversation, "")).await;
        let mut events = Vec::new();
        let is_end = |event: &Value| event["type"] == "agent.status" && event["data"]["status"] != "running";
        while events.iter().filter(|(_, event)| is_end(event)).count() < runs {
            // What never comes must fail, not hang.
            let next = tokio::time::timeout(Duration::from_secs(20), stream.next()).await;
            events.push(next.expect("a run did not end").expect("the stream ended early"));
        }
        events
    }
}

fn config(data: &Path) -> Config {
    let addr = SocketAddr::from(([127, 0, 0, 1], 0));
    Config {
        addr,
        data: data.to_owned(),
        site: None,
        pace_ms: 0,
        config: None,
        prompts: None,
        log: "off".into(),
        command: None,
    }
}

/// A reader of the event stream, as simple as can be.
struct Stream {
    response: Response,
    /// Bytes, because a chunk may end in the middle of a letter.
    buffer: Vec<u8>,
}

impl Stream {
    async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Self { response, buffer: Vec::new() }
    }

    /// The next frame as it is, without keep-alives.
    async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|two| two == b"\n\n") {
                let frame = String::from_utf8(self.buffer.drain(..end + 2).collect()).unwrap();
                if !frame.starts_with(':') {
                    return Some(frame.trim_end().to_owned());
                }
            } else {
                self.buffer.extend(self.response.chunk().await.unwrap()?);
            }
        }
    }

    async fn next(&mut self) -> Option<(Seq, Value)> {
        let frame = self.frame().await?;
        let (id, data) = frame.split_once('\n').unwrap();
        let seq = id.strip_prefix("id: ").unwrap_or_else(|| panic!("no id in {frame}")).parse().unwrap();
        Some((seq, serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap()))
    }
}
