//! A bill's page: what it is, where it stands, and how it got there.

use leptos::prelude::*;

use super::bills::{Day, StatusPill};
use crate::model::legislation::{
    Action, BillDetails, Cosponsor,
    bill::ordinal,
    plain::{day, member},
};

/// Longer histories begin with this many.
const SHOWN: usize = 12;

#[component]
pub fn BillPage(details: BillDetails) -> impl IntoView {
    let facts = facts(&details);
    let BillDetails { bill, summary, actions, cosponsors, .. } = details;
    // Ours, not what a result says it is.
    let url = bill.url();
    let title = format!("{} · {} Congress", bill.citation(), ordinal(bill.congress));
    view! {
        <div class="page">
            <p class="page__no">
                <a href=url rel="external noreferrer">
                    {title}
                </a>
                <StatusPill status=bill.status />
            </p>
            <h4 class="page__title">{bill.title}</h4>
            {(!summary.is_empty()).then(|| view! { <p class="page__text">{summary}</p> })}
            <FactList facts />
            {(!cosponsors.is_empty()).then(|| view! { <Cosponsors all=cosponsors /> })}
            {(!actions.is_empty()).then(|| view! { <History actions /> })}
        </div>
    }
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
#[component]
pub fn FactList(facts: Vec<(&'static str, String)>) -> impl IntoView {
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    view! { <dl class="kv">{known.map(|(name, value)| view! { <dt>{name}</dt> <dd>{value}</dd> }).collect_view()}</dl> }
}

#[component]
fn Cosponsors(all: Vec<Cosponsor>) -> impl IntoView {
    let count = all.len();
    let names = all.iter().map(|each| {
        let (name, place) = member(&each.name);
        let withdrawn = if each.withdrawn.is_empty() { "" } else { ", withdrawn" };
        format!("{name} ({place}{withdrawn})")
    });
    let names = names.collect::<Vec<_>>().join(", ");
    view! {
        <details class="raw">
            <summary>{format!("Cosponsors ({count})")}</summary>
            <p class="page__text">{names}</p>
        </details>
    }
}

#[component]
fn History(actions: Vec<Action>) -> impl IntoView {
    let rest = actions.iter().skip(SHOWN).cloned().collect::<Vec<_>>();
    let first = actions.into_iter().take(SHOWN);
    view! {
        <ol class="history">{first.map(|action| view! { <Step action /> }).collect_view()}</ol>
        {(!rest.is_empty())
            .then(|| {
                view! {
                    <details class="raw">
                        <summary>{format!("{} earlier actions", rest.len())}</summary>
                        <ol class="history">{rest.into_iter().map(|action| view! { <Step action /> }).collect_view()}</ol>
                    </details>
                }
            })}
    }
}

#[component]
fn Step(action: Action) -> impl IntoView {
    view! {
        <li>
            <span class="date">
                <Day date=action.date />
            </span>
            <span>{action.text}</span>
        </li>
    }
}
