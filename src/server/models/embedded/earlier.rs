//! What was looked up before in the conversation, and what was found: what "the second one" and "only Democrats" are about.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Asked, Found, result};
use crate::{
    model::{
        Bill,
        legislation::{ActionsFound, BillDetails, BillsFound, Comparison, ExecutiveAction, Research},
    },
    server::{
        corpus::words,
        models::{Made, Said},
        tools::{
            Tool, research_topic::ResearchTopic, search_bills::SearchBills,
            search_executive_actions::SearchExecutiveActions,
        },
    },
};

/// A search that was made: its tool, its arguments, and how many there were.
#[derive(Clone)]
pub struct Search {
    pub tool: &'static str,
    pub args: Map<String, Value>,
    pub total: u64,
}

/// What the last answer was about.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Last {
    #[default]
    Nothing,
    Bills,
    Bill,
    Compared,
    Actions,
    Action,
}

#[derive(Default)]
pub struct Earlier {
    /// The searches of the last turn that made some and did not fail.
    pub searches: Vec<Search>,
    /// The bills that were last listed.
    pub bills: Vec<Bill>,
    /// The bill that was last read by itself.
    pub read: Option<Bill>,
    /// The two that were last read, the older one first.
    pub recent: Vec<Bill>,
    pub compared: Vec<Bill>,
    pub actions: Vec<ExecutiveAction>,
    pub action: Option<ExecutiveAction>,
    pub last: Last,
}

/// What a question means by "it" or "the second one".
pub enum Meant<'a> {
    Bill(&'a Bill),
    Action(&'a ExecutiveAction),
    /// One of several, and it does not say which.
    Unclear,
}

impl Earlier {
    /// From everything before the question.
    pub fn of(messages: &[Said]) -> Self {
        let mut earlier = Self::default();
        let mut made: HashMap<&str, &Made> = HashMap::new();
        let mut has_searched = false;
        for said in messages {
            match said {
                Said::User { .. } => has_searched = false,
                Said::Assistant { calls, .. } => made.extend(calls.iter().map(|call| (call.id.as_str(), call))),
                Said::Result { call_id, .. } => {
                    let Some(found) = result(said, messages).filter(|found| !found.is_error) else { continue };
                    let search = made.get(call_id.as_str()).and_then(|made| search(made, &found));
                    if let Some(search) = search {
                        if !has_searched {
                            earlier.searches.clear();
                        }
                        earlier.searches.push(search);
                    }
                    earlier.take(&found, has_searched);
                    has_searched |=
                        [SearchBills::NAME, SearchExecutiveActions::NAME, ResearchTopic::NAME].contains(&found.tool);
                }
            }
        }
        earlier
    }

    /// What was listed first in a turn stays what "the first one" is about. Nothing found replaces nothing.
    fn take(&mut self, found: &Found<'_>, has_searched: bool) {
        let value = || found.result.clone();
        if let Ok(found) = serde_json::from_value::<BillsFound>(value()) {
            self.list(found.bills, Vec::new(), has_searched);
        } else if let Ok(found) = serde_json::from_value::<ActionsFound>(value()) {
            self.list(Vec::new(), found.executive_actions, has_searched);
        } else if let Ok(research) = serde_json::from_value::<Research>(value()) {
            self.list(research.bills, research.executive_actions, has_searched);
        } else if let Ok(details) = serde_json::from_value::<BillDetails>(value()) {
            self.recent.retain(|known| known.bill_number() != details.bill.bill_number());
            self.recent.push(details.bill.clone());
            self.recent.drain(..self.recent.len().saturating_sub(2));
            (self.read, self.last) = (Some(details.bill), Last::Bill);
        } else if let Ok(action) = serde_json::from_value::<ExecutiveAction>(value()) {
            (self.action, self.last) = (Some(action), Last::Action);
        } else if let Ok(compared) = serde_json::from_value::<Comparison>(value()) {
            let bills: Vec<Bill> = compared.bills.into_iter().map(|details| details.bill).collect();
            // Those that were compared out of a list do not replace it.
            if !bills.iter().all(|bill| self.bills.iter().any(|known| known.bill_number() == bill.bill_number())) {
                self.bills = bills.clone();
            }
            self.compared = bills;
            if !has_searched {
                (self.last, self.read) = (Last::Compared, None);
            }
        }
    }

    fn list(&mut self, bills: Vec<Bill>, actions: Vec<ExecutiveAction>, has_searched: bool) {
        let is_behind = has_searched && matches!(self.last, Last::Bills | Last::Actions);
        if !actions.is_empty() {
            (self.actions, self.action) = (actions, None);
            self.last = if is_behind { self.last } else { Last::Actions };
        }
        let is_second_list = is_behind && self.last == Last::Bills;
        if !bills.is_empty() && !is_second_list {
            (self.bills, self.read) = (bills, None);
            self.last = if is_behind { self.last } else { Last::Bills };
        }
    }

    pub fn is_about_actions(&self) -> bool {
        matches!(self.last, Last::Actions | Last::Action)
    }

    /// The bills that "the first one" counts from.
    pub fn listed(&self) -> &[Bill] {
        if self.last == Last::Compared { &self.compared } else { &self.bills }
    }

    /// The one that is under discussion, if there is one.
    pub fn it(&self) -> Option<Meant<'_>> {
        let query = self.searches.first().and_then(|search| search.args.get("query")?.as_str()).unwrap_or_default();
        if self.is_about_actions() {
            let named = || named(&self.actions, query, |action| &action.title).into_iter().next();
            let only = || self.actions.first().filter(|_| self.actions.len() == 1);
            let sorted = || self.actions.first().filter(|_| self.is_sorted());
            let action = self.action.as_ref().or_else(only).or_else(sorted).or_else(named);
            return action.map(Meant::Action).or((!self.actions.is_empty()).then_some(Meant::Unclear));
        }
        let listed = self.listed();
        let only = || listed.first().filter(|_| listed.len() == 1);
        let sorted = || listed.first().filter(|_| self.is_sorted());
        let named = || named(listed, query, |bill| &bill.title).into_iter().next();
        let bill = self.read.as_ref().or_else(only).or_else(sorted).or_else(named);
        bill.map(Meant::Bill).or((!listed.is_empty()).then_some(Meant::Unclear))
    }

    /// What stands at this place of the last list, or of the other list of the same answer.
    fn at(&self, place: usize) -> Option<Meant<'_>> {
        let action = || at(&self.actions, place).map(Meant::Action);
        let bill = || at(self.listed(), place).map(Meant::Bill);
        let meant = if self.is_about_actions() { action() } else { bill().or_else(action) };
        meant.or((!self.bills.is_empty() || !self.actions.is_empty()).then_some(Meant::Unclear))
    }

    /// What stands behind the one under discussion in its list.
    fn next(&self) -> Option<Meant<'_>> {
        if self.is_about_actions() {
            let number = self.action.as_ref().map(|action| &action.document_number);
            let place = self.actions.iter().position(|action| Some(&action.document_number) == number).unwrap_or(0);
            return self.actions.get(place + 1).map(Meant::Action);
        }
        let number = self.read.as_ref().map(Bill::bill_number);
        let place = self.bills.iter().position(|bill| Some(bill.bill_number()) == number).unwrap_or(0);
        self.bills.get(place + 1).map(Meant::Bill)
    }

    /// Whether the newest or oldest was asked for, which is one.
    fn is_sorted(&self) -> bool {
        self.searches.first().is_some_and(|search| search.args.contains_key("sort"))
    }

    /// "the second one", "number 3", "the last bill", "it".
    pub fn meant(&self, asked: &Asked) -> Option<Meant<'_>> {
        if asked.word_count() > 10 {
            return None;
        }
        if asked.has(&["one before that", "the one before", "next one", "one after that"]) {
            return self.next();
        }
        if let Some(place) = places(asked).first() {
            return self.at(*place);
        }
        const IT: [&str; 21] = [
            "it",
            "its",
            "that bill",
            "this bill",
            "the bill",
            "that law",
            "this law",
            "the law",
            "that one",
            "this one",
            "that order",
            "this order",
            "the order",
            "the sponsor",
            "that act",
            "this act",
            "the act",
            "it s",
            "she",
            "he",
            "what does it",
        ];
        let is_bare = asked.fact().is_some() && asked.topic_words().is_empty();
        if !asked.has(&IT) && !is_bare {
            return None;
        }
        self.it()
    }
}

/// Those whose title is what was asked for: exactly, or else with all of its words.
pub fn named<'a, T>(list: &'a [T], query: &str, title: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let exact: Vec<&T> = list.iter().filter(|item| is_title(title(item), query)).collect();
    if exact.is_empty() { list.iter().filter(|item| holds(title(item), query)).collect() } else { exact }
}

/// Which places of a list it names; the last one is `usize::MAX`.
pub fn places(asked: &Asked) -> Vec<usize> {
    const ORDINALS: [[&str; 3]; 10] = [
        ["first", "1st", "1"],
        ["second", "2nd", "2"],
        ["third", "3rd", "3"],
        ["fourth", "4th", "4"],
        ["fifth", "5th", "5"],
        ["sixth", "6th", "6"],
        ["seventh", "7th", "7"],
        ["eighth", "8th", "8"],
        ["ninth", "9th", "9"],
        ["tenth", "10th", "10"],
    ];
    let is_one = |word: &str| {
        let nouns = ["one", "bill", "order", "result", "law", "resolution"];
        nouns.iter().any(|noun| asked.has(&[&format!("{word} {noun}")]))
            || asked.ends(&[&format!("the {word}"), &format!("and {word}"), &format!("number {word}")])
            || asked.has(&[&format!("the {word} and"), &format!("{word} and the")])
            || asked.text() == word && word.parse::<u32>().is_err()
    };
    let mut places: Vec<usize> =
        (0..ORDINALS.len()).filter(|place| ORDINALS[*place].iter().any(|word| is_one(word))).collect();
    if is_one("last") && !asked.has(&["last congress", "last year", "last law"]) {
        places.push(usize::MAX);
    }
    places
}

fn at<T>(list: &[T], place: usize) -> Option<&T> {
    if place == usize::MAX { list.last() } else { list.get(place) }
}

/// Whether a title has all the words of a query, of which there are some.
fn holds(title: &str, query: &str) -> bool {
    let asked = Asked::new(query).topic_words();
    let title = words(title);
    !asked.is_empty() && asked.iter().all(|word| title.contains(word))
}

/// Whether a title has those words and no others, but for its year.
fn is_title(title: &str, query: &str) -> bool {
    let asked = Asked::new(query).topic_words();
    let is_year = |word: &&String| word.len() == 4 && word.parse::<u32>().is_ok();
    let title = words(title);
    !asked.is_empty() && title.iter().filter(|word| !is_year(word)).eq(asked.iter())
}

fn search(made: &Made, found: &Found<'_>) -> Option<Search> {
    let args = made.args.as_object()?.clone();
    let total = ["total_results", "total_bills"].iter().find_map(|name| found.result.get(name)?.as_u64());
    let total = total.unwrap_or_default();
    match made.name.as_str() {
        SearchBills::NAME => Some(Search { tool: SearchBills::NAME, args, total }),
        SearchExecutiveActions::NAME => Some(Search { tool: SearchExecutiveActions::NAME, args, total }),
        // Research is a search too.
        ResearchTopic::NAME => {
            let mut of_bills = json!({ "query": args.get("topic")? });
            if let Some(congress) = args.get("congress") {
                of_bills["congress"] = congress.clone();
            }
            Some(Search { tool: SearchBills::NAME, args: of_bills.as_object()?.clone(), total })
        }
        _ => None,
    }
}
