//! `GET /metrics`: numbers for those who watch servers, as Prometheus reads them. Only from this machine.

use std::{fmt::Write as _, net::SocketAddr};

use axum::{
    extract::{ConnectInfo, State},
    http::header,
    response::{IntoResponse, Response},
};

use super::{App, calls::receipts::BUCKETS};
use crate::model::{Problem, ProblemKind};

pub async fn metrics(
    State(app): State<App>,
    from: Result<ConnectInfo<SocketAddr>, axum::extract::rejection::ExtensionRejection>,
) -> Result<Response, Problem> {
    if !from.is_ok_and(|ConnectInfo(from)| from.ip().is_loopback()) {
        return Err(Problem::new(ProblemKind::NotFound, "There is nothing here."));
    }
    let seen = app.agent.calls.receipts.histogram();
    let mut text = String::from(
        "# HELP vitrine_card_visible_seconds From a call being known to its card being seen.\n\
         # TYPE vitrine_card_visible_seconds histogram\n",
    );
    for (most, count) in BUCKETS.iter().zip(seen.up_to) {
        let _ = writeln!(text, "vitrine_card_visible_seconds_bucket{{le=\"{}\"}} {count}", *most as f64 / 1000.0);
    }
    let _ = writeln!(text, "vitrine_card_visible_seconds_bucket{{le=\"+Inf\"}} {}", seen.count);
    let _ = writeln!(text, "vitrine_card_visible_seconds_sum {}", seen.sum_ms as f64 / 1000.0);
    let _ = writeln!(text, "vitrine_card_visible_seconds_count {}", seen.count);
    let _ = writeln!(text, "# TYPE vitrine_log_commits_total counter\nvitrine_log_commits_total {}", app.log.commits());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
