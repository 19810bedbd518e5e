//! Asks the server: forms in, JSON out.

use js_sys::Array;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, FormData, Headers, HtmlFormElement, RequestInit, Response, SubmitEvent, UrlSearchParams};

use super::page;
use crate::model::{Problem, ProblemKind};

/// What somebody has filled in, with the button that they chose. Files go another way.
pub fn fields_of(event: &Event) -> Vec<(String, String)> {
    let form = event.target().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
    let Some(data) = form.and_then(|form| FormData::new_with_form(&form).ok()) else { return Vec::new() };
    let pair = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    let entries = js_sys::try_iter(&data).ok().flatten().into_iter().flatten();
    let mut fields: Vec<(String, String)> = entries.filter_map(|entry| pair(entry.ok()?)).collect();
    let button = event.dyn_ref::<SubmitEvent>().and_then(SubmitEvent::submitter);
    if let Some((name, value)) = button.and_then(|of| of.get_attribute("name").zip(of.get_attribute("value"))) {
        fields.push((name, value));
    }
    fields
}

/// Sends a form, and follows where its answer leads.
pub async fn post(path: &str, fields: &[(String, String)]) -> Result<String, Problem> {
    let form = params(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())))?;
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&form);
    send(path, &init).await
}

/// Asks for something.
pub async fn get<T: DeserializeOwned>(path: &str, fields: &[(&str, &str)]) -> Result<T, Problem> {
    let query = params(fields.iter().copied())?.to_string();
    let address = format!("{path}?{}", String::from(query));
    let json = send(&address, &RequestInit::new()).await?;
    serde_json::from_str(&json).map_err(|_| unreadable())
}

/// Sends files, or whatever else a body can be.
pub async fn post_body(path: &str, body: &JsValue) -> Result<String, Problem> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(body);
    send(path, &init).await
}

fn params<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Result<UrlSearchParams, Problem> {
    let params = UrlSearchParams::new().map_err(|_| unreadable())?;
    fields.for_each(|(name, value)| params.append(name, value));
    Ok(params)
}

async fn send(address: &str, init: &RequestInit) -> Result<String, Problem> {
    if let Ok(headers) = Headers::new() {
        let _ = headers.set("accept", "application/json");
        init.set_headers(&headers);
    }
    let answer = JsFuture::from(page::window().fetch_with_str_and_init(address, init)).await;
    let answer: Response = answer.ok().and_then(|answer| answer.dyn_into().ok()).ok_or_else(unreachable)?;
    let text = async { JsFuture::from(answer.text().ok()?).await.ok()?.as_string() }.await.ok_or_else(unreachable)?;
    if !answer.ok() {
        return Err(serde_json::from_str(&text).unwrap_or_else(|_| refused(answer.status())));
    }
    let header = |name: &str| answer.headers().get(name).ok().flatten();
    if let Some(to) = header("location").filter(|_| header("serverfnredirect").is_some()) {
        page::go(&to);
    }
    Ok(text)
}

fn unreachable() -> Problem {
    Problem::new(ProblemKind::Unavailable, "The server cannot be reached. Try again in a moment.")
}

fn unreadable() -> Problem {
    Problem::new(ProblemKind::Internal, "The server's answer could not be read. Load the page again.")
}

fn refused(status: u16) -> Problem {
    Problem::new(ProblemKind::Unavailable, format!("The server did not take this ({status}). Try again."))
}
