//! What was found, in words: the embedded agent says what the tool returned, and nothing else.

use serde::de::DeserializeOwned;

use super::{Asked, Found, remarks::remarks};
use crate::{
    model::{
        Bill,
        legislation::{Options, bill::ordinal, plain::member},
    },
    server::tools::{
        Tool, compare_bills::CompareBills, get_available_sponsors::GetAvailableSponsors,
        get_available_statuses::GetAvailableStatuses, get_available_topics::GetAvailableTopics,
        get_bill_details::GetBillDetails, get_executive_action_details::GetExecutiveActionDetails,
        research_topic::ResearchTopic, search_bills::SearchBills, search_executive_actions::SearchExecutiveActions,
        update_todos::UpdateTodos,
    },
};

/// Lists of bills and of executive actions, and how honestly they are announced.
mod lists;
/// One bill or executive action, and several side by side.
mod one;
/// Filters, in words.
mod prose;
/// The sentence that answers what was asked.
mod sentences;

/// How many the answer itself names; the card has them all.
const NAMED: usize = 5;

/// What all calls found, one after the other, and what was left out.
pub fn report(asked: &Asked, found: &[Found<'_>]) -> String {
    let has = |tool: &str| found.iter().any(|found| found.tool == tool && !found.is_error);
    // A bill that was searched for by its name and then read is told once.
    let is_read = has(GetBillDetails::NAME);
    let told =
        found.iter().filter(|found| found.tool != UpdateTodos::NAME && !(is_read && found.tool == SearchBills::NAME));
    let parts = told.map(|found| match part(asked, found) {
        compared if has(ResearchTopic::NAME) && found.tool == CompareBills::NAME => {
            format!("The two leading bills, side by side:\n\n{compared}")
        }
        part => part,
    });
    let remarks = remarks(asked, found).into_iter().map(|remark| plain(&remark)).collect::<Vec<_>>().join(" ");
    parts.chain((!remarks.is_empty()).then_some(remarks)).collect::<Vec<_>>().join("\n\n")
}

fn part(asked: &Asked, found: &Found<'_>) -> String {
    if found.is_error {
        return plain(&for_people(found.result.as_str().unwrap_or("That did not work.")));
    }
    let said = match found.tool {
        SearchBills::NAME => read(found).map(|bills| lists::bills(found, asked, &bills)),
        SearchExecutiveActions::NAME => read(found).map(|actions| lists::actions(found, asked, &actions)),
        GetBillDetails::NAME => read(found).map(|bill| one::bill(found, asked, &bill)),
        GetExecutiveActionDetails::NAME => read(found).map(|action| one::action(found, asked, &action)),
        CompareBills::NAME => read(found).map(|comparison| one::compared(found, asked, &comparison)),
        ResearchTopic::NAME => read(found).map(|research| lists::researched(found, &research)),
        GetAvailableSponsors::NAME | GetAvailableTopics::NAME | GetAvailableStatuses::NAME => {
            read(found).map(|options| choices(found, &options))
        }
        _ => None,
    };
    said.unwrap_or_else(|| format!("The result is in [the card above](#{}).", found.call_id))
}

/// Models are told in errors which tool to call; people have none to call.
fn for_people(error: &str) -> String {
    let names_a_tool = |sentence: &&str| sentence.contains("get_available") || sentence.contains("search_");
    let kept: Vec<&str> = error.split_inclusive(". ").filter(|sentence| !names_a_tool(sentence)).collect();
    if kept.is_empty() { error.to_owned() } else { kept.concat().trim().to_owned() }
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
        (name, place) if place.is_empty() => plain(&single_spaced(&name)),
        (name, place) => plain(&single_spaced(&format!("{name} ({place})"))),
    }
}

/// The record has names with two spaces.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bill_link(found: &Found<'_>, bill: &Bill) -> String {
    format!("{} ({})", link(found, &bill.citation()), ordinal(bill.congress))
}

/// A list of what is known; what is not is left out.
fn facts(facts: &[(&str, String)]) -> String {
    let known = facts.iter().filter(|(_, value)| !value.trim().is_empty());
    known.map(|(name, value)| format!("\n- **{name}:** {value}")).collect()
}

fn choices(found: &Found<'_>, options: &Options) -> String {
    if options.options.is_empty() {
        return format!("There are no such {}.", options.context_type.as_str());
    }
    let many = link(found, &format!("{} {}", options.total, options.context_type.as_str()));
    let mut text = format!("{many} found. Those with the most bills:\n\n| Name | Bills |\n|---|---:|");
    for option in options.options.iter().take(3 * NAMED) {
        text.push_str(&format!("\n| {} | {} |", person(&option.name), option.bills));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn told(tool: &str, question: &str, args: Value, result: Value, is_error: bool) -> String {
        report(&Asked::new(question), &[Found { tool, call_id: "call_1", args, result, is_error, is_changed: false }])
    }

    #[test]
    fn says_what_was_found_and_what_was_not() {
        let bill = json!({"congress": 119, "type": "hr", "number": 27, "title": "HALT Fentanyl Act", "status": "passed_house"});
        let found = json!({"query": "x", "total_results": 1, "bills": [bill]});
        let args = json!({"query": "fentanyl"});
        let one = told("search_bills", "Fentanyl", args.clone(), found, false);
        assert_eq!(
            one,
            "I found **one bill** about “Fentanyl”:\n\n| Bill | Title | Sponsor | Status |\n|---|---|---|---|\n\
             | [H.R. 27](#call_1) (119th) | HALT Fentanyl Act |  | Passed House |"
        );
        let none = json!({"query": "x", "total_results": 0, "bills": [], "stopped": "Nothing has it.", "stored": 362});
        let zebra = told("search_bills", "zebra", json!({"query": "zebra"}), none, false);
        assert!(zebra.contains("no bill about “zebra” among the 362 stored here. Nothing has it."), "{zebra}");
        let partial = json!({"query": "x", "total_results": 3, "matched": 0, "bills": [bill], "stopped": "Some."});
        let partial = told("search_bills", "zebra", args.clone(), partial, false);
        assert!(partial.starts_with("No bill here matches all of “fentanyl”. The closest:"), "{partial}");
        assert!(told("search_bills", "?", args, "There is no word.".into(), true).ends_with("There is no word."));
        assert!(told("else", "?", json!({}), json!(1), false).contains("the card above"));
    }

    #[test]
    fn people_are_told_of_no_tools() {
        assert_eq!(for_people("No bill by “x”. As get_available_sponsors lists them."), "No bill by “x”.");
    }
}
