//! `pin_note`: a note that stays with the conversation. It changes what every later question is answered with, so a person
//! is asked first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Done, Effect, Policy, Reporter, Tool, ToolError};
use crate::model::{Family, Metadata, ask::Approval};

pub struct PinNote;

/// Pins a note to this conversation. From then on it comes with every question, until the person takes it away. Use it for
/// what the person wants remembered.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// The note, as the person would write it.
    text: String,
}

/// The note as it was pinned.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    text: String,
}

impl Tool for PinNote {
    type Input = Input;
    type Output = Output;

    const NAME: &'static str = "pin_note";
    const TITLE: &'static str = "Pin a note";
    const SHORT_TITLE: &'static str = "Note";
    const FAMILY: Family = Family::Generic;
    const EXAMPLES: &'static [&'static str] = &[r#"{"text": "Only bills of the 119th Congress."}"#];
    const POLICY: Policy = Policy { effect: Effect::Once, ..Policy::LOOKUP };

    fn approval(&self, input: &Input) -> Option<Approval> {
        Some(Approval {
            lede: "Pin this note to the conversation?".into(),
            effects: vec![input.text.trim().to_owned()],
            facts: vec![
                "Goes along with every question from now on".into(),
                "Stays in this conversation".into(),
                "You can take it away in “Notes and settings”".into(),
            ],
            ..Approval::default()
        })
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Output>, ToolError> {
        let text = reporter.pin(&input.text).await?;
        let message = Some("Pinned to this conversation".into());
        Ok(Done { output: Output { text }, metadata: Metadata { message, ..Metadata::default() } })
    }
}
