//! One bill: a line in a list, or all that is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BillNumber, BillStatus, BillType};

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Bill {
    pub congress: u32,
    #[serde(rename = "type")]
    pub kind: BillType,
    pub number: u32,
    pub title: String,
    /// As the record has it: `Rep. Arrington, Jodey C. [R-TX-19]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sponsor: String,
    /// The sponsor's bioguide id, which is the same under every spelling of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sponsor_id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub introduced: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub latest_action_date: String,
    pub status: BillStatus,
    /// Empty unless it became one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub law: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub policy_area: String,
    /// Where the words were found, each between two pairs of asterisks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub snippet: String,
}

/// A bill's page.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BillDetails {
    pub bill: Bill,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_titles: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub latest_action: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub committees: Vec<String>,
    #[serde(default)]
    pub cosponsor_count: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cosponsors: Vec<Cosponsor>,
    /// Newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    pub url: String,
    /// The same number in other congresses, where none was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in_congresses: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Cosponsor {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// Since when no longer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub withdrawn: String,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Action {
    pub date: String,
    pub text: String,
}

impl Bill {
    pub const fn bill_number(&self) -> BillNumber {
        BillNumber { congress: Some(self.congress), kind: self.kind, number: self.number }
    }

    /// `H.R. 1`, as it is cited.
    pub fn citation(&self) -> String {
        self.bill_number().to_string()
    }

    pub fn url(&self) -> String {
        let (congress, kind, number) = (ordinal(self.congress), self.kind.path(), self.number);
        format!("https://www.congress.gov/bill/{congress}-congress/{kind}/{number}")
    }
}

/// `119th`.
pub fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ordinals() {
        let said = [1, 2, 3, 4, 11, 12, 13, 101, 111, 113, 119, 122].map(super::ordinal).join(" ");
        assert_eq!(said, "1st 2nd 3rd 4th 11th 12th 13th 101st 111th 113th 119th 122nd");
    }
}
