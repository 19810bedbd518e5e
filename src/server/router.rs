//! Every address there is: pages, server functions, the event stream, files. And what every answer carries.

use std::path::Path;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{DefaultBodyLimit, Request, State},
    handler::Handler,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use leptos::{
    prelude::{Owner, provide_context},
    reactive::computed::ScopedFuture,
};
use leptos_axum::handle_server_fns_with_context;
use server_fn::{axum::server_fn_paths, error::SERVER_FN_ERROR_HEADER};
use tower_http::services::ServeDir;

use super::{
    App, Error, download, forms, media, metrics,
    pages::{self, Context},
    site::Site,
    sse,
};
use crate::model::{Problem, ProblemKind};

pub fn router(app: App, site_folder: &Path) -> Result<Router, Error> {
    let site = Site::open(site_folder)?;
    let context = Context { app: app.clone(), assets: site.assets.clone() };
    let files = ServeDir::new(site_folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip()
        .fallback(pages::missing.with_state(context.clone()));
    let mut router = Router::new()
        .route("/", get(pages::start))
        .route("/settings", get(pages::settings))
        .route("/c/{id}", get(pages::conversation))
        .route("/c/{id}/before/{turn}", get(pages::earlier))
        .route("/c/{id}/calls/{call}/{what}", get(pages::part))
        .route("/api/conversations/{id}/events", get(sse::events))
        .route("/api/conversations/{id}/calls/{call}/{what}", get(download::download))
        .route("/api/conversations/{id}/media/{media}", get(media::serve))
        .route("/api/attach", post(media::attach))
        .route("/api/{*path}", any(server_function))
        .route("/metrics", get(metrics::metrics))
        .merge(site.routes(site_folder))
        .fallback_service(files);
    if super::IS_MEASURED {
        router = router.merge(super::bench::routes().with_state(context.app.clone()));
    }
    if is_watched() {
        // `cargo leptos` does not join the style sheets, so the first one imports the others from here.
        router = router.nest_service("/style", ServeDir::new("style"));
    }
    Ok(router
        .layer(middleware::from_fn_with_state(app.clone(), forms::send_on))
        .layer(middleware::from_fn_with_state(app, media::unpack))
        .layer(DefaultBodyLimit::max(media::LARGEST_FORM))
        .layer(middleware::from_fn(admit))
        .layer(middleware::map_response(finish))
        .with_state(context))
}

/// Whatever is declared in `api`.
async fn server_function(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    let method = server_fn_paths().find(|(each, _)| *each == path).map(|(_, method)| method);
    match method {
        None => Problem::new(ProblemKind::NotFound, "There is no such function. The README lists those there are.")
            .into_response(),
        Some(method) if method != *request.method() => {
            let allow = HeaderValue::from_str(method.as_str()).unwrap_or(HeaderValue::from_static("POST"));
            (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, allow)]).into_response()
        }
        Some(_) => {
            // Nothing that another request has left behind is found by this one.
            let owner = Owner::new_root(None);
            let provide = move || provide_context(app.clone());
            let answer =
                ScopedFuture::new(
                    async move { handle_server_fns_with_context(provide, request).await.into_response() },
                );
            owner.with(|| answer).await
        }
    }
}

fn is_watched() -> bool {
    std::env::var_os("LEPTOS_SITE_ROOT").is_some()
}

/// Server functions read forms, and forms of a sensible size. Anything else would be read as a form without fields. Those
/// with files may be larger.
async fn admit(request: Request, next: Next) -> Result<Response, Problem> {
    may_pass(&request)?;
    if request.method() != Method::POST || media::has_files(&request) {
        return Ok(next.run(request).await);
    }
    // Some do not say how much it is.
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, LARGEST_FORM as usize).await.map_err(|_| too_large(LARGEST_FORM))?;
    Ok(next.run(Request::from_parts(parts, Body::from(body))).await)
}

/// What a form without files has at most.
const LARGEST_FORM: u64 = 1024 * 1024;

fn too_large(most: u64) -> Problem {
    Problem::new(ProblemKind::TooLarge, format!("At most {most} bytes are taken at once. Send it in parts."))
}

fn may_pass(request: &Request) -> Result<(), Problem> {
    const FORM: &str = "application/x-www-form-urlencoded";
    if request.method() != Method::POST {
        return Ok(());
    }
    let header = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let has_files = media::has_files(request);
    if let Some(other) = header(header::CONTENT_TYPE).filter(|kind| !has_files && !kind.starts_with(FORM)) {
        let told = format!("Send the fields as a form ({FORM}), not as {other}.");
        return Err(Problem::new(ProblemKind::InvalidInput, told));
    }
    let length = header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok()).unwrap_or(0);
    let largest = if has_files { media::LARGEST_FORM as u64 } else { LARGEST_FORM };
    if length > largest {
        return Err(too_large(largest));
    }
    Ok(())
}

/// What every answer carries.
async fn finish(response: Response) -> Response {
    let mut response = with_status_of_problem(response).await;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let told = "This address does not take this method. The Allow header says which it takes.";
        let problem = axum::Json(Problem::new(ProblemKind::InvalidInput, told));
        let allow = response.headers_mut().remove(header::ALLOW);
        response = (StatusCode::METHOD_NOT_ALLOWED, problem).into_response();
        response.headers_mut().extend(allow.map(|allow| (header::ALLOW, allow)));
    }
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Forms without JavaScript find their way back by the referrer, which nobody else needs to know.
    set(header::REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    response
}

/// Server functions answer every error with 500. The problem itself knows better.
async fn with_status_of_problem(response: Response) -> Response {
    const LARGEST_PROBLEM: usize = 64 * 1024;
    let is_failure = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
    if !is_failure || !response.headers().contains_key(SERVER_FN_ERROR_HEADER) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, LARGEST_PROBLEM).await.unwrap_or_default();
    if let Ok(problem) = serde_json::from_slice::<Problem>(&body) {
        parts.status = problem.status();
    }
    Response::from_parts(parts, Body::from(body))
}
