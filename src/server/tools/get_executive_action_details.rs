//! `get_executive_action_details`: everything there is about one executive order or proclamation.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, Reporter, Tool, ToolError};
use crate::{
    model::{
        ErrorKind, Family, Metadata, Stage,
        legislation::{ExecutiveAction, action_number},
        summary::shorten,
        words::ContentType,
    },
    server::corpus::{ActionFilters, Corpus},
};

pub struct GetExecutiveActionDetails(pub Corpus);

/// Returns all that is known of one executive order, proclamation or other presidential document: dates, president,
/// citation, what it revokes or amends, and its text where there is one.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// The number of the order or proclamation ("EO 14110", "14110"), or the Federal Register's document number.
    number: String,
}

impl Tool for GetExecutiveActionDetails {
    type Input = Input;
    type Output = ExecutiveAction;

    const NAME: &'static str = "get_executive_action_details";
    const TITLE: &'static str = "Executive action details";
    const SHORT_TITLE: &'static str = "Executive action";
    const FAMILY: Family = Family::Details;
    const EXAMPLES: &'static [&'static str] = &[r#"{"number": "EO 14110"}"#];

    fn announce(&self, input: &Input) -> Metadata {
        content(shorten(input.number.trim(), 60))
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<ExecutiveAction>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let said = input.number.trim();
        reporter.stage(Stage::ExecutingQuery, content(shorten(said, 60))).await?;
        let bare = || (None, said.chars().filter(|c| !c.is_whitespace()).take(40).collect());
        let (kind, number) = action_number::find(said).unwrap_or_else(bare);
        let filters = ActionFilters { kind, ..ActionFilters::default() };
        let found = corpus.executive_actions_numbered(&number, &filters).await?;
        let Some(action) = found.into_iter().next() else {
            let message = format!(
                "There is no executive action “{}” here. Give a number like EO 14110, or search for it by its title.",
                shorten(said, 60)
            );
            return Err(ToolError::new(ErrorKind::ToolError, message));
        };
        let metadata = content(action.citation_for_people());
        Ok(Done { output: action, metadata })
    }
}

fn content(id: String) -> Metadata {
    Metadata { content_id: Some(id), content_type: Some(ContentType::ExecutiveAction), ..Metadata::default() }
}
