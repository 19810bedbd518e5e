//! Work of several steps. Research is searched first, then the leading bills are compared, and the plan says how far it is.
//! A bill that is asked about by its name is found first, and then read.

use serde_json::json;

use super::{Asked, Found, asked::Fact, earlier, plan::Plan};
use crate::{
    model::{
        Bill,
        legislation::{BillsFound, Research},
    },
    server::tools::{
        Tool, compare_bills::CompareBills, get_bill_details::GetBillDetails, research_topic::ResearchTopic,
        search_bills::SearchBills, update_todos::UpdateTodos,
    },
};

/// All calls that should have been made by now, in order.
pub fn all(asked: &Asked, plans: Vec<Plan>, found: &[Found<'_>]) -> Vec<Plan> {
    if let [Plan { tool: SearchBills::NAME, .. }] = &plans[..] {
        let reads = found.first().and_then(|found| named(asked, found));
        return plans.into_iter().chain(reads).collect();
    }
    let [Plan { tool: ResearchTopic::NAME, args }] = &plans[..] else { return plans };
    let topic = args["topic"].as_str().unwrap_or_default();
    let plan = |done: usize, of: usize| {
        let things = [format!("Search bills and executive actions on {topic}"), "Compare the two leading bills".into()];
        let status = |nth: usize| match nth {
            nth if nth < done => "completed",
            nth if nth == done => "in_progress",
            _ => "pending",
        };
        let todos: Vec<_> = things
            .iter()
            .take(of)
            .enumerate()
            .map(|(nth, text)| json!({"text": text, "status": status(nth)}))
            .collect();
        Plan { tool: UpdateTodos::NAME, args: json!({ "todos": todos }) }
    };
    let result = |tool: &str| found.iter().find(|found| found.tool == tool);
    let mut all = vec![plan(0, 2)];
    all.extend(plans.clone());
    let Some(researched) = result(ResearchTopic::NAME) else { return all };
    let research = serde_json::from_value::<Research>(researched.result.clone()).ok();
    match research.as_ref().map(|research| &research.bills[..]) {
        Some([first, second, ..]) => {
            let id = |bill: &Bill| format!("{}-{}-{}", bill.congress, bill.kind.as_str(), bill.number);
            let args = json!({ "bills": [id(first), id(second)] });
            all.extend([plan(1, 2), Plan { tool: CompareBills::NAME, args }]);
            if result(CompareBills::NAME).is_some() {
                all.push(plan(2, 2));
            }
        }
        // There is nothing to compare.
        Some(_) => all.push(plan(1, 1)),
        None => {}
    }
    all
}

/// Reading the bill that was found by its name, where its line in a list does not say what is asked.
fn named(asked: &Asked, found: &Found<'_>) -> Option<Plan> {
    let (fact, _) = asked.fact()?;
    match fact {
        Fact::Cosponsors | Fact::Committee | Fact::Link | Fact::About | Fact::Text | Fact::Votes => {}
        Fact::Law | Fact::Signed | Fact::Introduced | Fact::Status | Fact::Sponsor | Fact::Signer | Fact::Companion => {
            return None;
        }
    }
    let bills = serde_json::from_value::<BillsFound>(found.result.clone()).ok()?.bills;
    let query = found.args["query"].as_str().unwrap_or_default();
    let bill = *earlier::named(&bills, query, |bill| &bill.title).first()?;
    let args = json!({ "bill": bill.citation(), "congress": bill.congress });
    Some(Plan { tool: GetBillDetails::NAME, args })
}
