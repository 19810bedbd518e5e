//! Executive orders, proclamations and the like: what a president has signed and the Federal Register has printed.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::words::{Word, words};

words!(ActionKind {
    ExecutiveOrder = "executive_order",
    Proclamation = "proclamation",
    Memorandum = "memorandum",
    Determination = "determination",
    Notice = "notice",
    Other = "other",
});

impl ActionKind {
    pub const fn label(self) -> &'static str {
        match self {
            Self::ExecutiveOrder => "Executive order",
            Self::Proclamation => "Proclamation",
            Self::Memorandum => "Memorandum",
            Self::Determination => "Determination",
            Self::Notice => "Notice",
            Self::Other => "Presidential document",
        }
    }

    /// What the Federal Register, a person or a model calls it.
    pub fn from_text(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['_', '-'], " ");
        match text.as_str() {
            "executive order" | "executive orders" | "eo" | "order" => Some(Self::ExecutiveOrder),
            "proclamation" | "proclamations" => Some(Self::Proclamation),
            "memorandum" | "memoranda" | "memo" => Some(Self::Memorandum),
            "determination" | "determinations" => Some(Self::Determination),
            "notice" | "notices" => Some(Self::Notice),
            "other" | "presidential document" => Some(Self::Other),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ExecutiveAction {
    pub kind: ActionKind,
    /// Of the order or proclamation. Corrections have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub number: String,
    /// The Federal Register's own.
    pub document_number: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signed: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub published: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub president: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub citation: String,
    /// What it revokes, amends or was amended by.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub snippet: String,
}

impl ExecutiveAction {
    /// `EO 14110`, `Proclamation 9983`, or the document's number.
    pub fn citation_for_people(&self) -> String {
        match (self.kind, self.number.as_str()) {
            (_, "") => self.document_number.clone(),
            (ActionKind::ExecutiveOrder, number) => format!("EO {number}"),
            (
                ActionKind::Proclamation
                | ActionKind::Memorandum
                | ActionKind::Determination
                | ActionKind::Notice
                | ActionKind::Other,
                number,
            ) => format!("{} {number}", self.kind.label()),
        }
    }
}
