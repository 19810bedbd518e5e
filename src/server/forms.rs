//! Forms that a browser sends by itself. Server functions answer JSON; who has no script is sent on to a page instead: where
//! the answer leads, or back to where the form stands, with what was wrong and what was filled in.

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::App;
use crate::{
    model::{Problem, ProblemKind},
    ui::sending::Told,
};

/// Longer than any of our own answers.
const LARGEST_ANSWER: usize = 64 * 1024;

pub async fn send_on(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let is_form = request.method() == Method::POST && request.uri().path().starts_with("/api/");
    if !is_form || !wants_page(request.headers()) {
        return next.run(request).await;
    }
    let path = request.uri().path().to_owned();
    let from = request.headers().clone();
    request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    // What was filled in; files have become their ids by now.
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, super::media::LARGEST_FORM).await else {
        return Problem::new(ProblemKind::TooLarge, "This is too much at once. Send it in parts.").into_response();
    };
    let answer = next.run(Request::from_parts(parts, Body::from(body.clone()))).await;
    let (parts, answered) = answer.into_parts();
    let mut on = if parts.status.is_success() {
        see(parts.headers.get(header::LOCATION).cloned().unwrap_or_else(|| came_from(&from)))
    } else {
        back(&app, &from, told(path, parts.status, answered, &body).await)
    };
    for cookie in parts.headers.get_all(header::SET_COOKIE) {
        on.headers_mut().append(header::SET_COOKIE, cookie.clone());
    }
    on
}

/// Back to the page that a form stands on, which tells what was wrong with it.
pub fn back(app: &App, from: &HeaderMap, told: Told) -> Response {
    let mut back = see(came_from(from));
    if let Some(cookie) = app.flashes.keep(told) {
        back.headers_mut().append(header::SET_COOKIE, cookie);
    }
    back
}

fn see(place: HeaderValue) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()
}

async fn told(path: String, status: StatusCode, answer: Body, sent: &Bytes) -> Told {
    let answer = to_bytes(answer, LARGEST_ANSWER).await.unwrap_or_default();
    let problem = serde_json::from_slice(&answer).unwrap_or_else(|_| {
        Problem::new(ProblemKind::Unavailable, format!("The server did not take this ({status}). Try again."))
    });
    Told { path, problem, fields: form_urlencoded::parse(sent).into_owned().collect() }
}

/// Whether somebody without a script waits for the answer.
pub fn wants_page(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|kinds| kinds.contains("text/html"))
}

/// The page that a form stands on. Whatever host the browser names, it is one of ours.
fn came_from(headers: &HeaderMap) -> HeaderValue {
    let referrer = headers.get(header::REFERER).and_then(|referrer| referrer.to_str().ok());
    let path = referrer.and_then(|referrer| referrer.parse::<Uri>().ok()).and_then(|uri| {
        let path = uri.path_and_query()?.as_str().to_owned();
        // Two slashes would begin the name of a host.
        (path.starts_with('/') && !path.starts_with("//")).then_some(path)
    });
    path.and_then(|path| HeaderValue::from_str(&path).ok()).unwrap_or(HeaderValue::from_static("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_back_to_a_page_of_ours() {
        for (referrer, path) in [
            ("http://127.0.0.1:3000/c/1?q=a", "/c/1?q=a"),
            ("https://evil.example//evil.example/x", "/"),
            ("https://evil.example/settings", "/settings"),
            ("nonsense", "/"),
            ("", "/"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::REFERER, HeaderValue::from_static(referrer));
            assert_eq!(came_from(&headers), path, "{referrer}");
        }
        assert_eq!(came_from(&HeaderMap::new()), "/");
    }
}
