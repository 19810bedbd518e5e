//! What of a question was left out, and why. Nothing is dropped silently.

use serde_json::Value;

use super::{Asked, Found, executive};
use crate::{
    model::legislation::BillStatus,
    server::tools::{Tool, search_bills::SearchBills},
};

/// A sentence for each part of the question that no call has answered.
pub fn remarks(asked: &Asked, found: &[Found<'_>]) -> Vec<String> {
    let mut remarks = Vec::new();
    for not in asked.not() {
        remarks.push(format!("I left out “{not}”: I can search for what a bill is, not for what it is not."));
    }
    let searches: Vec<&Value> =
        found.iter().filter(|found| found.tool == SearchBills::NAME).map(|found| &found.args).collect();
    if searches.is_empty() {
        return remarks;
    }
    let has = |names: &[&str]| searches.iter().any(|args| names.iter().any(|name| args.get(name).is_some()));
    if asked.has(&["cosponsored by"]) {
        remarks.push("I cannot search by cosponsor, only by sponsor, so I did that.".into());
    }
    if asked.has(&["by women", "by men"]) {
        remarks.push("Whether a sponsor is a woman or a man is not stored, so I searched for the word.".into());
    }
    if asked.has(&["bipartisan"]) {
        remarks.push("Whether a bill is bipartisan is not stored; “bipartisan” was only a word to search for.".into());
    }
    let status = searches.iter().find_map(|args| BillStatus::from_text(args.get("status")?.as_str()?));
    let is_stage = matches!(
        status,
        Some(BillStatus::PassedHouse | BillStatus::PassedSenate | BillStatus::PassedBoth | BillStatus::InCommittee)
    );
    if is_stage {
        remarks.push(
            "Listed is where a bill stands now: those that have gone on since, such as laws, are not among them."
                .into(),
        );
    }
    if is_stage && has(&["from", "to"]) {
        remarks.push("The dates are those of introduction: when a bill took that step is not stored.".into());
    }
    let is_decided = matches!(status, Some(BillStatus::BecameLaw | BillStatus::Vetoed))
        && asked.has(&["sign", "signed", "veto", "vetoed"]);
    if is_decided && !executive::presidents(asked).is_empty() {
        remarks.push("Which president signed a law or vetoed it is not stored, so I left that out.".into());
    }
    if status.is_none() && asked.fact().is_none() && asked.has(&["passed", "pass", "passing"]) {
        remarks.push("“Passed” may mean the House, the Senate or both, so I did not filter by it.".into());
        if has(&["from", "to"]) {
            remarks.push("The dates are those of introduction.".into());
        }
    }
    remarks
}
