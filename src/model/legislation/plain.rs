//! Dates, names and marked words, as people write them.

/// `2025-03-14` is `Mar 14, 2025`. What is no date stays as it is.
pub fn day(date: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = date.get(..10).unwrap_or(date).split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?));
    match (year, month, day.and_then(|day| day.parse::<u32>().ok())) {
        (Some(year), Some(month), Some(day)) => format!("{month} {day}, {year}"),
        _ => date.to_owned(),
    }
}

/// `Rep. Arrington, Jodey C. [R-TX-19]` is Rep. Jodey C. Arrington, R-TX.
pub fn member(name: &str) -> (String, String) {
    let (name, place) = name.split_once(" [").unwrap_or((name, ""));
    let mut place = place.trim_end_matches(']').split('-');
    let place = [place.next(), place.next()].into_iter().flatten().collect::<Vec<_>>().join("-");
    let Some((title, rest)) = name.split_once(". ") else { return (name.to_owned(), place) };
    let mut parts = rest.split(", ");
    match (parts.next(), parts.next(), parts.next()) {
        (Some(last), Some(first), None) => (format!("{title}. {first} {last}"), place),
        (Some(last), Some(first), Some(after)) => (format!("{title}. {first} {last}, {after}"), place),
        _ => (name.to_owned(), place),
    }
}

/// A text in pieces, each with whether it was found: `a **b** c`.
pub fn marked(text: &str) -> Vec<(bool, String)> {
    let pieces = text.split("**").enumerate().map(|(n, piece)| (n % 2 == 1, piece.to_owned()));
    pieces.filter(|(_, piece)| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_write_it() {
        assert_eq!(
            (day("2025-03-04"), day("soon"), day("2025-13-01")),
            ("Mar 4, 2025".into(), "soon".into(), "2025-13-01".into())
        );
        assert_eq!(member("Rep. Arrington, Jodey C. [R-TX-19]"), ("Rep. Jodey C. Arrington".into(), "R-TX".into()));
        assert_eq!(member("Sen. King, Angus S., Jr. [I-ME]"), ("Sen. Angus S. King, Jr.".into(), "I-ME".into()));
        assert_eq!(member("The Clerk"), ("The Clerk".into(), String::new()));
        assert_eq!(marked("a **b** c"), [(false, "a ".into()), (true, "b".into()), (false, " c".into())]);
    }
}
