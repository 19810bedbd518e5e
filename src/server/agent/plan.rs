//! Which tool a question calls for, and with what arguments. The embedded agent is no model: it knows bill numbers, a few
//! nouns and a few ways to say a filter, and searches for the rest.

use serde_json::{Map, Value, json};

use crate::{
    model::legislation::{BillNumber, BillStatus, action_number, states},
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

#[derive(Debug, PartialEq)]
pub struct Plan {
    pub tool: &'static str,
    pub args: Value,
}

/// The calls that a question calls for.
pub fn plans(question: &str) -> Vec<Plan> {
    let faults = IS_UNDER_TEST.then(|| faults(question)).flatten();
    faults.unwrap_or_else(|| vec![plan(question)])
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

fn plan(question: &str) -> Plan {
    let asked = Asked::new(question);
    let bills = BillNumber::all_in(question);
    match &bills[..] {
        [] => {}
        [bill] => {
            let mut args = json!({ "bill": bill.to_string() });
            if let Some(congress) = bill.congress {
                args["congress"] = congress.into();
            }
            return Plan { tool: GetBillDetails::NAME, args };
        }
        several => {
            let said = |bill: &BillNumber| match bill.congress {
                Some(congress) => format!("{congress}-{}-{}", bill.kind.as_str(), bill.number),
                None => bill.to_string(),
            };
            let bills: Vec<String> = several.iter().map(said).collect();
            return Plan { tool: CompareBills::NAME, args: json!({ "bills": bills }) };
        }
    }
    if asked.says(&[" executive order", " executive action", " proclamation", " eo "]) {
        return executive(question, &asked);
    }
    if let Some(topic) =
        asked.after_beginning(&["research ", "do research on ", "everything about ", "give me an overview of "])
    {
        return Plan { tool: ResearchTopic::NAME, args: json!({ "topic": topic }) };
    }
    if let Some(name) = asked.lists(&["sponsors", "sponsor"]) {
        let mut args = asked.filters(&["party", "state", "congress"]);
        if !name.is_empty() {
            args["name"] = name.into();
        }
        return Plan { tool: GetAvailableSponsors::NAME, args };
    }
    if let Some(about) = asked.lists(&["topics", "subjects", "policy areas"]) {
        let args = if about.is_empty() { json!({}) } else { json!({ "about": about }) };
        return Plan { tool: GetAvailableTopics::NAME, args };
    }
    if asked.lists(&["statuses"]).is_some() {
        return Plan { tool: GetAvailableStatuses::NAME, args: asked.filters(&["congress"]) };
    }
    let Value::Object(mut args) = asked.filters(&["party", "state", "congress", "status", "from", "to"]) else {
        return Plan { tool: SearchBills::NAME, args: json!({ "query": question }) };
    };
    // A question is kept as it was asked, unless a part of it has become a filter.
    let query = if args.is_empty() { question.to_owned() } else { words(&asked.rest()).join(" ") };
    args.insert("query".into(), query.into());
    Plan { tool: SearchBills::NAME, args: args.into() }
}

fn executive(question: &str, asked: &Asked) -> Plan {
    if let Some((kind, number)) = action_number::find(question) {
        let said = kind.map_or_else(|| number.clone(), |kind| format!("{} {number}", kind.label()));
        return Plan { tool: GetExecutiveActionDetails::NAME, args: json!({ "number": said }) };
    }
    let Value::Object(mut args) = asked.filters(&["from", "to"]) else {
        return Plan { tool: SearchExecutiveActions::NAME, args: json!({ "query": question }) };
    };
    let mut said =
        vec!["executive", "orders", "order", "actions", "action", "proclamations", "proclamation", "president"];
    for name in ["Obama", "Trump", "Biden", "Bush", "Clinton"] {
        if asked.says(&[&format!(" {} ", name.to_lowercase())]) {
            args.insert("president".into(), name.into());
            said.push(name);
        }
    }
    for (words, kind) in
        [(" executive order", "executive_order"), (" eo ", "executive_order"), (" proclamation", "proclamation")]
    {
        if asked.says(&[words]) {
            args.insert("kind".into(), kind.into());
        }
    }
    said.extend(asked.year());
    args.insert("query".into(), words(&without(question, &said)).join(" ").into());
    Plan { tool: SearchExecutiveActions::NAME, args: args.into() }
}

/// A question, made easy to look into: lower case, single spaces, no punctuation, a space at both ends.
struct Asked {
    original: String,
    text: String,
}

impl Asked {
    fn new(question: &str) -> Self {
        let words = question.to_lowercase().replace(|letter: char| !letter.is_alphanumeric() && letter != '-', " ");
        let text = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
        Self { original: question.to_owned(), text }
    }

    fn says(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.text.contains(words))
    }

    /// What follows, where the question begins with one of these.
    fn after_beginning(&self, any: &[&str]) -> Option<String> {
        let text = self.text.trim_start().trim_start_matches("please ");
        let topic = any.iter().find_map(|words| text.strip_prefix(words))?;
        Some(topic.trim().to_owned()).filter(|topic| !words(topic).is_empty())
    }

    /// Whether it asks what there is of these, and about what or of what name; not whether it only mentions them.
    fn lists(&self, any: &[&str]) -> Option<String> {
        let noun = any.iter().find(|noun| self.says(&[&format!(" {noun} ")]))?;
        let asks = ["which ", "what ", "list ", "show ", "who are ", "available ", "all ", "name "];
        let text = self.text.trim_start();
        if !asks.iter().any(|asks| text.starts_with(asks)) && !text.starts_with(noun) {
            return None;
        }
        let (_, after) = self.text.split_once(&format!(" {noun} "))?;
        let named = ["named ", "called ", "about ", "on "].iter().find_map(|word| after.strip_prefix(word));
        if let Some(named) = named {
            return Some(named.trim().to_owned());
        }
        let rest = words(&without(&self.rest(), &[noun, "available", "active", "exist"]));
        rest.is_empty().then(String::new)
    }

    fn year(&self) -> Option<&str> {
        self.text.split(' ').find(|word| word.len() == 4 && ("1990".."2100").contains(word))
    }

    fn party(&self) -> Option<(&'static str, &'static str)> {
        [("R", "republicans"), ("R", "republican"), ("D", "democrats"), ("D", "democratic"), ("D", "democrat")]
            .into_iter()
            .find(|(_, word)| self.says(&[&format!(" {word} ")]))
    }

    /// Only where it says whose state it is: "bills on Alaska" are about Alaska.
    fn state(&self) -> Option<(&'static str, &'static str)> {
        let (letters, name) = states::named_in(&self.text)?;
        let name_said = name.to_lowercase();
        self.says(&[&format!(" of {name_said} "), &format!(" from {name_said} "), &format!(" by {name_said} ")])
            .then_some((letters, name))
    }

    fn congress(&self) -> Option<u32> {
        let before = self.text.split(" congress").next().filter(|before| before.len() < self.text.len())?;
        let number = before.rsplit(' ').next()?.trim_end_matches(char::is_alphabetic).parse().ok();
        number.filter(|congress| (60..=150).contains(congress))
    }

    fn status(&self) -> Option<(BillStatus, &'static str)> {
        [
            (BillStatus::BecameLaw, "became law"),
            (BillStatus::BecameLaw, "signed into law"),
            (BillStatus::BecameLaw, "enacted"),
            (BillStatus::Vetoed, "vetoed"),
            (BillStatus::PassedHouse, "passed the house"),
            (BillStatus::PassedSenate, "passed the senate"),
            (BillStatus::InCommittee, "in committee"),
            (BillStatus::Failed, "failed"),
        ]
        .into_iter()
        .find(|(_, words)| self.says(&[&format!(" {words} ")]))
    }

    /// Those of these filters that the question says.
    fn filters(&self, wanted: &[&str]) -> Value {
        let said = [
            ("party", self.party().map(|(letter, _)| letter.into())),
            ("state", self.state().map(|(letters, _)| letters.into())),
            ("congress", self.congress().map(Value::from)),
            ("from", self.year().map(Value::from)),
            ("to", self.year().map(Value::from)),
            ("status", self.status().map(|(status, _)| status.as_str().into())),
        ];
        let fits = said.into_iter().filter(|(name, _)| wanted.contains(name));
        fits.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
    }

    /// The question without what has become a filter.
    fn rest(&self) -> String {
        let mut said: Vec<&str> = Vec::new();
        said.extend(self.party().map(|(_, word)| word));
        said.extend(self.state().map(|(_, name)| name));
        said.extend(self.status().map(|(_, words)| words));
        said.extend(self.year());
        let congress =
            self.congress().map(|n| [format!("{n}th congress"), format!("{n} congress")]).unwrap_or_default();
        said.extend(congress.iter().map(String::as_str).filter(|words| !words.is_empty()));
        without(&self.original, &said)
    }
}

/// A text without these words, in whatever case; parts of other words stay.
fn without(text: &str, words: &[&str]) -> String {
    let mut text = text.to_owned();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let mut from = 0;
        // Only ASCII changes case here, so that places in both stay the same.
        while let Some(at) = text.to_ascii_lowercase()[from..].find(&word.to_ascii_lowercase()).map(|at| at + from) {
            let end = at + word.len();
            let is_inside =
                text[..at].ends_with(char::is_alphanumeric) || text[end..].starts_with(char::is_alphanumeric);
            if is_inside {
                from = end;
            } else {
                text.replace_range(at..end, "");
                from = at;
            }
        }
    }
    text
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
            ("how many bills became law?", "search_bills", json!({"status": "became_law", "query": ""})),
            (
                "In 2025 Congress passed which veterans bills?",
                "search_bills",
                json!({"from": "2025", "to": "2025", "query": "veterans"}),
            ),
            ("Land bills by Begich of Alaska", "search_bills", json!({"state": "AK", "query": "land begich"})),
        ] {
            assert_eq!(plan(question), Plan { tool, args }, "{question}");
        }
    }
}
