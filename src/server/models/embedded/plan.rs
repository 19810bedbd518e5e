//! Which tools a question calls for, and with what arguments. The embedded agent is no model: it knows bill numbers, a few
//! nouns and a few ways to say a filter, and searches for the rest.

use serde_json::{Map, Value, json};

use super::{
    asked::{Asked, Fact},
    earlier::Earlier,
    executive, follow, talk,
};
use crate::{
    model::legislation::{BillNumber, action_number},
    server::{
        IS_UNDER_TEST,
        corpus::words,
        tools::{
            Tool,
            compare_bills::CompareBills,
            fault::{Fault, FaultAsks, FaultCached, FaultOnce},
            get_available_sponsors::GetAvailableSponsors,
            get_available_statuses::GetAvailableStatuses,
            get_available_topics::GetAvailableTopics,
            get_bill_details::GetBillDetails,
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
pub const BILL_FILTERS: [&str; 13] = [
    "party", "state", "chamber", "type", "congress", "status", "sponsor", "from", "to", "law_from", "law_to", "sort",
    "limit",
];

/// No more calls than this for one question.
const MOST_CALLS: usize = 4;

pub fn next(question: &str, earlier: &Earlier) -> Next {
    if let Some(orders) = IS_UNDER_TEST.then(|| faults(question)).flatten() {
        return Next::Calls(orders);
    }
    let asked = Asked::new(question);
    if let Some(text) = talk::answer(&asked, earlier) {
        return Next::Text(text);
    }
    if let Some(next) = follow::follow_up(asked.original(), &asked, earlier) {
        return next;
    }
    let plans = plans(asked.original(), &asked);
    if plans.iter().all(is_empty) { Next::Text(talk::about_nothing(&asked)) } else { Next::Calls(plans) }
}

/// Whether there is nothing to search for.
fn is_empty(plan: &Plan) -> bool {
    let query = plan.args["query"].as_str().unwrap_or_default();
    let has_number = action_number::find(query).is_some();
    let is_only_query = plan.args.as_object().is_some_and(|args| args.len() == 1);
    plan.tool == SearchBills::NAME && is_only_query && words(query).is_empty() && !has_number
}

/// `faults [{"tool": "fault_once", "slow_ms": 100}, …]`: calls that go wrong as they are told to.
fn faults(question: &str) -> Option<Vec<Plan>> {
    let orders: Vec<Value> = serde_json::from_str(question.strip_prefix("faults ")?).ok()?;
    let plan = |mut args: Value| {
        let tool = args.as_object_mut().and_then(|order| order.remove("tool")).unwrap_or_default();
        let known = [Fault::NAME, FaultOnce::NAME, FaultCached::NAME, FaultAsks::NAME];
        Plan { tool: known.into_iter().find(|name| tool == *name).unwrap_or(Fault::NAME), args }
    };
    Some(orders.into_iter().map(plan).collect())
}

/// The calls that a question needs by itself.
fn plans(question: &str, asked: &Asked) -> Vec<Plan> {
    let is_executive = executive::is_meant(asked);
    let numbered = numbered(question, asked);
    match (is_executive, numbered) {
        (false, Some(plan)) => return vec![plan],
        (true, Some(plan)) => return std::iter::once(plan).chain(executive::plans(question, asked)).collect(),
        (true, None) if executive::and_bills(asked) => {
            let args = executive::topic_words(asked);
            let topic: Vec<&str> = args.iter().map(String::as_str).filter(|word| *word != "bills").collect();
            let bills = Plan { tool: SearchBills::NAME, args: json!({ "query": topic.join(" ") }) };
            return std::iter::once(bills).chain(executive::plans(question, asked)).collect();
        }
        (true, None) => return executive::plans(question, asked),
        (false, None) => {}
    }
    if let Some(topic) = asked.after_beginning(&[
        "research",
        "do research on",
        "everything about",
        "give me an overview of",
        "overview of",
        "tell me everything about",
    ]) {
        return vec![Plan { tool: ResearchTopic::NAME, args: json!({ "topic": topic }) }];
    }
    scope(asked).or_else(|| choices(asked).map(|plan| vec![plan])).unwrap_or_else(|| searches(question, asked))
}

/// What there is at all, and how new it is.
fn scope(asked: &Asked) -> Option<Vec<Plan>> {
    let is_asked = asked.has(&[
        "how many bills are there",
        "what bills are there",
        "which bills are there",
        "what bills do you have",
        "how many bills do you have",
        "how many bills are stored",
        "what data",
        "how current",
        "how up to date",
        "how old is your data",
        "which congresses",
        "what congresses",
        "what do you cover",
    ]);
    let newest = json!({ "query": "", "sort": "newest", "limit": 5 });
    let plan = |tool| Plan { tool, args: newest.clone() };
    (is_asked && asked.topic_words().iter().all(|word| SCOPE_WORDS.contains(&word.as_str())))
        .then(|| vec![plan(SearchBills::NAME), plan(SearchExecutiveActions::NAME)])
}

const SCOPE_WORDS: [&str; 9] = ["data", "current", "date", "old", "congresses", "cover", "stored", "here", "there"];

/// Searches for bills: one, or one for each of several kinds, parties, sponsors or topics.
fn searches(question: &str, asked: &Asked) -> Vec<Plan> {
    let mut args = asked.filters(&BILL_FILTERS);
    // Whether a bill is law is asked, not known.
    if matches!(asked.fact(), Some((Fact::Law | Fact::Signed | Fact::Status, _))) {
        args.retain(|name, _| !["status", "law_from", "law_to"].contains(&name.as_str()));
    }
    if asked.counts() {
        args.entry("limit").or_insert(5.into());
    }
    // A question is kept as it was asked, unless a part of it has become a filter.
    let topic = topic(asked, &args);
    let is_whole = args.is_empty() && topic == words(question);
    let query = if is_whole { question.trim().to_owned() } else { topic.join(" ") };
    args.insert("query".into(), query.into());
    let mut all = spread(asked, &args);
    // "How many were introduced, and how many became law?" are two questions.
    if asked.text().matches("how many").count() == 2 && args.contains_key("status") {
        let mut of_all = args.clone();
        of_all.remove("status");
        all.insert(0, of_all);
    }
    all.into_iter().map(|args| Plan { tool: SearchBills::NAME, args: args.into() }).collect()
}

fn topic(asked: &Asked, args: &Map<String, Value>) -> Vec<String> {
    let mut topic = asked.topic_words();
    let is_decided = args.get("status").is_some_and(|status| status == "became_law" || status == "vetoed");
    // Who signed a law, or vetoed it, is not stored.
    if is_decided && asked.has(&["sign", "signed", "veto", "vetoed", "by trump", "by biden", "by obama"]) {
        let presidents: Vec<String> = executive::presidents(asked).into_iter().map(str::to_lowercase).collect();
        topic.retain(|word| !presidents.contains(word) && word != "president");
    }
    topic
}

/// The same for each of what it names several of.
fn spread(asked: &Asked, args: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let kinds = asked.kinds().0.iter().map(|kind| kind.as_str().to_owned()).collect();
    let parties = asked.parties().iter().map(|(letter, _)| (*letter).to_owned()).collect();
    let sponsors = asked.sponsors().into_iter().map(|(name, _)| name).collect();
    let topics = either(asked);
    let several: [(&str, Vec<String>); 4] =
        [("type", kinds), ("party", parties), ("sponsor", sponsors), ("query", topics)];
    let Some((name, values)) = several.into_iter().find(|(_, values)| values.len() > 1) else {
        return vec![args.clone()];
    };
    let with = |value: String| {
        let mut args = args.clone();
        args.insert(name.to_owned(), value.into());
        args
    };
    values.into_iter().take(MOST_CALLS).map(with).collect()
}

/// "guns or abortion": either of them.
fn either(asked: &Asked) -> Vec<String> {
    let rest = asked.rest();
    let parts: Vec<String> = rest.split(" or ").map(|part| Asked::new(part).topic_words().join(" ")).collect();
    if parts.len() > 1 && parts.iter().all(|part| !part.is_empty()) { parts } else { Vec::new() }
}

/// A bill's number with its congress, where that is known.
pub fn id(bill: &BillNumber) -> String {
    match bill.congress {
        Some(congress) => format!("{congress}-{}-{}", bill.kind.as_str(), bill.number),
        None => bill.to_string(),
    }
}

/// Bills by their number: one is read, several are compared.
fn numbered(question: &str, asked: &Asked) -> Option<Plan> {
    let bills = BillNumber::all_in(question);
    match &bills[..] {
        [] => None,
        [bill] => {
            let mut args = json!({ "bill": bill.to_string() });
            let congress = bill.congress.map(Value::from).or_else(|| asked.filters(&["congress"]).remove("congress"));
            if let Some(congress) = congress {
                args["congress"] = congress;
            }
            Some(Plan { tool: GetBillDetails::NAME, args })
        }
        several => {
            let bills: Vec<String> = several.iter().map(id).collect();
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
        let mut args = asked.filters(&["party", "state", "congress", "chamber"]);
        for (word, chamber) in [("senator", "senate"), ("representative", "house")] {
            if asked.has(&[word]) {
                args.insert("chamber".into(), chamber.into());
            }
        }
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
    // What bills are not cannot be sought; how many stand where can be told.
    let not_a_status =
        asked.not().iter().any(|not| Asked::new(not.rsplit("not ").next().unwrap_or(not)).status().is_some());
    if !(not_a_status && asked.topic_words().is_empty()) {
        asked.lists(&["statuses"])?;
    }
    Some(Plan { tool: GetAvailableStatuses::NAME, args: asked.filters(&["congress"]).into() })
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
            ("Who sponsors the HALT Fentanyl Act?", "search_bills", json!({"query": "halt fentanyl"})),
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
                json!({"query": "", "kind": "executive_order", "from": "2025", "to": "2025"}),
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
            assert_eq!(plans(question, &Asked::new(question)), [Plan { tool, args }], "{question}");
        }
    }
}
