//! Every address there is: pages, server functions, the event stream, files. And what every answer carries.

use std::{path::Path, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{DefaultBodyLimit, FromRef, Request},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use leptos::{nonce::use_nonce, prelude::*, reactive::computed::ScopedFuture};
use leptos_axum::{LeptosRoutes, ResponseOptions, file_and_error_handler_with_context, generate_route_list};
use server_fn::error::SERVER_FN_ERROR_HEADER;
use tower_http::services::ServeDir;

use super::{App, Error, download, media, metrics, site::Site, sse};
use crate::{
    model::{Problem, ProblemKind},
    ui,
};

#[derive(Clone, FromRef)]
struct Context {
    app: App,
    options: LeptosOptions,
}

pub fn router(app: App, site_folder: &Path) -> Result<Router, Error> {
    let site = Site::open(site_folder)?;
    let options =
        LeptosOptions::builder().output_name("vitrine").site_root(site_folder.to_string_lossy().into_owned()).build();
    let context = Context { app: app.clone(), options };
    let provide = {
        let (context, assets) = (context.clone(), site.assets.clone());
        move || {
            provide_context(context.app.clone());
            provide_context(context.options.clone());
            provide_context(assets.clone());
            provide_context(super::preferences::of_request());
            set_page_headers();
        }
    };
    let mut router = Router::new()
        .route("/api/conversations/{id}/events", get(sse::events))
        .route("/api/conversations/{id}/calls/{call}/{what}", get(download::download))
        .route("/api/conversations/{id}/media/{media}", get(media::serve))
        .route("/api/attach", post(media::attach))
        .route("/metrics", get(metrics::metrics))
        .leptos_routes_with_context(&context, generate_route_list(ui::App), provide.clone(), ui::shell)
        .route("/api/{*path}", any(no_such_function))
        .merge(site.routes(site_folder))
        .fallback(file_and_error_handler_with_context::<Context, _>(provide, |_| ui::shell()));
    if super::IS_MEASURED {
        router = router.merge(super::bench::routes().with_state(context.app.clone()));
    }
    if is_watched() {
        // `cargo leptos` does not join the style sheets, so the first one imports the others from here.
        router = router.nest_service("/style", ServeDir::new("style"));
    }
    Ok(router
        .layer(middleware::from_fn_with_state(app, media::unpack))
        .layer(DefaultBodyLimit::max(media::LARGEST_FORM))
        .layer(middleware::from_fn(admit))
        .layer(middleware::map_response(finish))
        .layer(middleware::from_fn(isolate))
        .with_state(context))
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

/// Gives every request an owner of its own. Leptos leaves a page's owner behind on the thread that rendered it, and
/// whatever runs there next would find that page's context: files were sent with a page's headers, and the page
/// without them.
async fn isolate(request: Request, next: Next) -> Response {
    let is_page = request.method() == Method::GET && !request.uri().path().starts_with("/api/");
    if !is_page {
        return alone(request, next).await;
    }
    let (parts, _) = request.into_parts();
    let attempt = || {
        let mut again = Request::new(Body::empty());
        (*again.method_mut(), *again.uri_mut()) = (parts.method.clone(), parts.uri.clone());
        *again.headers_mut() = parts.headers.clone();
        *again.extensions_mut() = parts.extensions.clone();
        alone(again, next.clone())
    };
    patiently(attempt).await.unwrap_or_else(|| {
        Problem::new(ProblemKind::Unavailable, "This page took too long. Try again in a moment.").into_response()
    })
}

async fn alone(request: Request, next: Next) -> Response {
    let owner = Owner::new_root(None);
    owner.with(|| ScopedFuture::new(next.run(request))).await
}

/// Renders, and renders anew when it takes too long. Once in many thousand pages, on a busy machine, Leptos misses that a
/// resource has loaded, and would wait for it for ever.
async fn patiently<T, F: Future<Output = T>>(attempt: impl Fn() -> F) -> Option<T> {
    for patience in [5, 10, 20].map(Duration::from_secs) {
        match tokio::time::timeout(patience, attempt()).await {
            Ok(done) => return Some(done),
            Err(_) => tracing::warn!("a page was not done after {patience:?}"),
        }
    }
    None
}

fn is_watched() -> bool {
    std::env::var_os("LEPTOS_SITE_ROOT").is_some()
}

async fn no_such_function() -> Problem {
    Problem::new(ProblemKind::NotFound, "There is no such function. The README lists those there are.")
}

/// Pages run nothing but our own script, by a nonce that nobody can guess.
fn set_page_headers() {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else {
        return;
    };
    // `cargo leptos watch` tells open pages to reload, on a port of its own.
    let reloads = if is_watched() { " ws:" } else { "" };
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
         connect-src 'self'{reloads}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
    response.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// What every answer carries.
async fn finish(response: Response) -> Response {
    let mut response = with_status_of_problem(response).await;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let told = "This address does not take this method. The Allow header says which it takes.";
        let problem = axum::Json(Problem::new(ProblemKind::InvalidInput, told));
        response = (StatusCode::METHOD_NOT_ALLOWED, problem).into_response();
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_page_that_hangs_is_rendered_anew() {
        let attempts = AtomicU32::new(0);
        let hang_until = |last: u32| {
            let attempts = &attempts;
            move || async move {
                if attempts.fetch_add(1, Ordering::Relaxed) < last {
                    std::future::pending::<()>().await;
                }
                "page"
            }
        };
        assert_eq!(patiently(hang_until(2)).await, Some("page"));
        assert_eq!(attempts.load(Ordering::Relaxed), 3);
        assert_eq!(patiently(hang_until(99)).await, None);
    }
}
