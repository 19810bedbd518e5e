//! Questions about what presidents have signed: which are meant, by whom, of what kind, and about what.

use serde_json::{Map, Value, json};

use super::{
    asked::{Asked, without},
    plan::Plan,
};
use crate::{
    model::legislation::{ActionKind, action_number},
    server::{
        corpus::words,
        tools::{
            Tool, get_executive_action_details::GetExecutiveActionDetails,
            search_executive_actions::SearchExecutiveActions,
        },
    },
};

const PRESIDENTS: [&str; 5] = ["Obama", "Trump", "Biden", "Bush", "Clinton"];

/// How people call them.
const NOUNS: [(&str, Option<ActionKind>); 17] = [
    ("executive orders", Some(ActionKind::ExecutiveOrder)),
    ("executive order", Some(ActionKind::ExecutiveOrder)),
    ("exec orders", Some(ActionKind::ExecutiveOrder)),
    ("exec order", Some(ActionKind::ExecutiveOrder)),
    ("presidential orders", Some(ActionKind::ExecutiveOrder)),
    ("eos", Some(ActionKind::ExecutiveOrder)),
    ("eo", Some(ActionKind::ExecutiveOrder)),
    ("e o", Some(ActionKind::ExecutiveOrder)),
    ("proclamations", Some(ActionKind::Proclamation)),
    ("proclamation", Some(ActionKind::Proclamation)),
    ("presidential memoranda", Some(ActionKind::Memorandum)),
    ("memoranda", Some(ActionKind::Memorandum)),
    ("memorandum", Some(ActionKind::Memorandum)),
    ("executive actions", None),
    ("executive action", None),
    ("presidential actions", None),
    ("presidential documents", None),
];

/// Words that only say that it was signed.
const AROUND: [&str; 23] = [
    "executive",
    "orders",
    "order",
    "actions",
    "action",
    "president",
    "presidents",
    "presidential",
    "issued",
    "issue",
    "signed",
    "sign",
    "signs",
    "revoke",
    "did",
    "first term",
    "second term",
    "biden",
    "bidens",
    "in force",
    "more",
    "one",
    "term",
];

/// Whether it is about what presidents sign, and not about bills.
pub fn is_meant(asked: &Asked) -> bool {
    NOUNS.iter().any(|(noun, _)| asked.has(&[noun]))
        || asked.has_beginning(&["eo1"])
        || asked.has(&["president", "presidents"])
            && asked.has(&["signed", "sign", "issued", "order", "ordered"])
            && !asked.has(&["bills", "bill", "laws", "law", "signature"])
}

/// Whether it asks for bills as well.
pub fn and_bills(asked: &Asked) -> bool {
    asked.has(&["bills and", "and bills", "laws and", "and laws", "legislation and", "and legislation"])
}

pub fn presidents(asked: &Asked) -> Vec<&'static str> {
    PRESIDENTS.into_iter().filter(|name| asked.has(&[&name.to_lowercase()])).collect()
}

/// What a search for them can be narrowed by. Of several presidents, the first.
pub fn filters(asked: &Asked) -> Map<String, Value> {
    let mut filters = asked.filters(&["from", "to", "sort", "limit"]);
    let presidents = presidents(asked);
    if let Some(president) = presidents.first() {
        filters.insert("president".into(), (*president).into());
    }
    for (words, from, to) in [("first term", "2017-01-20", "2021-01-19"), ("second term", "2025-01-20", "2029-01-19")] {
        if presidents == ["Trump"] && asked.has(&[words]) {
            filters.insert("from".into(), from.into());
            filters.insert("to".into(), to.into());
        }
    }
    if let Some((_, Some(kind))) = NOUNS.iter().find(|(noun, _)| asked.has(&[noun])) {
        filters.insert("kind".into(), kind.as_str().into());
    }
    filters
}

/// What they are about.
pub fn topic_words(asked: &Asked) -> Vec<String> {
    let presidents = presidents(asked).into_iter().map(str::to_lowercase).collect::<Vec<_>>();
    let said: Vec<&str> =
        NOUNS.iter().map(|(noun, _)| *noun).chain(AROUND).chain(presidents.iter().map(String::as_str)).collect();
    words(&without(&asked.topic_words().join(" "), &said))
}

/// Each number is read; otherwise there is a search for each president.
pub fn plans(question: &str, asked: &Asked) -> Vec<Plan> {
    let numbers = numbers(question);
    if !numbers.is_empty() {
        let read = |number: String| Plan { tool: GetExecutiveActionDetails::NAME, args: json!({ "number": number }) };
        return numbers.into_iter().map(read).collect();
    }
    let mut args = filters(asked);
    args.insert("query".into(), topic_words(asked).join(" ").into());
    if asked.counts() {
        args.entry("limit").or_insert(5.into());
    }
    for_each_president(asked, Plan { tool: SearchExecutiveActions::NAME, args: args.into() })
}

/// The same search for each of several presidents.
pub fn for_each_president(asked: &Asked, plan: Plan) -> Vec<Plan> {
    let presidents = presidents(asked);
    if presidents.len() < 2 || plan.tool != SearchExecutiveActions::NAME {
        return vec![plan];
    }
    let of = |president: &&str| {
        let mut plan = plan.clone();
        plan.args["president"] = (*president).into();
        plan
    };
    presidents.iter().map(of).collect()
}

/// All numbers that it names, as the tool takes them.
fn numbers(question: &str) -> Vec<String> {
    let Some((kind, first)) = action_number::find(&question.replace("E.O.", "EO").replace("e.o.", "eo")) else {
        return Vec::new();
    };
    let label = kind.map(|kind| format!("{} ", kind.label())).unwrap_or_default();
    let others = question
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|digits| digits.len() == 5 && *digits != first && kind.is_some());
    let mut all: Vec<String> =
        std::iter::once(first.as_str()).chain(others).map(|number| format!("{label}{number}")).collect();
    all.dedup();
    all.truncate(4);
    all
}
