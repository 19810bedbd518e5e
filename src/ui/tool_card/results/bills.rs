//! A list of bills, and how far each has come.

use leptos::prelude::*;

use crate::model::legislation::{
    Bill, BillStatus, BillsFound,
    bill::ordinal,
    plain::{day, marked, member},
};

#[component]
pub fn Bills(found: BillsFound) -> impl IntoView {
    let BillsFound { bills, total_results, stopped, .. } = found;
    let shown = bills.len() as u64;
    view! {
        {(!bills.is_empty()).then(|| view! { <BillTable bills /> })}
        <p class="results__note">{note(shown, total_results, &stopped)}</p>
    }
}

/// How many of them are here, and why the search ended.
pub fn note(shown: u64, total: u64, stopped: &str) -> String {
    if shown < total { format!("Showing {shown} of {total}. {stopped}") } else { stopped.to_owned() }
}

#[component]
pub fn BillTable(bills: Vec<Bill>) -> impl IntoView {
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label="Bills found">
            <table class="bills">
                <thead>
                    <tr>
                        <th scope="col">"Bill"</th>
                        <th scope="col">"Title"</th>
                        <th scope="col">"Sponsor"</th>
                        <th scope="col">"Status"</th>
                        <th scope="col">"Introduced"</th>
                    </tr>
                </thead>
                <tbody>{bills.into_iter().map(|bill| view! { <BillRow bill /> }).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn BillRow(bill: Bill) -> impl IntoView {
    let (sponsor, place) = member(&bill.sponsor);
    // A snippet of the title would say the title twice.
    let is_elsewhere = !bill.snippet.is_empty() && !bill.title.starts_with(&bill.snippet.replace("**", "")[..]);
    view! {
        <tr>
            <td class="bill-no">
                <a href=bill.url() rel="external noreferrer">
                    {bill.citation()}
                </a>
                <small>{ordinal(bill.congress)}</small>
            </td>
            <td class="bill-title">
                {bill.title} {is_elsewhere.then(|| snippet(&bill.snippet))}
            </td>
            <td class="sponsor">{sponsor} <small>{place}</small></td>
            <td>
                <StatusPill status=bill.status />
            </td>
            <td class="date">
                <Day date=bill.introduced />
            </td>
        </tr>
    }
}

#[component]
pub fn Day(date: String) -> impl IntoView {
    let shown = day(&date);
    view! { <time datetime=date>{shown}</time> }
}

/// Where the words were found.
pub fn snippet(text: &str) -> AnyView {
    let pieces = marked(text).into_iter().map(|(is_found, piece)| {
        if is_found { view! { <mark>{piece}</mark> }.into_any() } else { view! { {piece} }.into_any() }
    });
    view! { <span class="snippet">{pieces.collect_view()}</span> }.into_any()
}

/// Bill status is not call status, so it gets no status hue: five steps in ink.
#[component]
pub fn StatusPill(status: BillStatus) -> impl IntoView {
    let steps = (1..=5).map(|step| {
        let x = format!("{}%", (step - 1) * 21);
        view! { <rect class=if step <= status.step() { "on" } else { "off" } x=x width="16%" height="4" rx="1"></rect> }
    });
    view! {
        <span class="pill">
            <svg aria-hidden="true">{steps.collect_view()}</svg>
            {status.label()}
        </span>
    }
}
