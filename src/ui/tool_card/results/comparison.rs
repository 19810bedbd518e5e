//! Bills side by side: a column each.

use super::bills::status_pill;
use crate::{
    model::legislation::{
        BillDetails, Comparison,
        bill::ordinal,
        plain::{day, member},
    },
    ui::view::{View, div, p, small, table, tbody, td, th, thead, tr},
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

pub fn side(compared: Comparison) -> View {
    let Comparison { bills, common_subjects, common_cosponsors } = compared;
    let heads = bills.iter().map(|details| {
        let bill = &details.bill;
        th("").attr("scope", "col").with(bill.citation()).with(small("").with(ordinal(bill.congress)))
    });
    let begun = |name: &'static str| tr("").with(th("").attr("scope", "row").with(name));
    let statuses = bills.iter().map(|details| td("").with(status_pill(details.bill.status)));
    let rows = ROWS.iter().map(|&(name, value)| {
        let cells = bills.iter().map(|details| td("").with(value(details)));
        begun(name).all(cells)
    });
    let compared = table("compare")
        .with(thead("").with(tr("").with(td("")).all(heads)))
        .with(tbody("").with(begun("Status").all(statuses)).all(rows));
    let told = format!("{} {}", shared("subjects", &common_subjects), shared("cosponsors", &common_cosponsors));
    let wrap = div("table-wrap")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", "Bills side by side")
        .with(compared);
    [wrap, p("results__note").with(told)].into()
}

fn shared(what: &str, all: &[String]) -> String {
    if all.is_empty() { format!("They share no {what}.") } else { format!("Common {what}: {}.", all.join(", ")) }
}
