//! What was found, in words: the embedded agent says what the tool returned, and nothing else.

use serde::de::DeserializeOwned;

use super::Found;
use crate::{
    model::{
        Bill,
        legislation::{
            ActionsFound, BillDetails, BillsFound, Comparison, ExecutiveAction, Options, Research,
            bill::ordinal,
            plain::{day, member},
        },
        summary::shorten,
    },
    server::tools::{
        Tool, compare_bills::CompareBills, get_available_sponsors::GetAvailableSponsors,
        get_available_statuses::GetAvailableStatuses, get_available_topics::GetAvailableTopics,
        get_bill_details::GetBillDetails, get_executive_action_details::GetExecutiveActionDetails,
        research_topic::ResearchTopic, search_bills::SearchBills, search_executive_actions::SearchExecutiveActions,
        update_todos::UpdateTodos,
    },
};

/// How many the answer itself names; the card has them all.
const NAMED: usize = 5;

/// What all calls found, one after the other.
pub fn report(question: &str, found: &[Found<'_>]) -> String {
    let is_research = found.iter().any(|found| found.tool == ResearchTopic::NAME);
    let told = found.iter().filter(|found| found.tool != UpdateTodos::NAME);
    let parts = told.map(|found| match part(question, found) {
        compared if is_research && found.tool == CompareBills::NAME => {
            format!("The two leading bills, side by side:\n\n{compared}")
        }
        part => part,
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

fn part(question: &str, found: &Found<'_>) -> String {
    if found.is_error {
        return plain(found.result.as_str().unwrap_or("That did not work."));
    }
    let about = plain(&shorten(question.trim(), 80));
    let said = match found.tool {
        SearchBills::NAME => read(found).map(|bills| said_bills(found, question, &about, &bills)),
        SearchExecutiveActions::NAME => read(found).map(|actions| said_actions(found, &about, &actions)),
        GetBillDetails::NAME => read(found).map(|bill| details(found, &bill)),
        GetExecutiveActionDetails::NAME => read(found).map(|action| action_details(found, &action)),
        CompareBills::NAME => read(found).map(|comparison| compared(found, &comparison)),
        ResearchTopic::NAME => read(found).map(|research| researched(found, &research)),
        GetAvailableSponsors::NAME | GetAvailableTopics::NAME | GetAvailableStatuses::NAME => {
            read(found).map(|options| choices(found, &options))
        }
        _ => None,
    };
    said.unwrap_or_else(|| format!("The result is in [the card above](#{}).", found.call_id))
}

fn read<T: DeserializeOwned>(found: &Found<'_>) -> Option<T> {
    serde_json::from_value(found.result.clone()).ok()
}

/// Data is text: nothing in it is markup.
fn plain(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut plain, letter| {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' => plain.extend(['\\', letter]),
            '\n' | '\r' => plain.push(' '),
            _ => plain.push(letter),
        }
        plain
    })
}

/// A fact, and the way to the call that found it.
fn link(found: &Found<'_>, text: &str) -> String {
    format!("[{}](#{})", plain(text), found.call_id)
}

/// `Rep. H. Morgan Griffith (R-VA)`.
fn person(name: &str) -> String {
    match member(name) {
        (name, place) if place.is_empty() => plain(&name),
        (name, place) => plain(&format!("{name} ({place})")),
    }
}

fn bill_link(found: &Found<'_>, bill: &Bill) -> String {
    format!("{} ({})", link(found, &bill.citation()), ordinal(bill.congress))
}

fn bills_table(found: &Found<'_>, bills: &[Bill]) -> String {
    let mut table = String::from("\n\n| Bill | Title | Sponsor | Status |\n|---|---|---|---|");
    for bill in bills.iter().take(NAMED) {
        let (title, sponsor) = (plain(&shorten(&bill.title, 120)), person(&bill.sponsor));
        table.push_str(&format!("\n| {} | {title} | {sponsor} | {} |", bill_link(found, bill), bill.status.label()));
    }
    table
}

fn said_bills(found: &Found<'_>, question: &str, about: &str, bills: &BillsFound) -> String {
    let filters = match &bills.filters[..] {
        [] => String::new(),
        filters => format!(" with {}", plain(&filters.join(", ").replace(':', ": ").replace('_', " "))),
    };
    if bills.total_results == 0 || bills.bills.is_empty() {
        let why = plain(&bills.stopped);
        return format!(
            "I found no bill for “{about}”{filters}. {why} Try other words: a topic, a part of a title, or a sponsor's name."
        );
    }
    let counts = question.to_lowercase().contains("how many");
    let mut text = match (bills.total_results, counts) {
        (1, true) => format!("**One bill**{filters}:"),
        (total, true) => format!("**{total} bills**{filters}. The first of them:"),
        (1, false) => format!("I found **one bill** for “{about}”{filters}:"),
        (total, false) => format!("I found **{total} bills** for “{about}”{filters}. The best matches:"),
    };
    text.push_str(&bills_table(found, &bills.bills));
    // One look needs no explanation.
    if bills.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", plain(&bills.stopped)));
    }
    text
}

fn said_actions(found: &Found<'_>, about: &str, actions: &ActionsFound) -> String {
    if actions.executive_actions.is_empty() {
        return format!("I found no executive action for “{about}”. {}", plain(&actions.stopped));
    }
    let mut text = match actions.total_results {
        1 => format!("I found **one executive action** for “{about}”:"),
        total => format!("I found **{total} executive actions** for “{about}”. The best matches:"),
    };
    text.push_str(&actions_table(found, &actions.executive_actions));
    if actions.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", plain(&actions.stopped)));
    }
    text
}

fn actions_table(found: &Found<'_>, actions: &[ExecutiveAction]) -> String {
    let mut table = String::from("\n\n| Action | Title | President | Signed |\n|---|---|---|---|");
    for action in actions.iter().take(NAMED) {
        let date = if action.signed.is_empty() { &action.published } else { &action.signed };
        let (name, title) = (link(found, &action.citation_for_people()), plain(&shorten(&action.title, 120)));
        table.push_str(&format!("\n| {name} | {title} | {} | {} |", plain(&action.president), day(date)));
    }
    table
}

/// A list of what is known; what is not is left out.
fn facts(facts: &[(&str, String)]) -> String {
    let known = facts.iter().filter(|(_, value)| !value.trim().is_empty());
    known.map(|(name, value)| format!("\n- **{name}:** {value}")).collect()
}

fn details(found: &Found<'_>, details: &BillDetails) -> String {
    let bill = &details.bill;
    let law = if bill.law.is_empty() { String::new() } else { format!(" ({})", plain(&bill.law)) };
    let others: Vec<String> = details.also_in_congresses.iter().map(|n| ordinal(*n)).collect();
    let latest = format!("{} {}", day(&bill.latest_action_date), plain(&details.latest_action));
    let cosponsors = if details.cosponsor_count > 0 { details.cosponsor_count.to_string() } else { String::new() };
    format!(
        "{}: **{}**\n{}",
        bill_link(found, bill),
        plain(&bill.title),
        facts(&[
            ("Status", format!("{}{law}", bill.status.label())),
            ("Sponsor", person(&bill.sponsor)),
            ("Cosponsors", cosponsors),
            ("Introduced", day(&bill.introduced)),
            ("Latest action", latest),
            ("Policy area", plain(&bill.policy_area)),
            ("Summary", plain(&shorten(&details.summary, 500))),
            ("The same number is also a bill of", others.join(", ")),
        ])
    )
}

fn action_details(found: &Found<'_>, action: &ExecutiveAction) -> String {
    format!(
        "{}: **{}**\n{}",
        link(found, &action.citation_for_people()),
        plain(&action.title),
        facts(&[
            ("President", plain(&action.president)),
            ("Signed", day(&action.signed)),
            ("Published", day(&action.published)),
            ("Citation", plain(&action.citation)),
            ("Notes", plain(&action.notes.replace('\n', "; "))),
        ])
    )
}

fn compared(found: &Found<'_>, comparison: &Comparison) -> String {
    let of = |read: fn(&BillDetails) -> String| comparison.bills.iter().map(read).collect::<Vec<_>>();
    let heads = comparison.bills.iter().map(|details| bill_link(found, &details.bill)).collect::<Vec<_>>();
    let mut text = format!("| | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
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

fn researched(found: &Found<'_>, research: &Research) -> String {
    let Research { total_bills, total_executive_actions, .. } = research;
    let topic = plain(&research.topic);
    let counts = format!("**{total_bills} bills** and **{total_executive_actions} executive actions**");
    let mut text = format!("On “{topic}” there are {counts}.");
    if !research.statuses.is_empty() {
        let statuses =
            research.statuses.iter().map(|status| format!("{} {}", status.bills, status.name.to_lowercase()));
        let statuses = statuses.collect::<Vec<_>>().join(", ");
        text.push_str(&format!(" Of the {} bills listed: {statuses}.", research.bills.len()));
    }
    if !research.bills.is_empty() {
        text.push_str(&bills_table(found, &research.bills));
    }
    if !research.executive_actions.is_empty() {
        text.push_str(&actions_table(found, &research.executive_actions));
    }
    for missing in &research.missing {
        text.push_str(&format!("\n\nMissing: {}", plain(missing)));
    }
    text
}

fn choices(found: &Found<'_>, options: &Options) -> String {
    if options.options.is_empty() {
        return format!("There are no such {}.", options.context_type.as_str());
    }
    let many = link(found, &format!("{} {}", options.total, options.context_type.as_str()));
    let mut text = format!("{many} found. Those with the most bills:\n\n| Name | Bills |\n|---|---:|");
    for option in options.options.iter().take(2 * NAMED) {
        text.push_str(&format!("\n| {} | {} |", person(&option.name), option.bills));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn told(tool: &str, question: &str, result: Value, is_error: bool) -> String {
        report(question, &[Found { tool, call_id: "call_1", result, is_error }])
    }

    #[test]
    fn says_what_was_found_and_what_was_not() {
        let bill = json!({"congress": 119, "type": "hr", "number": 27, "title": "HALT Fentanyl Act", "status": "passed_house"});
        let found = json!({"query": "x", "total_results": 1, "bills": [bill]});
        let one = told("search_bills", "fentanyl", found, false);
        assert_eq!(
            one,
            "I found **one bill** for “fentanyl”:\n\n| Bill | Title | Sponsor | Status |\n|---|---|---|---|\n\
             | [H.R. 27](#call_1) (119th) | HALT Fentanyl Act |  | Passed House |"
        );
        let none = json!({"query": "x", "total_results": 0, "bills": [], "stopped": "Nothing has it."});
        assert!(told("search_bills", "zebra", none, false).contains("no bill for “zebra”. Nothing has it."));
        assert!(told("search_bills", "?", "There is no word.".into(), true).ends_with("There is no word."));
        assert!(told("else", "?", json!(1), false).contains("the card above"));
    }
}
