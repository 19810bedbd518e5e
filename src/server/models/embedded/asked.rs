//! A question, read for what can be looked up: party, state, chamber, kind, congress, dates, status, sponsor. What has
//! become a filter is no longer a word to search for.

use serde_json::{Map, Value};

use crate::{
    model::legislation::BillStatus,
    server::{clock, corpus::words},
};

/// When: years, months, days, before and after.
mod dates;
/// What is asked about one bill.
mod facts;
/// Which bills: chamber, type, congress, status.
mod kinds;
/// What is said around a question, and what it says not.
mod manners;
/// Whose bills: party, state, sponsor.
mod people;

use dates::Span;
pub use facts::Fact;

/// A question, made easy to look into: lower case, single spaces, no punctuation, a space at both ends.
pub struct Asked {
    original: String,
    text: String,
    /// What it says bills should not be.
    not: Vec<String>,
    today: String,
}

impl Asked {
    pub fn new(question: &str) -> Self {
        let today = clock::now().to_string();
        Self::on(question, today.get(..10).unwrap_or_default())
    }

    /// As asked on this day.
    fn on(question: &str, today: &str) -> Self {
        let question = question.replace(['’', '‘'], "'");
        let (original, not) = manners::without_negation(manners::stripped(&question));
        Self { text: normal(&original), original, not, today: today.to_owned() }
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

    pub fn ends(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.text.ends_with(&format!(" {words} ")))
    }

    pub fn word_count(&self) -> usize {
        self.text.split_whitespace().count()
    }

    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// As it was typed, but for what was said around it.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// What it says bills should not be, which no search can be told.
    pub fn not(&self) -> &[String] {
        &self.not
    }

    /// What follows, where the question begins with one of these.
    pub fn after_beginning(&self, any: &[&str]) -> Option<String> {
        let text = self.text.trim_start();
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
        let named = ["named ", "called ", "about ", "on ", "are there about ", "are there on "];
        if let Some(named) = named.iter().find_map(|word| after.strip_prefix(word)) {
            return Some(named.trim().to_owned());
        }
        let rest = words(&without(&self.rest(), &[noun, "available", "active", "exist", "many"]));
        rest.is_empty().then(String::new)
    }

    pub fn span(&self) -> Span {
        dates::span(&self.text, &self.today)
    }

    /// Whether it wants to know how many there are.
    pub fn counts(&self) -> bool {
        self.has(&["how many", "number of", "count", "total"]) && !self.has(&["number of cosponsors"])
    }

    /// How many it wants to see: "top 3", "20 bills", "the next 5".
    pub fn limit(&self) -> Option<(u64, String)> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        words.windows(2).find_map(|pair| {
            let number = |word: &str| word.parse::<u64>().ok().filter(|n| (1..=100).contains(n));
            match (pair[0], pair[1]) {
                ("top" | "next" | "first", n) => Some((number(n)?, pair.join(" "))),
                (n, "bills" | "laws" | "resolutions" | "orders") => Some((number(n)?, n.to_owned())),
                _ => None,
            }
        })
    }

    /// Whether the newest come first, or the oldest.
    pub fn sort(&self) -> Option<(&'static str, &'static str)> {
        [
            ("newest", "most recently"),
            ("newest", "most recent"),
            ("newest", "newest first"),
            ("newest", "newest"),
            ("newest", "latest first"),
            ("newest", "latest"),
            ("newest", "by date"),
            ("newest", "recently"),
            ("newest", "recent"),
            ("newest", "new laws"),
            ("newest", "new bills"),
            ("oldest", "oldest first"),
            ("oldest", "oldest"),
            ("oldest", "earliest"),
        ]
        .into_iter()
        .find(|(_, words)| self.has(&[words]))
        .filter(|_| !self.has(&["latest action", "latest news"]))
    }

    /// Those of these filters that the question says.
    pub fn filters(&self, wanted: &[&str]) -> Map<String, Value> {
        let Span { from, to, .. } = self.span();
        let status = self.status().map(|(status, _)| status);
        // When a law was introduced is only asked for in so many words.
        let is_law_date = status == Some(BillStatus::BecameLaw)
            && !self.has(&["introduced", "introduce"])
            && wanted.contains(&"law_from");
        let ends = if is_law_date { ["law_from", "law_to"] } else { ["from", "to"] };
        let said = [
            ("party", self.parties().first().map(|(letter, _)| (*letter).into())),
            ("state", self.state().map(|(letters, _)| letters.into())),
            ("chamber", self.chamber().map(|(chamber, _)| chamber.into())),
            ("type", self.kinds().0.first().map(|kind| kind.as_str().into())),
            ("congress", self.congress().map(|(congress, _)| congress.into())),
            (ends[0], from.map(Value::from)),
            (ends[1], to.map(Value::from)),
            ("status", status.map(|status| status.as_str().into())),
            ("sponsor", self.sponsors().into_iter().next().map(|(name, _)| name.into())),
            ("sort", self.sort().map(|(sort, _)| sort.into())),
            ("limit", self.limit().map(|(limit, _)| limit.into())),
        ];
        let fits = said.into_iter().filter(|(name, _)| wanted.contains(name));
        fits.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The question without what has become a filter.
    pub fn rest(&self) -> String {
        let mut said: Vec<String> = self.span().said;
        said.extend(self.sponsors().into_iter().map(|(_, words)| words));
        said.extend(self.status().map(|(_, words)| words.to_owned()));
        said.extend(self.kinds().1.iter().map(|words| (*words).to_owned()));
        said.extend(self.chamber().map(|(_, words)| words.to_owned()));
        said.extend(self.state().map(|(_, words)| words));
        said.extend(self.parties().into_iter().map(|(_, word)| word.to_owned()));
        said.extend(self.congress().map(|(_, words)| words));
        said.extend(self.sort().map(|(_, words)| words.to_owned()));
        said.extend(self.limit().map(|(_, words)| words));
        said.extend(self.fact().map(|(_, words)| words.to_owned()));
        without(&self.text, &said.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The words that it is about, once filters and what only asks are gone.
    pub fn topic_words(&self) -> Vec<String> {
        words(&without(&self.rest(), &manners::FILLERS))
    }
}

/// Lower case, single spaces, no punctuation, a space at both ends.
fn normal(text: &str) -> String {
    let plain = text.to_lowercase().replace("'s ", " ");
    let words = plain.replace(|letter: char| !letter.is_alphanumeric() && letter != '-', " ");
    format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A normal text without these words; parts of other words stay.
pub fn without(text: &str, words: &[&str]) -> String {
    let mut text = normal(text);
    for word in words.iter().filter(|word| !word.is_empty()) {
        // Where one follows upon itself, half of them go at a time.
        let word = format!(" {word} ");
        while text.contains(&word) {
            text = text.replace(&word, " ");
        }
    }
    text
}
