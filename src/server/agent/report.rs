//! What was found, in words: the embedded agent says what the tool returned, and nothing else.

use serde::de::DeserializeOwned;

use crate::{
    model::{
        Bill,
        event::ToolResult,
        legislation::{
            ActionsFound, BillDetails, BillsFound, Comparison, ExecutiveAction, Options, Research, bill::ordinal,
        },
        summary::shorten,
    },
    server::tools::{
        Tool, compare_bills::CompareBills, get_available_sponsors::GetAvailableSponsors,
        get_available_statuses::GetAvailableStatuses, get_available_topics::GetAvailableTopics,
        get_bill_details::GetBillDetails, get_executive_action_details::GetExecutiveActionDetails,
        research_topic::ResearchTopic, search_bills::SearchBills, search_executive_actions::SearchExecutiveActions,
    },
};

/// How many the answer itself names; the card has them all.
const NAMED: usize = 5;

pub fn report(tool: &str, question: &str, result: &ToolResult) -> String {
    if result.is_error {
        return result.result.as_str().unwrap_or("That did not work.").to_owned();
    }
    let about = shorten(question.trim(), 80);
    let said = match tool {
        SearchBills::NAME => read(result).map(|found| bills(&about, &found)),
        SearchExecutiveActions::NAME => read(result).map(|found| actions(&about, &found)),
        GetBillDetails::NAME => read(result).map(|bill| details(&bill)),
        GetExecutiveActionDetails::NAME => read(result).map(|action| action_details(&action)),
        CompareBills::NAME => read(result).map(|comparison| compared(&comparison)),
        ResearchTopic::NAME => read(result).map(|research| researched(&research)),
        GetAvailableSponsors::NAME | GetAvailableTopics::NAME | GetAvailableStatuses::NAME => {
            read(result).map(|found| options(&found))
        }
        _ => None,
    };
    said.unwrap_or_else(|| "The result is in the card above.".into())
}

fn read<T: DeserializeOwned>(result: &ToolResult) -> Option<T> {
    serde_json::from_value(result.result.clone()).ok()
}

fn bills(about: &str, found: &BillsFound) -> String {
    let shown = found.bills.len() as u64;
    let mut text = match (found.total_results, shown) {
        (0, _) | (_, 0) => {
            return format!(
                "I found no bill for “{about}”. {} Try other words: a topic, a part of a title, or a sponsor's name.",
                found.stopped
            );
        }
        (1, _) => format!("I found one bill for “{about}”:\n"),
        (total, _) => format!("I found {total} bills for “{about}”. The best matches:\n"),
    };
    found.bills.iter().take(NAMED).for_each(|bill| text.push_str(&line(bill)));
    // One look needs no explanation.
    if found.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", found.stopped));
    }
    text
}

fn line(bill: &Bill) -> String {
    let congress = ordinal(bill.congress);
    format!("\n• {} ({congress}): {} ({})", bill.citation(), shorten(&bill.title, 160), bill.status.label())
}

fn actions(about: &str, found: &ActionsFound) -> String {
    if found.executive_actions.is_empty() {
        return format!("I found no executive action for “{about}”. {}", found.stopped);
    }
    let mut text = match found.total_results {
        1 => format!("I found one executive action for “{about}”:\n"),
        n => format!("I found {n} executive actions for “{about}”. The best matches:\n"),
    };
    found.executive_actions.iter().take(NAMED).for_each(|action| text.push_str(&action_line(action)));
    if found.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", found.stopped));
    }
    text
}

fn action_line(action: &ExecutiveAction) -> String {
    let day = if action.signed.is_empty() { &action.published } else { &action.signed };
    format!("\n• {}: {} ({}, {day})", action.citation_for_people(), shorten(&action.title, 160), action.president)
}

fn details(found: &BillDetails) -> String {
    let bill = &found.bill;
    let mut text = format!("{} of the {} Congress: {}\n", bill.citation(), ordinal(bill.congress), bill.title);
    let law = if bill.law.is_empty() { String::new() } else { format!(" ({})", bill.law) };
    text.push_str(&format!("\n• Status: {}{law}", bill.status.label()));
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&format!("\n• {name}: {value}"));
        }
    };
    add("Sponsor", &bill.sponsor);
    add("Introduced", &bill.introduced);
    add("Policy area", &bill.policy_area);
    add("Latest action", format!("{} {}", bill.latest_action_date, found.latest_action).trim());
    add("Summary", &shorten(&found.summary, 400));
    if !found.also_in_congresses.is_empty() {
        let others: Vec<String> = found.also_in_congresses.iter().map(|n| ordinal(*n)).collect();
        add("The same number is also a bill of these congresses", &others.join(", "));
    }
    text
}

fn action_details(action: &ExecutiveAction) -> String {
    let mut text = format!("{}: {}\n", action.citation_for_people(), action.title);
    for (name, value) in [
        ("President", &action.president),
        ("Signed", &action.signed),
        ("Published", &action.published),
        ("Citation", &action.citation),
        ("Notes", &action.notes),
    ] {
        if !value.is_empty() {
            text.push_str(&format!("\n• {name}: {}", value.replace('\n', "; ")));
        }
    }
    text
}

fn compared(comparison: &Comparison) -> String {
    let mut text = format!("The {} bills side by side are in the card. In short:\n", comparison.bills.len());
    comparison.bills.iter().for_each(|details| text.push_str(&line(&details.bill)));
    if !comparison.common_subjects.is_empty() {
        text.push_str(&format!("\n\nAll are about: {}.", comparison.common_subjects.join(", ")));
    }
    text
}

fn researched(research: &Research) -> String {
    let Research { topic, total_bills, total_executive_actions, .. } = research;
    let mut text =
        format!("On “{topic}” there are {total_bills} bills and {total_executive_actions} executive actions.\n");
    research.bills.iter().take(NAMED).for_each(|bill| text.push_str(&line(bill)));
    research.executive_actions.iter().take(NAMED).for_each(|action| text.push_str(&action_line(action)));
    for missing in &research.missing {
        text.push_str(&format!("\n\nMissing: {missing}"));
    }
    text
}

fn options(found: &Options) -> String {
    let mut text = format!("{} {} found. Those with the most bills:\n", found.total, found.context_type.as_str());
    for option in found.options.iter().take(2 * NAMED) {
        text.push_str(&format!("\n• {} ({})", option.name, option.bills));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CallId;
    use serde_json::{Value, json};

    fn result(result: Value, is_error: bool) -> ToolResult {
        ToolResult { tool_call_id: CallId::mint(), result, is_error, duration_ms: 1, cached: false, whole: None }
    }

    #[test]
    fn says_what_was_found_and_what_was_not() {
        let bill = json!({"congress": 119, "type": "hr", "number": 27, "title": "HALT Fentanyl Act", "status": "passed_house"});
        let found = json!({"query": "x", "total_results": 1, "bills": [bill]});
        let one = report("search_bills", "fentanyl", &result(found, false));
        assert_eq!(one, "I found one bill for “fentanyl”:\n\n• H.R. 27 (119th): HALT Fentanyl Act (Passed House)");
        let none = json!({"query": "x", "total_results": 0, "bills": [], "stopped": "Nothing has it."});
        assert!(report("search_bills", "zebra", &result(none, false)).contains("no bill for “zebra”. Nothing has it."));
        assert!(report("search_bills", "?", &result("There is no word.".into(), true)).ends_with("There is no word."));
        assert!(report("else", "?", &result(json!(1), false)).contains("in the card"));
    }
}
