//! Which executive action: its number, however people spell it.

use super::ActionKind;

/// `EO 14110`, `Executive Order No. 14,110`, `Proclamation 9983`, `2025-01901`, and what kind it is said to be.
pub fn find(text: &str) -> Option<(Option<ActionKind>, String)> {
    let text = text.to_lowercase().replace(',', "");
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric())).collect();
    if let Some(document) = words.iter().find(|word| is_document(word)) {
        return Some((None, document.to_uppercase()));
    }
    let kind = if text.contains("proclamation") {
        Some(ActionKind::Proclamation)
    } else if text.contains("order") || words.iter().any(|word| word.replace('.', "").starts_with("eo")) {
        Some(ActionKind::ExecutiveOrder)
    } else {
        None
    };
    let numbers = words.iter().map(|word| word.strip_prefix("eo").unwrap_or(word));
    let is_number = |word: &&str| (4..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    // A number of four digits is a year more often than not.
    let mut fitting =
        numbers.filter(is_number).filter(|word| word.len() == 5 || kind.is_some() && !("1900".."2100").contains(word));
    fitting.next().map(|number| (kind, number.to_owned()))
}

/// `2025-01901`, `E9-811`, `C1-2014-25788`; but neither `COVID-19` nor `F-35`.
fn is_document(word: &str) -> bool {
    let mut parts = word.rsplit('-');
    let (Some(number), Some(year)) = (parts.next(), parts.next()) else { return false };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && year.len() <= 4 && year.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_any_spelling() {
        for (text, expected) in [
            ("EO 14110", Some((Some(ActionKind::ExecutiveOrder), "14110"))),
            ("eo14110", Some((Some(ActionKind::ExecutiveOrder), "14110"))),
            ("Executive Order No. 14,110?", Some((Some(ActionKind::ExecutiveOrder), "14110"))),
            ("14110", Some((None, "14110"))),
            ("Proclamation 9983", Some((Some(ActionKind::Proclamation), "9983"))),
            ("document 2025-01901", Some((None, "2025-01901"))),
            ("E9-811", Some((None, "E9-811"))),
            ("C1-2014-25788", Some((None, "C1-2014-25788"))),
            ("executive orders of 2025", None),
            ("executive orders on COVID-19 and the F-35", None),
            ("energy", None),
        ] {
            let expected = expected.map(|(kind, number)| (kind, number.to_owned()));
            assert_eq!(find(text), expected, "{text}");
        }
    }
}
