//! Bills side by side: a column each.

use leptos::prelude::*;

use super::bills::StatusPill;
use crate::model::legislation::{
    BillDetails, Comparison,
    bill::ordinal,
    plain::{day, member},
};

type Row = (&'static str, fn(&BillDetails) -> String);

const ROWS: [Row; 8] = [
    ("Title", |details| details.bill.title.clone()),
    ("Sponsor", |details| member(&details.bill.sponsor).0),
    ("Introduced", |details| day(&details.bill.introduced)),
    ("Latest action", |details| day(&details.bill.latest_action_date)),
    ("Law", |details| details.bill.law.clone()),
    ("Policy area", |details| details.bill.policy_area.clone()),
    ("Cosponsors", |details| details.cosponsor_count.to_string()),
    ("Subjects", |details| details.subjects.join(", ")),
];

#[component]
pub fn Side(compared: Comparison) -> impl IntoView {
    let Comparison { bills, common_subjects, common_cosponsors } = compared;
    let heads = bills.iter().map(|details| {
        let bill = &details.bill;
        view! {
            <th scope="col">
                {bill.citation()} <small>{ordinal(bill.congress)}</small>
            </th>
        }
    });
    let statuses = bills.iter().map(|details| view! { <td><StatusPill status=details.bill.status /></td> });
    let rows = ROWS.iter().map(|(name, value)| {
        let cells = bills.iter().map(|details| view! { <td>{value(details)}</td> }).collect_view();
        view! {
            <tr>
                <th scope="row">{*name}</th>
                {cells}
            </tr>
        }
    });
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label="Bills side by side">
            <table class="compare">
                <thead>
                    <tr>
                        <td></td>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>
                    <tr>
                        <th scope="row">"Status"</th>
                        {statuses.collect_view()}
                    </tr>
                    {rows.collect_view()}
                </tbody>
            </table>
        </div>
        <p class="results__note">
            {format!("{} {}", shared("subjects", &common_subjects), shared("cosponsors", &common_cosponsors))}
        </p>
    }
}

fn shared(what: &str, all: &[String]) -> String {
    if all.is_empty() { format!("They share no {what}.") } else { format!("Common {what}: {}.", all.join(", ")) }
}
