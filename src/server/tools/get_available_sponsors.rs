//! `get_available_sponsors`: who sponsors bills, and how many.

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
    server::corpus::{Corpus, bills::Member},
};

pub struct GetAvailableSponsors(pub Corpus);

/// Lists the members of Congress who sponsored bills, the most active first, each with a bioguide id that search_bills
/// takes.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Input {
    /// A part of the name.
    name: String,
    /// R, D or I.
    party: Option<String>,
    /// Two letters or the name.
    state: Option<String>,
    congress: Option<u32>,
    /// "house" or "senate": where the bills were introduced.
    chamber: Option<String>,
    /// How many to list at most: 25 if not given, 200 at most.
    limit: Option<u64>,
}

impl Tool for GetAvailableSponsors {
    type Input = Input;
    type Output = Options;

    const NAME: &'static str = "get_available_sponsors";
    const TITLE: &'static str = "Available sponsors";
    const SHORT_TITLE: &'static str = "Sponsors";
    const FAMILY: Family = Family::Context;
    const EXAMPLES: &'static [&'static str] = &["{}", r#"{"state": "Alaska"}"#];

    fn announce(&self, _: &Input) -> Metadata {
        Metadata { context_type: Some(ContextType::Sponsors), ..Metadata::default() }
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Options>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let said = Said {
            party: input.party.as_deref(),
            state: input.state.as_deref(),
            congress: input.congress,
            chamber: input.chamber.as_deref(),
            ..Said::default()
        };
        let (filters, told) = bill_filters(&corpus, &said).await?;
        let metadata = Metadata { filters_applied: (!told.is_empty()).then_some(told), ..Metadata::default() };
        reporter.stage(Stage::ExecutingQuery, metadata).await?;
        let limit = input.limit.unwrap_or(25).clamp(1, 200);
        let (members, total) = corpus.sponsors(&input.name, &filters, limit).await?;
        let choice =
            |Member { key, name, bills }| Choice { id: if key == name { String::new() } else { key }, name, bills };
        let output =
            Options { context_type: ContextType::Sponsors, total, options: members.into_iter().map(choice).collect() };
        Ok(Done { output, metadata: Metadata { options_found: Some(total), ..Metadata::default() } })
    }
}
