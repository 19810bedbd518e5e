//! States and territories, by letters and by name.

/// The two letters of a state, from them or from its name.
pub fn letters(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    STATES.split([',', '\n']).map(str::trim).filter(|entry| !entry.is_empty()).find_map(|entry| {
        let (letters, name) = entry.split_once(' ')?;
        (letters.eq_ignore_ascii_case(&text) || name.to_lowercase() == text).then_some(letters)
    })
}

/// The name of a state, from its two letters.
pub fn name(letters: &str) -> Option<&'static str> {
    let entries = STATES.split([',', '\n']).map(str::trim).filter_map(|entry| entry.split_once(' '));
    entries.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(letters)).map(|(_, name)| name)
}

const STATES: &str = "
    AL Alabama, AK Alaska, AS American Samoa, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut,
    DE Delaware, DC District of Columbia, FL Florida, GA Georgia, GU Guam, HI Hawaii, ID Idaho, IL Illinois, IN Indiana,
    IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
    MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico,
    NY New York, NC North Carolina, ND North Dakota, MP Northern Mariana Islands, OH Ohio, OK Oklahoma, OR Oregon,
    PA Pennsylvania, PR Puerto Rico, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas,
    UT Utah, VT Vermont, VI Virgin Islands, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming
";

/// A state that a text names by its full name.
pub fn named_in(text: &str) -> Option<(&'static str, &'static str)> {
    let text = format!(" {} ", text.to_lowercase().replace(|letter: char| !letter.is_alphanumeric(), " "));
    let named = STATES.split([',', '\n']).map(str::trim).filter_map(|entry| entry.split_once(' '));
    // The longest name first: West Virginia is not Virginia.
    named.filter(|(_, name)| text.contains(&format!(" {} ", name.to_lowercase()))).max_by_key(|(_, name)| name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_known_by_letters_and_name() {
        assert_eq!((letters("tx"), letters("West Virginia"), letters("Narnia")), (Some("TX"), Some("WV"), None));
        assert_eq!(named_in("bills by senators of West Virginia").map(|(letters, _)| letters), Some("WV"));
        assert_eq!(named_in("nothing here"), None);
        assert_eq!((name("TX"), name("XX")), (Some("Texas"), None));
    }
}
