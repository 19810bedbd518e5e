//! Presidents: one name for each, whatever a source calls them.

/// Since when, how the Federal Register identifies them, and their name.
const PRESIDENTS: [(&str, &str, &str); 9] = [
    ("2025-01-20", "donald-trump", "Donald Trump"),
    ("2021-01-20", "joe-biden", "Joe Biden"),
    ("2017-01-20", "donald-trump", "Donald Trump"),
    ("2009-01-20", "barack-obama", "Barack Obama"),
    ("2001-01-20", "george-w-bush", "George W. Bush"),
    ("1993-01-20", "william-j-clinton", "William J. Clinton"),
    ("1989-01-20", "george-h-w-bush", "George H. W. Bush"),
    ("1981-01-20", "ronald-reagan", "Ronald Reagan"),
    ("1977-01-20", "jimmy-carter", "Jimmy Carter"),
];

/// The name that goes with an identifier.
pub fn by_identifier(identifier: &str) -> Option<&'static str> {
    PRESIDENTS.iter().find(|(_, known, _)| *known == identifier).map(|(_, _, name)| *name)
}

/// Who was president on a day. What is signed on the day of an inauguration is the new one's.
pub fn on(day: &str) -> Option<&'static str> {
    PRESIDENTS.iter().find(|(since, _, _)| !day.is_empty() && day >= *since).map(|(_, _, name)| *name)
}
