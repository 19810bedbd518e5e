//! A bill, as tools return it and cards show it.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bill {
    pub congress: u32,
    #[serde(rename = "type")]
    pub kind: String,
    pub number: u32,
    pub title: String,
    pub sponsor: String,
    pub introduced: String,
    pub status: String,
    /// Empty unless it became one.
    pub law: String,
    pub policy_area: String,
}

impl Bill {
    /// `H.R. 1`, as it is cited.
    pub fn citation(&self) -> String {
        let prefix = match self.kind.as_str() {
            "hr" => "H.R.",
            "s" => "S.",
            other => other,
        };
        format!("{prefix} {}", self.number)
    }
}
