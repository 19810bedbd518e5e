//! A model that is not ours, played by a server that answers what it is told to.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex},
};

use futures::StreamExt;

use axum::{Router, body::Body, extract::State, http::Request, response::Response as Answer, routing::post};

use super::*;
use crate::model::{Conversation, Entry, Message, Role};

pub const KEY: &str = "sk-test-0123456789abcdef";

/// A status, headers, and a body.
type Played = (u16, Vec<(String, String)>, Vec<u8>);

/// Answers in the order in which they are asked for, and what was asked.
#[derive(Clone, Default)]
pub struct Mock {
    pub answers: Arc<Mutex<VecDeque<Played>>>,
    pub asked: Arc<Mutex<Vec<Value>>>,
}

impl Mock {
    pub fn plays(&self, body: impl Into<Vec<u8>>) -> &Self {
        self.answers(200, &[], body)
    }

    pub fn answers(&self, status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> &Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.answers.lock().unwrap().push_back((status, headers, body.into()));
        self
    }

    /// A server of it, and a Vitrine that asks it.
    pub async fn start(&self, protocol: &str, more: &str) -> Server {
        self.serve(protocol, &format!("titles = false\n{more}")).await
    }

    /// The same, and it is asked for titles.
    pub async fn start_titled(&self, protocol: &str) -> Server {
        self.serve(protocol, "").await
    }

    /// The same, with a second model on the same server.
    pub async fn start_with_second(&self, protocol: &str, second: &str) -> Server {
        self.serve(protocol, &format!("titles = false\n{second}'http://ADDRESS/v1'\n")).await
    }

    async fn serve(&self, protocol: &str, more: &str) -> Server {
        let router = Router::new().route("/v1/{*path}", post(answer)).with_state(self.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vitrine.toml");
        let settings = format!(
            "[[models]]\nname = 'mock'\nprotocol = '{protocol}'\nbase_url = 'http://{address}/v1'\nkey = '{KEY}'\n{more}"
        );
        std::fs::write(&file, settings.replace("ADDRESS", &address.to_string())).unwrap();
        Server::start_configured(folder, |config| config.config = Some(file)).await
    }
}

async fn answer(State(mock): State<Mock>, request: Request<Body>) -> Answer {
    let is_known = request.headers().values().any(|value| value.to_str().is_ok_and(|value| value.contains(KEY)));
    assert!(is_known, "the key is sent");
    let body = axum::body::to_bytes(request.into_body(), 10_000_000).await.unwrap();
    mock.asked.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
    let next = mock.answers.lock().unwrap().pop_front();
    let (status, headers, body) = next.unwrap_or_else(|| (500, Vec::new(), b"nothing more to play".to_vec()));
    let stays_open = headers.iter().any(|(name, _)| name == "x-stays-open");
    let answer =
        headers.into_iter().fold(Answer::builder().status(status), |answer, (name, value)| answer.header(name, value));
    let body = match stays_open {
        true => Body::from_stream(
            futures::stream::once(async { Ok::<_, Infallible>(body) }).chain(futures::stream::pending()),
        ),
        false => Body::from(body),
    };
    answer.body(body).unwrap()
}

/// The end of an answer, in each protocol.
pub fn words(protocol: &str, text: &str) -> String {
    match protocol {
        "openai_chat" => format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":{text:?}}},\"finish_reason\":null}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}],\"usage\":{{\"prompt_tokens\":20,\"completion_tokens\":5}}}}\n\n\
             data: [DONE]\n\n"
        ),
        "anthropic" => format!(
            "event: message_start\ndata: {{\"type\":\"message_start\",\"message\":{{\"id\":\"m\",\"usage\":{{\"input_tokens\":20,\"output_tokens\":1}}}}}}\n\n\
             event: content_block_start\ndata: {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{{\"type\":\"text\",\"text\":\"\"}}}}\n\n\
             event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":{text:?}}}}}\n\n\
             event: content_block_stop\ndata: {{\"type\":\"content_block_stop\",\"index\":0}}\n\n\
             event: message_delta\ndata: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"end_turn\"}},\"usage\":{{\"output_tokens\":5}}}}\n\n\
             event: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n"
        ),
        _ => format!(
            "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\"item_id\":\"i\",\"output_index\":0,\"delta\":{text:?}}}\n\n\
             event: response.completed\ndata: {{\"type\":\"response.completed\",\"response\":{{\"status\":\"completed\",\"output\":[],\"usage\":{{\"input_tokens\":20,\"output_tokens\":5}}}}}}\n\n"
        ),
    }
}

/// A call of one tool, as chat completions stream it.
pub fn chat_call(name: &str, args: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"c1\",\"function\":{{\"name\":{name:?},\"arguments\":\"\"}}}}]}}}}]}}\n\n\
         data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"arguments\":{args:?}}}}}]}}}}]}}\n\n\
         data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"tool_calls\"}}]}}\n\ndata: [DONE]\n\n"
    )
}

pub async fn folded(server: &Server, question: &str) -> Conversation {
    let conversation = server.ask(question).await;
    server.finished(conversation, 1).await;
    server.app.log.fold(conversation).await.unwrap()
}

/// What the model said.
pub fn messages(folded: &Conversation) -> impl Iterator<Item = &Message> {
    let entries = folded.turns()[0].entries.iter();
    let messages = entries.filter_map(|entry| match entry {
        Entry::Message(id) => folded.message(id),
        Entry::Call(_) => None,
    });
    messages.filter(|message| message.role == Role::Assistant)
}

pub fn run(folded: &Conversation) -> &crate::model::Run {
    folded.run(folded.turns()[0].run.as_ref().unwrap()).unwrap()
}
