//! GovInfo's BILLSTATUS files: 3.0.0, 1.0.0, and those from before there was a version. They differ in where things
//! are, so each thing is looked for in every place where it has been.

use std::collections::HashSet;

use roxmltree::{Document, Node};

use super::{html::text_of, member::party_and_state, status};
use crate::{
    model::{
        legislation::{Action, Bill, BillDetails, BillType, Cosponsor},
        words::Word,
    },
    server::corpus::store::BillRecord,
};

/// Titles beyond these are variants of variants.
const MOST_TITLES: usize = 40;

/// Counts what this reader has learned: a file that an older one has read is read again.
pub const VERSION: i64 = 1;

pub fn parse(bytes: &[u8], fingerprint: i64) -> Result<BillRecord, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 text: {error}"))?;
    let document = Document::parse(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("it is not well-formed XML: {error}"))?;
    let root = document.root_element();
    if root.tag_name().name() != "billStatus" {
        return Err(format!("it is not a BILLSTATUS file: its root is <{}>", root.tag_name().name()));
    }
    let bill = child(root, "bill").ok_or("it has no <bill>")?;
    let kind = BillType::from_word(&one(bill, &["type", "billType"]).to_lowercase())
        .ok_or_else(|| format!("“{}” is no type of bill", one(bill, &["type", "billType"])))?;
    let number = number(bill, &["number", "billNumber"], 1..100_000)?;
    let congress = self::number(bill, &["congress"], 1..200)?;

    let actions = actions(bill);
    let law = all(bill, &["laws/item"])
        .first()
        .map(|law| format!("{} {}", one(*law, &["type"]), one(*law, &["number"])))
        .unwrap_or_default();
    let steps: Vec<status::Step<'_>> = actions.iter().map(RawAction::step).collect();
    let status = status::derive(kind, !law.is_empty(), &steps);
    let actions = told_once(actions);
    let sponsor = all(bill, &["sponsors/item"]).first().copied();
    let sponsor_name = sponsor.map(|sponsor| one(sponsor, &["fullName", "name"])).unwrap_or_default();
    let (mut party, mut state) = party_and_state(&sponsor_name);
    if let Some(sponsor) = sponsor {
        let or = |known: String, said: String| if said.is_empty() { known } else { said };
        (party, state) = (or(party, one(sponsor, &["party"])), or(state, one(sponsor, &["state"])));
    }
    let title = one(bill, &["title"]);
    let newest = actions.first();
    let cosponsors = cosponsors(bill);
    let details = BillDetails {
        other_titles: other_titles(bill, &title),
        latest_action: or_else(one(bill, &["latestAction/text"]), || newest.map(|action| action.text.clone())),
        subjects: names(
            bill,
            &[
                "subjects/legislativeSubjects/item",
                "subjects/billSubjects/legislativeSubjects/item",
                "subjects/billSubjects/otherSubjects/item",
            ],
        ),
        committees: committees(bill),
        cosponsor_count: u32::try_from(cosponsors.iter().filter(|each| each.withdrawn.is_empty()).count()).unwrap_or(0),
        cosponsors,
        summary: summary(bill),
        url: String::new(),
        also_in_congresses: Vec::new(),
        bill: Bill {
            congress,
            kind,
            number,
            title,
            sponsor_id: sponsor
                .map(|sponsor| one(sponsor, &["bioguideId", "identifiers/bioguideId"]))
                .unwrap_or_default(),
            sponsor: sponsor_name,
            introduced: one(bill, &["introducedDate"]),
            latest_action_date: or_else(one(bill, &["latestAction/actionDate"]), || {
                newest.map(|action| action.date.clone())
            }),
            status,
            law,
            policy_area: one(bill, &["policyArea/name", "subjects/policyArea/name", "primarySubject/name"]),
            snippet: String::new(),
        },
        actions: actions.into_iter().map(|action| Action { date: action.date, text: action.text }).collect(),
    };
    Ok(BillRecord { details, party, state, updated: one(bill, &["updateDate"]), fingerprint })
}

struct RawAction {
    date: String,
    code: String,
    text: String,
}

impl RawAction {
    fn step(&self) -> status::Step<'_> {
        status::Step { date: &self.date, code: &self.code, text: &self.text }
    }
}

/// Newest first, as often as they are told: each telling may have a code of its own. Within a day they stay as the file
/// has them, because not all of them tell a time.
fn actions(bill: Node<'_, '_>) -> Vec<RawAction> {
    let from = |item: Node<'_, '_>| RawAction {
        date: one(item, &["actionDate"]),
        code: one(item, &["actionCode"]),
        text: one(item, &["text"]),
    };
    let mut actions: Vec<RawAction> = all(bill, &["actions/item"]).into_iter().map(from).collect();
    actions.sort_by(|a, b| b.date.cmp(&a.date));
    actions
}

/// Most files tell the same action several times, once per system that recorded it.
fn told_once(actions: Vec<RawAction>) -> Vec<RawAction> {
    let mut told = HashSet::new();
    actions.into_iter().filter(|action| told.insert((action.date.clone(), action.text.to_lowercase()))).collect()
}

fn cosponsors(bill: Node<'_, '_>) -> Vec<Cosponsor> {
    let from = |item: Node<'_, '_>| Cosponsor {
        name: one(item, &["fullName", "name"]),
        id: one(item, &["bioguideId", "identifiers/bioguideId"]),
        since: one(item, &["sponsorshipDate"]),
        withdrawn: one(item, &["sponsorshipWithdrawnDate"]),
    };
    all(bill, &["cosponsors/item"]).into_iter().map(from).filter(|each| !each.name.is_empty()).collect()
}

fn committees(bill: Node<'_, '_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in all(bill, &["committees/item", "committees/billCommittees/item"]) {
        let name = format!("{} {}", one(item, &["chamber"]), one(item, &["name"])).trim().to_owned();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn other_titles(bill: Node<'_, '_>, title: &str) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for item in all(bill, &["titles/item"]) {
        let other = one(item, &["title"]);
        let is_known = other.eq_ignore_ascii_case(title) || titles.iter().any(|each| each.eq_ignore_ascii_case(&other));
        if !other.is_empty() && !is_known && titles.len() < MOST_TITLES {
            titles.push(other);
        }
    }
    titles
}

/// The newest one, as text.
fn summary(bill: Node<'_, '_>) -> String {
    let summaries = all(bill, &["summaries/summary", "summaries/billSummaries/item", "summaries/item"]);
    let newest = summaries.into_iter().max_by_key(|item| (one(*item, &["actionDate"]), one(*item, &["updateDate"])));
    newest.map(|item| text_of(&raw(item, &["text", "cdata/text"]))).unwrap_or_default()
}

fn names(bill: Node<'_, '_>, paths: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = all(bill, paths).into_iter().map(|item| one(item, &["name"])).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}

/// A number that can be one of these; an id is made of it.
fn number(node: Node<'_, '_>, places: &[&str], plausible: std::ops::Range<u32>) -> Result<u32, String> {
    let said = one(node, places);
    let number = said.parse().ok().filter(|number| plausible.contains(number));
    number.ok_or_else(|| format!("its {} is “{said}”, which cannot be", places[0]))
}

fn or_else(said: String, otherwise: impl FnOnce() -> Option<String>) -> String {
    if said.is_empty() { otherwise().unwrap_or_default() } else { said }
}

/// The text in the first of these places that has one, on one line.
fn one(node: Node<'_, '_>, places: &[&str]) -> String {
    raw(node, places).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn raw(node: Node<'_, '_>, places: &[&str]) -> String {
    let text = |place: &&str| at(node, place).into_iter().find_map(|found| found.text()).unwrap_or_default().to_owned();
    places.iter().map(text).find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// Everything in the first of these places that has something.
fn all<'a, 'input>(node: Node<'a, 'input>, places: &[&str]) -> Vec<Node<'a, 'input>> {
    places.iter().map(|place| at(node, place)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// `a/b`: every `b` in the first `a`.
fn at<'a, 'input>(node: Node<'a, 'input>, place: &str) -> Vec<Node<'a, 'input>> {
    match place.split_once('/') {
        Some((first, rest)) => child(node, first).map(|found| at(found, rest)).unwrap_or_default(),
        None => node.children().filter(|each| each.has_tag_name(place)).collect(),
    }
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|each| each.has_tag_name(name))
}
