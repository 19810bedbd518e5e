//! What one user message sets off: steps until the agent stops.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{RunId, Timestamp, words::RunStatus};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub id: RunId,
    pub status: RunStatus,
    pub error_message: Option<String>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub steps: Vec<Step>,
    pub continuation: Option<Continuation>,
    /// What `usage` events said, if there were any.
    pub reported: Option<Usage>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub step: u32,
    pub duration_ms: u64,
    pub usage: Usage,
    /// How much of it the model took.
    pub model_ms: Option<u64>,
    pub ended_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// Why the run went on or stopped, and what everyone who was asked had said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Continuation {
    pub run_id: RunId,
    pub should_continue: bool,
    #[serde(default)]
    pub stop_reason: String,
    #[serde(default)]
    pub resolved_by: String,
    #[serde(default)]
    pub evaluations: Vec<Value>,
}

/// The same, as a status message carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContinuationInfo {
    pub should_continue: bool,
    #[serde(default)]
    pub stop_reason: String,
    #[serde(default)]
    pub resolved_by: String,
}

impl Run {
    pub fn new(id: RunId) -> Self {
        Self {
            id,
            status: RunStatus::Running,
            error_message: None,
            started_at: None,
            ended_at: None,
            steps: Vec::new(),
            continuation: None,
            reported: None,
        }
    }

    pub fn duration_ms(&self) -> u64 {
        self.steps.iter().fold(0, |sum, step| sum.saturating_add(step.duration_ms))
    }

    pub fn usage(&self) -> Usage {
        self.reported.unwrap_or_else(|| {
            self.steps.iter().fold(Usage::default(), |sum, step| Usage {
                input_tokens: sum.input_tokens.saturating_add(step.usage.input_tokens),
                output_tokens: sum.output_tokens.saturating_add(step.usage.output_tokens),
            })
        })
    }
}
