//! Asking over HTTP: send, wait, listen; again where that may help. A key goes out in a header and comes back nowhere.

use std::time::{Duration, Instant};

use reqwest::{Client, RequestBuilder, Response, header};
use serde_json::Value;
use tokio::{sync::mpsc::Sender, time::timeout};

use super::{
    Ending, Failure, Finish, Heard, Piece, Protocol, Remote, Request, Said, ToolMode,
    anthropic::{self, AnthropicDecoder},
    http_error::{HttpProblem, explain},
    marker::{self, MarkerParser},
    openai_chat::{self, ChatDecoder},
    openai_responses::{self, ResponsesDecoder},
    piece::Decoder,
    request::with_files_in_text,
    settings::Secret,
    sse::Parser,
};
use crate::model::summary::duration;

/// How many times longer than silence mere signs of life may go on.
const PINGS: u32 = 5;

/// How often it is asked again.
const RETRIES: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// What is read of an answer that is an error.
const LARGEST_ERROR: usize = 64 * 1024;

pub fn client() -> Client {
    // The provider can be set once; a second server in the same process finds it set.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(Duration::from_secs(10))
        // Keys go where they were meant to go, and nowhere else.
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
        .build()
        .unwrap_or_default()
}

/// Why there was no answer.
struct Trouble {
    message: String,
    code: String,
    may_retry: bool,
    retry_after: Option<Duration>,
    /// Something was left out that was refused, so it is worth another attempt at once.
    is_mended: bool,
}

/// Nobody listens any more.
struct Gone;

pub async fn ask(client: Client, remote: Remote, tools: ToolMode, request: Request, tell: Sender<Heard>) {
    let request = prepared(&remote, tools, request);
    let mut failures = 0;
    loop {
        let trouble = match listen(&client, &remote, tools, &request, &tell).await {
            Ok(Ok(ending)) => {
                let _ = tell.send(Heard::End(ending)).await;
                return;
            }
            Ok(Err(trouble)) => trouble,
            Err(Gone) => return,
        };
        if trouble.is_mended {
            continue;
        }
        let too_long = trouble.retry_after.filter(|wait| *wait > LONGEST_PAUSE);
        if !trouble.may_retry || failures == RETRIES || too_long.is_some() {
            let message = match too_long.filter(|_| trouble.may_retry) {
                Some(wait) => format!("{} It asks to wait for {}.", trouble.message, duration(millis(wait))),
                None => trouble.message,
            };
            let failure = Failure { code: trouble.code, message };
            let _ = tell.send(Heard::End(Ending { finish: Finish::Failed(failure), said: None })).await;
            return;
        }
        failures += 1;
        let pause = trouble.retry_after.unwrap_or_else(|| backoff(failures));
        if tell.send(Heard::Again { why: trouble.message, pause }).await.is_err() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = tell.closed() => return,
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Longer each time, and never the same for two who failed together.
fn backoff(failures: u32) -> Duration {
    let longest = FIRST_PAUSE * (1 << failures.min(10));
    let chance = std::time::UNIX_EPOCH.elapsed().map_or(0.5, |since| f64::from(since.subsec_nanos() % 1000) / 1000.0);
    longest.mul_f64(0.5 + 0.5 * chance)
}

/// The request as this model takes it.
fn prepared(remote: &Remote, tools: ToolMode, request: Request) -> Request {
    let request = Request {
        model: remote.model.clone(),
        max_tokens: remote.max_tokens,
        temperature: remote.temperature,
        ..with_files_in_text(request)
    };
    match tools {
        // Calls of before, where there is nothing to call any more, are told in words.
        ToolMode::Off => marker::retold(Request { tools: Vec::new(), ..request }),
        ToolMode::Native if request.tools.is_empty() => marker::retold(request),
        ToolMode::Native if remote.protocol == Protocol::OpenaiChat => with_short_ids(request),
        ToolMode::Native => request,
        ToolMode::Marker => marker::rewritten(request),
    }
}

/// Some take ids of nine letters and digits and no others; everybody takes those.
fn with_short_ids(mut request: Request) -> Request {
    for said in &mut request.messages {
        match said {
            Said::Assistant { calls, .. } => calls.iter_mut().for_each(|call| call.id = short_id(&call.id)),
            Said::Result { call_id, .. } => *call_id = short_id(call_id),
            Said::User { .. } => {}
        }
    }
    request
}

fn short_id(id: &str) -> String {
    const LETTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut left = crate::server::corpus::store::fingerprint(id.as_bytes());
    (0..9)
        .map(|_| {
            let letter = LETTERS[(left % 36) as usize];
            left /= 36;
            char::from(letter)
        })
        .collect()
}

/// What is sent, and where below the base.
fn body_of(remote: &Remote, request: &Request) -> (&'static str, Value) {
    let (path, body) = match remote.protocol {
        Protocol::OpenaiChat => ("chat/completions", openai_chat::body(request, remote.host == "api.openai.com")),
        Protocol::Anthropic => ("messages", anthropic::body(request)),
        Protocol::OpenaiResponses => ("responses", openai_responses::body(request)),
    };
    (path, remote.lean.apply(body))
}

fn posted(client: &Client, remote: &Remote, request: &Request) -> RequestBuilder {
    let Remote { protocol, base_url, key, headers, .. } = remote;
    let (path, body) = body_of(remote, request);
    let mut post = client.post(format!("{base_url}/{path}")).header(header::ACCEPT, "text/event-stream").json(&body);
    if *protocol == Protocol::Anthropic {
        post = post.header("anthropic-version", "2023-06-01");
    }
    post = match (protocol, key) {
        (_, None) => post,
        (Protocol::Anthropic, Some(key)) => post.header("x-api-key", key.expose()),
        (Protocol::OpenaiChat | Protocol::OpenaiResponses, Some(key)) => post.bearer_auth(key.expose()),
    };
    headers.iter().fold(post, |post, (name, value)| post.header(name, value.expose()))
}

/// One answer, from the request to its end. Once something has been heard it is not asked again: nobody takes words back.
async fn listen(
    client: &Client,
    remote: &Remote,
    tools: ToolMode,
    request: &Request,
    tell: &Sender<Heard>,
) -> Result<Result<Ending, Trouble>, Gone> {
    let post = posted(client, remote, request).send();
    let sent = tokio::select! {
        sent = timeout(remote.silence, post) => sent,
        () = tell.closed() => return Err(Gone),
    };
    let mut response = match sent {
        Ok(Ok(response)) if response.status().is_success() => response,
        Ok(Ok(response)) => return Ok(Err(refused(response, remote, request).await)),
        Ok(Err(error)) => return Ok(Err(unreachable(remote, &error))),
        Err(_) => return Ok(Err(silent(remote))),
    };
    let mut ear = Ear::new(remote.protocol, tools);
    let (mut has_spoken, mut last) = (false, Instant::now());
    loop {
        // Who only says that it is there gets more patience, and not without end.
        let patience = remote.silence.min((remote.silence * PINGS).saturating_sub(last.elapsed()));
        let chunk = tokio::select! {
            chunk = timeout(patience, response.chunk()) => chunk,
            () = tell.closed() => return Err(Gone),
        };
        let (pieces, is_over) = match chunk {
            Ok(Ok(Some(bytes))) => {
                let pieces = ear.hear(&bytes);
                (pieces, ear.decoder.is_over())
            }
            Ok(Ok(None)) => (Vec::new(), true),
            // It ends as what it was cut off in the middle of.
            Ok(Err(_)) if has_spoken => (Vec::new(), true),
            Ok(Err(error)) => return Ok(Err(unreachable(remote, &error))),
            Err(_) if has_spoken => {
                say(tell, ear.end().0).await?;
                let Trouble { message, code, .. } = silent(remote);
                return Ok(Ok(Ending { finish: Finish::Failed(Failure { code, message }), said: None }));
            }
            Err(_) => return Ok(Err(silent(remote))),
        };
        has_spoken |= pieces.iter().any(is_speech);
        if !pieces.is_empty() {
            last = Instant::now();
        }
        say(tell, pieces).await?;
        if is_over {
            let (pieces, ending) = ear.end();
            if !has_spoken && !pieces.iter().any(is_speech) {
                match &ending.finish {
                    Finish::Cut => {
                        let message = format!("{} closed the connection without an answer.", remote.host);
                        return Ok(Err(Trouble::passing(message, "cut")));
                    }
                    Finish::Failed(failure) if may_pass(&failure.code) => {
                        let message = format!("{} is too busy to answer: “{}”.", remote.host, failure.message);
                        return Ok(Err(Trouble::passing(remote.redacted(&message), &failure.code)));
                    }
                    _ => {}
                }
            }
            say(tell, pieces).await?;
            return Ok(Ok(explained(remote, ending)));
        }
    }
}

/// What people would call an answer, or its beginning.
const fn is_speech(piece: &Piece) -> bool {
    matches!(piece, Piece::Text(_) | Piece::Reasoning(_) | Piece::Call { .. })
}

/// Failures that a stream tells of and that pass by themselves.
fn may_pass(code: &str) -> bool {
    const PASSING: [&str; 9] = [
        "429",
        "500",
        "502",
        "503",
        "529",
        "overloaded_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "server_error",
    ];
    PASSING.contains(&code)
}

impl Trouble {
    fn passing(message: String, code: &str) -> Self {
        Self { message, code: code.to_owned(), may_retry: true, retry_after: None, is_mended: false }
    }
}

impl Remote {
    /// Somebody else's words without our secrets, should they quote them.
    fn redacted(&self, text: &str) -> String {
        const SHORTEST: usize = 4;
        let secrets = self.key.iter().chain(self.headers.values()).map(Secret::expose);
        secrets
            .filter(|secret| secret.len() >= SHORTEST)
            .fold(text.to_owned(), |text, secret| text.replace(secret, "[…]"))
    }
}

/// What the other side said about its failure in the middle of an answer is its own words, not a sentence of ours.
fn explained(remote: &Remote, ending: Ending) -> Ending {
    let Finish::Failed(Failure { code, message }) = ending.finish else { return ending };
    let message = format!("{} broke off with an error: “{message}”. What there is is kept; ask again.", remote.host);
    let message = remote.redacted(&message);
    Ending { finish: Finish::Failed(Failure { code, message }), ..ending }
}

async fn say(tell: &Sender<Heard>, pieces: Vec<Piece>) -> Result<(), Gone> {
    for piece in pieces {
        tell.send(Heard::Piece(piece)).await.map_err(|_| Gone)?;
    }
    Ok(())
}

async fn refused(mut response: Response, remote: &Remote, request: &Request) -> Trouble {
    let status = response.status().as_u16();
    let headers: Vec<(String, String)> = response
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = timeout(Duration::from_secs(10), response.chunk()).await {
        body.extend(chunk);
        if body.len() > LARGEST_ERROR {
            break;
        }
    }
    let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
    let body = remote.redacted(&String::from_utf8_lossy(&body));
    let HttpProblem { message, may_retry, retry_after, .. } = explain(status, &headers, &body, now);
    let is_mended = remote.lean.learn(status, &body, &body_of(remote, request).1);
    Trouble { message, code: status.to_string(), may_retry, retry_after, is_mended }
}

/// What reqwest says may hold the address, and an address may hold a key; so only its kind is told.
fn unreachable(remote: &Remote, error: &reqwest::Error) -> Trouble {
    let why = if error.is_connect() {
        "it does not answer"
    } else if error.is_timeout() {
        "it took too long"
    } else {
        "the connection broke"
    };
    let message =
        format!("{} cannot be reached: {why}. Check that the model's server is running and its address.", remote.host);
    Trouble::passing(message, "transport")
}

fn silent(remote: &Remote) -> Trouble {
    let seconds = remote.silence.as_secs();
    let message = format!("{} has said nothing for {seconds} seconds. Ask again, or another model.", remote.host);
    Trouble { may_retry: false, ..Trouble::passing(message, "timeout") }
}

/// From bytes to pieces.
struct Ear {
    parser: Parser,
    decoder: Box<dyn Decoder>,
    marker: Option<MarkerParser>,
    /// Whether the text had calls in it.
    has_calls: bool,
}

impl Ear {
    fn new(protocol: Protocol, tools: ToolMode) -> Self {
        let decoder: Box<dyn Decoder> = match protocol {
            Protocol::OpenaiChat => Box::new(ChatDecoder::default()),
            Protocol::Anthropic => Box::new(AnthropicDecoder::default()),
            Protocol::OpenaiResponses => Box::new(ResponsesDecoder::default()),
        };
        Self {
            parser: Parser::default(),
            decoder,
            marker: (tools == ToolMode::Marker).then(MarkerParser::default),
            has_calls: false,
        }
    }

    fn hear(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let events = self.parser.push(bytes);
        let pieces = events.iter().flat_map(|event| self.decoder.push(event)).collect();
        self.marked(pieces)
    }

    fn end(&mut self) -> (Vec<Piece>, Ending) {
        let events = self.parser.end();
        let mut pieces: Vec<Piece> = events.iter().flat_map(|event| self.decoder.push(event)).collect();
        let (rest, mut ending) = self.decoder.end();
        pieces.extend(rest);
        let mut pieces = self.marked(pieces);
        if let Some(marker) = &mut self.marker {
            pieces.extend(marker.end());
            self.has_calls |= pieces.iter().any(|piece| matches!(piece, Piece::Call { .. }));
            if self.has_calls && ending.finish == Finish::Stop {
                ending.finish = Finish::Calls;
            }
        }
        (pieces, ending)
    }

    /// In marker mode calls are found in the text.
    fn marked(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        let Some(marker) = &mut self.marker else { return pieces };
        let mut found = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => found.extend(marker.push(&text)),
                Piece::Reasoning(_) | Piece::Usage { .. } | Piece::Keep(_) => found.push(piece),
                // It was not given any tools, so there is nothing to call.
                Piece::Call { .. } | Piece::Arguments { .. } | Piece::Ready { .. } | Piece::Broken { .. } => {}
            }
        }
        self.has_calls |= found.iter().any(|piece| matches!(piece, Piece::Call { .. }));
        found
    }
}
