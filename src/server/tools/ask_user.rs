//! `ask_user`: what only the person knows, asked with a form. Skipping is an answer, too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Done, Policy, Reporter, Tool, ToolError};
use crate::model::{
    ErrorKind, Family, Metadata,
    ask::{Answer, Inquiry, Question},
    form::Form,
};

pub struct AskUser;

const LONGEST_QUESTION: usize = 1_000;

/// Asks the person something that only they know, and waits for the answer. Use it sparingly: when an answer would
/// otherwise be a guess. The person may skip it.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// What is asked, in one or two sentences.
    question: String,
    /// JSON Schema of an object: one property per field of the form. Kinds: string (format date, email, uri), number,
    /// integer, boolean, enum, and array of an enum. Give each a title.
    schema: Map<String, Value>,
}

/// What the person answered.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// False if the person skipped it: go on without, and do not ask again.
    is_answered: bool,
    answer: Value,
}

impl Tool for AskUser {
    type Input = Input;
    type Output = Output;

    const NAME: &'static str = "ask_user";
    const TITLE: &'static str = "Question for you";
    const SHORT_TITLE: &'static str = "Question";
    const FAMILY: Family = Family::Generic;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"question": "Who is the summary for?", "schema": {"properties": {"audience": {"title": "Audience", "enum": ["A legislator", "Colleagues", "The public"]}}, "required": ["audience"]}}"#,
    ];
    /// Whoever asks the same again wants to hear it again.
    const POLICY: Policy = Policy { fresh_for: std::time::Duration::ZERO, ..Policy::LOOKUP };

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Output>, ToolError> {
        let refused = |why: String| ToolError::new(ErrorKind::InvalidArguments, why);
        let message = input.question.trim();
        if message.is_empty() || message.chars().count() > LONGEST_QUESTION {
            return Err(refused(format!("A question has 1 to {LONGEST_QUESTION} characters.")));
        }
        let schema = Value::Object(input.schema);
        Form::of(&schema).map_err(|why| refused(format!("This cannot be asked: {why}.")))?;
        let question = Question::Form(Inquiry { message: message.to_owned(), schema, server: None });
        let (output, told) = match reporter.inquire(question).await? {
            Answer::Submitted { content } => (Output { is_answered: true, answer: content }, "Answered by you"),
            Answer::Skipped | Answer::Denied { .. } | Answer::Approved { .. } | Answer::Withdrawn => {
                (Output { is_answered: false, answer: Value::Null }, "Skipped by you")
            }
        };
        Ok(Done { output, metadata: Metadata { message: Some(told.into()), ..Metadata::default() } })
    }
}
