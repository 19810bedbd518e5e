//! What was looked up before in the conversation, and what was found: what "the second one" and "only Democrats" are about.

use serde_json::Value;

use super::{Asked, Found, result};
use crate::{
    model::{
        Bill,
        legislation::{BillDetails, BillsFound, Comparison, Research},
    },
    server::{
        models::Said,
        tools::{Tool, search_bills::SearchBills, search_executive_actions::SearchExecutiveActions},
    },
};

#[derive(Default)]
pub struct Earlier {
    /// The last search: its tool and its arguments.
    pub search: Option<(String, Value)>,
    /// The bills that were last listed.
    pub bills: Vec<Bill>,
    /// The bill that was last read by itself.
    pub read: Option<Bill>,
}

impl Earlier {
    /// From everything before the question.
    pub fn of(messages: &[Said]) -> Self {
        let mut earlier = Self::default();
        for said in messages {
            match said {
                Said::Assistant { calls, .. } => {
                    let is_search = |name: &str| [SearchBills::NAME, SearchExecutiveActions::NAME].contains(&name);
                    if let Some(call) = calls.iter().rev().find(|call| is_search(&call.name)) {
                        earlier.search = Some((call.name.clone(), call.args.clone()));
                    }
                }
                Said::Result { .. } => {
                    if let Some(found) = result(said).filter(|found| !found.is_error) {
                        earlier.take(&found);
                    }
                }
                Said::User { .. } => {}
            }
        }
        earlier
    }

    fn take(&mut self, found: &Found<'_>) {
        let value = || found.result.clone();
        if let Ok(bills) = serde_json::from_value::<BillsFound>(value()) {
            self.bills = bills.bills;
            self.read = None;
        } else if let Ok(details) = serde_json::from_value::<BillDetails>(value()) {
            self.read = Some(details.bill);
        } else if let Ok(compared) = serde_json::from_value::<Comparison>(value()) {
            let bills: Vec<Bill> = compared.bills.into_iter().map(|details| details.bill).collect();
            // Those that were compared out of a list do not replace it.
            if !bills.iter().all(|bill| self.bills.contains(bill)) {
                self.bills = bills;
            }
        } else if let Ok(research) = serde_json::from_value::<Research>(value()) {
            self.bills = research.bills;
        }
    }

    /// "the second one", "number 3", "the last bill", "it".
    pub fn bill_meant(&self, asked: &Asked) -> Option<&Bill> {
        const ORDINALS: [&[&str]; 5] =
            [&["first", "1st", "top"], &["second", "2nd"], &["third", "3rd"], &["fourth", "4th"], &["fifth", "5th"]];
        let is_one = |word: &str| asked.has(&[&format!("{word} one"), &format!("{word} bill"), &format!("the {word}")]);
        if asked.word_count() > 10 {
            return None;
        }
        if let Some(nth) = ORDINALS.iter().position(|words| words.iter().any(|word| is_one(word))) {
            return self.bills.get(nth);
        }
        if is_one("last") && !asked.has(&["last congress", "last year"]) {
            return self.bills.last();
        }
        let is_meant = asked.has(&["it", "that bill", "this bill", "the bill", "its"]) && asked.word_count() <= 8;
        let only = || self.bills.first().filter(|_| self.bills.len() == 1);
        is_meant.then(|| self.read.as_ref().or_else(only)).flatten()
    }
}
