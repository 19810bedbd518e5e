//! Which tool a question calls for, and with what arguments. The embedded agent is no model: it knows bill numbers, a few
//! nouns and a few ways to say a filter, and searches for the rest.

use serde_json::{Map, Value, json};

use crate::{
    model::legislation::{BillNumber, BillStatus},
    server::{
        corpus::words,
        tools::{
            Tool,
            compare_bills::CompareBills,
            filters::state_in,
            get_available_sponsors::GetAvailableSponsors,
            get_available_statuses::GetAvailableStatuses,
            get_available_topics::GetAvailableTopics,
            get_bill_details::GetBillDetails,
            get_executive_action_details::GetExecutiveActionDetails,
            research_topic::ResearchTopic,
            search_bills::SearchBills,
            search_executive_actions::{SearchExecutiveActions, number_in},
        },
    },
};

#[derive(Debug, PartialEq)]
pub struct Plan {
    pub tool: &'static str,
    pub args: Value,
}

pub fn plan(question: &str) -> Plan {
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
            let bills: Vec<String> = several.iter().take(6).map(said).collect();
            return Plan { tool: CompareBills::NAME, args: json!({ "bills": bills }) };
        }
    }
    if asked.says(&["executive order", "executive action", "proclamation", "presidential", "eo "]) {
        return executive(question, &asked);
    }
    if let Some(topic) = asked.after(&["research ", "everything about ", "everything on ", "overview of "]) {
        return Plan { tool: ResearchTopic::NAME, args: json!({ "topic": topic }) };
    }
    if asked.says(&[" sponsors "]) && asked.says(&["which ", "who ", "list ", "available", "what ", "show "]) {
        return Plan { tool: GetAvailableSponsors::NAME, args: asked.filters(&["party", "state", "congress"]) };
    }
    if asked.says(&[" topics ", " subjects ", " policy areas "]) {
        return Plan { tool: GetAvailableTopics::NAME, args: json!({}) };
    }
    if asked.says(&[" statuses "]) {
        return Plan { tool: GetAvailableStatuses::NAME, args: asked.filters(&["congress"]) };
    }
    let Value::Object(mut args) = asked.filters(&["party", "state", "congress", "status"]) else {
        return Plan { tool: SearchBills::NAME, args: json!({ "query": question }) };
    };
    // A question is kept as it was asked, unless a part of it has become a filter.
    let query = if args.is_empty() { question.to_owned() } else { words(&asked.rest()).join(" ") };
    args.insert("query".into(), query.into());
    Plan { tool: SearchBills::NAME, args: args.into() }
}

fn executive(question: &str, asked: &Asked) -> Plan {
    if let Some(number) = number_in(question) {
        return Plan { tool: GetExecutiveActionDetails::NAME, args: json!({ "number": number }) };
    }
    let mut args = Map::new();
    let mut query = question.to_owned();
    for name in ["Obama", "Trump", "Biden", "Bush", "Clinton"] {
        if asked.says(&[&format!(" {} ", name.to_lowercase())]) {
            args.insert("president".into(), name.into());
            query = without(&query, &[name, "president", "'s", "’s"]);
        }
    }
    let year = asked.text.split(' ').find(|word| word.len() == 4 && ("1990".."2100").contains(word));
    if let Some(year) = year {
        args.insert("from".into(), year.into());
        args.insert("to".into(), year.into());
        query = without(&query, &[year]);
    }
    if asked.says(&["proclamation"]) {
        args.insert("kind".into(), "proclamation".into());
        query = without(&query, &["proclamations", "proclamation"]);
    }
    args.insert("query".into(), words(&query).join(" ").into());
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

    fn after(&self, any: &[&str]) -> Option<String> {
        let at = any.iter().find_map(|words| Some(self.text.find(words)? + words.len()))?;
        Some(self.text[at..].trim().to_owned()).filter(|topic| !topic.is_empty())
    }

    fn party(&self) -> Option<(&'static str, &'static str)> {
        [("R", "republicans"), ("R", "republican"), ("D", "democrats"), ("D", "democratic"), ("D", "democrat")]
            .into_iter()
            .find(|(_, word)| self.says(&[&format!(" {word} ")]))
    }

    /// Only where it says whose state it is: "bills on Alaska" are about Alaska.
    fn state(&self) -> Option<(&'static str, &'static str)> {
        let (letters, name) = state_in(&self.text)?;
        let name_said = name.to_lowercase();
        self.says(&[&format!(" of {name_said} "), &format!(" from {name_said} "), &format!(" by {name_said} ")])
            .then_some((letters, name))
    }

    fn congress(&self) -> Option<u32> {
        let before = self.text.split(" congress").next().filter(|before| before.len() < self.text.len())?;
        before.rsplit(' ').next()?.trim_end_matches(char::is_alphabetic).parse().ok()
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
        let congress =
            self.congress().map(|n| [format!("{n}th congress"), format!("{n} congress")]).unwrap_or_default();
        said.extend(congress.iter().map(String::as_str).filter(|words| !words.is_empty()));
        without(&self.original, &said)
    }
}

/// A text without these words, in whatever case.
fn without(text: &str, words: &[&str]) -> String {
    let mut text = text.to_owned();
    for word in words.iter().filter(|word| !word.is_empty()) {
        // Only ASCII changes case here, so that places in both stay the same.
        while let Some(at) = text.to_ascii_lowercase().find(&word.to_ascii_lowercase()) {
            text.replace_range(at..at + word.len(), "");
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
            ("What does Executive Order 14110 do?", "get_executive_action_details", json!({"number": "14110"})),
            (
                "executive orders by Biden on climate",
                "search_executive_actions",
                json!({"query": "executive orders climate", "president": "Biden"}),
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
            ("Land bills by Begich of Alaska", "search_bills", json!({"state": "AK", "query": "land begich"})),
        ] {
            assert_eq!(plan(question), Plan { tool, args }, "{question}");
        }
    }
}
