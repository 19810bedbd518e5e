//! All about a topic: what there is, and where it stands.

use leptos::prelude::*;

use super::{bills::BillTable, executive_actions::ActionTable, options::Choices};
use crate::model::{
    legislation::{Options, Research},
    words::ContextType,
};

#[component]
pub fn Overview(research: Research) -> impl IntoView {
    let Research { total_bills, bills, total_executive_actions, executive_actions, statuses, missing, .. } = research;
    let where_they_stand =
        Options { context_type: ContextType::Statuses, total: statuses.len() as u64, options: statuses };
    view! {
        <h4 class="page__title">{format!("Bills ({total_bills})")}</h4>
        <Choices found=where_they_stand />
        {(!bills.is_empty()).then(|| view! { <BillTable bills /> })}
        <h4 class="page__title">{format!("Executive actions ({total_executive_actions})")}</h4>
        {(!executive_actions.is_empty()).then(|| view! { <ActionTable actions=executive_actions /> })}
        {missing.into_iter().map(|what| view! { <p class="results__note">{format!("Missing: {what}")}</p> }).collect_view()}
    }
}
