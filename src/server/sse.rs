//! `GET /api/conversations/{id}/events`: the log as a `text/event-stream`, from wherever the reader left off.

use std::convert::Infallible;

use axum::{
    body::Body,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;

use super::{
    App, Error,
    calls::{Here, Page},
    conversation_id,
    log::{KEEP_ALIVE, Reader, resync},
};
use crate::model::{Problem, ProblemKind, Seq};

#[derive(Deserialize)]
pub struct Resume {
    after: Option<String>,
    /// Which page reads, if it is one that can run something.
    tab: Option<String>,
    load: Option<String>,
    /// Whether several events may come in one frame.
    packed: Option<String>,
}

pub async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(resume): Query<Resume>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let conversation = conversation_id(&id)?;
    let last_seq = app.db.last_seq(conversation).await.map_err(Error::from)?.ok_or(Error::NoConversation(id))?;
    let (greeting, after) = match resume_point(&headers, resume.after.as_deref())? {
        Some(after) if after <= last_seq => (None, after),
        // An id of a log that is not this one, or is not any more.
        Some(_) | None => (Some(resync(last_seq)), 0),
    };
    let reader = app.log.follow(conversation, after);
    let here =
        resume.tab.zip(resume.load).map(|(tab, load)| app.agent.calls.tabs.enter(conversation, Page { tab, load }));
    let is_packed = resume.packed.is_some();
    let body = stream::iter(greeting).chain(follow(reader, app, here, is_packed)).map(Ok::<_, Infallible>);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // nginx would otherwise collect the stream before it hands it on.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

/// Where to go on. A browser that reconnects by itself repeats the old address, so the header wins. Nothing means
/// that the reader named something that cannot be an id of ours.
fn resume_point(headers: &HeaderMap, after: Option<&str>) -> Result<Option<Seq>, Problem> {
    match (headers.get("last-event-id"), after) {
        (Some(id), _) => Ok(id.to_str().ok().and_then(|id| id.trim().parse().ok())),
        (None, Some(after)) => after.parse().map(Some).map_err(|_| {
            Problem::new(
                ProblemKind::InvalidInput,
                format!("“after” must be the number of an event, not “{after}”. Leave it out to read from the start."),
            )
        }),
        (None, None) => Ok(Some(0)),
    }
}

/// Everything that comes, until the server stops or the reader goes.
fn follow(reader: Reader, app: App, here: Option<Here>, is_packed: bool) -> impl Stream<Item = Bytes> {
    stream::unfold((reader, app, here), move |(mut reader, app, here)| async move {
        tokio::select! {
            frames = reader.next() => match frames {
                Ok(frames) => {
                    app.agent.marks.writes(&frames.bytes);
                    let bytes = if is_packed { frames.packed() } else { frames.bytes };
                    Some((bytes, (reader, app, here)))
                }
                Err(error) => {
                    tracing::warn!(%error, "a stream ends early; its reader will come back");
                    None
                }
            },
            () = tokio::time::sleep(app.keep_alive) => Some((KEEP_ALIVE, (reader, app, here))),
            () = app.stopping.cancelled() => None,
        }
    })
}
