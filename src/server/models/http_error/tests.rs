//! Errors as providers gave them, and some that nobody has recorded.

use std::{env, fs, path::PathBuf};

use super::*;

fn explained(status: u16, body: &str) -> HttpProblem {
    explain(status, &[], body, 0)
}

fn error(code: &str, message: &str) -> String {
    serde_json::json!({"error": {"code": code, "message": message}}).to_string()
}

#[test]
fn problems_are_told_apart() {
    use ProblemKind::{Auth, BadRequest, Billing, NotFound, Other, Overloaded, RateLimited, Server, TooLong};
    for (status, body, kind, may_retry) in [
        (401, error("invalid_api_key", "Incorrect API key"), Auth, false),
        (403, error("forbidden", "Forbidden"), Auth, false),
        (400, error("400", "API key not valid. Please pass a valid API key."), Auth, false),
        (402, error("402", "Insufficient Balance"), Billing, false),
        (429, error("insufficient_quota", "You exceeded your current quota"), Billing, false),
        (400, error("x", "Your credit balance is too low to access the API."), Billing, false),
        (429, error("rate_limit_exceeded", "Rate limit reached"), RateLimited, true),
        (
            429,
            r#"[{"error":{"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota"}}]"#.into(),
            RateLimited,
            true,
        ),
        (404, error("x", "No such thing"), NotFound, false),
        (400, error("model_not_found", "The model does not exist"), NotFound, false),
        (400, r#"{"code":"invalid-argument","error":"Model not found: x"}"#.into(), NotFound, false),
        (400, error("context_length_exceeded", "Too long"), TooLong, false),
        (400, error("x", "prompt is too long: 210000 tokens > 200000 maximum"), TooLong, false),
        (413, String::new(), TooLong, false),
        (422, error("x", "Wrong type"), BadRequest, false),
        (529, error("overloaded_error", "Overloaded"), Overloaded, true),
        (503, String::new(), Overloaded, true),
        (500, error("x", "Oops"), Server, true),
        (502, "<html><body>Bad Gateway</body></html>".into(), Server, true),
        (408, String::new(), Other, true),
        (409, String::new(), Other, true),
        (425, String::new(), Other, true),
        (302, String::new(), Other, false),
    ] {
        let problem = explained(status, &body);
        assert_eq!((problem.kind, problem.may_retry), (kind, may_retry), "{status} {body}");
    }
}

#[test]
fn the_provider_may_say_whether_to_try_again() {
    let headers = |value: &str| [("x-should-retry".to_owned(), value.to_owned())];
    assert!(!explain(500, &headers("false"), "", 0).may_retry);
    assert!(explain(400, &headers("true"), "", 0).may_retry);
    assert!(!explain(401, &headers("true"), "", 0).may_retry);
}

#[test]
fn the_wait_is_told_only_if_there_is_a_next_time() {
    let headers = [("retry-after".to_owned(), "7".to_owned())];
    assert_eq!(explain(429, &headers, "", 0).retry_after, Some(Duration::from_secs(7)));
    assert_eq!(explain(401, &headers, "", 0).retry_after, None);
    assert_eq!(explain(429, &headers, &error("insufficient_quota", ""), 0).retry_after, None);
}

#[test]
fn sentences_say_what_happened_and_what_to_do() {
    for (status, body, message) in [
        (
            401,
            error(
                "invalid_api_key",
                "Incorrect API key provided: sk-inval**************-key. Find it at https://x.com/keys.",
            ),
            "The provider does not accept the API key: check that it is complete and still valid \
             (HTTP 401, “Incorrect API key provided: […] Find it at https://x.com/keys.”).",
        ),
        (
            502,
            "<html></html>".into(),
            "The provider has a problem of its own: try again later, or choose another model (HTTP 502).",
        ),
        (
            500,
            "upstream\n\nconnect error".into(),
            "The provider has a problem of its own: try again later, or choose another model \
             (HTTP 500, “upstream connect error”).",
        ),
    ] {
        assert_eq!(explained(status, &body).message, message);
    }
    let long = explained(400, &error("x", &"word ".repeat(1000))).message;
    assert!(long.chars().count() < 320 && long.ends_with("…”)."), "{long}");
}

#[test]
fn every_recorded_error_is_explained() {
    let folder = env::var_os("VITRINE_STREAMS").map_or_else(|| PathBuf::from("../shared/data/streams"), PathBuf::from);
    let Ok(text) = fs::read_to_string(folder.join("http_errors.json")) else {
        eprintln!("There are no recorded errors in {}, so none are tested.", folder.display());
        return;
    };
    let errors: Vec<Value> = serde_json::from_str(&text).unwrap();
    for error in errors {
        let status = error["status"].as_u64().unwrap() as u16;
        let headers = error["headers"].as_array().into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let headers: Vec<_> =
            headers.map(|header| (text(&header["name"]).to_lowercase(), text(&header["value"]))).collect();
        let body = error["body"].as_str().map_or_else(|| error["body"].to_string(), str::to_owned);
        let problem = explain(status, &headers, &body, 0);
        eprintln!("{status} {:?}: {}", problem.kind, problem.message);
        assert!(problem.message.contains(&format!("(HTTP {status}, “")), "{}", problem.message);
        assert!(problem.message.ends_with("”).") && !problem.message.contains('\n'), "{}", problem.message);
        assert!(!problem.message.contains("sk-") && !problem.message.contains("***"), "{}", problem.message);
        assert_ne!(problem.kind, ProblemKind::Other, "{body}");
        assert_eq!(problem.may_retry, status == 429 || status >= 500, "{body}");
        let is_model = body.contains("model_not_found") || body.contains("odel not found") || status == 404;
        assert_eq!(problem.kind == ProblemKind::NotFound, is_model, "{body}");
        assert_eq!(problem.kind == ProblemKind::TooLong, body.contains("context size"), "{body}");
        assert_eq!(problem.kind == ProblemKind::Auth, status == 401 || status == 403, "{body}");
    }
}
