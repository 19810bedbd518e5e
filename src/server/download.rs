//! `GET /api/conversations/{id}/calls/{call}/{what}`: all of what a call has returned or printed, as a file. And the same,
//! part by part, for people to read.

use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures::{StreamExt, stream};

use super::{
    App, Error,
    calls::keep,
    conversation_id,
    db::derived::{KeptRow, What},
};
use crate::{
    api,
    model::{CallId, ConversationId, Problem, ToolCall, event::Kept},
};

/// What there is to read of a call, and where.
struct Found {
    title: String,
    is_json: bool,
    kept: Kept,
    /// All of it, where it is no more than an event carries.
    text: Option<String>,
}

impl App {
    pub async fn part(&self, id: &str, call: &CallId, what: &str, part: u32) -> Result<api::Part, Error> {
        let found = self.find(conversation_id(id)?, call, what).await?;
        let Found { title, kept: Kept { bytes, sha256, parts }, text, .. } = found;
        let text = match text {
            Some(text) if part == 1 => Some(text),
            Some(_) => None,
            None => self.db.part(&sha256, part).await?,
        };
        let text = text.ok_or_else(|| Error::Nothing(format!("There is no part {part}. There are {parts}.")))?;
        Ok(api::Part { title, text, part, parts, bytes, sha256 })
    }

    async fn find(&self, id: ConversationId, call: &CallId, what: &str) -> Result<Found, Error> {
        let nothing = || Error::Nothing("There is no such call here, or it has left nothing to read.".into());
        let what = What::named(what).ok_or_else(nothing)?;
        let known = self.log.fold(id).await?;
        let call = known.call(call).ok_or_else(nothing)?;
        let title = call.title.clone();
        // What came late is not used, here neither.
        if what == What::Result && call.shown_result().is_none() {
            return Err(nothing());
        }
        if let Some(KeptRow { is_json, kept, .. }) = self.db.kept(id, &call.id, what).await? {
            return Ok(Found { title, is_json, kept, text: None });
        }
        let (text, is_json) = small(call, what).ok_or_else(nothing)?;
        let kept = Kept { bytes: text.len() as u64, sha256: keep::sha256(&text), parts: 1 };
        Ok(Found { title, is_json, kept, text: Some(text) })
    }
}

fn small(call: &ToolCall, what: What) -> Option<(String, bool)> {
    match what {
        What::Result => {
            let result = &call.shown_result()?.result;
            Some((keep::readable(result), !result.is_string()))
        }
        What::Output => Some((call.output.clone(), false)).filter(|(output, _)| !output.is_empty()),
    }
}

pub async fn download(
    State(app): State<App>,
    Path((id, call, what)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let Found { is_json, kept, text, .. } = app.find(conversation_id(&id)?, &call.as_str().into(), &what).await?;
    let (media, ending) = if is_json { ("application/json", "json") } else { ("text/plain; charset=utf-8", "txt") };
    // The name is ours: what a model calls its calls does not get into a header.
    let name = format!("attachment; filename=\"{}-{}.{ending}\"", what, &kept.sha256[..12.min(kept.sha256.len())]);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CONTENT_LENGTH, kept.bytes.into()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment"))),
    ];
    let body = match text {
        Some(text) => Body::from(text),
        None => Body::from_stream(stream::iter(1..=kept.parts).then(move |part| {
            let (db, sha256) = (app.db.clone(), kept.sha256.clone());
            async move { db.part(&sha256, part).await.map(Option::unwrap_or_default).map_err(Error::from) }
        })),
    };
    Ok((headers, body).into_response())
}
