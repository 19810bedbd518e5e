//! `search_bills`: full-text search over bills, which widens step by step while it finds too little.

use serde::{Deserialize, Serialize};

use super::{Done, Reporter, Tool, ToolError};
use crate::{
    model::{Bill, ErrorKind, Metadata, Stage},
    server::corpus::{Corpus, Match, words},
};

pub struct SearchBills {
    corpus: Corpus,
}

/// Searches US bills by the words of their titles, sponsors and policy areas.
#[derive(Deserialize)]
pub struct Input {
    query: String,
    /// How many bills to return at most.
    #[serde(default = "default_limit")]
    limit: u32,
}

const fn default_limit() -> u32 {
    10
}

#[derive(Serialize)]
pub struct Output {
    query: String,
    total_results: u64,
    bills: Vec<Bill>,
}

/// Finding fewer than this is a reason to look more widely.
const ENOUGH: u64 = 3;

/// The ways to look, from narrow to wide.
const WAYS: [fn(&[String]) -> Match; 3] = [Match::all, Match::beginnings, Match::any];

impl SearchBills {
    pub const fn new(corpus: Corpus) -> Self {
        Self { corpus }
    }
}

impl Tool for SearchBills {
    type Input = Input;
    type Output = Output;

    const NAME: &'static str = "search_bills";
    const TITLE: &'static str = "Search bills";

    fn announce(&self, input: &Input) -> Metadata {
        iteration(1, input.query.trim())
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Output>, ToolError> {
        let words = words(&input.query);
        if words.is_empty() {
            return Err(ToolError::new(
                ErrorKind::InvalidArguments,
                "There is no word to search for. Name a topic, a title or a sponsor.",
            ));
        }
        let limit = input.limit.clamp(1, 100);
        let mut bills: Vec<Bill> = Vec::new();
        let mut total = 0;
        let mut last = (1, String::new());
        for (n, way) in (1..).zip(WAYS) {
            let query = way(&words);
            if n > 1 {
                let metadata = Metadata { total_results: Some(total), ..iteration(n, &query.shown()) };
                reporter.stage(Stage::RefiningSearch, metadata).await?;
            }
            reporter.stage(Stage::ExecutingQuery, iteration(n, &query.shown())).await?;
            let (found, in_all) = self.corpus.search(&query, limit).await?;
            // Wider ways find all that narrower ones did; what was found first stays first.
            bills.extend(found.into_iter().filter(|bill| !bills.contains(bill)).collect::<Vec<_>>());
            total = in_all.max(total);
            let metadata = Metadata { results_found: Some(in_all), total_results: Some(total), ..Metadata::default() };
            reporter.stage(Stage::ProcessingResults, metadata).await?;
            last = (n, query.shown());
            if total >= ENOUGH {
                break;
            }
        }
        bills.truncate(limit as usize);
        let metadata = Metadata {
            iteration: Some(last.0),
            total_results: Some(total),
            final_query: Some(last.1),
            ..Metadata::default()
        };
        Ok(Done { output: Output { query: input.query, total_results: total, bills }, metadata })
    }
}

fn iteration(n: u32, query: &str) -> Metadata {
    Metadata {
        query: Some(query.to_owned()),
        iteration: Some(n),
        max_iterations: Some(WAYS.len() as u32),
        ..Metadata::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Event;

    async fn search(query: &str) -> (Result<Done<Output>, ToolError>, Vec<(Stage, Metadata)>) {
        let folder = tempfile::tempdir().unwrap();
        let corpus = Corpus::open(&folder.path().join("corpus.db")).await.unwrap();
        let (reporter, said) = Reporter::recording();
        let input = Input { query: query.into(), limit: 10 };
        let outcome = SearchBills::new(corpus).run(input, &reporter).await;
        let said = said
            .lock()
            .unwrap()
            .drain(..)
            .map(|event| match event {
                Event::ToolCall(event) => (event.stage.unwrap(), event.metadata),
                other => panic!("{other:?}"),
            })
            .collect();
        (outcome, said)
    }

    #[tokio::test]
    async fn one_look_is_enough_when_it_finds_enough() {
        let (done, said) = search("veterans").await;
        let done = done.unwrap();
        assert!(done.output.total_results >= ENOUGH);
        assert_eq!(
            said.iter().map(|(stage, _)| *stage).collect::<Vec<_>>(),
            [Stage::ExecutingQuery, Stage::ProcessingResults]
        );
        assert_eq!(done.metadata.iteration, Some(1));
    }

    #[tokio::test]
    async fn too_little_is_widened_and_nothing_comes_twice() {
        let (done, said) = search("fentanyl zebra").await;
        let done = done.unwrap();
        assert!(said.iter().any(|(stage, metadata)| *stage == Stage::RefiningSearch && metadata.iteration == Some(3)));
        assert!(done.output.bills.iter().any(|bill| bill.title == "HALT Fentanyl Act"));
        for (n, bill) in done.output.bills.iter().enumerate() {
            assert!(!done.output.bills[..n].contains(bill), "{bill:?} twice");
        }
    }

    #[tokio::test]
    async fn nothing_found_is_a_result_and_nothing_asked_is_not() {
        let (done, _) = search("zebra unicorn").await;
        assert_eq!(done.unwrap().output.total_results, 0);
        let (refused, said) = search("?? the of").await;
        assert_eq!(refused.err().unwrap().kind, ErrorKind::InvalidArguments);
        assert!(said.is_empty());
    }
}
