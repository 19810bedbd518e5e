//! What is said around a question: greetings, thanks, "can you". And what it says that bills should not be: no search
//! can be told that, so it must not be taken for what they should be.

use super::normal;

/// What may stand before a question, the longer ones first.
const BEFORE: [&str; 35] = [
    "thank you very much",
    "thank you so much",
    "thanks so much",
    "thanks a lot",
    "good afternoon",
    "good morning",
    "good evening",
    "thank you",
    "thanks",
    "hello there",
    "hi there",
    "hello",
    "hallo",
    "hey",
    "hi",
    "alright",
    "okay",
    "ok",
    "great",
    "cool",
    "well",
    "hmm",
    "no i meant",
    "i meant",
    "i mean",
    "no",
    "yes",
    "so",
    "please",
    "can you please",
    "can you",
    "could you please",
    "could you",
    "would you",
    "help me",
];

/// Words that mean something else where no mark follows.
const NEED_A_MARK: [&str; 5] = ["great", "cool", "well", "no", "yes"];

const BEHIND: [&str; 7] = ["please", "thanks", "thank you", "thx", "then", "instead", "pls"];

/// Words that ask, and say nothing about what.
pub const FILLERS: [&str; 62] = [
    "how many",
    "are there",
    "have been",
    "introduced",
    "introduce",
    "show me",
    "show",
    "since",
    "before",
    "between",
    "can you",
    "help me",
    "help",
    "helps",
    "find me",
    "find",
    "top",
    "re",
    "thx",
    "please",
    "can",
    "say",
    "says",
    "said",
    "said about",
    "have to do with",
    "stuck",
    "by date",
    "sort",
    "sorted",
    "ones",
    "kind",
    "kinds",
    "any",
    "got",
    "getting",
    "still",
    "together",
    "called",
    "named",
    "i m looking for",
    "i am looking for",
    "interested",
    "i want",
    "want",
    "read",
    "dont",
    "don",
    "actually",
    "really",
    "only",
    "now",
    "currently",
    "today",
    "so far",
    "sponsors",
    "sponsored",
    "whats",
    "sponsor",
    "wrote",
    "bils",
    "stored",
];

/// The question itself, without what was said before and behind it. What is only that stays as it is.
pub fn stripped(question: &str) -> &str {
    let mut text = question.trim();
    let is_only_that = |text: &str| text.len() < 40 && BEFORE.contains(&normal(text).trim());
    while !is_only_that(text)
        && let Some(rest) = BEFORE.iter().find_map(|words| behind(text, words))
    {
        text = rest;
    }
    while let Some(rest) = BEHIND.iter().find_map(|words| before(text, words)) {
        text = rest;
    }
    text
}

const MARKS: [char; 9] = [',', '.', '!', ';', ':', '-', '?', ' ', '…'];

/// What stands behind these words, if there is anything.
fn behind<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let rest =
        text.get(..words.len()).filter(|start| start.eq_ignore_ascii_case(words)).and(text.get(words.len()..))?;
    let question = rest.trim_start_matches(MARKS);
    // The Great Lakes are no praise.
    let is_apart = !NEED_A_MARK.contains(&words) || !rest.starts_with(' ');
    (rest.starts_with(MARKS) && is_apart && question.chars().any(char::is_alphanumeric)).then_some(question)
}

fn before<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let text = text.trim_end_matches(MARKS);
    let at = text.len().checked_sub(words.len())?;
    let is_it = text.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(words));
    let question = text.get(..at).filter(|rest| is_it && rest.ends_with(MARKS))?.trim_end_matches(MARKS);
    question.chars().any(char::is_alphanumeric).then_some(question)
}

/// What begins a part that says what should not be.
const NOT: [&str; 11] = [
    "but not",
    "and not",
    "did not",
    "have not",
    "are not",
    "except for",
    "except",
    "excluding",
    "other than",
    "not",
    "without",
];

/// The question without what it says bills should not be, and that.
pub fn without_negation(question: &str) -> (String, Vec<String>) {
    let is_end = |letter: char| matches!(letter, ',' | ';' | '?' | '!');
    let found = NOT.iter().filter_map(|words| {
        let at = question.match_indices(words).map(|(at, _)| at).find(|at| {
            let before = question[..*at].chars().next_back();
            let after = question[at + words.len()..].chars().next();
            before.is_none_or(char::is_whitespace) && after.is_some_and(char::is_whitespace)
        })?;
        Some((at, words))
    });
    let Some((at, words)) = found.min_by_key(|(at, words)| (*at, std::cmp::Reverse(words.len()))) else {
        return (question.to_owned(), Vec::new());
    };
    let clause = &question[at..];
    let end = clause.find(is_end).unwrap_or(clause.len());
    let not = clause[..end].trim();
    // Of two chambers, one is not the other.
    let other = match normal(&not[words.len()..]).trim() {
        "the senate" | "in the senate" | "senate" | "from the senate" | "senate bills" => "in the House",
        "the house" | "in the house" | "house" | "from the house" | "house bills" => "in the Senate",
        _ => "",
    };
    // "the House bills that passed, but not the Senate" says it already.
    let is_said = other.split(' ').next_back().is_some_and(|chamber| question[..at].contains(chamber));
    let (other, is_other) = if is_said { ("", !other.is_empty()) } else { (other, !other.is_empty()) };
    let left = format!("{}{other}{}", &question[..at], &clause[end..]);
    (left, if is_other { Vec::new() } else { vec![not.to_owned()] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_found_among_manners() {
        for (said, question) in [
            ("hi! can you help me find bills about student loans?", "find bills about student loans?"),
            ("ok and in the house", "and in the house"),
            ("no, I meant drug prices", "drug prices"),
            ("only by Democrats please", "only by Democrats"),
            ("thank you so much!", "thank you so much!"),
            ("ok thanks, that helps", "that helps"),
            ("so", "so"),
            ("social security", "social security"),
            ("No Tax on Tips Act", "No Tax on Tips Act"),
            ("great, and in the Senate?", "and in the Senate?"),
        ] {
            assert_eq!(stripped(said), question, "{said}");
        }
    }

    #[test]
    fn what_should_not_be_is_not_sought() {
        let cut = |text| without_negation(text);
        assert_eq!(cut("bills on taxes"), ("bills on taxes".into(), vec![]));
        assert_eq!(
            cut("bills about taxes but not about tips"),
            ("bills about taxes ".into(), vec!["but not about tips".into()])
        );
        assert_eq!(cut("not the senate"), ("in the House".into(), vec![]));
        assert_eq!(cut("Do Not Call Act").1, Vec::<String>::new());
        assert_eq!(cut("Which bills did not become law?").1, ["did not become law"]);
    }
}
