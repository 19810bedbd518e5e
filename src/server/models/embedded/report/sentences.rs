//! The sentence that answers what was asked about a bill, before all else that is known of it.

use super::{bill_link, person, plain};
use crate::{
    model::{
        Bill,
        legislation::{BillDetails, BillStatus, ExecutiveAction, plain::day},
    },
    server::models::embedded::{Found, asked::Fact},
};

/// What a line in a list can answer already.
pub fn of_bill(found: &Found<'_>, fact: Fact, bill: &Bill) -> Option<String> {
    let name = bill_link(found, bill);
    let is_law = bill.status == BillStatus::BecameLaw;
    Some(match fact {
        Fact::Law if is_law => format!("Yes: {name} {}.", became(bill)),
        Fact::Law if bill.status == BillStatus::AgreedTo => {
            format!("{name} was agreed to; a resolution of this kind is not signed into law.")
        }
        Fact::Law => format!("No: {name} has not become law. Where it stands: {}.", stands(bill)),
        Fact::Signed if is_law => format!("{name} {}.", became(bill)),
        Fact::Signed => format!("{name} was not signed into law. Where it stands: {}.", stands(bill)),
        Fact::Status if is_law => format!("{name} {}.", became(bill)),
        Fact::Status => format!("{name}: {}.", stands(bill)),
        Fact::Introduced if bill.introduced.is_empty() => format!("When {name} was introduced is not stored here."),
        Fact::Introduced => format!("{name} was introduced on {}.", day(&bill.introduced)),
        Fact::Sponsor if bill.sponsor.is_empty() => format!("Who sponsored {name} is not stored here."),
        Fact::Sponsor => format!("Sponsor of {name}: {}.", person(&bill.sponsor)),
        Fact::Signer if is_law => format!("{name} {}. Which president signed it is not stored here.", became(bill)),
        Fact::Signer => format!("No president has signed {name}. Where it stands: {}.", stands(bill)),
        Fact::Cosponsors | Fact::Committee | Fact::Link | Fact::About | Fact::Text | Fact::Votes | Fact::Companion => {
            return None;
        }
    })
}

fn became(bill: &Bill) -> String {
    let law = if bill.law.is_empty() { "law".to_owned() } else { plain(&bill.law) };
    match bill.latest_action_date.as_str() {
        "" => format!("became {law}"),
        date => format!("became {law} on {}", day(date)),
    }
}

fn stands(bill: &Bill) -> String {
    let since = match bill.latest_action_date.as_str() {
        "" => String::new(),
        date => format!(", latest action on {}", day(date)),
    };
    format!("{}{since}", bill.status.label().to_lowercase().replace("house", "House").replace("senate", "Senate"))
}

/// What a bill's page can answer.
pub fn of_details(found: &Found<'_>, fact: Fact, details: &BillDetails) -> Option<String> {
    let name = bill_link(found, &details.bill);
    let page = format!("its [official page]({})", details.url);
    Some(match fact {
        Fact::Law | Fact::Signed | Fact::Status | Fact::Introduced | Fact::Sponsor | Fact::Signer => {
            return of_bill(found, fact, &details.bill);
        }
        Fact::Cosponsors => cosponsors(&name, details),
        Fact::Committee if details.committees.is_empty() => {
            format!("No committee of {name} is stored here; {page} may name one.")
        }
        Fact::Committee => format!("Committees of {name}: {}.", plain(&details.committees.join("; "))),
        Fact::Link => format!("Here is {page}."),
        Fact::About if details.summary.is_empty() => {
            format!("No summary of {name} is stored here; {page} may have one. What is known:")
        }
        Fact::About => return None,
        Fact::Text => format!("The text of bills is not stored here; {page} has it."),
        Fact::Votes => format!("How members voted is not stored here; {page} links to the votes."),
        Fact::Companion => return None,
    })
}

fn cosponsors(name: &str, details: &BillDetails) -> String {
    const NAMED: usize = 10;
    let who: Vec<String> = details.cosponsors.iter().take(NAMED).map(|cosponsor| person(&cosponsor.name)).collect();
    let more = details.cosponsors.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    match (details.cosponsor_count, who.is_empty()) {
        (0, true) => format!("{name} has no cosponsors that are stored here."),
        (n, true) => format!("{name} has {n} cosponsors. Their names are not stored here."),
        (n, false) => format!("{name} has {n} cosponsors: {}{more}.", who.join(", ")),
    }
}

/// What the page of an executive action can answer.
pub fn of_action(fact: Fact, name: &str, action: &ExecutiveAction) -> Option<String> {
    let page =
        if action.url.is_empty() { String::new() } else { format!(" Its [official page]({}) has it.", action.url) };
    Some(match fact {
        Fact::Signed | Fact::Introduced if action.signed.is_empty() => {
            format!("When {name} was signed is not stored here.")
        }
        Fact::Signed | Fact::Introduced => {
            format!("{name} was signed on {} by {}.", day(&action.signed), plain(&action.president))
        }
        Fact::Sponsor | Fact::Signer => format!("{name} was signed by {}.", plain(&action.president)),
        Fact::Law | Fact::Status if action.notes.is_empty() => {
            format!("Whether {name} is still in force is not stored here.")
        }
        Fact::Text | Fact::About if action.text.is_empty() => format!("The text of {name} is not stored here.{page}"),
        Fact::Link if !action.url.is_empty() => format!("Here is its [official page]({}).", action.url),
        Fact::Votes | Fact::Cosponsors | Fact::Committee | Fact::Companion => {
            format!("{name} is signed by a president: it has neither votes nor sponsors nor committees.")
        }
        Fact::Law | Fact::Status | Fact::Text | Fact::About | Fact::Link => return None,
    })
}
