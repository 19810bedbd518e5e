//! When: "2025", "since 2024", "before March 2020", "January 20, 2025", "between 2021 and 2023", "last year".

use crate::model::Timestamp;

/// A span of time; either end may be open. Years and months stand for all of their days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub from: Option<String>,
    pub to: Option<String>,
    /// The words that said so.
    pub said: Vec<String>,
}

/// A year, a month or a day, and which words say it.
struct Moment {
    date: String,
    first: usize,
    behind: usize,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const DAY: i64 = 86_400_000;

pub fn span(text: &str, today: &str) -> Span {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(span) = words.iter().find_map(|word| years_joined(word)) {
        return span;
    }
    if let Some(span) = lately(&words, today) {
        return span;
    }
    let mut moments = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match moment(&words, at, today) {
            Some(moment) => {
                at = moment.behind;
                moments.push(moment);
            }
            None => at += 1,
        }
    }
    match &moments[..] {
        [] => Span::default(),
        [only] => one(&words, only),
        [first, .., last] => {
            let said = words[first.first..last.behind].join(" ");
            let (from, to) = (first.date.clone().min(last.date.clone()), first.date.clone().max(last.date.clone()));
            let before = ["between", "from", "in"].into_iter().find(|word| before(&words, first) == Some(*word));
            let said = before.map_or_else(|| said.clone(), |word| format!("{word} {said}"));
            Span { from: Some(from), to: Some(to), said: vec![said] }
        }
    }
}

/// `2021-2023`.
fn years_joined(word: &str) -> Option<Span> {
    let (from, to) = word.split_once('-')?;
    Some(Span { from: Some(year(from)?), to: Some(year(to)?), said: vec![word.to_owned()] })
}

/// "this week", "last month" and the like, which have no end but today.
fn lately(words: &[&str], today: &str) -> Option<Span> {
    let spans =
        [("today", 0), ("yesterday", 1), ("this week", 7), ("last week", 7), ("past week", 7), ("past month", 31)];
    let text = format!(" {} ", words.join(" "));
    let (said, days) = spans.into_iter().find(|(said, _)| text.contains(&format!(" {said} ")))?;
    Some(Span { from: Some(shifted(today, -days)), to: None, said: vec![said.to_owned()] })
}

fn before<'a>(words: &[&'a str], moment: &Moment) -> Option<&'a str> {
    words.get(moment.first.checked_sub(1)?).copied()
}

fn one(words: &[&str], moment: &Moment) -> Span {
    let date = moment.date.clone();
    let bare = words[moment.first..moment.behind].join(" ");
    let before = before(words, moment);
    let after = words.get(moment.behind).copied();
    let goes_on = matches!(after, Some("on" | "onward" | "onwards" | "forward")) && before != Some("in");
    let said = |word: &str| vec![format!("{word} {bare}"), bare.clone()];
    match before {
        Some(word @ "since") => Span { from: Some(date), to: None, said: said(word) },
        Some(word @ "after") => Span { from: Some(next(&date)), to: None, said: said(word) },
        Some(word @ "before") => Span { from: None, to: Some(previous(&date)), said: said(word) },
        Some(word @ ("until" | "till" | "through")) => Span { from: None, to: Some(date), said: said(word) },
        Some(word @ "from") if goes_on => {
            let said = format!("{word} {bare} {}", after.unwrap_or_default());
            Span { from: Some(date), to: None, said: vec![said] }
        }
        Some(word) if ["in", "from", "of", "on", "during"].contains(&word) => {
            Span { from: Some(date.clone()), to: Some(date), said: said(word) }
        }
        _ => Span { from: Some(date.clone()), to: Some(date), said: vec![bare] },
    }
}

fn year(word: &str) -> Option<String> {
    let year = word.parse::<u32>().ok().filter(|year| word.len() == 4 && (1990..2100).contains(year))?;
    Some(year.to_string())
}

/// The number of a month, by its name or its first three letters.
fn month(word: &str) -> Option<usize> {
    let is_it = |name: &&str| *name == word || (word.len() == 3 && name.starts_with(word));
    Some(MONTHS.iter().position(is_it).or((word == "sept").then_some(8))? + 1)
}

fn day(word: &str) -> Option<u32> {
    word.trim_end_matches(char::is_alphabetic).parse().ok().filter(|day| (1..=31).contains(day))
}

/// The year, month or day that begins at this word.
fn moment(words: &[&str], at: usize, today: &str) -> Option<Moment> {
    let word = |n: usize| words.get(at + n).copied().unwrap_or_default();
    let made = |date: String, used: usize| Some(Moment { date, first: at, behind: at + used });
    let this_year = today.get(..4).and_then(|year| year.parse::<u32>().ok()).unwrap_or_default();
    match (word(0), word(1)) {
        ("this", "year") => return made(this_year.to_string(), 2),
        ("last", "year") => return made((this_year - 1).to_string(), 2),
        ("this", "month") => return made(today.get(..7)?.to_owned(), 2),
        ("last", "month") => return made(previous(today.get(..7)?), 2),
        _ => {}
    }
    if let Some(number) = month(word(0)) {
        if let (Some(day), Some(year)) = (day(word(1)), year(word(2))) {
            return made(format!("{year}-{number:02}-{day:02}"), 3);
        }
        return made(format!("{}-{number:02}", year(word(1))?), 2);
    }
    if let (Some(day), Some(number), Some(year)) = (day(word(0)), month(word(1)), year(word(2))) {
        return made(format!("{year}-{number:02}-{day:02}"), 3);
    }
    let is_date = |word: &str| {
        let parts: Vec<&str> = word.split('-').collect();
        (2..=3).contains(&parts.len())
            && year(parts[0]).is_some()
            && parts[1..].iter().all(|part| part.len() == 2 && day(part).is_some())
    };
    if is_date(word(0)) {
        return made(word(0).to_owned(), 1);
    }
    made(year(word(0))?, 1)
}

/// The year, month or day after this one.
fn next(date: &str) -> String {
    beside(date, 1)
}

fn previous(date: &str) -> String {
    beside(date, -1)
}

fn beside(date: &str, step: i64) -> String {
    let mut parts = date.split('-').map(|part| part.parse::<i64>().unwrap_or(1));
    match (parts.next(), parts.next(), date.len()) {
        (Some(year), None, _) => (year + step).to_string(),
        (Some(year), Some(month), 7) => {
            let months = year * 12 + month - 1 + step;
            format!("{}-{:02}", months.div_euclid(12), months.rem_euclid(12) + 1)
        }
        _ => shifted(date, step),
    }
}

fn shifted(date: &str, days: i64) -> String {
    let Ok(time) = format!("{date}T00:00:00Z").parse::<Timestamp>() else { return date.to_owned() };
    Timestamp::from_millis(time.millis() + days * DAY).to_string().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_say_when_in_many_ways() {
        for (text, from, to) in [
            ("bills in 2025", "2025", "2025"),
            ("since 2024", "2024", ""),
            ("after 2020", "2021", ""),
            ("before 2016", "", "2015"),
            ("until 2016", "", "2016"),
            ("from 2018", "2018", "2018"),
            ("from 2018 onwards", "2018", ""),
            ("between 2021 and 2023", "2021", "2023"),
            ("2021-2023", "2021", "2023"),
            ("in march 2025", "2025-03", "2025-03"),
            ("after december 2024", "2025-01", ""),
            ("signed on january 20 2025", "2025-01-20", "2025-01-20"),
            ("before march 1 2024", "", "2024-02-29"),
            ("20 january 2025", "2025-01-20", "2025-01-20"),
            ("2025-03-01", "2025-03-01", "2025-03-01"),
            ("this year", "2026", "2026"),
            ("laws of last year", "2025", "2025"),
            ("last month", "2025-12", "2025-12"),
            ("this week", "2026-01-08", ""),
            ("he may march on", "", ""),
        ] {
            let found = span(text, "2026-01-15");
            assert_eq!(
                (found.from.unwrap_or_default(), found.to.unwrap_or_default()),
                (from.into(), to.into()),
                "{text}"
            );
        }
    }
}
