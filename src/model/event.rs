//! One fact, as it stands in the log and on the wire: `{"type": …, "data": {…}}`.
//!
//! Events are appended and never changed. A reader skips what it does not know, types and fields alike, so that an old
//! page can follow a newer server. To add an event: a struct for its data, a line in `events!`, an arm in the fold.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{IgnoredAny, MapAccess, Visitor},
    ser::SerializeStruct,
};
use serde_json::Value;

use super::{
    BriefId, CallId, ConversationId, FollowUp, Message, MessageId, Metadata, RunId, Timestamp, Todo,
    ask::{AnswerEvent, Ask},
    message::ToolCallInfo,
    run::{Continuation, Usage},
    words::{CallStatus, ErrorKind, Executor, Family, RunStatus, Stage, known, or_default},
};

macro_rules! events {
    ($($variant:ident($data:ty) = $word:literal,)+) => {
        #[derive(Clone, Debug, PartialEq)]
        pub enum Event {
            $($variant($data),)+
            /// Of a kind that this version does not know, or not in this shape.
            Unknown,
        }

        impl Event {
            pub const fn type_name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $word,)+ Self::Unknown => "unknown" }
            }
        }

        impl Serialize for Event {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut event = serializer.serialize_struct("Event", 2)?;
                event.serialize_field("type", self.type_name())?;
                match self {
                    $(Self::$variant(data) => event.serialize_field("data", data)?,)+
                    Self::Unknown => {}
                }
                event.end()
            }
        }

        /// Reads `data` as what `type` says, without a detour when `type` comes first, as ours does.
        fn read_data<'de, A: MapAccess<'de>>(word: &str, map: &mut A) -> Result<Event, A::Error> {
            Ok(match word {
                $($word => Event::$variant(map.next_value()?),)+
                _ => { map.next_value::<IgnoredAny>()?; Event::Unknown }
            })
        }

    };
}

events! {
    ToolCall(ToolCallEvent) = "tool_call",
    ToolsCallUpdate(ToolsCallUpdate) = "tools_call_update",
    ToolOutput(ToolOutput) = "tool_output",
    ToolResult(ToolResult) = "tool_result",
    ToolsAggregate(ToolsAggregate) = "tools_aggregate",
    TextDelta(Delta) = "text_delta",
    ReasoningDelta(Delta) = "reasoning_delta",
    Message(Message) = "message",
    AgentStatus(AgentStatus) = "agent.status",
    AgentStepCompleted(AgentStepCompleted) = "agent.step.completed",
    AgentContinuation(Continuation) = "agent.continuation",
    Usage(RunUsage) = "usage",
    ConversationUpdated(ConversationUpdated) = "conversation.updated",
    Brief(BriefEvent) = "brief",
    Todos(TodosEvent) = "todos",
    Context(ContextEvent) = "context",
    Answer(AnswerEvent) = "answer",
    Queue(QueueEvent) = "queue",
    Steer(SteerEvent) = "steer",
}

impl Event {
    /// Reads an event out of the log or off the wire. What cannot be read is `Unknown`: one odd event must not take
    /// the page down.
    pub fn decode(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or(Self::Unknown)
    }

    /// Reads a list of them. One that cannot be read does not take the others with it.
    pub fn decode_all(json: &str) -> Vec<Self> {
        serde_json::from_str(json).unwrap_or_else(|_| {
            let each = serde_json::from_str::<Vec<Value>>(json).unwrap_or_default();
            each.iter().map(|event| Self::decode(&event.to_string())).collect()
        })
    }
}

/// Something about one call: it is there, it moved, it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCallEvent {
    pub id: CallId,
    /// May be left out, or empty, once the call's first event has said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    pub status: CallStatus,
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    #[serde(default, deserialize_with = "or_default")]
    pub metadata: Metadata,
    #[serde(default, deserialize_with = "or_default")]
    pub timestamp: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<CallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub executor: Option<Executor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// In whose words the call is spoken of, if the tool has said it.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// The call that this one does over, at somebody's wish. Said at its beginning and at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<CallId>,
    /// What it asks of a person, where it waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Box<Ask>>,
    /// Which page of those that are open runs it, where it runs in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
}

/// A chunk of a call's arguments, while the model still writes them. The first one names the tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolsCallUpdate {
    pub message_id: MessageId,
    pub index: u32,
    pub tool_call_id: CallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function_args: Option<String>,
}

/// Output while the tool runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    pub tool_call_id: CallId,
    pub chunk: String,
    /// Where all of it is kept, if it was too much for the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Kept>,
}

/// What came of a call. It does not end the call: its last `tool_call` event does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    pub tool_call_id: CallId,
    #[serde(default)]
    pub result: Value,
    #[serde(default)]
    pub is_error: bool,
    #[serde(default)]
    pub duration_ms: u64,
    #[serde(default)]
    pub cached: bool,
    /// Where all of it is kept, if it was too much for an event. Then `result` is a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Kept>,
}

/// Something too large for the log: what it is known by, and how large it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub bytes: u64,
    /// Of its bytes, in hexadecimal.
    pub sha256: String,
    /// Into how many parts it is divided, to be read one after the other.
    pub parts: u32,
}

/// A step's calls and results, complete: what is persisted as one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolsAggregate {
    pub message_id: MessageId,
    #[serde(default)]
    pub tool_calls: Vec<ToolCallInfo>,
    #[serde(default)]
    pub tool_results: Vec<ToolResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    pub message_id: MessageId,
    pub delta: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentStatus {
    pub run_id: RunId,
    pub status: RunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentStepCompleted {
    pub run_id: RunId,
    pub step: u32,
    pub duration_ms: u64,
    #[serde(default)]
    pub usage: Usage,
    /// How much of that the model took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
}

/// What the run has used so far, in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunUsage {
    pub run_id: RunId,
    #[serde(default)]
    pub input_tokens: u64,
    #[serde(default)]
    pub output_tokens: u64,
}

/// Something that holds for the whole conversation has changed. What is left out has not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConversationUpdated {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    /// The conversation that this one goes on from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<ConversationId>,
}

/// A note was pinned or changed, or, without a text, taken away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefEvent {
    pub id: BriefId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The agent's plan, all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TodosEvent {
    #[serde(default)]
    pub todos: Vec<Todo>,
}

/// Whether the model gets to see what came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextEvent {
    pub tool_call_id: CallId,
    pub is_left_out: bool,
}

/// A question that nobody has taken up yet says something else now or, without a text, is withdrawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueEvent {
    pub message_id: MessageId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A question that waited goes into the run that is going on, before its next step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteerEvent {
    pub run_id: RunId,
    pub message_id: MessageId,
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EventVisitor)
    }
}

struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event with type and data")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        let mut word: Option<String> = None;
        let mut event = None;
        let mut waiting_for_type = None;
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            match (&*key, &word) {
                ("type", _) => word = Some(map.next_value()?),
                ("data", Some(word)) => event = Some(read_data(word, &mut map)?),
                ("data", None) => waiting_for_type = Some(map.next_value::<Value>()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match (event, word, waiting_for_type) {
            (Some(event), _, _) => Ok(event),
            // Rare enough to be read once more, in the order that needs no second way of reading.
            (None, Some(word), Some(data)) => Ok(Event::decode(&format!(r#"{{"type":{word:?},"data":{data}}}"#))),
            (None, _, _) => Ok(Event::Unknown),
        }
    }
}

#[cfg(test)]
mod tests;
