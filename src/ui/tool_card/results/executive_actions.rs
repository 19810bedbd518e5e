//! Executive actions: a list, or one.

use super::{
    bill_page::fact_list,
    bills::{dated, found_table, note, snippet},
};
use crate::{
    model::legislation::{ActionsFound, ExecutiveAction, plain::day},
    ui::view::{Element, View, a, div, h4, p, span, td, tr},
};

pub fn actions(found: ActionsFound) -> View {
    let ActionsFound { executive_actions, total_results, stopped, .. } = found;
    let told = note(executive_actions.len() as u64, total_results, &stopped);
    let listed = (!executive_actions.is_empty()).then(|| action_table(executive_actions));
    [listed, Some(p("results__note").with(told))].into()
}

pub fn action_table(actions: Vec<ExecutiveAction>) -> Element {
    let columns = ["Number", "Title", "President", "Kind", "Signed"];
    found_table("Executive actions found", columns, actions.into_iter().map(action_row).collect())
}

fn action_row(action: ExecutiveAction) -> Element {
    let link = link(&action);
    let signed = if action.signed.is_empty() { action.published } else { action.signed };
    let is_elsewhere = !action.snippet.is_empty() && !action.title.starts_with(&action.snippet.replace("**", "")[..]);
    tr("")
        .with(td("bill-no").with(link))
        .with(td("bill-title").with(action.title).with(is_elsewhere.then(|| snippet(&action.snippet))))
        .with(td("sponsor").with(action.president))
        .with(td("").with(action.kind.label()))
        .with(td("date").with(dated(signed)))
}

/// To the Federal Register, and nowhere else: imported data could name any address.
fn link(action: &ExecutiveAction) -> View {
    let name = action.citation_for_people();
    if action.url.starts_with("https://www.federalregister.gov/") {
        a("").attr("href", action.url.clone()).attr("rel", "external noreferrer").with(name).into()
    } else {
        name.into()
    }
}

pub fn action_page(action: ExecutiveAction) -> Element {
    let head = p("page__no").with(link(&action)).with(span("muted").with(action.kind.label()));
    let facts = vec![
        ("President", action.president),
        ("Signed", day(&action.signed)),
        ("Published", day(&action.published)),
        ("Citation", action.citation),
        ("Document", action.document_number),
        ("Notes", action.notes),
    ];
    div("page")
        .with(head)
        .with(h4("page__title").with(action.title))
        .with((!action.text.is_empty()).then(|| p("page__text").with(action.text)))
        .with(fact_list(facts))
}
