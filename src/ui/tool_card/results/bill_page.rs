//! A bill's page: what it is, where it stands, and how it got there.

use super::bills::{dated, status_pill};
use crate::{
    model::legislation::{
        Action, BillDetails, Cosponsor,
        bill::ordinal,
        plain::{day, member},
    },
    ui::view::{Element, View, a, dd, details, div, dl, dt, h4, li, ol, p, span, summary},
};

/// Longer histories begin with this many.
const SHOWN: usize = 12;

pub fn bill_page(details: BillDetails) -> Element {
    let facts = facts(&details);
    let BillDetails { bill, summary, actions, cosponsors, .. } = details;
    let title = format!("{} · {} Congress", bill.citation(), ordinal(bill.congress));
    // Ours, not what a result says it is.
    let link = a("").attr("href", bill.url()).attr("rel", "external noreferrer").with(title);
    div("page")
        .with(p("page__no").with(link).with(status_pill(bill.status)))
        .with(h4("page__title").with(bill.title))
        .with((!summary.is_empty()).then(|| p("page__text").with(summary)))
        .with(fact_list(facts))
        .with((!cosponsors.is_empty()).then(|| cosponsor_list(&cosponsors)))
        .with((!actions.is_empty()).then(|| history(actions)))
}

fn facts(details: &BillDetails) -> Vec<(&'static str, String)> {
    let BillDetails { bill, other_titles, latest_action, subjects, committees, cosponsor_count, .. } = details;
    let (sponsor, place) = member(&bill.sponsor);
    let latest = format!("{}: {latest_action}", day(&bill.latest_action_date));
    let others = details.also_in_congresses.iter().map(|n| ordinal(*n)).collect::<Vec<_>>().join(", ");
    vec![
        ("Sponsor", [sponsor, place].join(" ").trim().to_owned()),
        ("Cosponsors", if *cosponsor_count == 0 { String::new() } else { cosponsor_count.to_string() }),
        ("Introduced", day(&bill.introduced)),
        ("Law", bill.law.clone()),
        ("Latest action", if latest_action.is_empty() { day(&bill.latest_action_date) } else { latest }),
        ("Policy area", bill.policy_area.clone()),
        ("Committees", committees.join(", ")),
        ("Subjects", subjects.join(", ")),
        ("Also called", other_titles.iter().take(3).cloned().collect::<Vec<_>>().join("; ")),
        ("Same number in", others),
    ]
}

/// Names and values; what is not known is left out.
pub fn fact_list(facts: Vec<(&'static str, String)>) -> Element {
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    dl("kv").all(known.map(|(name, value)| [dt("").with(name), dd("").with(value)]))
}

fn cosponsor_list(all: &[Cosponsor]) -> Element {
    let names = all.iter().map(|each| {
        let (name, place) = member(&each.name);
        let withdrawn = if each.withdrawn.is_empty() { "" } else { ", withdrawn" };
        format!("{name} ({place}{withdrawn})")
    });
    let names = names.collect::<Vec<_>>().join(", ");
    details("raw").with(summary("").with(format!("Cosponsors ({})", all.len()))).with(p("page__text").with(names))
}

fn history(mut actions: Vec<Action>) -> View {
    let rest = actions.split_off(actions.len().min(SHOWN));
    let steps = |actions: Vec<Action>| ol("history").all(actions.into_iter().map(step));
    let earlier = (!rest.is_empty()).then(|| {
        let told = format!("{} earlier actions", rest.len());
        details("raw").with(summary("").with(told)).with(steps(rest))
    });
    [Some(steps(actions)), earlier].into()
}

fn step(action: Action) -> Element {
    li("").with(span("date").with(dated(action.date))).with(span("").with(action.text))
}
