//! What is shown and sent to the model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CallId, MediaId, MessageId, Timestamp,
    run::ContinuationInfo,
    words::{Role, StatusType, known, or_default},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub id: MessageId,
    pub role: Role,
    #[serde(default)]
    pub content: String,
    #[serde(default, deserialize_with = "or_default")]
    pub timestamp: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<MessageMetadata>,
    /// What the model thought before it spoke. Streamed, and kept when the whole message arrives without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageMetadata {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCallInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_duration_ms: Option<u64>,
    #[serde(deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub status_type: Option<StatusType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation: Option<ContinuationInfo>,
    /// Which model a question is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The preset that a question is asked with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_path: Option<String>,
    /// Files that come with a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
    /// Tools that the agent does without for this question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools_off: Vec<String>,
    /// Tools that whoever asks can run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub client_tools: Vec<ClientTool>,
    /// The tab that asks, where some of these run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// How long the model thought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought_ms: Option<u64>,
    /// What the model's API wants back as it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCallInfo {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<CallId>,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_summary: Option<String>,
}

/// An attached file, as a message tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    pub id: MediaId,
    pub name: String,
    pub media_type: String,
    pub bytes: u64,
}

impl Media {
    pub fn is_image(&self) -> bool {
        self.media_type.starts_with("image/")
    }
}

/// A tool of whoever asks: it runs there, and its result is posted back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientTool {
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// JSON Schema of its arguments.
    #[serde(default)]
    pub parameters: Value,
    /// It waits for the person: to click, to choose, to allow.
    #[serde(default)]
    pub asks: bool,
}

impl Message {
    /// A message of which nothing has arrived yet but that it is there.
    pub fn streaming(id: MessageId) -> Self {
        Self {
            id,
            role: Role::Assistant,
            content: String::new(),
            timestamp: Timestamp::default(),
            metadata: None,
            reasoning: String::new(),
        }
    }

    pub fn tool_calls(&self) -> &[ToolCallInfo] {
        self.metadata.as_ref().map_or(&[], |metadata| &metadata.tool_calls)
    }

    /// Beside tool calls, text that is empty or looks like their arguments is not meant for people.
    pub fn shows_content(&self) -> bool {
        let content = self.content.trim_start();
        !content.is_empty() && (self.tool_calls().is_empty() || !content.starts_with(['{', '[']))
    }

    /// Status messages go when their run is over; errors stay.
    pub fn is_passing(&self) -> bool {
        let kind = self.metadata.as_ref().and_then(|metadata| metadata.status_type);
        self.role == Role::Status && kind != Some(StatusType::Error) && kind != Some(StatusType::Continuation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(content: &str, calls: usize) -> Message {
        let call = ToolCallInfo { id: None, name: "t".into(), args: None, args_summary: None };
        let metadata = MessageMetadata { tool_calls: vec![call; calls], ..MessageMetadata::default() };
        Message { content: content.into(), metadata: Some(metadata), ..Message::streaming("m".into()) }
    }

    #[test]
    fn arguments_that_leaked_into_the_text_are_not_shown() {
        for (content, calls, shown) in [
            ("Let me look.", 1, true),
            ("", 1, false),
            ("  {\"query\": \"x\"}", 1, false),
            ("[1]", 2, false),
            ("{\"this\": \"is the answer\"}", 0, true),
        ] {
            assert_eq!(message(content, calls).shows_content(), shown, "{content:?} with {calls} calls");
        }
    }
}
