//! What was allowed for longer, and a way to take it back.

use leptos::{form::ActionForm, prelude::*};

use crate::api::{GrantInfo, RevokeGrant};

#[component]
pub fn Grants(grants: Vec<GrantInfo>, revoke: ServerAction<RevokeGrant>) -> impl IntoView {
    let problem = move || revoke.value().get().and_then(Result::err);
    let is_empty = grants.is_empty();
    view! {
        <section class="settings__grants" aria-labelledby="grants">
            <h2 id="grants">"What you have allowed"</h2>
            {is_empty
                .then(|| {
                    view! {
                        <p class="muted">
                            "Nothing yet. Tools that change something ask each time, until you allow them for longer."
                        </p>
                    }
                })}
            <ul class="grants">{grants.into_iter().map(|grant| view! { <Grant grant revoke /> }).collect_view()}</ul>
            {move || problem().map(|problem| view! { <p class="composer__problem" role="alert">{problem.message}</p> })}
        </section>
    }
}

#[component]
fn Grant(grant: GrantInfo, revoke: ServerAction<RevokeGrant>) -> impl IntoView {
    let GrantInfo { id, tool, title, server, conversation, at } = grant;
    let from = if server.is_empty() { "built in".to_owned() } else { format!("from {server}") };
    let day = at.to_string().chars().take(10).collect::<String>();
    let place = match conversation {
        Some((id, title)) => view! {
            <span>
                "In " <a href=format!("/c/{id}")>{title}</a>
            </span>
        }
        .into_any(),
        None => view! { <span>"Always"</span> }.into_any(),
    };
    let label = format!("Revoke {title}");
    view! {
        <li class="grant">
            <span class="grant__what">
                <b>{title}</b>
                <code>{tool}</code>
                <span class="muted">{from}</span>
            </span>
            <span class="muted grant__where">{place} <time datetime=at.to_string()>{day}</time></span>
            <ActionForm action=revoke>
                <input type="hidden" name="id" value=id.to_string() />
                <button class="btn btn--sm" aria-label=label>
                    "Revoke"
                </button>
            </ActionForm>
        </li>
    }
}
