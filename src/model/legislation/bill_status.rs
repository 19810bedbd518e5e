//! Where a bill stands, in words for people. Official data has no such field: it is derived from laws and actions.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::words::{Word, words};

words!(
    /// From the first step to the last, as far as they have an order.
    BillStatus {
        Introduced = "introduced",
        InCommittee = "in_committee",
        Reported = "reported",
        PassedHouse = "passed_house",
        PassedSenate = "passed_senate",
        /// Both chambers have passed it, in different words.
        ResolvingDifferences = "resolving_differences",
        PassedBoth = "passed_both",
        ToPresident = "to_president",
        Vetoed = "vetoed",
        BecameLaw = "became_law",
        /// A resolution that needs no president.
        AgreedTo = "agreed_to",
        Failed = "failed",
    }
);

impl BillStatus {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Introduced => "Introduced",
            Self::InCommittee => "In committee",
            Self::Reported => "Reported by committee",
            Self::PassedHouse => "Passed House",
            Self::PassedSenate => "Passed Senate",
            Self::ResolvingDifferences => "Resolving differences",
            Self::PassedBoth => "Passed both chambers",
            Self::ToPresident => "To President",
            Self::Vetoed => "Vetoed",
            Self::BecameLaw => "Became law",
            Self::AgreedTo => "Agreed to",
            Self::Failed => "Failed",
        }
    }

    /// How far it has come, of five steps: introduced, in committee, through one chamber, through both, through.
    pub const fn step(self) -> u32 {
        match self {
            Self::Failed => 0,
            Self::Introduced => 1,
            Self::InCommittee | Self::Reported => 2,
            Self::PassedHouse | Self::PassedSenate => 3,
            Self::ResolvingDifferences | Self::PassedBoth | Self::ToPresident | Self::Vetoed => 4,
            Self::BecameLaw | Self::AgreedTo => 5,
        }
    }

    /// Reads what a person or a model wrote: the word, the label, or one of the ways in which people say it.
    pub fn from_text(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['_', '-'], " ");
        let said = |status: &Self| status.as_str().replace('_', " ") == text || status.label().to_lowercase() == text;
        Self::ALL.iter().copied().find(said).or(match text.as_str() {
            "law" | "enacted" | "signed" | "signed into law" | "became public law" => Some(Self::BecameLaw),
            "committee" | "referred" | "referred to committee" => Some(Self::InCommittee),
            "house passed" | "passed the house" => Some(Self::PassedHouse),
            "senate passed" | "passed the senate" => Some(Self::PassedSenate),
            "veto" => Some(Self::Vetoed),
            "rejected" | "defeated" => Some(Self::Failed),
            "agreed" | "adopted" => Some(Self::AgreedTo),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_read_back_from_its_word_and_its_label() {
        for status in BillStatus::ALL {
            assert_eq!(BillStatus::from_text(status.as_str()), Some(*status));
            assert_eq!(BillStatus::from_text(status.label()), Some(*status));
        }
        assert_eq!(BillStatus::from_text(" Enacted "), Some(BillStatus::BecameLaw));
        assert_eq!(BillStatus::from_text("daydreaming"), None);
    }
}
