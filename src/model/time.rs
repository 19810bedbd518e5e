//! A point in time: milliseconds since 1970, RFC 3339 on the wire.
//!
//! Written by hand because a date library costs the browser more bytes than all of the fold, and all that is needed is
//! UTC there and back. What the clock says now is asked elsewhere: the model does no I/O.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

const DAY: i64 = 86_400_000;

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Never negative: clocks may step back between two events.
    /// So much later.
    pub fn later(self, by: std::time::Duration) -> Self {
        Self::from_millis(self.millis().saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
    }

    pub fn millis_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// `10:30:05`, in UTC: what a page shows until the browser knows better.
    pub fn clock(self) -> String {
        let seconds = self.0.rem_euclid(DAY) / 1000;
        format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of_day(self.0.div_euclid(DAY));
        let millis = self.0.rem_euclid(1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{}", self.clock())?;
        if millis != 0 {
            write!(f, ".{millis:03}")?;
        }
        f.write_str("Z")
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 time")]
pub struct NotATime;

impl FromStr for Timestamp {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        parse(text).ok_or(NotATime)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    let bytes = text.as_bytes();
    if separators.iter().any(|&(at, byte)| bytes.get(at) != Some(&byte))
        || !matches!(bytes.get(10), Some(b'T' | b't' | b' '))
    {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let fraction = text.get(19..)?.strip_prefix('.');
    let digits = fraction.map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    if fraction.is_some() && digits == 0 {
        return None;
    }
    let millis = (0..3).fold(0, |sum, i| sum * 10 + if i < digits { i64::from(bytes[20 + i] - b'0') } else { 0 });
    let zone = text.get(if digits > 0 { 20 + digits } else { 19 }..)?;
    let offset_minutes = match zone.as_bytes() {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let at = text.len() - zone.len();
            let (hours, minutes) = (number(at + 1..at + 3)?, number(at + 4..at + 6)?);
            let offset = hours * 60 + minutes;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    let seconds = hour * 3600 + (minute - offset_minutes) * 60 + second;
    Some(Timestamp(day_of_date(year, month, day) * DAY + seconds * 1000 + millis))
}

/// Days since 1970-01-01 of a proleptic Gregorian date (Howard Hinnant's `days_from_civil`).
fn day_of_date(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn date_of_day(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_dates() {
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2025-01-15T10:30:05Z", 1_736_937_005_000),
            ("2038-01-19T03:14:08.001Z", 2_147_483_648_001),
            ("1969-12-31T23:59:59.999Z", -1),
        ] {
            assert_eq!(Timestamp(millis).to_string(), text);
            assert_eq!(text.parse(), Ok(Timestamp(millis)));
        }
    }

    #[test]
    fn zones_and_fractions_of_others() {
        let expected = Ok(Timestamp(1_736_937_005_120));
        for text in ["2025-01-15T10:30:05.12Z", "2025-01-15T12:30:05.120456+02:00", "2025-01-15t05:00:05.12-05:30"] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "yesterday",
            "2025-13-01T00:00:00Z",
            "2025-01-15T10:30:05",
            "2025-01-15T10:30:05.Z",
            "2025-01-15 10:30",
            "２025-01-15T10:30:05Z",
            "2025-01-15T+1:30:05Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(NotATime), "{text}");
        }
    }

    proptest! {
        #![proptest_config(crate::testing::cases(2_000))]

        #[test]
        fn text_there_and_back(millis in -62_135_596_800_000_i64..253_402_300_799_000) {
            prop_assert_eq!(Timestamp(millis).to_string().parse(), Ok(Timestamp(millis)));
        }

        #[test]
        fn any_text_is_survived(text in ".{0,40}") {
            let _ = text.parse::<Timestamp>();
        }
    }
}
