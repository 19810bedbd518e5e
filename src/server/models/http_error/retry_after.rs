//! How long a provider wants us to wait, in any of the forms in which they say it.

use std::time::Duration;

/// Nobody waits longer for an answer.
const LONGEST: Duration = Duration::from_secs(600);

pub fn retry_after(status: u16, headers: &[(String, String)], now: u64) -> Option<Duration> {
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
    let told = header("retry-after-ms").and_then(|value| seconds(value, 0.001));
    let told =
        told.or_else(|| header("retry-after").and_then(|value| seconds(value, 1.0).or_else(|| until(value, now))));
    // These are told with every answer, and mean something only when a limit was reached.
    let told = told.or_else(|| if status == 429 { reset(headers, now) } else { None });
    told.map(|wait| wait.min(LONGEST))
}

fn seconds(value: &str, unit: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value.parse::<f64>().ok()? * unit).ok()
}

/// When the limits are reset: the one that is used up counts, and otherwise the first.
fn reset(headers: &[(String, String)], now: u64) -> Option<Duration> {
    let resets = headers.iter().filter_map(|(name, value)| {
        let limit = name.strip_prefix("x-ratelimit-reset")?;
        let remaining = format!("x-ratelimit-remaining{limit}");
        let is_used_up = headers.iter().any(|(known, value)| *known == remaining && value.trim() == "0");
        Some((is_used_up, span(value.trim(), now)?))
    });
    let resets: Vec<(bool, Duration)> = resets.collect();
    let used_up = resets.iter().filter(|(is_used_up, _)| *is_used_up).map(|(_, wait)| *wait).max();
    used_up.or_else(|| resets.iter().map(|(_, wait)| *wait).min())
}

/// `6m0s`, `20ms`, seconds, or a time since 1970 in seconds or milliseconds.
fn span(value: &str, now: u64) -> Option<Duration> {
    let Ok(number) = value.parse::<f64>() else { return units(value) };
    let at = match number {
        // Nobody waits thirty years, so it is a time.
        milliseconds if milliseconds >= 1e12 => milliseconds / 1000.0,
        time if time >= 1e9 => time,
        wait => return Duration::try_from_secs_f64(wait).ok(),
    };
    Duration::try_from_secs_f64((at - now as f64).max(0.0)).ok()
}

fn units(value: &str) -> Option<Duration> {
    let (mut all, mut rest) = (0.0, value);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| c.is_ascii_alphabetic())?);
        let (unit, next) = after.split_at(after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len()));
        let unit = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        all += number.parse::<f64>().ok()? * unit;
        rest = next;
    }
    Duration::try_from_secs_f64(all).ok().filter(|_| !value.is_empty())
}

/// From a date such as `Wed, 21 Oct 2015 07:28:00 GMT`.
fn until(date: &str, now: u64) -> Option<Duration> {
    let words: Vec<&str> = date.split_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words[..] else { return None };
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months.iter().position(|name| *name == month)? as u64 + 1;
    let (day, year) = (day.parse::<u64>().ok()?, year.parse::<u64>().ok()?);
    let time: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = time[..] else { return None };
    let is_date = (1970..10_000).contains(&year) && (1..=31).contains(&day);
    if !is_date || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let at = days_since_1970(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds;
    Some(Duration::from_secs(at.saturating_sub(now)))
}

/// Counts years from March, so that the leap day is the last of a year.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    const UNTIL_1970: u64 = 719_468;
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - UNTIL_1970
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 21 October 2015, 07:28.
    const NOW: u64 = 1_445_412_480;

    type Headers = &'static [(&'static str, &'static str)];

    fn wait(status: u16, headers: &[(&str, &str)]) -> Option<f64> {
        let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        retry_after(status, &headers, NOW).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn the_wait_is_understood_in_every_form() {
        let cases: &[(Headers, Option<f64>)] = &[
            (&[("retry-after", "20")], Some(20.0)),
            (&[("retry-after", " 1.5 ")], Some(1.5)),
            (&[("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT")], Some(30.0)),
            (&[("retry-after", "Wed, 21 Oct 2015 07:27:00 GMT")], Some(0.0)),
            (&[("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT")], Some(600.0)),
            (&[("retry-after", "86400")], Some(600.0)),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "soon")], None),
            (&[("retry-after", "Wed, 99 Foo 2015 07:28:30 GMT")], None),
            (&[("retry-after", "20"), ("retry-after-ms", "250")], Some(0.25)),
            (&[("x-ratelimit-reset-requests", "1s"), ("x-ratelimit-reset-tokens", "6m0s")], Some(1.0)),
            (
                &[
                    ("x-ratelimit-reset-requests", "1s"),
                    ("x-ratelimit-reset-tokens", "1m20.5s"),
                    ("x-ratelimit-remaining-tokens", "0"),
                ],
                Some(80.5),
            ),
            (&[("x-ratelimit-reset", "1445412500")], Some(20.0)),
            (&[("x-ratelimit-reset", "1445412500000")], Some(20.0)),
            (&[("x-ratelimit-reset", "35")], Some(35.0)),
            (&[("x-ratelimit-reset", "20ms")], Some(0.02)),
            (&[("x-ratelimit-reset", "")], None),
            (&[("x-ratelimit-reset", "5 weeks")], None),
            (&[], None),
        ];
        for (headers, expected) in cases {
            assert_eq!(wait(429, headers), *expected, "{headers:?}");
        }
        assert_eq!(wait(500, &[("x-ratelimit-reset", "35")]), None, "no limit was reached");
        assert_eq!(wait(503, &[("retry-after", "35")]), Some(35.0));
    }

    #[test]
    fn days_are_counted_with_leap_years() {
        for (date, days) in
            [((1970, 1, 1), 0), ((2000, 2, 29), 11_016), ((2000, 3, 1), 11_017), ((2026, 12, 31), 20_818)]
        {
            assert_eq!(days_since_1970(date.0, date.1, date.2), days, "{date:?}");
        }
    }
}
