//! A question, read for what can be looked up: party, state, chamber, congress, years, status, sponsor. What has become a
//! filter is no longer a word to search for.

use serde_json::{Map, Value};

use crate::{
    model::legislation::{BillStatus, states},
    server::corpus::words,
};

/// The congress that sits now. It changes every second January.
const THIS_CONGRESS: u32 = 119;

/// A question, made easy to look into: lower case, single spaces, no punctuation, a space at both ends.
pub struct Asked {
    original: String,
    text: String,
}

/// A span of years; either end may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Years {
    from: Option<u32>,
    to: Option<u32>,
}

impl Asked {
    pub fn new(question: &str) -> Self {
        let plain = question.replace(['’', '‘'], "'").to_lowercase().replace("'s ", " ");
        let words = plain.replace(|letter: char| !letter.is_alphanumeric() && letter != '-', " ");
        let text = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
        Self { original: question.to_owned(), text }
    }

    /// Whether it has one of these, each a word or several.
    pub fn has(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.text.contains(&format!(" {words} ")))
    }

    /// Whether a word begins with one of these.
    pub fn has_beginning(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.text.contains(&format!(" {words}")))
    }

    pub fn begins(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.text.starts_with(&format!(" {words} ")))
    }

    pub fn word_count(&self) -> usize {
        self.text.split_whitespace().count()
    }

    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// What follows, where the question begins with one of these.
    pub fn after_beginning(&self, any: &[&str]) -> Option<String> {
        let text = self.text.trim_start().trim_start_matches("please ");
        let topic = any.iter().find_map(|words| text.strip_prefix(&format!("{words} ")))?;
        Some(topic.trim().to_owned()).filter(|topic| !words(topic).is_empty())
    }

    /// Whether it asks what there is of these, and about what or of what name; not whether it only mentions them.
    pub fn lists(&self, any: &[&str]) -> Option<String> {
        let noun = any.iter().find(|noun| self.has(&[noun]))?;
        let asks = ["which", "what", "list", "show", "who are", "available", "all", "name", "how many"];
        if !self.begins(&asks) && !self.begins(&[noun]) {
            return None;
        }
        let (_, after) = self.text.split_once(&format!(" {noun} "))?;
        let named = ["named ", "called ", "about ", "on "].iter().find_map(|word| after.strip_prefix(word));
        if let Some(named) = named {
            return Some(named.trim().to_owned());
        }
        let rest = words(&without(&self.rest(), &[noun, "available", "active", "exist", "many"]));
        rest.is_empty().then(String::new)
    }

    fn year_words(&self) -> impl Iterator<Item = (usize, u32)> {
        let words = self.text.split(' ').enumerate().filter(|(_, word)| word.len() == 4);
        words.filter_map(|(at, word)| Some((at, word.parse::<u32>().ok().filter(|year| (1990..2100).contains(year))?)))
    }

    /// "2025", "since 2024", "before 2020", "between 2021 and 2023", "2021-2023".
    fn years(&self) -> Years {
        let span = self.text.split(' ').find_map(|word| {
            let (from, to) = word.split_once('-')?;
            let year = |text: &str| text.parse::<u32>().ok().filter(|year| (1990..2100).contains(year));
            Some(Years { from: Some(year(from)?), to: Some(year(to)?) })
        });
        if let Some(span) = span {
            return span;
        }
        let said: Vec<(usize, u32)> = self.year_words().collect();
        let words: Vec<&str> = self.text.split(' ').collect();
        match said[..] {
            [] => Years::default(),
            [(at, year)] => match at.checked_sub(1).and_then(|before| words.get(before)).copied() {
                Some("since" | "after" | "from") => Years { from: Some(year), to: None },
                Some("before" | "until" | "till") => Years { from: None, to: Some(year) },
                _ => Years { from: Some(year), to: Some(year) },
            },
            [(_, first), .., (_, last)] => Years { from: Some(first.min(last)), to: Some(first.max(last)) },
        }
    }

    fn party(&self) -> Option<(&'static str, &'static str)> {
        [
            ("R", "republicans"),
            ("R", "republican"),
            ("R", "gop"),
            ("D", "democrats"),
            ("D", "democratic"),
            ("D", "democrat"),
            ("I", "independents"),
        ]
        .into_iter()
        .find(|(_, word)| self.has(&[word]))
    }

    /// Only where it says whose state it is: "bills on Alaska" are about Alaska.
    fn state(&self) -> Option<(&'static str, &'static str)> {
        let (letters, name) = states::named_in(&self.text)?;
        let said = name.to_lowercase();
        let whose = ["of", "from", "by"].map(|word| format!("{word} {said}"));
        self.has(&whose.each_ref().map(String::as_str)).then_some((letters, name))
    }

    /// "house bills", "in the Senate", "Senate resolutions". "Passed the House" is a status.
    fn chamber(&self) -> Option<(&'static str, &'static str)> {
        const SAID: [(&str, &[&str]); 2] = [
            ("senate", &["in the senate", "senate bills", "senate resolutions", "senate bill", "senators"]),
            ("house", &["in the house", "house bills", "house resolutions", "house bill", "representatives"]),
        ];
        SAID.into_iter()
            .find_map(|(chamber, said)| said.iter().find(|said| self.has(&[said])).map(|said| (chamber, *said)))
    }

    fn congress(&self) -> Option<(u32, String)> {
        for (words, congress) in [
            ("this congress", THIS_CONGRESS),
            ("current congress", THIS_CONGRESS),
            ("last congress", THIS_CONGRESS - 1),
            ("previous congress", THIS_CONGRESS - 1),
        ] {
            if self.has(&[words]) {
                return Some((congress, words.into()));
            }
        }
        let said: Vec<&str> = self.text.split_whitespace().collect();
        said.iter().enumerate().find_map(|(at, word)| {
            let digits = word.trim_end_matches(char::is_alphabetic);
            let congress = digits.parse().ok().filter(|congress| (90..=150).contains(congress))?;
            let is_ordinal = digits.len() < word.len();
            match said.get(at + 1) {
                Some(&next @ ("congress" | "congresses")) => Some((congress, format!("{word} {next}"))),
                _ if is_ordinal => Some((congress, (*word).to_owned())),
                _ => None,
            }
        })
    }

    fn status(&self) -> Option<(BillStatus, &'static str)> {
        [
            (BillStatus::BecameLaw, "became law"),
            (BillStatus::BecameLaw, "become law"),
            (BillStatus::BecameLaw, "become laws"),
            (BillStatus::BecameLaw, "became laws"),
            (BillStatus::BecameLaw, "signed into law"),
            (BillStatus::BecameLaw, "were enacted"),
            (BillStatus::BecameLaw, "enacted"),
            (BillStatus::Vetoed, "vetoed"),
            (BillStatus::PassedHouse, "passed the house"),
            (BillStatus::PassedSenate, "passed the senate"),
            (BillStatus::PassedBoth, "passed both chambers"),
            (BillStatus::InCommittee, "in committee"),
            (BillStatus::Reported, "reported by committee"),
            (BillStatus::AgreedTo, "agreed to"),
            (BillStatus::Failed, "failed"),
        ]
        .into_iter()
        .find(|(_, words)| self.has(&[words]))
    }

    /// "sponsored by Ro Khanna", "introduced by Khanna", "bills by Senator Cruz".
    fn sponsor(&self) -> Option<(String, String)> {
        let markers =
            ["sponsored by", "introduced by", "bills by", "bill by", "legislation by", "authored by", "proposed by"];
        let (marker, after) =
            markers.iter().find_map(|marker| Some((marker, self.text.split_once(&format!(" {marker} "))?.1)))?;
        const ENDS: [&str; 16] = [
            "on",
            "about",
            "in",
            "that",
            "which",
            "of",
            "from",
            "and",
            "for",
            "to",
            "with",
            "regarding",
            "this",
            "last",
            "since",
            "during",
        ];
        let all: Vec<&str> = after.split_whitespace().take_while(|word| !ENDS.contains(word)).take(4).collect();
        let titles = ["senator", "sen", "representative", "rep", "congressman", "congresswoman", "the"];
        let name: Vec<&str> = all.iter().copied().skip_while(|word| titles.contains(word)).collect();
        let is_group =
            name.iter().any(|word| ["democrats", "republicans", "independents", "whom", "members"].contains(word));
        (!name.is_empty() && !is_group && self.party().is_none())
            .then(|| (name.join(" "), format!("{marker} {}", all.join(" "))))
    }

    /// Those of these filters that the question says.
    pub fn filters(&self, wanted: &[&str]) -> Map<String, Value> {
        let Years { from, to } = self.years();
        let year = |year: Option<u32>| year.map(|year| Value::from(year.to_string()));
        let said = [
            ("party", self.party().map(|(letter, _)| letter.into())),
            ("state", self.state().map(|(letters, _)| letters.into())),
            ("chamber", self.chamber().map(|(chamber, _)| chamber.into())),
            ("congress", self.congress().map(|(congress, _)| congress.into())),
            ("from", year(from)),
            ("to", year(to)),
            ("status", self.status().map(|(status, _)| status.as_str().into())),
            ("sponsor", self.sponsor().map(|(name, _)| name.into())),
        ];
        let fits = said.into_iter().filter(|(name, _)| wanted.contains(name));
        fits.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The question without what has become a filter.
    pub fn rest(&self) -> String {
        let mut said: Vec<String> = Vec::new();
        said.extend(self.sponsor().map(|(_, words)| words));
        said.extend(self.party().map(|(_, word)| word.to_owned()));
        said.extend(self.state().map(|(_, name)| name.to_owned()));
        said.extend(self.status().map(|(_, words)| words.to_owned()));
        said.extend(self.chamber().map(|(_, words)| words.to_owned()));
        said.extend(self.congress().map(|(_, words)| words));
        let Years { from, to } = self.years();
        said.extend(from.iter().zip(&to).map(|(from, to)| format!("{from}-{to}")));
        said.extend([from, to].into_iter().flatten().map(|year| year.to_string()));
        without(&self.original, &said.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// A text without these words, in whatever case; parts of other words stay.
pub fn without(text: &str, words: &[&str]) -> String {
    let mut text = text.to_owned();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let mut from = 0;
        // Only ASCII changes case here, so that places in both stay the same.
        while let Some(at) = text.to_ascii_lowercase()[from..].find(&word.to_ascii_lowercase()).map(|at| at + from) {
            let end = at + word.len();
            let is_inside =
                text[..at].ends_with(char::is_alphanumeric) || text[end..].starts_with(char::is_alphanumeric);
            if is_inside {
                from = end;
            } else {
                text.replace_range(at..end, "");
                from = at;
            }
        }
    }
    text
}
