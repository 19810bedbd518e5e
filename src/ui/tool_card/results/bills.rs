//! A list of bills, and how far each has come.

use crate::{
    model::legislation::{
        Bill, BillStatus, BillsFound,
        bill::ordinal,
        plain::{day, marked, member},
    },
    ui::view::{Element, View, a, div, mark, p, rect, small, span, svg, table, tbody, td, th, thead, time, tr},
};

pub fn bills(found: BillsFound) -> View {
    let BillsFound { bills, total_results, stopped, .. } = found;
    let told = note(bills.len() as u64, total_results, &stopped);
    let listed = (!bills.is_empty()).then(|| bill_table(bills));
    [listed, Some(p("results__note").with(told))].into()
}

/// How many of them are here, and why the search ended.
pub fn note(shown: u64, total: u64, stopped: &str) -> String {
    if shown < total { format!("Showing {shown} of {total}. {stopped}") } else { stopped.to_owned() }
}

pub fn bill_table(bills: Vec<Bill>) -> Element {
    let columns = ["Bill", "Title", "Sponsor", "Status", "Introduced"];
    found_table("Bills found", columns, bills.into_iter().map(bill_row).collect())
}

/// What was found, a row each.
pub fn found_table(label: &'static str, columns: [&'static str; 5], rows: Vec<Element>) -> Element {
    let heads = columns.map(|name| th("").attr("scope", "col").with(name));
    div("table-wrap")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", label)
        .with(table("bills").with(thead("").with(tr("").with(heads))).with(tbody("").with(rows)))
}

fn bill_row(bill: Bill) -> Element {
    let (sponsor, place) = member(&bill.sponsor);
    // A snippet of the title would say the title twice.
    let is_elsewhere = !bill.snippet.is_empty() && !bill.title.starts_with(&bill.snippet.replace("**", "")[..]);
    let link = a("").attr("href", bill.url()).attr("rel", "external noreferrer").with(bill.citation());
    tr("")
        .with(td("bill-no").with(link).with(small("").with(ordinal(bill.congress))))
        .with(td("bill-title").with(bill.title).with(is_elsewhere.then(|| snippet(&bill.snippet))))
        .with(td("sponsor").with(sponsor).with(small("").with(place)))
        .with(td("").with(status_pill(bill.status)))
        .with(td("date").with(dated(bill.introduced)))
}

pub fn dated(date: String) -> Element {
    let shown = day(&date);
    time("").attr("datetime", date).with(shown)
}

/// Where the words were found.
pub fn snippet(text: &str) -> Element {
    let piece = |(is_found, piece): (bool, String)| {
        if is_found { View::from(mark("").with(piece)) } else { View::from(piece) }
    };
    span("snippet").all(marked(text).into_iter().map(piece))
}

/// Bill status is not call status, so it gets no status hue: five steps in ink.
pub fn status_pill(status: BillStatus) -> Element {
    let steps = (1..=5).map(|step| {
        rect(if step <= status.step() { "on" } else { "off" })
            .attr("x", format!("{}%", (step - 1) * 21))
            .attr("width", "16%")
            .attr("height", "4")
            .attr("rx", "1")
    });
    span("pill").with(svg("").attr("aria-hidden", "true").all(steps)).with(status.label())
}
