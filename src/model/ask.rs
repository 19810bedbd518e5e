//! What a call asks of a person, and what the person answers. Both are events: a question waits over reloads, restarts and
//! days, and it is answered once. Whoever takes a question back says so, too, so every question has its answer.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use super::{
    Timestamp,
    words::{Word, or_default, words},
};

words!(
    /// For how long somebody allows a tool.
    Scope {
        Once = "once",
        Conversation = "conversation",
        Always = "always",
    }
);

/// A question, as the event carries it that says that a call waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Which question of its call it is, from 1.
    pub nth: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    #[serde(flatten)]
    pub question: Question,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// May it run?
    Approval(Approval),
    /// What only the person knows.
    Form(Inquiry),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Approval {
    /// What will be done, as a question.
    pub lede: String,
    /// The single things that will be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<String>,
    /// What it changes, who hears of it, whether it can be taken back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Why it asks although it was allowed before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_again: Option<String>,
    /// What is allowed: this tool of this source, as it is described now.
    pub subject: Subject,
}

/// What a permission is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Subject {
    pub tool: String,
    /// Where the tool comes from; nothing if it is one of our own.
    pub server: String,
    /// Of everything the tool says about itself.
    pub definition: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    pub message: String,
    /// JSON Schema of an object with plain fields.
    pub schema: Value,
    /// Which server asks, if it is not one of our own tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

/// What somebody said to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    Approved {
        scope: Scope,
        /// As the person wants them instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args: Option<Value>,
    },
    Denied {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Submitted {
        content: Value,
    },
    Skipped,
    /// The question is not asked any more: the call was stopped, or nobody came.
    Withdrawn,
}

/// An answer in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerEvent {
    pub tool_call_id: super::CallId,
    /// Which question it is about. Zero: none was asked, because a permission was there already.
    #[serde(default)]
    pub nth: u32,
    #[serde(flatten)]
    pub answer: Answer,
    /// What an approval is about, where it is to hold for longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    #[serde(default, deserialize_with = "or_default")]
    pub timestamp: Timestamp,
}

/// A question of a call, with its answer once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub ask: Ask,
    pub answer: Option<Answer>,
    pub answered_at: Option<Timestamp>,
}

impl Scope {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Once => "Just this once",
            Self::Conversation => "In this conversation",
            Self::Always => "Always",
        }
    }

    /// "Allowed …"
    pub const fn told(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Conversation => "in this conversation",
            Self::Always => "always",
        }
    }
}

impl Answer {
    /// What it came to, for whoever comes too late to answer.
    pub const fn told(&self) -> &'static str {
        match self {
            Self::Approved { .. } => "This has been allowed already, perhaps on another page.",
            Self::Denied { .. } => "This has been denied already, perhaps on another page.",
            Self::Submitted { .. } => "This has been answered already, perhaps on another page.",
            Self::Skipped => "This has been skipped already, perhaps on another page.",
            Self::Withdrawn => "This is not asked any more: the call was stopped before you answered. Nothing was run.",
        }
    }
}
