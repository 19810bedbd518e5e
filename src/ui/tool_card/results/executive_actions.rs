//! Executive actions: a list, or one.

use leptos::prelude::*;

use super::{
    bill_page::FactList,
    bills::{Day, note, snippet},
};
use crate::model::legislation::{ActionsFound, ExecutiveAction, plain::day};

#[component]
pub fn Actions(found: ActionsFound) -> impl IntoView {
    let ActionsFound { executive_actions, total_results, stopped, .. } = found;
    let shown = executive_actions.len() as u64;
    view! {
        {(!executive_actions.is_empty()).then(|| view! { <ActionTable actions=executive_actions /> })}
        <p class="results__note">{note(shown, total_results, &stopped)}</p>
    }
}

#[component]
pub fn ActionTable(actions: Vec<ExecutiveAction>) -> impl IntoView {
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label="Executive actions found">
            <table class="bills">
                <thead>
                    <tr>
                        <th scope="col">"Number"</th>
                        <th scope="col">"Title"</th>
                        <th scope="col">"President"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"Signed"</th>
                    </tr>
                </thead>
                <tbody>{actions.into_iter().map(|action| view! { <ActionRow action /> }).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn ActionRow(action: ExecutiveAction) -> impl IntoView {
    let signed = if action.signed.is_empty() { &action.published } else { &action.signed }.clone();
    let is_elsewhere = !action.snippet.is_empty() && !action.title.starts_with(&action.snippet.replace("**", "")[..]);
    view! {
        <tr>
            <td class="bill-no">
                <Link action=action.clone() />
            </td>
            <td class="bill-title">
                {action.title} {is_elsewhere.then(|| snippet(&action.snippet))}
            </td>
            <td class="sponsor">{action.president}</td>
            <td>{action.kind.label()}</td>
            <td class="date">
                <Day date=signed />
            </td>
        </tr>
    }
}

/// To the Federal Register, and nowhere else: imported data could name any address.
#[component]
fn Link(action: ExecutiveAction) -> impl IntoView {
    let name = action.citation_for_people();
    if action.url.starts_with("https://www.federalregister.gov/") {
        view! {
            <a href=action.url rel="external noreferrer">
                {name}
            </a>
        }
        .into_any()
    } else {
        view! { {name} }.into_any()
    }
}

#[component]
pub fn ActionPage(action: ExecutiveAction) -> impl IntoView {
    let facts = vec![
        ("President", action.president.clone()),
        ("Signed", day(&action.signed)),
        ("Published", day(&action.published)),
        ("Citation", action.citation.clone()),
        ("Document", action.document_number.clone()),
        ("Notes", action.notes.clone()),
    ];
    view! {
        <div class="page">
            <p class="page__no">
                <Link action=action.clone() />
                <span class="muted">{action.kind.label()}</span>
            </p>
            <h4 class="page__title">{action.title}</h4>
            {(!action.text.is_empty()).then(|| view! { <p class="page__text">{action.text}</p> })}
            <FactList facts />
        </div>
    }
}
