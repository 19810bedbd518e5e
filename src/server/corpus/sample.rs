//! What ships with the program: facts of a few hundred bills and of all executive orders since 2009.

use std::path::Path;

use serde::Deserialize;

use super::{
    beside, discard,
    store::{BillRecord, Store, fingerprint as hash},
};
use crate::{
    model::legislation::{ActionKind, Bill, BillDetails, BillStatus, BillType, ExecutiveAction},
    server::{
        Error,
        import::{member::party_and_state, presidents},
    },
};

const BILLS: &str = include_str!("sample/bills.csv");
const EXECUTIVE_ORDERS: &str = include_str!("sample/executive_orders.csv");

#[derive(Deserialize)]
struct BillLine {
    congress: u32,
    #[serde(rename = "type")]
    kind: BillType,
    number: u32,
    title: String,
    sponsor: String,
    bioguide: String,
    introduced: String,
    latest_action: String,
    status: BillStatus,
    law: String,
    policy_area: String,
    subjects: String,
    committees: String,
    cosponsors: u32,
}

#[derive(Deserialize)]
struct OrderLine {
    number: String,
    document: String,
    title: String,
    signed: String,
    published: String,
    president: String,
    citation: String,
}

/// Tells one sample from another.
pub fn fingerprint() -> String {
    format!("{:x}.{:x}", hash(BILLS.as_bytes()), hash(EXECUTIVE_ORDERS.as_bytes()))
}

/// Writes the sample beside its place and moves it there when it is whole.
pub async fn make(file: &Path) -> Result<(), Error> {
    let draft = beside(file, "sample");
    discard(&draft);
    let mut store = Store::open(&draft).await?;
    store.begin().await?;
    for record in bills() {
        store.put_bill(&record).await?;
    }
    for order in executive_orders() {
        store.put_executive_action(&order, false).await?;
    }
    store.set_meta("sample", &fingerprint()).await?;
    store.commit().await?;
    store.finish().await?;
    std::fs::rename(&draft, file)?;
    Ok(())
}

pub fn bills() -> impl Iterator<Item = BillRecord> {
    lines::<BillLine>(BILLS).map(|line| {
        let (party, state) = party_and_state(&line.sponsor);
        let bill = Bill {
            congress: line.congress,
            kind: line.kind,
            number: line.number,
            title: line.title,
            sponsor: line.sponsor,
            sponsor_id: line.bioguide,
            introduced: line.introduced,
            latest_action_date: line.latest_action,
            status: line.status,
            law: line.law,
            policy_area: line.policy_area,
            snippet: String::new(),
        };
        let list = |text: &str| text.split('|').filter(|entry| !entry.is_empty()).map(str::to_owned).collect();
        BillRecord {
            // An official record of any age is newer.
            updated: String::new(),
            fingerprint: hash(format!("{bill:?}{}", line.subjects).as_bytes()),
            party,
            state,
            details: BillDetails {
                other_titles: Vec::new(),
                latest_action: String::new(),
                subjects: list(&line.subjects),
                committees: list(&line.committees),
                cosponsor_count: line.cosponsors,
                cosponsors: Vec::new(),
                actions: Vec::new(),
                summary: String::new(),
                url: String::new(),
                also_in_congresses: Vec::new(),
                bill,
            },
        }
    })
}

pub fn executive_orders() -> impl Iterator<Item = ExecutiveAction> {
    lines::<OrderLine>(EXECUTIVE_ORDERS).map(|line| ExecutiveAction {
        kind: ActionKind::ExecutiveOrder,
        url: format!("https://www.federalregister.gov/d/{}", line.document),
        number: line.number,
        document_number: line.document,
        title: line.title,
        signed: line.signed,
        published: line.published,
        president: presidents::by_identifier(&line.president).unwrap_or_default().to_owned(),
        citation: line.citation,
        notes: String::new(),
        text: String::new(),
        snippet: String::new(),
    })
}

fn lines<T: for<'a> Deserialize<'a>>(csv: &'static str) -> impl Iterator<Item = T> {
    // A line that cannot be read would be a mistake of ours; a test counts them.
    csv::Reader::from_reader(csv.as_bytes()).into_deserialize().filter_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_sample_is_whole_and_plausible() {
        let bills: Vec<BillRecord> = bills().collect();
        assert_eq!((bills.len(), BILLS.lines().count()), (362, 363), "every line can be read");
        let mut numbers = HashSet::new();
        for BillRecord { details: BillDetails { bill, .. }, party, state, .. } in &bills {
            assert!(numbers.insert(bill.bill_number().to_string() + &bill.congress.to_string()), "twice: {bill:?}");
            assert!((113..=119).contains(&bill.congress) && bill.number > 0, "{bill:?}");
            assert!(bill.title.len() > 5 && bill.title.trim() == bill.title, "{bill:?}");
            let is_date = |date: &str| date.len() == 10 && ("2013-01-03".."2026-12-31").contains(&date);
            assert!(is_date(&bill.introduced), "{bill:?}");
            assert!(bill.latest_action_date.is_empty() || is_date(&bill.latest_action_date), "{bill:?}");
            assert!(bill.latest_action_date.is_empty() || bill.latest_action_date >= bill.introduced, "{bill:?}");
            assert_eq!(bill.status == BillStatus::BecameLaw, !bill.law.is_empty(), "{bill:?}");
            let has_member = matches!(party.as_str(), "R" | "D" | "I" | "ID") && state.len() == 2;
            assert!(bill.sponsor.is_empty() || has_member, "{bill:?}");
        }
        assert!(bills.iter().filter(|record| record.details.bill.sponsor.is_empty()).count() <= 1);

        let orders: Vec<ExecutiveAction> = executive_orders().collect();
        assert_eq!((orders.len(), EXECUTIVE_ORDERS.lines().count()), (699, 700));
        for order in &orders {
            assert!((13_484..15_000).contains(&order.number.parse().unwrap()), "{order:?}");
            assert!(order.signed <= order.published && order.president.contains(' '), "{order:?}");
        }
        assert!(BILLS.len() + EXECUTIVE_ORDERS.len() < 256 * 1024, "compact");
    }
}
