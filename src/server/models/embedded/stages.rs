//! Work of several steps. Research is searched first, then the leading bills are compared, and the plan says how far it is.

use serde_json::json;

use super::{Found, plan::Plan};
use crate::{
    model::{Bill, legislation::Research},
    server::tools::{Tool, compare_bills::CompareBills, research_topic::ResearchTopic, update_todos::UpdateTodos},
};

/// All calls that should have been made by now, in order.
pub fn all(plans: Vec<Plan>, found: &[Found<'_>]) -> Vec<Plan> {
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
