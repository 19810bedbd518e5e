//! Which bill: its congress, its type and its number, however people spell them.

use std::{
    fmt,
    ops::{Range, RangeInclusive},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::words::{Word, words};

words!(
    /// The eight kinds of measures that Congress numbers.
    BillType {
        Hr = "hr",
        S = "s",
        Hjres = "hjres",
        Sjres = "sjres",
        Hconres = "hconres",
        Sconres = "sconres",
        Hres = "hres",
        Sres = "sres",
    }
);

words!(Chamber {
    House = "house",
    Senate = "senate",
});

impl BillType {
    /// `S.J.Res.`, as it is cited.
    pub const fn cited(self) -> &'static str {
        match self {
            Self::Hr => "H.R.",
            Self::S => "S.",
            Self::Hjres => "H.J.Res.",
            Self::Sjres => "S.J.Res.",
            Self::Hconres => "H.Con.Res.",
            Self::Sconres => "S.Con.Res.",
            Self::Hres => "H.Res.",
            Self::Sres => "S.Res.",
        }
    }

    /// As the address of its page on congress.gov says it.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Hr => "house-bill",
            Self::S => "senate-bill",
            Self::Hjres => "house-joint-resolution",
            Self::Sjres => "senate-joint-resolution",
            Self::Hconres => "house-concurrent-resolution",
            Self::Sconres => "senate-concurrent-resolution",
            Self::Hres => "house-resolution",
            Self::Sres => "senate-resolution",
        }
    }

    pub const fn chamber(self) -> Chamber {
        match self {
            Self::Hr | Self::Hjres | Self::Hconres | Self::Hres => Chamber::House,
            Self::S | Self::Sjres | Self::Sconres | Self::Sres => Chamber::Senate,
        }
    }

    /// `h.r.`, `HJRes`, `House Bill`.
    pub fn from_text(text: &str) -> Option<Self> {
        let letters: String = text.to_lowercase().chars().filter(char::is_ascii_alphabetic).collect();
        let letters = match letters.as_str() {
            "hb" => "hr",
            "sb" => "s",
            other => other,
        };
        Self::from_word(letters)
            .or_else(|| Self::ALL.iter().copied().find(|kind| kind.path().replace('-', "") == letters))
    }
}

/// A bill, and its congress if that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BillNumber {
    pub congress: Option<u32>,
    pub kind: BillType,
    pub number: u32,
}

impl fmt::Display for BillNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.cited(), self.number)
    }
}

/// Congresses for which there could be data: bills have been online since the 93rd.
const CONGRESSES: RangeInclusive<u32> = 60..=150;

impl BillNumber {
    /// All bills that a text names, in any spelling: `HR 1`, `h.r.1`, `S.J.Res. 20`, `119-hr-1`, `H.R. 1 of the 118th
    /// Congress`.
    pub fn all_in(text: &str) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (bill, _) in scan(&tokens(text)) {
            if !found.contains(&bill) {
                found.push(bill);
            }
        }
        found
    }

    /// The one bill that a text is: its number, perhaps its congress, and nothing else.
    pub fn only(text: &str) -> Option<Self> {
        const BESIDE: &[&str] = &["bill", "congress", "in", "nd", "of", "rd", "st", "th", "the"];
        let tokens = tokens(text);
        let [(bill, taken)] = &scan(&tokens)[..] else { return None };
        let is_beside = |token: &Token| {
            BESIDE.contains(&token.text.as_str())
                || bill.congress.is_some_and(|congress| token.number() == Some(congress))
        };
        let rest = tokens.iter().enumerate().filter(|(at, _)| !taken.contains(at));
        rest.map(|(_, token)| token).all(is_beside).then_some(*bill)
    }
}

/// Every bill with the tokens that name it.
fn scan(tokens: &[Token]) -> Vec<(BillNumber, Range<usize>)> {
    let said = congress_said(tokens);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // "U.S. 2024" names no bill: this letter is the end of an abbreviation.
        let is_abbreviated = at > 0 && tokens[at].gap == "." && tokens[at - 1].text.chars().count() == 1;
        let named = kind_at(&tokens[at..]).filter(|_| !is_abbreviated).and_then(|(kind, used)| {
            // "House Bill No. 1".
            let is_no = tokens.get(at + used).is_some_and(|token| matches!(token.text.as_str(), "no" | "number"));
            let place = at + used + usize::from(is_no);
            let number = tokens.get(place)?.number().filter(|n| (1..100_000).contains(n))?;
            Some((kind, number, place + 1))
        });
        let Some((kind, number, end)) = named else {
            at += 1;
            continue;
        };
        let before = at.checked_sub(1).and_then(|before| tokens[before].number()).filter(|n| CONGRESSES.contains(n));
        // "H.R. 1 (117)", "HR 1 117th".
        let after = tokens.get(end).filter(|token| {
            let is_ordinal =
                tokens.get(end + 1).is_some_and(|next| matches!(next.text.as_str(), "th" | "st" | "nd" | "rd"));
            token.gap.trim() == "(" || is_ordinal && token.gap.trim_matches([' ', ',']).is_empty()
        });
        let after = after.and_then(|token| token.number()).filter(|n| CONGRESSES.contains(n));
        found.push((BillNumber { congress: before.or(after).or(said), kind, number }, at..end));
        at = end;
    }
    found
}

/// A run of letters or of digits, in lower case.
struct Token {
    text: String,
    /// What stood between this and the one before.
    gap: String,
}

impl Token {
    fn number(&self) -> Option<u32> {
        self.text.parse().ok()
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut gap = String::new();
    let mut last = None;
    for letter in text.chars() {
        let kind = (letter.is_alphabetic(), letter.is_ascii_digit());
        if kind == (false, false) {
            gap.push(letter);
            last = None;
            continue;
        }
        match tokens.last_mut().filter(|_| last == Some(kind)) {
            Some(token) => token.text.extend(letter.to_lowercase()),
            None => {
                tokens.push(Token { text: letter.to_lowercase().collect(), gap: std::mem::take(&mut gap) });
            }
        }
        last = Some(kind);
    }
    tokens
}

/// The type that begins here, and how many tokens it takes: `h` `j` `res`, `hjres`, or `house` `joint` `resolution`.
fn kind_at(tokens: &[Token]) -> Option<(BillType, usize)> {
    // What follows an apostrophe is the end of the word before: "Biden's 5 orders" names no bill.
    if tokens.first()?.gap.ends_with(['\'', '’']) {
        return None;
    }
    (1..=3.min(tokens.len())).rev().find_map(|used| {
        let together = tokens[1..used].iter().all(|token| token.gap.trim_matches([' ', '.', '-']).is_empty());
        let number_follows = tokens.get(used).is_some_and(|token| token.gap.chars().all(|c| " .-/#".contains(c)));
        let are_words = tokens[..used].iter().all(|token| token.number().is_none());
        let word: String = tokens[..used].iter().map(|token| token.text.as_str()).collect();
        BillType::from_text(&word).filter(|_| are_words && together && number_follows).map(|kind| (kind, used))
    })
}

/// `119th Congress`, `Congress 119`.
fn congress_said(tokens: &[Token]) -> Option<u32> {
    let at = tokens.iter().position(|token| token.text == "congress")?;
    let near = [at.checked_sub(2), at.checked_sub(1), Some(at + 1)];
    near.into_iter().flatten().filter_map(|at| tokens.get(at)?.number()).find(|n| CONGRESSES.contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bill(congress: impl Into<Option<u32>>, kind: BillType, number: u32) -> BillNumber {
        BillNumber { congress: congress.into(), kind, number }
    }

    #[test]
    fn any_spelling_names_its_bill() {
        for (text, expected) in [
            ("HR 1", bill(None, BillType::Hr, 1)),
            ("h.r.1", bill(None, BillType::Hr, 1)),
            ("H. R. 1", bill(None, BillType::Hr, 1)),
            ("hr1", bill(None, BillType::Hr, 1)),
            ("S.J.Res. 20", bill(None, BillType::Sjres, 20)),
            ("sjres20", bill(None, BillType::Sjres, 20)),
            ("S 5", bill(None, BillType::S, 5)),
            ("s.5", bill(None, BillType::S, 5)),
            ("119-hr-1", bill(119, BillType::Hr, 1)),
            ("119hr1", bill(119, BillType::Hr, 1)),
            ("119/s/5", bill(119, BillType::S, 5)),
            ("H.Con.Res. 14", bill(None, BillType::Hconres, 14)),
            ("House Joint Resolution 25", bill(None, BillType::Hjres, 25)),
            ("senate bill 47", bill(None, BillType::S, 47)),
            ("H.R. 1 of the 118th Congress", bill(118, BillType::Hr, 1)),
            ("H.RES.5", bill(None, BillType::Hres, 5)),
            ("H.R.1 117th", bill(117, BillType::Hr, 1)),
            ("hr 1 (117)", bill(117, BillType::Hr, 1)),
            ("House Bill No. 1", bill(None, BillType::Hr, 1)),
            ("HB 1", bill(None, BillType::Hr, 1)),
        ] {
            assert_eq!(BillNumber::all_in(text), [expected], "{text}");
            assert_eq!(BillNumber::only(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_text_may_name_several_or_none() {
        let named = BillNumber::all_in("Compare H.R. 4 with s.1077, and HR 4 again");
        assert_eq!(named, [bill(None, BillType::Hr, 4), bill(None, BillType::S, 1077)]);
        assert_eq!(BillNumber::only("Compare H.R. 4 with others"), None);
        for text in [
            "",
            "U.S. 2024 budget",
            "I.R.S. 2025",
            "Biden's 5 orders",
            "hours 5",
            "title II",
            "S. and 4",
            "section 230",
            "HR",
            "s 0",
            "s 100000",
        ] {
            assert_eq!(BillNumber::all_in(text), [], "{text}");
        }
    }
}
