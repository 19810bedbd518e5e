//! What the research desk's tools found: typed, so that a card can show it and a model can read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bill, BillDetails, ExecutiveAction};
use crate::model::words::ContextType;

/// One of the looks that a search took, from the words as they were asked to wider or narrower ones.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Look {
    pub query: String,
    /// How many matched.
    pub found: u64,
    /// How many of them were new.
    pub added: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BillsFound {
    pub query: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    pub total_results: u64,
    /// How many of them match everything that was asked; the others share some of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// How many bills there are here in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<u64>,
    #[serde(default)]
    pub offset: u64,
    pub bills: Vec<Bill>,
    #[serde(default)]
    pub looks: Vec<Look>,
    /// Why the search ended where it did.
    #[serde(default)]
    pub stopped: String,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ActionsFound {
    pub query: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    pub total_results: u64,
    /// How many of them match everything that was asked; the others share some of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// How many there are here in all, of the kind that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<u64>,
    #[serde(default)]
    pub offset: u64,
    pub executive_actions: Vec<ExecutiveAction>,
    #[serde(default)]
    pub looks: Vec<Look>,
    #[serde(default)]
    pub stopped: String,
}

/// What one can filter by, each with how many bills there are.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Options {
    pub context_type: ContextType,
    pub total: u64,
    pub options: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Choice {
    pub name: String,
    /// What a search takes for it, where that is not the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    pub bills: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Comparison {
    pub bills: Vec<BillDetails>,
    /// What all of them share.
    pub common_subjects: Vec<String>,
    pub common_cosponsors: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Research {
    pub topic: String,
    pub total_bills: u64,
    pub bills: Vec<Bill>,
    /// How many of the bills match every word of the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_bills: Option<u64>,
    pub total_executive_actions: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_executive_actions: Option<u64>,
    pub executive_actions: Vec<ExecutiveAction>,
    /// How closely they match.
    #[serde(default)]
    pub note: String,
    /// The best matches, read in full.
    pub read: Vec<BillDetails>,
    /// How many of the bills that were found stand where.
    pub statuses: Vec<Choice>,
    /// Parts that could not be done, each with its reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}
