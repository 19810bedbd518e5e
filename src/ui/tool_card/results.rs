//! What came of the call: a table where it holds bills, else the JSON as it is.

use leptos::prelude::*;

use super::Card;
use crate::model::Bill;

#[component]
pub fn Results(card: Card) -> impl IntoView {
    // The first result is the one that counts, so it is read once.
    let result =
        untrack(|| card.read(|call| call.shown_result().map(|result| result.result.clone()))).unwrap_or_default();
    let preview = move || card.read(|call| call.preview());
    let bills = result.get("bills").and_then(|bills| serde_json::from_value::<Vec<Bill>>(bills.clone()).ok());
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Results"</h3>
                <span class="muted">{preview}</span>
            </div>
            {match bills {
                Some(bills) if !bills.is_empty() => view! { <Bills bills /> }.into_any(),
                Some(_) | None => view! { <pre class="code">{format!("{result:#}")}</pre> }.into_any(),
            }}
        </section>
    }
}

#[component]
fn Bills(bills: Vec<Bill>) -> impl IntoView {
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label="Bills found">
            <table class="bills">
                <thead>
                    <tr>
                        <th>"Bill"</th>
                        <th>"Title"</th>
                        <th>"Sponsor"</th>
                        <th>"Status"</th>
                        <th>"Introduced"</th>
                    </tr>
                </thead>
                <tbody>{bills.into_iter().map(|bill| view! { <BillRow bill /> }).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn BillRow(bill: Bill) -> impl IntoView {
    view! {
        <tr>
            <td class="bill-no">{bill.citation()}</td>
            <td class="bill-title">{bill.title}</td>
            <td class="sponsor">{bill.sponsor}</td>
            <td>
                <span class="pill">{bill.status.label()}</span>
            </td>
            <td class="date">{bill.introduced}</td>
        </tr>
    }
}
