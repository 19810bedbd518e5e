//! From what a person typed to what FTS5 takes. Every word is quoted, so nothing that anyone types is syntax.

/// An expression that FTS5 understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match(String);

/// Words that say nothing about what is sought.
const SMALL_WORDS: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "at",
    "bill",
    "bills",
    "by",
    "can",
    "could",
    "do",
    "does",
    "find",
    "for",
    "from",
    "has",
    "have",
    "how",
    "i",
    "in",
    "is",
    "it",
    "know",
    "legislation",
    "list",
    "look",
    "me",
    "of",
    "on",
    "or",
    "please",
    "search",
    "show",
    "tell",
    "that",
    "the",
    "there",
    "this",
    "to",
    "was",
    "were",
    "what",
    "which",
    "who",
    "with",
    "would",
    "you",
];

/// No question needs more, and each costs a look-up.
const MOST_WORDS: usize = 16;

/// The words of a text that are worth searching for, each once, in their order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let word = word.to_lowercase();
        let is_useful = !word.is_empty() && !SMALL_WORDS.contains(&word.as_str()) && !words.contains(&word);
        if is_useful && words.len() < MOST_WORDS {
            words.push(word);
        }
    }
    words
}

impl Match {
    /// All of the words.
    pub fn all(words: &[String]) -> Self {
        Self(words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" "))
    }

    /// All of the words, or what begins with them.
    pub fn beginnings(words: &[String]) -> Self {
        Self(words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" "))
    }

    /// Any of the words, or what begins with them.
    pub fn any(words: &[String]) -> Self {
        Self(words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" OR "))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same for people: the quotes are only there for FTS5.
    pub fn shown(&self) -> String {
        self.0.replace('"', "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_only_text() {
        for (typed, expected) in [
            ("Which bills are about rural broadband?", vec!["rural", "broadband"]),
            ("NEAR(\"a\" b*) OR -x AND title:y", vec!["near", "b", "x", "title", "y"]),
            ("fentanyl FENTANYL Fentanyl", vec!["fentanyl"]),
            ("??? ** \"\"", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(words(typed), expected, "{typed}");
        }
        assert_eq!(words(&"x1 x2 x3 x4 x5 ".repeat(3)).len(), 5);
        assert_eq!(words(&(0..99).map(|n| format!("w{n} ")).collect::<String>()).len(), MOST_WORDS);
    }
}
