//! Which bills: their chamber, type, congress and status.

use super::{Asked, without};
use crate::model::legislation::{BillStatus, BillType};

/// The congress that sits on a day such as `2026-11-16`. It changes on the third of January of odd years.
fn sitting(day: &str) -> u32 {
    let year: u32 = day.get(..4).and_then(|year| year.parse().ok()).unwrap_or(2026);
    let year = if day.get(5..).is_some_and(|rest| rest < "01-03") { year - 1 } else { year };
    (year.saturating_sub(1789)) / 2 + 1
}

impl Asked {
    /// "house bills", "in the Senate", "Senate resolutions". "Passed the House" is a status.
    pub fn chamber(&self) -> Option<(&'static str, &'static str)> {
        const SAID: [(&str, &[&str]); 2] = [
            (
                "senate",
                &[
                    "in the senate",
                    "from the senate",
                    "senate bills",
                    "senate bill",
                    "senate ones",
                    "senate only",
                    "senate version",
                    "senate democrats",
                    "senate republicans",
                    "senators",
                    "the senate",
                    "only senate",
                    "just senate",
                ],
            ),
            (
                "house",
                &[
                    "in the house",
                    "from the house",
                    "house bills",
                    "house bill",
                    "house ones",
                    "house only",
                    "house version",
                    "house democrats",
                    "house republicans",
                    "representatives",
                    "the house",
                    "only house",
                    "just house",
                ],
            ),
        ];
        let mut text = self.status().map_or_else(|| self.text.clone(), |(_, words)| without(&self.text, &[words]));
        text = text.replace(" house of representatives ", " house ").replace(" the white house ", " ");
        let said = |words: &&&str| text.contains(&format!(" {words} "));
        SAID.into_iter().find_map(|(chamber, any)| any.iter().find(said).map(|words| (chamber, *words)))
    }

    /// "House resolutions", "joint resolutions", "sjres", and the words that say so.
    pub fn kinds(&self) -> (Vec<BillType>, Vec<&'static str>) {
        use BillType::{Hconres, Hjres, Hres, Sconres, Sjres, Sres};
        const SAID: [(&[&str], &[BillType]); 9] = [
            (&["house joint resolutions", "house joint resolution", "hjres", "h j res"], &[Hjres]),
            (&["senate joint resolutions", "senate joint resolution", "sjres", "s j res"], &[Sjres]),
            (&["house concurrent resolutions", "hconres", "h con res"], &[Hconres]),
            (&["senate concurrent resolutions", "sconres", "s con res"], &[Sconres]),
            (&["joint resolutions", "joint resolution"], &[Hjres, Sjres]),
            (&["concurrent resolutions", "concurrent resolution"], &[Hconres, Sconres]),
            (&["house resolutions", "house resolution", "hres", "h res"], &[Hres]),
            (&["senate resolutions", "senate resolution", "sres", "s res"], &[Sres]),
            (&["simple resolutions"], &[Hres, Sres]),
        ];
        let found = SAID.iter().find_map(|(any, kinds)| Some((any.iter().find(|words| self.has(&[words]))?, kinds)));
        found.map_or_else(Default::default, |(words, kinds)| (kinds.to_vec(), vec![*words]))
    }

    pub fn congress(&self) -> Option<(u32, String)> {
        let this = sitting(&self.today);
        for (words, congress) in [
            ("this congress", this),
            ("current congress", this),
            ("last congress", this - 1),
            ("previous congress", this - 1),
        ] {
            if self.has(&[words]) {
                return Some((congress, words.into()));
            }
        }
        let said: Vec<&str> = self.text.split_whitespace().collect();
        said.iter().enumerate().find_map(|(at, word)| {
            let digits = word.trim_end_matches(char::is_alphabetic);
            let congress = digits.parse().ok().filter(|congress| (1..1000).contains(congress))?;
            let is_likely = (90..=150).contains(&congress);
            let is_ordinal = digits.len() < word.len();
            let before = at.checked_sub(1).map(|before| said[before]);
            match said.get(at + 1).copied() {
                Some(next @ ("congress" | "congresses")) => Some((congress, format!("{word} {next}"))),
                // The 100th anniversary is no congress.
                None | Some("bills" | "laws" | "and" | "that" | "on" | "about" | "by") if is_likely && is_ordinal => {
                    Some((congress, (*word).to_owned()))
                }
                None if is_likely && matches!(before, Some("congress" | "in" | "the")) => {
                    Some((congress, (*word).to_owned()))
                }
                _ => None,
            }
        })
    }

    pub fn status(&self) -> Option<(BillStatus, &'static str)> {
        use BillStatus::{
            AgreedTo, BecameLaw, Failed, InCommittee, PassedBoth, PassedHouse, PassedSenate, Reported, ToPresident,
            Vetoed,
        };
        const SAID: [(BillStatus, &[&str]); 10] = [
            (
                ToPresident,
                &[
                    "waiting for the president signature",
                    "waiting for signature",
                    "awaiting signature",
                    "waiting for the president",
                    "awaiting the president",
                    "on the president desk",
                    "sent to the president",
                ],
            ),
            (
                BecameLaw,
                &[
                    "became law",
                    "become law",
                    "became a law",
                    "become a law",
                    "become laws",
                    "became laws",
                    "becoming law",
                    "signed into law",
                    "passed into law",
                    "made into law",
                    "were enacted",
                    "enacted",
                    "now law",
                ],
            ),
            (Vetoed, &["vetoed"]),
            (PassedBoth, &["passed both chambers", "passed both houses", "passed both"]),
            (
                PassedHouse,
                &["passed the house", "passed by the house", "pass the house", "passed house", "through the house"],
            ),
            (
                PassedSenate,
                &[
                    "passed the senate",
                    "passed by the senate",
                    "pass the senate",
                    "passed senate",
                    "through the senate",
                ],
            ),
            (InCommittee, &["stuck in committee", "still in committee", "in committee"]),
            (Reported, &["reported by committee", "reported out", "were reported"]),
            (AgreedTo, &["agreed to", "were adopted", "was adopted", "been adopted"]),
            (
                Failed,
                &[
                    "that failed",
                    "which failed",
                    "bills failed",
                    "have failed",
                    "failed bills",
                    "failed in",
                    "were rejected",
                ],
            ),
        ];
        let said = SAID.iter().find_map(|(status, any)| Some((*status, *any.iter().find(|words| self.has(&[words]))?)));
        // "which bills did Biden veto": the veto power is another thing.
        let is_veto = self.has(&["veto"]) && self.has(&["did", "has"]);
        let said = said.or(is_veto.then_some((Vetoed, "veto")));
        said.or_else(|| self.laws().map(|words| (BecameLaw, words)))
    }

    /// "laws about insulin", "the most recent law", "bills signed in May": those that became law.
    fn laws(&self) -> Option<&'static str> {
        let has_bills = self.has(&["bill", "bills", "resolutions", "legislation"]);
        if has_bills {
            return [
                "that were signed",
                "were signed",
                "was signed",
                "bills signed",
                "signed bills",
                "that got signed",
            ]
            .into_iter()
            .find(|words| self.has(&[words]));
        }
        ["laws", "recent law", "latest law", "newest law", "new law", "oldest law", "last law"]
            .into_iter()
            .find(|words| self.has(&[words]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_congress_sits_for_two_years() {
        for (day, congress) in [("2025-01-02", 118), ("2025-01-03", 119), ("2026-12-31", 119), ("2027-01-03", 120)] {
            assert_eq!(sitting(day), congress, "{day}");
            assert_eq!(Asked::on("bills of this Congress", day).congress().unwrap().0, congress);
        }
    }

    #[test]
    fn statuses_are_said_in_many_ways() {
        for (question, status) in [
            ("laws about insulin", Some(BillStatus::BecameLaw)),
            ("bills signed into law in january 2025", Some(BillStatus::BecameLaw)),
            ("the most recent law", Some(BillStatus::BecameLaw)),
            ("bills about gun laws", None),
            ("Lulu's Law", None),
            ("law enforcement", None),
            ("bills waiting for the president's signature", Some(BillStatus::ToPresident)),
            ("bills passed by the Senate in 2025", Some(BillStatus::PassedSenate)),
            ("failed banks", None),
            ("how many bills failed?", Some(BillStatus::Failed)),
        ] {
            assert_eq!(Asked::new(question).status().map(|(status, _)| status), status, "{question}");
        }
    }

    #[test]
    fn kinds_and_congresses() {
        let kinds = |question: &str| Asked::new(question).kinds().0;
        assert_eq!(kinds("how many House resolutions in the 118th Congress"), [BillType::Hres]);
        assert_eq!(kinds("joint resolutions that became law"), [BillType::Hjres, BillType::Sjres]);
        assert_eq!(kinds("sjres in 119"), [BillType::Sjres]);
        let congress = |question: &str| Asked::new(question).congress().map(|(congress, _)| congress);
        assert_eq!(congress("bills on the 100th anniversary of something"), None);
        assert_eq!((congress("and the 119th?"), congress("sjres in 119")), (Some(119), Some(119)));
        assert_eq!(congress("bills of the 200th Congress"), Some(200));
    }
}
