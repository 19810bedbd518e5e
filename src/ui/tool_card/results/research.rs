//! All about a topic: what there is, and where it stands.

use leptos::prelude::*;

use super::{bill_page::BillPage, bills::BillTable, executive_actions::ActionTable, options::Choices};
use crate::model::{
    legislation::{BillDetails, Options, Research},
    words::ContextType,
};

#[component]
pub fn Overview(research: Research) -> impl IntoView {
    let Research {
        total_bills, bills, total_executive_actions, executive_actions, statuses, missing, read, note, ..
    } = research;
    let where_they_stand =
        Options { context_type: ContextType::Statuses, total: statuses.len() as u64, options: statuses };
    view! {
        <h4 class="page__title">{format!("Bills ({total_bills})")}</h4>
        <Choices found=where_they_stand />
        {(!bills.is_empty()).then(|| view! { <BillTable bills /> })}
        <p class="results__note">{note}</p>
        {(!read.is_empty()).then(|| view! { <h4 class="page__title">"Read in full"</h4> })}
        {read.into_iter().map(|details| view! { <InFull details /> }).collect_view()}
        <h4 class="page__title">{format!("Executive actions ({total_executive_actions})")}</h4>
        {(!executive_actions.is_empty()).then(|| view! { <ActionTable actions=executive_actions /> })}
        {missing.into_iter().map(|what| view! { <p class="results__note">{format!("Missing: {what}")}</p> }).collect_view()}
    }
}

/// A bill that was read, folded up: the best of what was found, and what it says.
#[component]
fn InFull(details: BillDetails) -> impl IntoView {
    let title = format!("{}: {}", details.bill.citation(), details.bill.title);
    view! {
        <details class="raw">
            <summary>{title}</summary>
            <BillPage details />
        </details>
    }
}
