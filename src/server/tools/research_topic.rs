//! `research_topic`: all about a topic, by calling the other tools, side by side. Their cards stand below this one's.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::{
    Child, Done, Policy, Reporter, Tool, ToolError, filters::invalid, get_bill_details::GetBillDetails,
    search_bills::SearchBills, search_executive_actions::SearchExecutiveActions,
};
use crate::{
    model::{
        Family, Metadata, Stage,
        event::ToolResult,
        legislation::{ActionsFound, BillDetails, BillStatus, BillsFound, Choice, Research},
        summary::shorten,
    },
    server::corpus::words,
};

pub struct ResearchTopic;

/// Researches a topic: searches bills and executive actions at the same time, then reads the best matching bills in full.
/// Use it for broad questions; it calls the other tools itself.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// What to find out about, in a few words.
    topic: String,
    /// Only bills of this congress, such as 119.
    #[serde(default)]
    congress: Option<u32>,
}

/// How many bills are read in full.
const READ: usize = 3;

impl Tool for ResearchTopic {
    type Input = Input;
    type Output = Research;

    const NAME: &'static str = "research_topic";
    const TITLE: &'static str = "Research topic";
    const SHORT_TITLE: &'static str = "Research";
    const FAMILY: Family = Family::Generic;
    const EXAMPLES: &'static [&'static str] = &[r#"{"topic": "fentanyl"}"#];

    // What it calls is known already, if it is; and its cards tell so.
    const POLICY: Policy = Policy { fresh_for: Duration::ZERO, ..Policy::LOOKUP };

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Research>, ToolError> {
        if words(&input.topic).is_empty() {
            return Err(invalid("There is no topic to research. Say in a few words what it is about.".into()));
        }
        let topic = shorten(input.topic.trim(), 200);
        reporter.expect_calls(2 + READ);
        tell(reporter, Stage::ExecutingQuery, format!("Searching bills and executive actions on “{topic}”…")).await?;
        let searches = vec![
            Child::of::<SearchBills>(json!({"query": topic, "congress": input.congress, "limit": 20})),
            Child::of::<SearchExecutiveActions>(json!({"query": topic})),
        ];
        let mut found = reporter.in_parallel(searches).await?.into_iter();
        let mut missing = Vec::new();
        let bills: Option<BillsFound> = found.next().and_then(|bills| read(bills, "Bills", &mut missing));
        let actions: Option<ActionsFound> =
            found.next().and_then(|found| read(found, "Executive actions", &mut missing));
        let note = bills.as_ref().map(|found| found.stopped.clone()).unwrap_or_default();
        let (total_bills, matched_bills, bills) =
            bills.map(|found| (found.total_results, found.matched, found.bills)).unwrap_or_default();
        let (total_actions, matched_actions, actions) =
            actions.map(|found| (found.total_results, found.matched, found.executive_actions)).unwrap_or_default();

        tell(reporter, Stage::ProcessingResults, format!("Reading {} bills…", bills.len().min(READ))).await?;
        let details = bills
            .iter()
            .take(READ)
            .map(|bill| Child::of::<GetBillDetails>(json!({"bill": bill.citation(), "congress": bill.congress})));
        let details = reporter.in_parallel(details.collect()).await?;
        let mut in_full: Vec<BillDetails> = Vec::new();
        for (result, bill) in details.into_iter().zip(&bills) {
            in_full.extend(read::<BillDetails>(result, &bill.citation(), &mut missing));
        }
        let statuses = BillStatus::ALL.iter().filter_map(|status| {
            let bills = bills.iter().filter(|bill| bill.status == *status).count() as u64;
            (bills > 0).then(|| Choice { name: status.label().into(), id: status.as_str().into(), bills })
        });
        let message = format!("{total_bills} bills and {total_actions} executive actions on “{topic}”");
        let output = Research {
            statuses: statuses.collect(),
            topic,
            total_bills,
            matched_bills,
            bills,
            total_executive_actions: total_actions,
            matched_executive_actions: matched_actions,
            executive_actions: actions,
            note,
            read: in_full,
            missing,
        };
        let metadata = Metadata { message: Some(message), progress: Some(1.0), ..Metadata::default() };
        Ok(Done { output, metadata })
    }
}

async fn tell(reporter: &Reporter, stage: Stage, message: String) -> Result<(), ToolError> {
    let metadata = Metadata { message: Some(message), ..Metadata::default() };
    reporter.stage(stage, metadata).await
}

/// What a call returned. What failed is missing, and does not stop the rest.
fn read<T: DeserializeOwned>(result: ToolResult, what: &str, missing: &mut Vec<String>) -> Option<T> {
    if result.is_error {
        missing.push(format!("{what}: {}", result.result.as_str().unwrap_or("failed")));
        return None;
    }
    serde_json::from_value(result.result).map_err(|error| missing.push(format!("{what}: {error}"))).ok()
}
