//! From what a person typed to what FTS5 takes. Every word is quoted, so nothing that anyone types is syntax.

/// An expression that FTS5 understands, and the same for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    expression: String,
    shown: String,
}

/// Which come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Those that match best.
    #[default]
    Best,
    Newest,
    Oldest,
}

/// One thing that is sought: a word, and other words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    pub word: String,
    pub synonyms: Vec<String>,
    /// What begins with the word counts too.
    pub is_prefix: bool,
}

/// Words that say nothing about what is sought.
const SMALL_WORDS: &str = "a about act actually acts after all also am an and any anything april are as at august be \
    became become becomes been before being bill bills but by can concerning congress could count currently deal dealing \
    deals december did do does done each ever every everything february find for from get gets give given happen happened \
    has have how i if in into introduced is it its january july june just know latest law laws legislation legislative let \
    like list look looking made make many march may me measure measures member members more most much my need new newest \
    not november number october of on one or other our out over pass passed please recent recently regarding related \
    relating representative representatives s search see senator senators september should show sign signed signs some \
    sponsor sponsored status such t tell thank thanks than that the their them there these they thing this those through \
    to total under up us want was we were what when where which while who whose why will with within would you your";

/// No question needs more, and each costs a look-up.
pub const MOST_WORDS: usize = 16;

/// Longer ones are no words.
const LONGEST_WORD: usize = 40;

/// The words of a text that are worth searching for, each once, in their order.
pub fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut all = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let mut words: Vec<String> = Vec::new();
    while let Some(word) = all.next() {
        // Law enforcement is no law.
        let is_small = is_small(word) && !(word == "law" && all.peek() == Some(&"enforcement"));
        let is_known = words.iter().any(|known| known == word);
        if !is_small && !is_known && word.chars().count() <= LONGEST_WORD && words.len() < MOST_WORDS {
            words.push(word.to_owned());
        }
    }
    words
}

/// Some text as FTS5 takes it between quotes: its words in their order.
fn quotable(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST_WORDS).collect::<Vec<_>>().join(" ")
}

fn is_small(word: &str) -> bool {
    SMALL_WORDS.split_ascii_whitespace().any(|small| small == word) || word.chars().count() == 1
}

impl Concept {
    pub fn new(word: impl Into<String>) -> Self {
        Self { word: word.into(), synonyms: Vec::new(), is_prefix: false }
    }

    fn expression(&self) -> String {
        let first = format!("\"{}\"{}", self.word, if self.is_prefix { "*" } else { "" });
        let others = self.synonyms.iter().map(|word| format!("\"{word}\""));
        let all: Vec<String> = std::iter::once(first).chain(others).collect();
        if all.len() == 1 { all.concat() } else { format!("({})", all.join(" OR ")) }
    }

    /// `rural (or countryside)`, `broad…`.
    fn shown(&self) -> String {
        const SHOWN: usize = 3;
        let word = format!("{}{}", self.word, if self.is_prefix { "…" } else { "" });
        let others = self.synonyms.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        match self.synonyms.len() {
            0 => word,
            n if n > SHOWN => format!("{word} (or {others}, …)"),
            _ => format!("{word} (or {others})"),
        }
    }
}

impl Match {
    /// All of the concepts, anywhere.
    pub fn all(concepts: &[Concept]) -> Self {
        Self {
            expression: concepts.iter().map(Concept::expression).collect::<Vec<_>>().join(" AND "),
            shown: concepts.iter().map(Concept::shown).collect::<Vec<_>>().join(" "),
        }
    }

    /// All of the concepts, in these columns.
    pub fn within(columns: &str, concepts: &[Concept]) -> Self {
        let Self { expression, shown } = Self::all(concepts);
        Self { expression: format!("{{{columns}}} : ({expression})"), shown }
    }

    /// All of the concepts, in the title.
    pub fn in_title(concepts: &[Concept]) -> Self {
        let Self { expression, shown } = Self::within("title", concepts);
        Self { expression, shown: format!("{shown} (in the title)") }
    }

    /// The same text once more, where a summary has it.
    pub fn anywhere(concepts: &[Concept]) -> Self {
        let Self { expression, shown } = Self::all(concepts);
        Self { expression, shown: format!("{shown} (anywhere)") }
    }

    /// The words one after the other.
    pub fn phrase(text: &str) -> Self {
        let phrase = quotable(text);
        Self { expression: format!("\"{phrase}\""), shown: format!("“{phrase}”") }
    }

    /// Bills with this subject.
    pub fn subject(subject: &str) -> Self {
        let expression = format!("{{subjects policy_area}} : \"{}\"", quotable(subject));
        Self { expression, shown: format!("subject: {subject}") }
    }

    pub fn as_str(&self) -> &str {
        &self.expression
    }

    /// The same for people: the quotes are only there for FTS5.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_only_text() {
        for (typed, expected) in [
            ("Which bills are about rural broadband?", vec!["rural", "broadband"]),
            ("NEAR(\"a\" b*) OR -x AND title:y", vec!["near", "title"]),
            ("fentanyl FENTANYL Fentanyl", vec!["fentanyl"]),
            ("What became of the HALT Fentanyl Act?", vec!["halt", "fentanyl"]),
            ("??? ** \"\"", vec![]),
            ("", vec![]),
            ("the of and", vec![]),
        ] {
            assert_eq!(words(typed), expected, "{typed}");
        }
        assert_eq!(words(&"x1 x2 x3 x4 x5 ".repeat(3)).len(), 5);
        assert_eq!(words(&(0..99).map(|n| format!("w{n} ")).collect::<String>()).len(), MOST_WORDS);
        assert_eq!(words(&"x".repeat(5000)), Vec::<String>::new());
    }

    #[test]
    fn people_see_no_quotes() {
        let concepts = [
            Concept { synonyms: vec!["countryside".into()], ..Concept::new("rural") },
            Concept { is_prefix: true, ..Concept::new("broad") },
        ];
        let all = Match::all(&concepts);
        assert_eq!(all.as_str(), "(\"rural\" OR \"countryside\") AND \"broad\"*");
        assert_eq!(all.shown(), "rural (or countryside) broad…");
    }
}
