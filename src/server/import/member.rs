//! Members of Congress as the record names them: `Rep. Arrington, Jodey C. [R-TX-19]`.

/// What stands in the brackets.
pub fn party_and_state(name: &str) -> (String, String) {
    let inside = name.rsplit_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(inside, _)| inside);
    let mut parts = inside.split('-').map(str::trim);
    (parts.next().unwrap_or_default().to_owned(), parts.next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::party_and_state;

    #[test]
    fn reads_what_stands_in_the_brackets() {
        let read = |name| party_and_state(name);
        assert_eq!(read("Rep. Arrington, Jodey C. [R-TX-19]"), ("R".into(), "TX".into()));
        assert_eq!(read("Sen. King, Angus S., Jr. [I-ME]"), ("I".into(), "ME".into()));
        assert_eq!(read("The Clerk"), (String::new(), String::new()));
    }
}
