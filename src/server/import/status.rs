//! Where a bill stands, told by its laws and actions. The record has no such field, and its latest action misleads: a
//! measure that failed ends with "Motion to reconsider laid on the table", and some laws with a report filed later.

use crate::model::legislation::{BillStatus, BillType};

/// An action as the record has it.
pub struct Step<'a> {
    pub date: &'a str,
    pub code: &'a str,
    pub text: &'a str,
}

/// Follows the actions, which come newest first, from the oldest on.
pub fn derive(kind: BillType, is_law: bool, steps: &[Step<'_>]) -> BillStatus {
    if is_law {
        return BillStatus::BecameLaw;
    }
    let mut oldest_first: Vec<&Step<'_>> = steps.iter().rev().collect();
    oldest_first.sort_by_key(|step| step.date);
    let mut course = Course { kind, status: BillStatus::Introduced, in_house: false, in_senate: false };
    for step in oldest_first {
        course.take(step);
    }
    course.status
}

struct Course {
    kind: BillType,
    status: BillStatus,
    /// Whether the chamber has passed it.
    in_house: bool,
    in_senate: bool,
}

impl Course {
    /// Codes are the Library of Congress's; where an action has none, or one that covers opposites, its text decides.
    fn take(&mut self, step: &Step<'_>) {
        let text = step.text.to_lowercase();
        let says = |words: &str| text.contains(words);
        let is_early = matches!(self.status, BillStatus::Introduced | BillStatus::InCommittee | BillStatus::Reported);
        match step.code {
            // The code for a signature is used for vetoes, too.
            _ if step.code == "31000" || text.starts_with("vetoed by president") || says("pocket vetoed") => {
                self.status = BillStatus::Vetoed;
            }
            "36000" | "41000" | "E30000" | "E40000" => self.status = BillStatus::BecameLaw,
            "28000" | "E20000" => self.status = BillStatus::ToPresident,
            "9000" | "18000" => self.status = BillStatus::Failed,
            "H37100" | "H37300" if says("failed") => self.status = BillStatus::Failed,
            "8000" | "H37100" | "H37300" => {
                self.in_house = true;
                self.passed(&text, BillStatus::PassedHouse);
            }
            "17000" => {
                self.in_senate = true;
                self.passed(&text, BillStatus::PassedSenate);
            }
            // One chamber on what the other has changed; or on what a conference made of both.
            "19500" | "20500" | "21000" | "23000" if self.in_house && self.in_senate => {
                let goes_on = says("with an amendment") || says("disagree");
                self.status = if goes_on { BillStatus::ResolvingDifferences } else { self.through() };
            }
            _ if says("cloture") && says("not invoked") && !self.is_through() => self.status = BillStatus::Failed,
            "5000" | "5500" | "14000" | "14500" | "14900" | "1010" | "H12200" | "H12300" if is_early => {
                self.status = BillStatus::Reported;
            }
            _ if says("ordered to be reported") && is_early => self.status = BillStatus::Reported,
            _ if says("referred") && says("committee") && self.status == BillStatus::Introduced => {
                self.status = BillStatus::InCommittee;
            }
            _ => {}
        }
    }

    fn passed(&mut self, text: &str, by: BillStatus) {
        let is_amended = ["with an amendment", "with amendment", "as amended"].iter().any(|said| text.contains(said));
        self.status = match self.kind {
            BillType::Hres | BillType::Sres => BillStatus::AgreedTo,
            _ if !(self.in_house && self.in_senate) => by,
            _ if is_amended => BillStatus::ResolvingDifferences,
            _ => self.through(),
        };
    }

    /// What it is when both chambers agree.
    const fn through(&self) -> BillStatus {
        match self.kind {
            BillType::Hconres | BillType::Sconres | BillType::Hres | BillType::Sres => BillStatus::AgreedTo,
            BillType::Hr | BillType::S | BillType::Hjres | BillType::Sjres => BillStatus::PassedBoth,
        }
    }

    const fn is_through(&self) -> bool {
        matches!(self.status, BillStatus::BecameLaw | BillStatus::ToPresident | BillStatus::PassedBoth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: BillType, newest_first: &[(&str, &str, &str)], expected: BillStatus) {
        let steps: Vec<Step<'_>> = newest_first.iter().map(|&(date, code, text)| Step { date, code, text }).collect();
        assert_eq!(derive(kind, false, &steps), expected, "{newest_first:?}");
    }

    #[test]
    fn follows_a_bill_through_both_chambers() {
        use BillStatus as S;
        let all = [
            ("2025-06-09", "36000", "Became Public Law No: 119-1."),
            ("2025-06-05", "28000", "Presented to President."),
            ("2025-06-01", "17000", "Passed Senate without amendment by Unanimous Consent."),
            ("2025-03-02", "8000", "On passage Passed by the Yeas and Nays: 271 - 143"),
            ("2025-03-01", "5000", "Reported by the Committee on Judiciary."),
            ("2025-02-20", "", "Ordered to be Reported by the Yeas and Nays: 19 - 12."),
            ("2025-01-03", "H11100", "Referred to the House Committee on the Judiciary."),
            ("2025-01-03", "1000", "Introduced in House"),
        ];
        let expected = [
            S::BecameLaw,
            S::ToPresident,
            S::PassedBoth,
            S::PassedHouse,
            S::Reported,
            S::Reported,
            S::InCommittee,
            S::Introduced,
        ];
        for (from, expected) in expected.into_iter().enumerate() {
            check(BillType::Hr, &all[from..], expected);
        }
    }

    #[test]
    fn the_last_action_is_not_what_counts() {
        let ends = ("2025-03-02", "H38310", "Motion to reconsider laid on the table Agreed to without objection.");
        check(
            BillType::Hr,
            &[ends, ("2025-03-02", "9000", "Failed of passage/not agreed to in House")],
            BillStatus::Failed,
        );
        check(
            BillType::Hr,
            &[ends, ("2025-03-02", "H37300", "suspend the rules and pass the bill Failed")],
            BillStatus::Failed,
        );
        check(
            BillType::Hres,
            &[ends, ("2025-03-02", "8000", "On agreeing to the resolution Agreed to")],
            BillStatus::AgreedTo,
        );
        check(BillType::S, &[("2025-03-02", "E30000", "Vetoed by President.")], BillStatus::Vetoed);
        check(
            BillType::S,
            &[("2025-03-02", "8000", "Passed House with an amendment"), ("2025-02-02", "17000", "Passed Senate")],
            BillStatus::ResolvingDifferences,
        );
    }
}
