//! `get_available_statuses`: where bills stand, and how many.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Done, Reporter, Tool, ToolError,
    filters::{Said, bill_filters},
};
use crate::{
    model::{
        Family, Metadata, Stage,
        legislation::{Choice, Options},
        words::ContextType,
    },
    server::corpus::Corpus,
};

pub struct GetAvailableStatuses(pub Corpus);

/// Lists the statuses that bills have, each with how many bills stand there.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Input {
    congress: Option<u32>,
}

impl Tool for GetAvailableStatuses {
    type Input = Input;
    type Output = Options;

    const NAME: &'static str = "get_available_statuses";
    const TITLE: &'static str = "Available statuses";
    const SHORT_TITLE: &'static str = "Statuses";
    const FAMILY: Family = Family::Context;
    const EXAMPLES: &'static [&'static str] = &["{}", r#"{"congress": 119}"#];

    fn announce(&self, _: &Input) -> Metadata {
        Metadata { context_type: Some(ContextType::Statuses), ..Metadata::default() }
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Options>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let (filters, told) = bill_filters(&corpus, &Said { congress: input.congress, ..Said::default() }).await?;
        let metadata = Metadata { filters_applied: (!told.is_empty()).then_some(told), ..Metadata::default() };
        reporter.stage(Stage::ExecutingQuery, metadata).await?;
        let found = corpus.statuses(&filters).await?;
        let choice = |(status, bills): (crate::model::legislation::BillStatus, u64)| Choice {
            name: status.label().into(),
            id: status.as_str().into(),
            bills,
        };
        let options: Vec<Choice> = found.into_iter().map(choice).collect();
        let total = options.len() as u64;
        let output = Options { context_type: ContextType::Statuses, total, options };
        Ok(Done { output, metadata: Metadata { options_found: Some(total), ..Metadata::default() } })
    }
}
