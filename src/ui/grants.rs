//! What was allowed for longer, and a way to take it back.

use leptos::prelude::use_context;

use super::{
    sending::Told,
    view::{Element, a, b, button, code, form, h2, hidden, li, p, section, span, time, ul},
};
use crate::api::GrantInfo;

const REVOKE: &str = "/api/revoke_grant";

pub fn grants(grants: Vec<GrantInfo>) -> Element {
    let wrong = use_context::<Told>().filter(|told| told.path == REVOKE).map(|told| told.problem.message);
    let none = grants.is_empty().then(|| {
        p("muted").with("Nothing yet. Tools that change something ask each time, until you allow them for longer.")
    });
    section("settings__grants")
        .attr("aria-labelledby", "grants")
        .with(h2("").attr("id", "grants").with("What you have allowed"))
        .with(none)
        .with(ul("grants").all(grants.into_iter().map(grant)))
        .with(wrong.map(|told| p("composer__problem").attr("role", "alert").with(told)))
}

fn grant(grant: GrantInfo) -> Element {
    let GrantInfo { id, tool, title, server, conversation, at } = grant;
    let from = if server.is_empty() { "built in".to_owned() } else { format!("from {server}") };
    let day = at.to_string().chars().take(10).collect::<String>();
    let place = match conversation {
        Some((id, title)) => span("").with("In ").with(a("").attr("href", format!("/c/{id}")).with(title)),
        None => span("").with("Always"),
    };
    let revoke = form("")
        .attr("method", "post")
        .attr("action", REVOKE)
        .with(hidden("id", id.to_string()))
        .with(button("btn btn--sm").attr("aria-label", format!("Revoke {title}")).with("Revoke"));
    let what = span("grant__what").with(b("").with(title)).with(code("").with(tool)).with(span("muted").with(from));
    let when = time("").attr("datetime", at.to_string()).with(day);
    li("grant").with(what).with(span("muted grant__where").with(place).with(" ").with(when)).with(revoke)
}
