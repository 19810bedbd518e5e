//! Which tools a question calls for, and with what arguments. The embedded agent is no model: it knows bill numbers, a few
//! nouns and a few ways to say a filter, and searches for the rest.

use serde_json::{Map, Value, json};

use super::{
    asked::{Asked, without},
    earlier::Earlier,
    talk,
};
use crate::{
    model::{
        Bill,
        legislation::{BillNumber, action_number},
    },
    server::{
        IS_UNDER_TEST,
        corpus::words,
        tools::{
            Tool,
            compare_bills::CompareBills,
            fault::{Fault, FaultCached, FaultOnce},
            get_available_sponsors::GetAvailableSponsors,
            get_available_statuses::GetAvailableStatuses,
            get_available_topics::GetAvailableTopics,
            get_bill_details::GetBillDetails,
            get_executive_action_details::GetExecutiveActionDetails,
            research_topic::ResearchTopic,
            search_bills::SearchBills,
            search_executive_actions::SearchExecutiveActions,
        },
    },
};

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub tool: &'static str,
    pub args: Value,
}

/// What to do about a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    Calls(Vec<Plan>),
    Text(String),
}

/// What a search for bills can be narrowed by.
const BILL_FILTERS: [&str; 8] = ["party", "state", "chamber", "congress", "status", "sponsor", "from", "to"];

pub fn next(question: &str, earlier: &Earlier) -> Next {
    if let Some(orders) = IS_UNDER_TEST.then(|| faults(question)).flatten() {
        return Next::Calls(orders);
    }
    let asked = Asked::new(question);
    if let Some(text) = talk::answer(&asked) {
        return Next::Text(text);
    }
    let plans = follow_up(question, &asked, earlier).unwrap_or_else(|| vec![plan(question, &asked)]);
    Next::Calls(plans)
}

/// `faults [{"tool": "fault_once", "slow_ms": 100}, …]`: calls that go wrong as they are told to.
fn faults(question: &str) -> Option<Vec<Plan>> {
    let orders: Vec<Value> = serde_json::from_str(question.strip_prefix("faults ")?).ok()?;
    let plan = |mut args: Value| {
        let tool = args.as_object_mut().and_then(|order| order.remove("tool")).unwrap_or_default();
        let known = [Fault::NAME, FaultOnce::NAME, FaultCached::NAME];
        Plan { tool: known.into_iter().find(|name| tool == *name).unwrap_or(Fault::NAME), args }
    };
    Some(orders.into_iter().map(plan).collect())
}

fn plan(question: &str, asked: &Asked) -> Plan {
    if let Some(plan) = numbered(question) {
        return plan;
    }
    if asked.has_beginning(&["executive order", "executive action", "proclamation", "eo "]) {
        return executive(question, asked);
    }
    if let Some(topic) = asked.after_beginning(&[
        "research",
        "do research on",
        "everything about",
        "give me an overview of",
        "overview of",
        "tell me everything about",
    ]) {
        return Plan { tool: ResearchTopic::NAME, args: json!({ "topic": topic }) };
    }
    if let Some(plan) = choices(asked) {
        return plan;
    }
    let mut args = asked.filters(&BILL_FILTERS);
    if asked.has(&["how many"]) {
        args.insert("limit".into(), 5.into());
    }
    // A question is kept as it was asked, unless a part of it has become a filter.
    let query = if args.is_empty() { question.to_owned() } else { words(&without(&asked.rest(), &FILLERS)).join(" ") };
    args.insert("query".into(), query.into());
    Plan { tool: SearchBills::NAME, args: args.into() }
}

/// Words that ask, and say nothing about what.
const FILLERS: [&str; 8] =
    ["how many", "are there", "have been", "introduced", "show me", "since", "before", "between"];

/// Bills by their number: one is read, several are compared.
fn numbered(question: &str) -> Option<Plan> {
    let bills = BillNumber::all_in(question);
    let said = |bill: &BillNumber| match bill.congress {
        Some(congress) => format!("{congress}-{}-{}", bill.kind.as_str(), bill.number),
        None => bill.to_string(),
    };
    match &bills[..] {
        [] => None,
        [bill] => {
            let mut args = json!({ "bill": bill.to_string() });
            let congress = bill
                .congress
                .map(Value::from)
                .or_else(|| Asked::new(question).filters(&["congress"]).remove("congress"));
            if let Some(congress) = congress {
                args["congress"] = congress;
            }
            Some(Plan { tool: GetBillDetails::NAME, args })
        }
        several => {
            let bills: Vec<String> = several.iter().map(said).collect();
            Some(Plan { tool: CompareBills::NAME, args: json!({ "bills": bills }) })
        }
    }
}

/// What there is, with counts: sponsors, topics, statuses.
fn choices(asked: &Asked) -> Option<Plan> {
    let is_about_most = asked.has(&[
        "sponsors most",
        "sponsored most",
        "sponsored the most",
        "sponsors the most",
        "most bills",
        "most active",
    ]);
    if is_about_most
        && asked.has(&[
            "who",
            "which member",
            "which members",
            "which sponsor",
            "which senator",
            "which representative",
            "most active",
        ])
    {
        let args = asked.filters(&["party", "state", "congress"]);
        return Some(Plan { tool: GetAvailableSponsors::NAME, args: args.into() });
    }
    if let Some(name) = asked.lists(&["sponsors", "sponsor", "members"]) {
        let mut args = asked.filters(&["party", "state", "congress"]);
        if !name.is_empty() {
            args.insert("name".into(), name.into());
        }
        return Some(Plan { tool: GetAvailableSponsors::NAME, args: args.into() });
    }
    if let Some(about) = asked.lists(&["topics", "subjects", "policy areas"]) {
        let args = if about.is_empty() { json!({}) } else { json!({ "about": about }) };
        return Some(Plan { tool: GetAvailableTopics::NAME, args });
    }
    asked.lists(&["statuses"])?;
    Some(Plan { tool: GetAvailableStatuses::NAME, args: asked.filters(&["congress"]).into() })
}

fn executive(question: &str, asked: &Asked) -> Plan {
    if let Some((kind, number)) = action_number::find(question) {
        let said = kind.map_or_else(|| number.clone(), |kind| format!("{} {number}", kind.label()));
        return Plan { tool: GetExecutiveActionDetails::NAME, args: json!({ "number": said }) };
    }
    let mut args = asked.filters(&["from", "to"]);
    let mut said = vec![
        "executive",
        "orders",
        "order",
        "actions",
        "action",
        "proclamations",
        "proclamation",
        "president",
        "how many",
        "since",
        "before",
        "between",
        "issued",
        "signed",
    ];
    for name in ["Obama", "Trump", "Biden", "Bush", "Clinton"] {
        if asked.has(&[&name.to_lowercase()]) {
            args.insert("president".into(), name.into());
            said.push(name);
        }
    }
    for (words, kind) in
        [("executive order", "executive_order"), ("eo ", "executive_order"), ("proclamation", "proclamation")]
    {
        if asked.has_beginning(&[words]) {
            args.insert("kind".into(), kind.into());
        }
    }
    let years: Vec<String> =
        ["from", "to"].iter().filter_map(|end| Some(args.get(*end)?.as_str()?.to_owned())).collect();
    said.extend(years.iter().map(String::as_str));
    args.insert("query".into(), words(&without(question, &said)).join(" ").into());
    Plan { tool: SearchExecutiveActions::NAME, args: args.into() }
}

/// What a question means that is about what was found before: "the second one", "only Democrats", "and in the Senate?".
fn follow_up(question: &str, asked: &Asked, earlier: &Earlier) -> Option<Vec<Plan>> {
    if BillNumber::all_in(question).len() > 1 {
        return None;
    }
    if asked.has(&["compare them", "compare these", "compare the first two", "compare both", "compare those"])
        && earlier.bills.len() > 1
    {
        let id = |bill: &Bill| format!("{}-{}-{}", bill.congress, bill.kind.as_str(), bill.number);
        let bills: Vec<String> = earlier.bills.iter().take(2).map(id).collect();
        return Some(vec![Plan { tool: CompareBills::NAME, args: json!({ "bills": bills }) }]);
    }
    if let Some(bill) = earlier.bill_meant(asked) {
        let args = json!({ "bill": bill.citation(), "congress": bill.congress });
        return Some(vec![Plan { tool: GetBillDetails::NAME, args }]);
    }
    let (tool, before) = earlier.search.as_ref()?;
    let is_short = asked.word_count() <= 8;
    let goes_on = asked.begins(&[
        "and",
        "only",
        "just",
        "what about",
        "how about",
        "now",
        "but only",
        "same for",
        "same",
        "in",
        "from",
        "by",
        "those",
        "which of those",
        "which of them",
        "of those",
    ]);
    if !is_short || !goes_on {
        return None;
    }
    let wanted: &[&str] = if *tool == SearchBills::NAME { &BILL_FILTERS } else { &["from", "to"] };
    let mut filters = asked.filters(wanted);
    if let (true, Some(state)) = (filters.is_empty(), asked.filters(&["state"]).remove("state")) {
        filters.insert("state".into(), state);
    }
    let fillers = [
        "and", "only", "just", "what", "about", "how", "now", "but", "same", "for", "in", "the", "those", "them", "of",
        "which", "ones", "from", "by", "were", "are", "did", "have",
    ];
    let rest = words(&without(&asked.rest(), &fillers)).join(" ");
    let mut args: Map<String, Value> = before.as_object()?.clone();
    args.remove("offset");
    if filters.is_empty() {
        // Another topic, with the same filters.
        if rest.is_empty() || !asked.begins(&["what about", "how about", "and", "same for"]) {
            return None;
        }
        args.insert("query".into(), rest.into());
    } else if *tool == SearchBills::NAME
        && args.get("query").and_then(Value::as_str).is_some_and(|query| !query.is_empty())
    {
        // With a filter the query is words, not the question as it was asked.
        let query = args["query"].as_str().unwrap_or_default();
        let query = words(&Asked::new(query).rest()).join(" ");
        args.insert("query".into(), query.into());
    }
    args.extend(filters);
    let tool = if *tool == SearchBills::NAME { SearchBills::NAME } else { SearchExecutiveActions::NAME };
    Some(vec![Plan { tool, args: args.into() }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_finds_its_tool() {
        for (question, tool, args) in [
            (
                "What became of the HALT Fentanyl Act?",
                "search_bills",
                json!({"query": "What became of the HALT Fentanyl Act?"}),
            ),
            ("What is H.R. 1?", "get_bill_details", json!({"bill": "H.R. 1"})),
            ("Tell me about 118-s-5", "get_bill_details", json!({"bill": "S. 5", "congress": 118})),
            ("Compare HR 1 and S 5", "compare_bills", json!({"bills": ["H.R. 1", "S. 5"]})),
            (
                "What does Executive Order 14110 do?",
                "get_executive_action_details",
                json!({"number": "Executive order 14110"}),
            ),
            (
                "executive orders by Biden on climate",
                "search_executive_actions",
                json!({"query": "climate", "president": "Biden", "kind": "executive_order"}),
            ),
            ("Research fentanyl", "research_topic", json!({"topic": "fentanyl"})),
            ("Which sponsors are from Alaska?", "get_available_sponsors", json!({"state": "AK"})),
            ("Which topics are there?", "get_available_topics", json!({})),
            ("List the statuses", "get_available_statuses", json!({})),
            (
                "Bills of the 119th Congress on veterans that became law",
                "search_bills",
                json!({"congress": 119, "status": "became_law", "query": "veterans"}),
            ),
            (
                "What bills are about video games?",
                "search_bills",
                json!({"query": "What bills are about video games?"}),
            ),
            ("cancer research bills", "search_bills", json!({"query": "cancer research bills"})),
            ("human subjects in research", "search_bills", json!({"query": "human subjects in research"})),
            (
                "Who sponsors the HALT Fentanyl Act?",
                "search_bills",
                json!({"query": "Who sponsors the HALT Fentanyl Act?"}),
            ),
            ("show me the sponsors named Johnson", "get_available_sponsors", json!({"name": "johnson"})),
            ("topics about health", "get_available_topics", json!({"about": "health"})),
            (
                "executive orders on COVID-19",
                "search_executive_actions",
                json!({"query": "covid 19", "kind": "executive_order"}),
            ),
            (
                "presidential executive orders of 2025",
                "search_executive_actions",
                json!({"query": "presidential", "kind": "executive_order", "from": "2025", "to": "2025"}),
            ),
            ("how many bills became law?", "search_bills", json!({"status": "became_law", "query": "", "limit": 5})),
            (
                "In 2025 Congress passed which veterans bills?",
                "search_bills",
                json!({"from": "2025", "to": "2025", "query": "veterans"}),
            ),
            (
                "Land bills by Begich of Alaska",
                "search_bills",
                json!({"state": "AK", "sponsor": "begich", "query": "land"}),
            ),
        ] {
            assert_eq!(plan(question, &Asked::new(question)), Plan { tool, args }, "{question}");
        }
    }
}
