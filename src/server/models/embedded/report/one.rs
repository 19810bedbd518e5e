//! One bill or executive action: first what was asked, then all that is known. And several bills side by side.

use super::{bill_link, facts, link, person, plain, sentences};
use crate::{
    model::{
        legislation::{BillDetails, Comparison, ExecutiveAction, bill::ordinal, plain::day},
        summary::shorten,
    },
    server::models::embedded::{Asked, Found, asked::Fact},
};

pub fn bill(found: &Found<'_>, asked: &Asked, details: &BillDetails) -> String {
    let bill = &details.bill;
    let law = if bill.law.is_empty() { String::new() } else { format!(" ({})", plain(&bill.law)) };
    let others: Vec<String> = details.also_in_congresses.iter().map(|n| ordinal(*n)).collect();
    let latest = format!("{} {}", day(&bill.latest_action_date), plain(&details.latest_action));
    let cosponsors = if details.cosponsor_count > 0 { details.cosponsor_count.to_string() } else { String::new() };
    let page = if details.url.is_empty() { String::new() } else { format!("[congress.gov]({})", details.url) };
    let first = asked.fact().and_then(|(fact, _)| sentences::of_details(found, fact, details));
    let first = first.map(|sentence| format!("{sentence}\n\n")).unwrap_or_default();
    format!(
        "{first}{}: **{}**\n{}",
        bill_link(found, bill),
        plain(&bill.title),
        facts(&[
            ("Status", format!("{}{law}", bill.status.label())),
            ("Sponsor", person(&bill.sponsor)),
            ("Cosponsors", cosponsors),
            ("Introduced", day(&bill.introduced)),
            ("Latest action", latest),
            ("Committees", plain(&details.committees.join("; "))),
            ("Policy area", plain(&bill.policy_area)),
            ("Summary", plain(&shorten(&details.summary, 500))),
            ("Official page", page),
            ("The same number is also a bill of", others.join(", ")),
        ])
    )
}

pub fn action(found: &Found<'_>, asked: &Asked, action: &ExecutiveAction) -> String {
    let name = link(found, &action.citation_for_people());
    let page = if action.url.is_empty() { String::new() } else { format!("[Federal Register]({})", action.url) };
    let first = asked.fact().and_then(|(fact, _)| sentences::of_action(fact, &name, action));
    let first = first.map(|sentence| format!("{sentence}\n\n")).unwrap_or_default();
    format!(
        "{first}{name}: **{}**\n{}",
        plain(&action.title),
        facts(&[
            ("President", plain(&action.president)),
            ("Signed", day(&action.signed)),
            ("Published", day(&action.published)),
            ("Citation", plain(&action.citation)),
            ("Notes", plain(&action.notes.replace('\n', "; "))),
            ("Official page", page),
        ])
    )
}

pub fn compared(found: &Found<'_>, asked: &Asked, comparison: &Comparison) -> String {
    let of = |read: fn(&BillDetails) -> String| comparison.bills.iter().map(read).collect::<Vec<_>>();
    let heads = comparison.bills.iter().map(|details| bill_link(found, &details.bill)).collect::<Vec<_>>();
    let mut text = which(found, asked, comparison);
    text.push_str(&format!("| | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len())));
    let rows = [
        ("Title", of(|details| plain(&shorten(&details.bill.title, 120)))),
        ("Sponsor", of(|details| person(&details.bill.sponsor))),
        ("Status", of(|details| details.bill.status.label().to_owned())),
        ("Introduced", of(|details| day(&details.bill.introduced))),
        ("Cosponsors", of(|details| details.cosponsor_count.to_string())),
        ("Policy area", of(|details| plain(&details.bill.policy_area))),
    ];
    for (name, cells) in rows {
        text.push_str(&format!("\n| **{name}** | {} |", cells.join(" | ")));
    }
    if !comparison.common_subjects.is_empty() {
        text.push_str(&format!("\n\nAll are about: {}.", plain(&comparison.common_subjects.join(", "))));
    }
    text
}

/// "which one became law?": those of them that did.
fn which(found: &Found<'_>, asked: &Asked, comparison: &Comparison) -> String {
    let Some((status, _)) = asked.status() else { return String::new() };
    let those = comparison.bills.iter().filter(|details| details.bill.status == status);
    let said: Vec<String> =
        those.filter_map(|details| sentences::of_bill(found, Fact::Status, &details.bill)).collect();
    if said.is_empty() { "None of them.\n\n".into() } else { format!("{}\n\n", said.join(" ")) }
}
