//! Whose bills: a party's, a state's, a member's.

use super::{Asked, normal, without};
use crate::model::legislation::states;

const TITLES: [&str; 10] =
    ["senator", "sen", "representative", "rep", "congressman", "congresswoman", "delegate", "senators", "sens", "reps"];

/// Where a name is over.
const ENDS: [&str; 58] = [
    "on",
    "about",
    "in",
    "that",
    "which",
    "of",
    "from",
    "for",
    "to",
    "with",
    "regarding",
    "this",
    "last",
    "since",
    "during",
    "became",
    "become",
    "becoming",
    "who",
    "has",
    "have",
    "had",
    "did",
    "does",
    "do",
    "is",
    "are",
    "was",
    "were",
    "bill",
    "bills",
    "law",
    "laws",
    "legislation",
    "resolution",
    "resolutions",
    "introduced",
    "introduce",
    "sponsored",
    "sponsor",
    "sponsors",
    "signed",
    "passed",
    "pass",
    "before",
    "after",
    "between",
    "only",
    "please",
    "then",
    "at",
    "voted",
    "vote",
    "until",
    "sponsoring",
    "cosponsored",
    "it",
    "the",
];

/// What is no one's name.
const GROUPS: [&str; 29] = [
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "we",
    "democrats",
    "democrat",
    "democratic",
    "republicans",
    "republican",
    "gop",
    "independents",
    "independent",
    "whom",
    "members",
    "member",
    "senators",
    "representatives",
    "women",
    "congress",
    "house",
    "senate",
    "they",
    "he",
    "she",
    "you",
    "a",
    "both",
    "been",
];

impl Asked {
    pub fn parties(&self) -> Vec<(&'static str, &'static str)> {
        let text = self.text.replace(" democratic republic ", " ");
        let mut found: Vec<(&str, &str)> = Vec::new();
        for (letter, word) in [
            ("R", "republicans"),
            ("R", "republican"),
            ("R", "gop"),
            ("D", "democrats"),
            ("D", "democratic"),
            ("D", "democrat"),
            ("I", "independents"),
            ("I", "independent"),
        ] {
            let is_meant = word != "independent"
                || self.has(&["independent senators", "independent members", "independent bills"]);
            if is_meant && text.contains(&format!(" {word} ")) && !found.iter().any(|(known, _)| *known == letter) {
                found.push((letter, word));
            }
        }
        found
    }

    /// Only where it says whose state it is: "bills on Alaska" are about Alaska.
    pub fn state(&self) -> Option<(&'static str, String)> {
        let full = states::named_in(&self.text).map(|(letters, name)| (letters, name.to_lowercase()));
        // Two capital letters: "from TX", "of NY".
        let short = || {
            let all: Vec<&str> = self.original.split(|letter: char| !letter.is_alphanumeric()).collect();
            all.windows(2).find_map(|pair| {
                let is_whose = ["from", "of"].contains(&pair[0].to_lowercase().as_str());
                let is_short = pair[1].len() == 2 && pair[1].chars().all(char::is_uppercase);
                states::letters(pair[1])
                    .filter(|_| is_whose && is_short)
                    .map(|letters| (letters, pair[1].to_lowercase()))
            })
        };
        let (letters, said) = full.or_else(short)?;
        for before in ["of", "from", "by"] {
            if self.has(&[&format!("{before} {said}")]) {
                return Some((letters, format!("{before} {said}")));
            }
        }
        let whose =
            ["senators", "senator", "republicans", "republican", "democrats", "democrat", "representatives", "members"];
        whose.iter().any(|group| self.has(&[&format!("{said} {group}")])).then_some((letters, said))
    }

    /// Sponsors that it names, each with the words that do: "sponsored by Ro Khanna", "bills by Klobuchar and Cruz",
    /// "Sen. Cruz", "Mike Johnson's bills", "what did Ted Cruz introduce".
    pub fn sponsors(&self) -> Vec<(String, String)> {
        let found = self.after_marker().or_else(|| self.owner()).or_else(|| self.doer()).or_else(|| self.titled());
        let Some((said, name)) = found else { return Vec::new() };
        let names: Vec<String> = name
            .replace(" or ", " and ")
            .split(" and ")
            .map(|name| without(name, &TITLES).trim().to_owned())
            .filter(|name| !name.is_empty() && states::letters(name).is_none())
            .filter(|name| !name.split(' ').any(|word| GROUPS.contains(&word)))
            .collect();
        names.into_iter().map(|name| (known_as(&name), said.clone())).collect()
    }

    /// The name that begins here, as far as it goes.
    fn name_at(&self, after: &str) -> String {
        let mut name: Vec<String> = Vec::new();
        for typed in after.split_whitespace() {
            let word = normal(typed).trim().to_owned();
            let is_title = TITLES.contains(&word.as_str());
            let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
            let is_joined = name.last().is_some_and(|last| last == "and" || last == "or");
            if ENDS.contains(&word.as_str()) || is_number || name.len() >= 7 {
                break;
            }
            let ends = typed.ends_with([',', ';', '?', '!', ':']) || typed.ends_with("'s");
            // "Sen." and "C." are not the end of a sentence; "Cruz." is.
            let is_over = ends || typed.ends_with('.') && !is_title && word.chars().count() > 1;
            // "bills by Cruz and which became law"
            if is_joined && word.is_empty() {
                break;
            }
            name.push(word);
            if is_over {
                break;
            }
        }
        while name.last().is_some_and(|last| ["and", "or", ""].contains(&last.as_str())) {
            name.pop();
        }
        name.join(" ")
    }

    /// "sponsored by …".
    fn after_marker(&self) -> Option<(String, String)> {
        const MARKERS: [&str; 16] = [
            "cosponsored by",
            "sponsored by",
            "introduced by",
            "authored by",
            "proposed by",
            "written by",
            "bills by",
            "bill by",
            "laws by",
            "law by",
            "legislation by",
            "resolutions by",
            "ones by",
            "only by",
            "and by",
            "what about by",
        ];
        let lower = self.original.to_lowercase();
        let found = MARKERS.iter().find_map(|marker| {
            let at = lower.find(&format!("{marker} "))?;
            Some((marker, self.original.get(at + marker.len() + 1..)?))
        });
        let (marker, after) = match found {
            Some(found) => found,
            None => {
                (&"by", self.original.get(..3).filter(|by| by.eq_ignore_ascii_case("by ")).and(self.original.get(3..))?)
            }
        };
        let name = self.name_at(after);
        (!name.is_empty()).then(|| (format!("{marker} {name}"), name))
    }

    /// "Mike Johnson's bills".
    fn owner(&self) -> Option<(String, String)> {
        let lower = self.original.to_lowercase();
        let at = ["'s bills", "'s bill", "'s laws", "'s legislation", "'s resolutions", "s' bills"]
            .iter()
            .find_map(|owned| lower.find(owned))?;
        let before = self.original.get(..at)?;
        let words: Vec<&str> = before.split_whitespace().rev().take_while(|word| is_name(word)).take(3).collect();
        let name = normal(&words.into_iter().rev().collect::<Vec<_>>().join(" ")).trim().to_owned();
        (!name.is_empty()).then(|| (name.clone(), name))
    }

    /// "what did Ted Cruz introduce", "how many bills has Chuck Grassley sponsored".
    fn doer(&self) -> Option<(String, String)> {
        const DOES: [&str; 9] =
            ["introduce", "introduced", "sponsor", "sponsored", "propose", "proposed", "author", "authored", "written"];
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let at = words.iter().position(|word| ["did", "has", "have"].contains(word))?;
        let end = words.iter().skip(at + 2).position(|word| DOES.contains(word))? + at + 2;
        let name = words.get(at + 1..end).filter(|name| name.len() <= 4)?;
        let is_name = !name.iter().any(|word| ENDS.contains(word) || GROUPS.contains(word));
        is_name.then(|| (format!("{} {}", words[at], words[at + 1..=end].join(" ")), name.join(" ")))
    }

    /// "Senator Warren bills".
    fn titled(&self) -> Option<(String, String)> {
        let all: Vec<&str> = self.original.split_whitespace().collect();
        let at = all.iter().position(|word| {
            let word = normal(word);
            TITLES[..7].contains(&word.trim())
        })?;
        let rest = all.get(at + 1..)?.join(" ");
        let title = normal(all[at]).trim().to_owned();
        let is_short = ["senator", "sen", "rep"].contains(&title.as_str());
        let name = self.name_at(&rest);
        let is_named = rest.starts_with(char::is_uppercase) || is_short && at == 0;
        (is_named && !name.is_empty()).then(|| (format!("{title} {name}"), name))
    }
}

fn is_name(word: &str) -> bool {
    let plain = normal(word);
    let plain = plain.trim();
    word.starts_with(char::is_uppercase)
        && !["the", "which", "what", "show", "list", "are", "find"].contains(&plain)
        && !ENDS.contains(&plain)
}

/// What somebody is known as, where that is not the name.
fn known_as(name: &str) -> String {
    match name {
        "aoc" => "ocasio-cortez".into(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sponsors_are_named_in_many_ways() {
        for (question, names) in [
            ("bills sponsored by Ro Khanna", vec!["ro khanna"]),
            ("introduced by dan sullivan, became law", vec!["dan sullivan"]),
            ("bills by Rep. Johnson about space", vec!["johnson"]),
            ("bills by Klobuchar and Cruz", vec!["klobuchar", "cruz"]),
            ("laws by Dan Sullivan", vec!["dan sullivan"]),
            ("Sen. Cruz bills that became law", vec!["cruz"]),
            ("Senator Warren bills", vec!["warren"]),
            ("Mike Johnson's bills", vec!["mike johnson"]),
            ("what did Ted Cruz introduce", vec!["ted cruz"]),
            ("how many bills has Chuck Grassley sponsored", vec!["chuck grassley"]),
            ("What bills did Republicans introduce in 2025 about taxes?", vec![]),
            ("bills by Texas senators", vec![]),
            ("Which senator sponsored the most bills?", vec![]),
            ("bills sponsored by members from TX", vec![]),
            ("Biden's executive orders", vec![]),
            ("bills that help veterans", vec![]),
        ] {
            let found: Vec<String> = Asked::new(question).sponsors().into_iter().map(|(name, _)| name).collect();
            assert_eq!(found, names, "{question}");
        }
    }

    #[test]
    fn states_are_those_of_people() {
        let state = |question: &str| Asked::new(question).state().map(|(letters, _)| letters);
        assert_eq!(state("Texas Republicans' bills on energy"), Some("TX"));
        assert_eq!(state("bills sponsored by members from TX"), Some("TX"));
        assert_eq!(state("bills by Texas senators"), Some("TX"));
        assert_eq!(state("bills on Alaska"), None);
    }
}
