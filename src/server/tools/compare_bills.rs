//! `compare_bills`: bills side by side, and what they share.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, Reporter, Tool, ToolError, filters::invalid, get_bill_details::details};
use crate::{
    model::{
        Family, Metadata, Stage,
        legislation::{BillDetails, Comparison},
    },
    server::corpus::Corpus,
};

pub struct CompareBills(pub Corpus);

/// Puts two to six bills side by side: sponsor, dates, status, policy area, subjects, cosponsors, and what all of them
/// have in common.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// The bills' numbers in any spelling: ["H.R. 1", "119-s-5"].
    bills: Vec<String>,
    /// The congress of those that do not say theirs. The newest one if not given.
    #[serde(default)]
    congress: Option<u32>,
}

/// A table of more columns cannot be read.
const MOST: usize = 6;

impl Tool for CompareBills {
    type Input = Input;
    type Output = Comparison;

    const NAME: &'static str = "compare_bills";
    const TITLE: &'static str = "Compare bills";
    const SHORT_TITLE: &'static str = "Compare";
    const FAMILY: Family = Family::Generic;
    const EXAMPLES: &'static [&'static str] = &[r#"{"bills": ["119-hr-1", "119-hr-27"]}"#];

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Comparison>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        if !(2..=MOST).contains(&input.bills.len()) {
            return Err(invalid(format!("Name two to {MOST} bills, not {}.", input.bills.len())));
        }
        let mut bills = Vec::new();
        for (n, said) in (1..).zip(&input.bills) {
            let progress = f64::from(n) / (input.bills.len() as f64 + 1.0);
            let message = Some(format!("Reading {}…", crate::model::summary::shorten(said, 40)));
            reporter
                .stage(Stage::ExecutingQuery, Metadata { progress: Some(progress), message, ..Metadata::default() })
                .await?;
            bills.push(details(&corpus, said, input.congress).await?);
        }
        let of_all = |ids: fn(&BillDetails) -> Vec<(String, String)>| common(bills.iter().map(ids));
        let output = Comparison {
            common_subjects: of_all(|bill| bill.subjects.iter().map(|each| (each.clone(), each.clone())).collect()),
            // By their ids, because a name has several spellings.
            common_cosponsors: of_all(|bill| {
                let still = bill.cosponsors.iter().filter(|each| each.withdrawn.is_empty());
                still
                    .map(|each| (if each.id.is_empty() { &each.name } else { &each.id }.clone(), each.name.clone()))
                    .collect()
            }),
            bills,
        };
        let message = Some(format!("{} bills compared", output.bills.len()));
        Ok(Done { output, metadata: Metadata { message, ..Metadata::default() } })
    }
}

/// The names of what all of them have, by id.
fn common(mut lists: impl Iterator<Item = Vec<(String, String)>>) -> Vec<String> {
    let first = lists.next().unwrap_or_default();
    let shared = lists.fold(first, |common, next| {
        common.into_iter().filter(|(id, _)| next.iter().any(|(other, _)| other == id)).collect()
    });
    shared.into_iter().map(|(_, name)| name).collect()
}
