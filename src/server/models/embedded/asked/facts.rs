//! What is asked about one bill or one executive action: who, when, whether. The answer begins with that.

use super::Asked;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Whether it is law, was signed, or passed.
    Law,
    /// When it became law, or was signed.
    Signed,
    Introduced,
    Status,
    Sponsor,
    /// Which president signed it.
    Signer,
    Cosponsors,
    Committee,
    Link,
    /// What it is about.
    About,
    Text,
    Votes,
    /// Whether the other chamber has the same.
    Companion,
}

impl Asked {
    /// What it asks for, and the words that ask.
    pub fn fact(&self) -> Option<(Fact, &'static str)> {
        const SAID: [(Fact, &[&str]); 12] = [
            (
                Fact::Votes,
                &["who voted for", "who voted against", "who voted", "vote on", "votes on", "voted on", "roll call"],
            ),
            (Fact::Text, &["full text of", "the text of", "text of", "full text"]),
            (Fact::Cosponsors, &["number of cosponsors", "cosponsors", "cosponsored", "cosponsor"]),
            (
                Fact::Companion,
                &[
                    "is there a senate version",
                    "is there a house version",
                    "senate version",
                    "house version",
                    "companion bill",
                ],
            ),
            (
                Fact::Sponsor,
                &[
                    "who is the sponsor of",
                    "who sponsored",
                    "who sponsors",
                    "who sponsor",
                    "who introduced",
                    "who wrote",
                    "who authored",
                    "who proposed",
                    "sponsor of",
                    "the sponsor",
                    "what party",
                ],
            ),
            (Fact::Signer, &["who signed", "which president"]),
            (Fact::Committee, &["which committees", "which committee", "what committee", "committees of"]),
            (Fact::Link, &["link to", "on congress gov", "congress gov", "link", "url"]),
            (Fact::Signed, &["public law number", "law number"]),
            (
                Fact::Status,
                &[
                    "what became of",
                    "what happened to",
                    "what happened with",
                    "the status of",
                    "status of",
                    "status",
                    "how far",
                ],
            ),
            (Fact::Introduced, &["date of introduction"]),
            (
                Fact::About,
                &[
                    "what does it do",
                    "what does it say",
                    "what is it about",
                    "summary of",
                    "summarize",
                    "summarise",
                    "summary",
                    "understand",
                    "explain",
                ],
            ),
        ];
        if self.begins(&["when"]) {
            let is_introduced = self.has(&["introduced", "introduce"]);
            return Some(if is_introduced { (Fact::Introduced, "when") } else { (Fact::Signed, "when") });
        }
        if self.ends(&["the text"]) {
            return Some((Fact::Text, "the text"));
        }
        if let Some(fact) = self.whether() {
            return Some(fact);
        }
        let found = SAID.iter().find_map(|(fact, any)| Some((*fact, *any.iter().find(|words| self.has(&[words]))?)));
        found.or_else(|| self.purpose()).filter(|_| !self.lists_many())
    }

    /// "is it law", "did the SAVE Act pass?", "has it been signed".
    fn whether(&self) -> Option<(Fact, &'static str)> {
        let asks = self.begins(&["is", "was", "did", "has"]) || self.has(&["is it", "is h", "did it", "was it"]);
        if !asks || self.begins(&["is there", "was there"]) || self.lists_many() {
            return None;
        }
        let said = ["a law", "law", "signed", "enacted", "pass", "passed", "in force"];
        said.into_iter().find(|words| self.has(&[words])).map(|words| (Fact::Law, words))
    }

    /// "what does the GENIUS Act do", "what is the TAKE IT DOWN Act about?".
    fn purpose(&self) -> Option<(Fact, &'static str)> {
        let is_it = self.begins(&["what does", "what is", "what s"]) && self.ends(&["do", "about", "say"]);
        is_it.then_some((Fact::About, "what"))
    }

    /// Whether it asks for several, so that no single one is meant.
    fn lists_many(&self) -> bool {
        self.has(&["bills", "laws", "resolutions", "executive orders", "statuses", "how many executive"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_understood() {
        for (question, fact) in [
            ("is H.R. 1 a law?", Some(Fact::Law)),
            ("Did the SAVE Act pass?", Some(Fact::Law)),
            ("When was the GENIUS Act signed?", Some(Fact::Signed)),
            ("when was it introduced?", Some(Fact::Introduced)),
            ("who sponsored S.331?", Some(Fact::Sponsor)),
            ("which committee has H.R. 22", Some(Fact::Committee)),
            ("what does it do", Some(Fact::About)),
            ("What became of the HALT Fentanyl Act?", Some(Fact::Status)),
            ("who voted for H.R. 22?", Some(Fact::Votes)),
            ("Which bills are about veterans?", None),
            ("is there a Senate version?", Some(Fact::Companion)),
            ("How many bills became law this Congress?", None),
            ("fentanyl", None),
        ] {
            assert_eq!(Asked::new(question).fact().map(|(fact, _)| fact), fact, "{question}");
        }
    }
}
