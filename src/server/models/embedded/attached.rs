//! What attached files are asked about. This agent does not read; it finds the bills that a file names.

use serde_json::json;

use super::plan::Plan;
use crate::{
    model::legislation::BillNumber,
    server::{
        models::Attached,
        tools::{Tool, get_bill_details::GetBillDetails},
    },
};

/// How many bills of a file are looked up.
const MOST: usize = 8;

fn bills(files: &[Attached]) -> Vec<BillNumber> {
    let mut bills: Vec<BillNumber> = Vec::new();
    for bill in files.iter().flat_map(|file| BillNumber::all_in(&file.text)) {
        if !bills.contains(&bill) {
            bills.push(bill);
        }
    }
    bills
}

/// The bills that the files name, unless the question names some itself.
pub fn plans(question: &str, files: &[Attached]) -> Option<Vec<Plan>> {
    let bills = bills(files);
    if bills.is_empty() || !BillNumber::all_in(question).is_empty() {
        return None;
    }
    let plan = |bill: &BillNumber| {
        let mut args = json!({ "bill": bill.to_string() });
        if let Some(congress) = bill.congress {
            args["congress"] = congress.into();
        }
        Plan { tool: GetBillDetails::NAME, args }
    };
    Some(bills.iter().take(MOST).map(plan).collect())
}

/// Says what was not done with the files.
pub fn with_remark(text: String, question: &str, files: &[Attached]) -> String {
    let is_used = plans(question, files).is_some();
    let left = bills(files).len().saturating_sub(MOST);
    match files {
        [] => text,
        _ if is_used && left > 0 => {
            format!("{text}\n\nI looked up the first {MOST} bills; {left} more are named there.")
        }
        _ if is_used => text,
        [_] => format!(
            "{text}\n\nI did not read the attached file: I only look up bills that a file names. A connected model could read it."
        ),
        _ => format!(
            "{text}\n\nI did not read the attached files: I only look up bills that files name. A connected model could read them."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bills_of_a_file_are_looked_up_once_each() {
        let file = |text: &str| Attached { name: "a.csv".into(), text: text.into() };
        let named = [file("bill,note\nH.R. 27,first\nS. 331,second\nhr27,again\n")];
        let plans_made = plans("What is the status of these?", &named).unwrap();
        let bills: Vec<_> = plans_made.iter().map(|plan| plan.args["bill"].clone()).collect();
        assert_eq!(bills, ["H.R. 27", "S. 331"]);
        assert_eq!(with_remark("x".into(), "What is the status of these?", &named), "x");
        assert!(plans("What is H.R. 1?", &named).is_none());
        let other = [file("nothing of the kind")];
        assert!(plans("Summarise this", &other).is_none());
        assert!(with_remark("x".into(), "Summarise this", &other).contains("did not read"));
        let many: String = (1..=12).map(|n| format!("H.R. {n}\n")).collect();
        assert!(with_remark("x".into(), "Status?", &[file(&many)]).contains("4 more"));
    }
}
