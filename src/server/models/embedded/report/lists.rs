//! Lists of bills and of executive actions. The headline says how many match everything that was asked, and never
//! announces what shares only some of the words as found.

use serde_json::Value;

use super::{NAMED, bill_link, link, person, plain, prose, sentences};
use crate::{
    model::{
        Bill,
        legislation::{ActionKind, ActionsFound, BillStatus, BillsFound, ExecutiveAction, Research, plain::day},
        summary::shorten,
    },
    server::{
        corpus::words,
        models::embedded::{Asked, Found, asked::Fact, earlier},
    },
};

/// More are not named in an answer, whatever is asked for.
const MOST_NAMED: usize = 20;

/// How a list is announced.
struct Counted<'a> {
    one: &'a str,
    many: &'a str,
    /// ` about “veterans” by Democrats`.
    asked_for: String,
    total: u64,
    matched: u64,
    offset: u64,
    /// Whether there is a topic at all; otherwise there are only filters.
    has_topic: bool,
    /// By date, and not by how well they match.
    is_sorted: bool,
}

impl Counted<'_> {
    fn number(&self, n: u64) -> String {
        if n == 1 { format!("**one {}**", self.one) } else { format!("**{n} {}**", self.many) }
    }

    fn headline(&self, asked: &Asked, stored: Option<u64>) -> String {
        let (number, asked_for) = (self.number(self.matched), &self.asked_for);
        if self.matched == 0 {
            return format!("No {} here matches all of{}. The closest:", self.one, bare(asked_for));
        }
        if self.matched < self.total {
            let (number, verb) =
                if self.matched == 1 { (format!("**One {}**", self.one), "matches") } else { (number, "match") };
            return format!("{number} {verb}{}; others share some of the words:", bare(asked_for));
        }
        if self.offset > 0 {
            return format!("Further of the {number}{asked_for}, from number {}:", self.offset + 1);
        }
        if asked_for.is_empty() {
            return format!("There are {number} here. The first of them:");
        }
        let of_all = stored.filter(|_| asked.counts() || !self.has_topic);
        let of_all = of_all.map(|n| format!(", of the {n} stored here")).unwrap_or_default();
        match (self.matched, asked.counts()) {
            (1, true) => format!("**One {}**{asked_for}{of_all}:", self.one),
            (_, true) => format!("{number}{asked_for}{of_all}. The first of them:"),
            (1, false) => format!("I found {number}{asked_for}{of_all}:"),
            (_, false) if !self.has_topic => format!("I found {number}{asked_for}{of_all}. The first of them:"),
            (_, false) => {
                let first = if self.is_sorted { "In this order:" } else { "The best matches:" };
                format!("I found {number}{asked_for}. {first}")
            }
        }
    }

    fn none(&self, stored: Option<u64>, stopped: &str) -> String {
        if self.offset > 0 && self.total > 0 {
            return format!("Those were all that I found: {}.", self.total);
        }
        let among = stored.map(|n| format!(" among the {n} stored here")).unwrap_or_default();
        let hint = if self.has_topic { " Try other words: a topic, or a part of a title." } else { "" };
        let why = if stopped.is_empty() { String::new() } else { format!(" {}", plain(stopped)) };
        format!("I found no {}{}{among}.{why}{hint}", self.one, self.asked_for)
    }
}

/// What was asked for, without saying that it is a topic.
fn bare(asked_for: &str) -> String {
    if asked_for.is_empty() { " this".into() } else { asked_for.replacen(" about “", " “", 1) }
}

/// ` about “HALT Fentanyl”`, as it was typed.
fn about(asked: &Asked, args: &Value) -> String {
    let query = args["query"].as_str().or(args["topic"].as_str()).unwrap_or_default();
    let law = query.to_lowercase().find("public law ").and_then(|at| query.get(at..));
    if let Some(law) = law.filter(|law| law.contains(|letter: char| letter.is_ascii_digit())) {
        return format!(" for “{}”", plain(&shorten(law.trim_end_matches('?'), 80)));
    }
    let mut topic = Asked::new(query).topic_words();
    if topic.is_empty() {
        topic = words(query);
    }
    let typed = |word: &String| {
        let mut all = asked.original().split(|letter: char| !letter.is_alphanumeric());
        all.find(|typed| typed.to_lowercase() == *word).map_or_else(|| word.clone(), str::to_owned)
    };
    match topic.iter().map(typed).collect::<Vec<_>>().join(" ") {
        topic if topic.is_empty() => String::new(),
        topic => format!(" about “{}”", plain(&shorten(&topic, 80))),
    }
}

/// How many are named: as many as were asked for.
fn named(args: &Value, asked: &Asked) -> usize {
    let limit = args["limit"].as_u64().filter(|_| asked.limit().is_some());
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(NAMED).min(MOST_NAMED)
}

pub fn bills(found: &Found<'_>, asked: &Asked, bills: &BillsFound) -> String {
    let args = &found.args;
    let (one, many) = prose::noun(args);
    let about = about(asked, args);
    let counted = Counted {
        one,
        many,
        has_topic: !about.is_empty(),
        asked_for: format!("{about}{}", plain(&prose::of_bills(args, sponsor(&bills.bills)))),
        total: bills.total_results,
        matched: bills.matched.unwrap_or(bills.total_results),
        offset: bills.offset,
        is_sorted: args.get("sort").is_some(),
    };
    if bills.total_results == 0 || bills.bills.is_empty() {
        let stopped = bills.stopped.split(" Try without the filters").next().unwrap_or_default();
        let stopped = if counted.has_topic { stopped } else { "" };
        return counted.none(bills.stored, stopped);
    }
    let mut text = answers(found, asked, &bills.bills);
    if let Some(latest) = outermost(found, asked, bills).filter(|_| text.is_empty() && counted.matched > 0) {
        text = latest;
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&counted.headline(asked, bills.stored));
    text.push_str(&bills_table(found, &bills.bills, named(args, asked)));
    // One look needs no explanation.
    if bills.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", plain(&bills.stopped)));
    }
    text
}

/// The one sponsor of all of them.
fn sponsor(bills: &[Bill]) -> Option<String> {
    let first = bills.first()?;
    let same = |bill: &Bill| {
        bill.sponsor == first.sponsor || !bill.sponsor_id.is_empty() && bill.sponsor_id == first.sponsor_id
    };
    bills.iter().all(same).then(|| person(&first.sponsor))
}

/// What was asked about a bill that was found by its name.
fn answers(found: &Found<'_>, asked: &Asked, bills: &[Bill]) -> String {
    const MOST: usize = 3;
    let Some((fact, _)) = asked.fact() else { return String::new() };
    let query = found.args["query"].as_str().unwrap_or_default();
    let mut named = earlier::named(bills, query, |bill| &bill.title);
    if fact == Fact::Companion {
        return match named.first() {
            None => "I found no bill of the other chamber with this title.".into(),
            Some(bill) => format!("The other chamber has {} with this title.", bill_link(found, bill)),
        };
    }
    // Other titles with these words are other bills, and which one is meant is not known.
    if named.iter().any(|bill| words(&bill.title) != words(&named[0].title)) {
        named.clear();
    }
    // Of several with the same title, the law is what most people ask about.
    named.sort_by_key(|bill| bill.status != BillStatus::BecameLaw);
    if matches!(fact, Fact::Law | Fact::Signed)
        && named.first().is_some_and(|bill| bill.status == BillStatus::BecameLaw)
    {
        named.truncate(1);
    }
    if named.len() > MOST {
        return String::new();
    }
    named.into_iter().filter_map(|bill| sentences::of_bill(found, fact, bill)).collect::<Vec<_>>().join(" ")
}

/// "The latest is …", where the newest or oldest were asked for.
fn outermost(found: &Found<'_>, asked: &Asked, bills: &BillsFound) -> Option<String> {
    let sort = found.args["sort"].as_str().filter(|_| asked.sort().is_some() && bills.offset == 0)?;
    let matched = usize::try_from(bills.matched.unwrap_or(bills.total_results)).unwrap_or(usize::MAX);
    let is_law = |bill: &Bill| bill.status == BillStatus::BecameLaw && found.args["status"] == "became_law";
    let date = |bill: &Bill| if is_law(bill) { bill.latest_action_date.clone() } else { bill.introduced.clone() };
    let among = bills.bills.iter().take(matched);
    let bill =
        if sort == "newest" { among.max_by_key(|bill| date(bill)) } else { among.min_by_key(|bill| date(bill)) }?;
    let (which, when) = (if sort == "newest" { "latest" } else { "oldest" }, day(&date(bill)));
    let what = if is_law(bill) { "became law" } else { "introduced" };
    Some(format!(
        "The {which} is {}: **{}**, {what} on {when}.",
        bill_link(found, bill),
        plain(&shorten(&bill.title, 120))
    ))
}

fn bills_table(found: &Found<'_>, bills: &[Bill], named: usize) -> String {
    let mut table = String::from("\n\n| Bill | Title | Sponsor | Status |\n|---|---|---|---|");
    for bill in bills.iter().take(named) {
        let (title, sponsor) = (plain(&shorten(&bill.title, 120)), person(&bill.sponsor));
        table.push_str(&format!("\n| {} | {title} | {sponsor} | {} |", bill_link(found, bill), bill.status.label()));
    }
    table
}

fn action_noun(args: &Value) -> (&'static str, &'static str) {
    match args["kind"].as_str().and_then(ActionKind::from_text) {
        Some(ActionKind::ExecutiveOrder) => ("executive order", "executive orders"),
        Some(ActionKind::Proclamation) => ("proclamation", "proclamations"),
        Some(ActionKind::Memorandum) => ("memorandum", "memoranda"),
        Some(ActionKind::Determination) => ("determination", "determinations"),
        Some(ActionKind::Notice) => ("notice", "notices"),
        Some(ActionKind::Other) | None => ("executive action", "executive actions"),
    }
}

pub fn actions(found: &Found<'_>, asked: &Asked, actions: &ActionsFound) -> String {
    let args = &found.args;
    let (one, many) = action_noun(args);
    if actions.stored == Some(0) {
        return format!("There is no {one} here at all: none is stored.");
    }
    let about = about(asked, args);
    let counted = Counted {
        one,
        many,
        has_topic: !about.is_empty(),
        asked_for: format!("{about}{}", plain(&prose::of_actions(args))),
        total: actions.total_results,
        matched: actions.matched.unwrap_or(actions.total_results),
        offset: actions.offset,
        is_sorted: args.get("sort").is_some(),
    };
    let Some(first) = actions.executive_actions.first() else {
        return counted.none(actions.stored, if counted.has_topic { &actions.stopped } else { "" });
    };
    let mut text = String::new();
    if let Some((sort, _)) =
        asked.sort().filter(|_| args.get("sort").is_some() && actions.offset == 0 && counted.matched > 0)
    {
        let which = if sort == "newest" { "latest" } else { "oldest" };
        let name = link(found, &first.citation_for_people());
        let title = plain(&shorten(&first.title, 120));
        let date = if first.signed.is_empty() { &first.published } else { &first.signed };
        text =
            format!("The {which} is {name}: **{title}**, signed on {} by {}.\n\n", day(date), plain(&first.president));
    }
    text.push_str(&counted.headline(asked, actions.stored));
    text.push_str(&actions_table(found, &actions.executive_actions, named(args, asked)));
    if actions.looks.len() > 1 {
        text.push_str(&format!("\n\n{}", plain(&actions.stopped)));
    }
    text
}

fn actions_table(found: &Found<'_>, actions: &[ExecutiveAction], named: usize) -> String {
    let mut table = String::from("\n\n| Action | Title | President | Signed |\n|---|---|---|---|");
    for action in actions.iter().take(named) {
        let date = if action.signed.is_empty() { &action.published } else { &action.signed };
        let (name, title) = (link(found, &action.citation_for_people()), plain(&shorten(&action.title, 120)));
        table.push_str(&format!("\n| {name} | {title} | {} | {} |", plain(&action.president), day(date)));
    }
    table
}

pub fn researched(found: &Found<'_>, research: &Research) -> String {
    let topic = plain(&research.topic);
    let matched = |total: u64, matched: Option<u64>, one: &str, many: &str| match (matched.unwrap_or(total), total) {
        (0, 0) => format!("no {one}"),
        (0, _) => format!("no {one} that has all of the words, only some that share a few"),
        (1, _) => format!("**one {one}**"),
        (n, _) => format!("**{n} {many}**"),
    };
    let bills = matched(research.total_bills, research.matched_bills, "bill", "bills");
    let actions = matched(
        research.total_executive_actions,
        research.matched_executive_actions,
        "executive action",
        "executive actions",
    );
    let mut text = format!("On “{topic}” I found {bills} and {actions}.");
    if research.bills.len() > 1 {
        let statuses =
            research.statuses.iter().map(|status| format!("{} {}", status.bills, status.name.to_lowercase()));
        let statuses = statuses.collect::<Vec<_>>().join(", ");
        text.push_str(&format!(" Of the {} bills listed: {statuses}.", research.bills.len()));
    }
    if research.matched_bills.is_some_and(|matched| matched < research.total_bills) && !research.note.is_empty() {
        text.push_str(&format!(" {}", plain(&research.note)));
    }
    if !research.bills.is_empty() {
        text.push_str(&bills_table(found, &research.bills, NAMED));
    }
    if !research.executive_actions.is_empty() {
        text.push_str(&actions_table(found, &research.executive_actions, NAMED));
    }
    for missing in &research.missing {
        text.push_str(&format!("\n\nMissing: {}", plain(missing)));
    }
    text
}
