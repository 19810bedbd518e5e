//! `get_available_topics`: what bills are about.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, Reporter, Tool, ToolError};
use crate::{
    model::{Family, Metadata, Stage, legislation::Options, words::ContextType},
    server::corpus::Corpus,
};

pub struct GetAvailableTopics(pub Corpus);

/// Lists policy areas and subjects that search_bills can filter by, those with the most bills first.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Input {
    /// Words that the topic's name must hold.
    about: String,
    /// How many to list at most: 40 if not given, 500 at most.
    limit: Option<u64>,
}

impl Tool for GetAvailableTopics {
    type Input = Input;
    type Output = Options;

    const NAME: &'static str = "get_available_topics";
    const TITLE: &'static str = "Available topics";
    const SHORT_TITLE: &'static str = "Topics";
    const FAMILY: Family = Family::Context;
    const EXAMPLES: &'static [&'static str] = &["{}", r#"{"about": "health"}"#];

    fn announce(&self, _: &Input) -> Metadata {
        Metadata { context_type: Some(ContextType::Topics), ..Metadata::default() }
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Options>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        reporter.stage(Stage::ExecutingQuery, Metadata::default()).await?;
        let (options, total) = corpus.topics(&input.about, input.limit.unwrap_or(40).clamp(1, 500)).await?;
        let output = Options { context_type: ContextType::Topics, total, options };
        Ok(Done { output, metadata: Metadata { options_found: Some(total), ..Metadata::default() } })
    }
}
