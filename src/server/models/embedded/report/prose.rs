//! What a search was narrowed by, as people say it, from the arguments of the call.

use serde_json::Value;

use crate::model::legislation::{BillStatus, BillType, bill::ordinal, plain::day, states};

/// ` by Democrats from Texas in the Senate that became law in 2025`, with a space before it, or nothing.
pub fn of_bills(args: &Value, sponsor: Option<String>) -> String {
    let text = |name: &str| args[name].as_str().filter(|text| !text.trim().is_empty());
    let status = text("status").and_then(BillStatus::from_text);
    let law_dates = span(text("law_from"), text("law_to"));
    let mut said: Vec<String> = Vec::new();
    said.extend(text("party").map(|party| format!("by {}", party_name(party))));
    said.extend(text("sponsor").map(|name| format!("by {}", sponsor.unwrap_or_else(|| format!("“{name}”")))));
    said.extend(text("state").map(|state| format!("from {}", state_name(state))));
    said.extend(
        text("chamber").map(|chamber| format!("in the {}", if chamber == "senate" { "Senate" } else { "House" })),
    );
    said.extend(args["congress"].as_u64().and_then(|n| u32::try_from(n).ok()).map(of_congress));
    said.extend(span(text("from"), text("to")).map(|dates| format!("introduced {dates}")));
    match (status, law_dates) {
        (status, Some(dates)) if status.is_none() || status == Some(BillStatus::BecameLaw) => {
            said.push(format!("that became law {dates}"));
        }
        (status, _) => said.extend(status.map(stands)),
    }
    said.into_iter().map(|part| format!(" {part}")).collect()
}

/// ` by Joe Biden signed in 2023`.
pub fn of_actions(args: &Value) -> String {
    let text = |name: &str| args[name].as_str().filter(|text| !text.trim().is_empty());
    let by = text("president").map(|name| format!(" by {name}"));
    let when = span(text("from"), text("to")).map(|dates| format!(" signed {dates}"));
    by.into_iter().chain(when).collect()
}

/// What they are: "bill", "House resolution", and of several.
pub fn noun(args: &Value) -> (&'static str, &'static str) {
    let kind = args["type"].as_str().and_then(BillType::from_text);
    match kind {
        None => ("bill", "bills"),
        Some(BillType::Hr) => ("House bill", "House bills"),
        Some(BillType::S) => ("Senate bill", "Senate bills"),
        Some(BillType::Hjres) => ("House joint resolution", "House joint resolutions"),
        Some(BillType::Sjres) => ("Senate joint resolution", "Senate joint resolutions"),
        Some(BillType::Hconres) => ("House concurrent resolution", "House concurrent resolutions"),
        Some(BillType::Sconres) => ("Senate concurrent resolution", "Senate concurrent resolutions"),
        Some(BillType::Hres) => ("House resolution", "House resolutions"),
        Some(BillType::Sres) => ("Senate resolution", "Senate resolutions"),
    }
}

fn of_congress(congress: u32) -> String {
    format!("of the {} Congress", ordinal(congress))
}

fn party_name(letter: &str) -> &str {
    match letter {
        "R" => "Republicans",
        "D" => "Democrats",
        "I" => "Independents",
        other => other,
    }
}

fn state_name(letters: &str) -> &str {
    states::name(letters).unwrap_or(letters)
}

fn stands(status: BillStatus) -> String {
    match status {
        BillStatus::Introduced => "that were only introduced",
        BillStatus::InCommittee => "in committee",
        BillStatus::Reported => "reported by committee",
        BillStatus::PassedHouse => "that passed the House",
        BillStatus::PassedSenate => "that passed the Senate",
        BillStatus::ResolvingDifferences => "whose differences are being resolved",
        BillStatus::PassedBoth => "that passed both chambers",
        BillStatus::ToPresident => "that wait for the President",
        BillStatus::Vetoed => "that were vetoed",
        BillStatus::BecameLaw => "that became law",
        BillStatus::AgreedTo => "that were agreed to",
        BillStatus::Failed => "that failed",
    }
    .into()
}

/// `in 2025`, `since March 2024`, `on Jan 20, 2025`, `between 2021 and 2023`.
fn span(from: Option<&str>, to: Option<&str>) -> Option<String> {
    Some(match (from, to) {
        (None, None) => return None,
        (Some(from), Some(to)) if from == to && from.len() == 10 => format!("on {}", day(from)),
        (Some(from), Some(to)) if from == to => format!("in {}", moment(from)),
        (Some(from), Some(to)) => format!("between {} and {}", moment(from), moment(to)),
        (Some(from), None) => format!("since {}", moment(from)),
        (None, Some(to)) => format!("until {}", moment(to)),
    })
}

fn moment(date: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    match (date.len(), date.split_once('-')) {
        (7, Some((year, month))) => {
            let month = month.parse::<usize>().ok().and_then(|month| MONTHS.get(month.checked_sub(1)?));
            month.map_or_else(|| date.to_owned(), |month| format!("{month} {year}"))
        }
        _ => day(date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn filters_are_said_as_people_say_them() {
        for (args, said) in [
            (json!({}), ""),
            (json!({"party": "D", "state": "TX", "chamber": "senate"}), " by Democrats from Texas in the Senate"),
            (json!({"status": "became_law", "law_from": "2025", "law_to": "2025"}), " that became law in 2025"),
            (json!({"from": "2025-03", "to": "2025-03"}), " introduced in March 2025"),
            (json!({"congress": 119, "status": "failed"}), " of the 119th Congress that failed"),
        ] {
            assert_eq!(of_bills(&args, None), said, "{args}");
        }
        assert_eq!(
            of_actions(&json!({"president": "Biden", "from": "2025-01-20", "to": "2025-01-20"})),
            " by Biden signed on Jan 20, 2025"
        );
    }
}
