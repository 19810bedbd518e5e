//! All about a topic: what there is, and where it stands.

use super::{bill_page::bill_page, bills::bill_table, executive_actions::action_table, options::choices};
use crate::{
    model::{
        legislation::{BillDetails, Options, Research},
        words::ContextType,
    },
    ui::view::{Element, View, details, h4, many, p, summary},
};

pub fn overview(research: Research) -> View {
    let Research {
        total_bills, bills, total_executive_actions, executive_actions, statuses, missing, read, note, ..
    } = research;
    let where_they_stand =
        Options { context_type: ContextType::Statuses, total: statuses.len() as u64, options: statuses };
    let listed = (!executive_actions.is_empty()).then(|| action_table(executive_actions));
    let missing = missing.into_iter().map(|what| p("results__note").with(format!("Missing: {what}")));
    let all: [View; 9] = [
        h4("page__title").with(format!("Bills ({total_bills})")).into(),
        choices(where_they_stand),
        (!bills.is_empty()).then(|| bill_table(bills)).into(),
        p("results__note").with(note).into(),
        (!read.is_empty()).then(|| h4("page__title").with("Read in full")).into(),
        many(read.into_iter().map(in_full)),
        h4("page__title").with(format!("Executive actions ({total_executive_actions})")).into(),
        listed.into(),
        many(missing),
    ];
    all.into()
}

/// A bill that was read, folded up: the best of what was found, and what it says.
fn in_full(read: BillDetails) -> Element {
    let title = format!("{}: {}", read.bill.citation(), read.bill.title);
    details("raw").with(summary("").with(title)).with(bill_page(read))
}
