//! Questions about what was found before: "the second one", "only Democrats", "and in the Senate?", "more".

use serde_json::{Map, Value, json};

use super::{
    asked::{Asked, Fact, without},
    earlier::{Earlier, Last, Meant, Search, places},
    executive,
    plan::{BILL_FILTERS, Next, Plan, id},
};
use crate::{
    model::{
        Bill,
        legislation::{BillNumber, Chamber, action_number, states},
    },
    server::{
        corpus::words,
        tools::{
            Tool, compare_bills::CompareBills, get_bill_details::GetBillDetails,
            get_executive_action_details::GetExecutiveActionDetails, search_bills::SearchBills,
            search_executive_actions::SearchExecutiveActions,
        },
    },
};

/// How later arguments are made of earlier ones.
mod merge;

/// How many an answer shows, so that "more" goes on behind them.
const SHOWN: u64 = 5;

pub fn follow_up(question: &str, asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let numbers = BillNumber::all_in(question);
    // What is named by its number is meant, and only to be compared with what was found.
    if !numbers.is_empty() {
        return compared_with(asked, earlier, &numbers).map(one);
    }
    if action_number::find(question).is_some() {
        return None;
    }
    if earlier.last == Last::Nothing && is_about_something_before(asked) {
        return Some(Next::Text(NOTHING_BEFORE.into()));
    }
    compared(asked, earlier)
        .or_else(|| in_another_congress(asked, earlier))
        .or_else(|| of_the_same_sponsor(asked, earlier))
        .or_else(|| meant(asked, earlier))
        .or_else(|| more(asked, earlier))
        .or_else(|| of_the_other_kind(asked, earlier))
        .or_else(|| refined(asked, earlier))
}

const NOTHING_BEFORE: &str =
    "I do not know what that is about: nothing has been found before. Name a bill by its number or its title.";

/// "the second one", "who sponsored it?".
fn is_about_something_before(asked: &Asked) -> bool {
    let rest = without(&asked.rest(), &[ORDINALS, &["one", "ones", "bill", "it", "its"]].concat());
    let says_which = !places(asked).is_empty() || asked.has(&["it", "its", "that one", "this one"]);
    asked.word_count() <= 8 && says_which && words(&rest).is_empty() && asked.filters(&BILL_FILTERS).is_empty()
}

const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth", "1st", "2nd", "3rd", "4th", "5th", "last"];

fn one(plan: Plan) -> Next {
    Next::Calls(vec![plan])
}

fn read(bill: &Bill) -> Plan {
    Plan { tool: GetBillDetails::NAME, args: json!({ "bill": bill.citation(), "congress": bill.congress }) }
}

/// "compare it with S. 5".
fn compared_with(asked: &Asked, earlier: &Earlier, numbers: &[BillNumber]) -> Option<Plan> {
    let ([number], true) = (numbers, asked.has(&["compare", "versus", "vs", "difference"])) else { return None };
    let Some(Meant::Bill(it)) = earlier.it() else { return None };
    // A bill is not compared with itself, but with the one that was read before.
    let is_it = |bill: &Bill| (bill.kind, bill.number) == (number.kind, number.number);
    let bill = if is_it(it) { earlier.recent.iter().find(|bill| !is_it(bill))? } else { it };
    Some(Plan { tool: CompareBills::NAME, args: json!({ "bills": [id(&bill.bill_number()), id(number)] }) })
}

/// "compare the first two", "compare the first and third", "which one became law?" of those that were compared.
fn compared(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let again =
        earlier.last == Last::Compared && asked.begins(&["which one", "which of them", "which of those", "which"]);
    if again && asked.topic_words().is_empty() && earlier.compared.len() > 1 {
        return Some(one(side_by_side(&earlier.compared)));
    }
    if !asked.begins(&["compare", "and compare", "now compare"]) {
        return None;
    }
    let said = places(asked);
    let are_meant =
        asked.has(&["them", "these", "those", "the first two", "both", "the two", "first two", "the top two"]);
    if earlier.is_about_actions() && (are_meant || said.len() > 1) {
        let first_two = [0, 1];
        let chosen = if said.len() > 1 { &said[..] } else { &first_two[..] };
        let actions = chosen.iter().filter_map(|place| earlier.actions.get(*place));
        let plans: Vec<Plan> = actions.map(|action| details_of(&action.citation_for_people())).collect();
        return (plans.len() > 1).then_some(Next::Calls(plans));
    }
    if said.len() > 1 {
        let list = Some(earlier.listed()).filter(|list| said.iter().all(|place| *place < list.len()));
        let list = list.unwrap_or(&earlier.bills);
        let chosen: Vec<Bill> = said.iter().filter_map(|place| list.get(*place)).cloned().collect();
        return (chosen.len() > 1).then(|| one(side_by_side(&chosen)));
    }
    if are_meant && earlier.bills.len() < 2 && earlier.recent.len() < 2 {
        return Some(Next::Text(
            "There are not two to compare yet. Name them: **Compare H.R. 27 with S. 331**.".into(),
        ));
    }
    // "both" are the two that were read one after the other.
    let are_read = asked.has(&["both", "them", "the two"]) && earlier.last == Last::Bill;
    if are_read && let [_, _] = &earlier.recent[..] {
        return Some(one(side_by_side(&earlier.recent)));
    }
    (are_meant && earlier.bills.len() > 1).then(|| one(side_by_side(&earlier.bills[..2])))
}

fn side_by_side(bills: &[Bill]) -> Plan {
    let bills: Vec<String> = bills.iter().map(|bill| id(&bill.bill_number())).collect();
    Plan { tool: CompareBills::NAME, args: json!({ "bills": bills }) }
}

fn details_of(number: &str) -> Plan {
    Plan { tool: GetExecutiveActionDetails::NAME, args: json!({ "number": number }) }
}

/// "and in the 117th?" after a bill was read.
fn in_another_congress(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let bill = earlier.read.as_ref().filter(|_| earlier.last == Last::Bill)?;
    let (congress, _) = asked.congress()?;
    let is_only_that =
        asked.topic_words().is_empty() && asked.word_count() <= 6 && asked.filters(&BILL_FILTERS).len() == 1;
    let args = json!({ "bill": bill.citation(), "congress": congress });
    is_only_that.then(|| one(Plan { tool: GetBillDetails::NAME, args }))
}

/// "what else did she sponsor?", "the sponsor's other bills".
fn of_the_same_sponsor(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let is_it = asked.has(&["what else", "other bills", "more bills", "else did"])
        && asked.has(&["sponsor", "sponsored", "introduce", "introduced", "she", "he", "they", "her", "his"]);
    let Some(Meant::Bill(bill)) = earlier.it().filter(|_| is_it) else { return None };
    let sponsor = if bill.sponsor_id.is_empty() { &bill.sponsor } else { &bill.sponsor_id };
    Some(one(Plan { tool: SearchBills::NAME, args: json!({ "query": "", "sponsor": sponsor }) }))
}

fn meant(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    // "is it" of a new thing is about that: the HALT Fentanyl Act has its own words.
    let has_topic = !asked.topic_words().is_empty() && places(asked).is_empty() && asked.word_count() > 5;
    let is_of_another_kind = executive::is_meant(asked) && !earlier.is_about_actions();
    if has_topic || is_of_another_kind || asked.counts() && asked.fact().is_none() {
        return None;
    }
    match earlier.meant(asked)? {
        Meant::Bill(bill) => Some(one(match asked.fact() {
            Some((Fact::Companion, _)) => companion(bill),
            _ => read(bill),
        })),
        Meant::Action(action) => Some(one(details_of(&action.citation_for_people()))),
        Meant::Unclear => Some(Next::Text(which(earlier))),
    }
}

/// The same in the other chamber: what has its title.
fn companion(bill: &Bill) -> Plan {
    let other = match bill.kind.chamber() {
        Chamber::House => Chamber::Senate,
        Chamber::Senate => Chamber::House,
    };
    let args = json!({ "query": bill.title, "chamber": other.as_str(), "congress": bill.congress });
    Plan { tool: SearchBills::NAME, args }
}

fn which(earlier: &Earlier) -> String {
    let names: Vec<String> = if earlier.is_about_actions() {
        earlier.actions.iter().take(5).map(|action| action.citation_for_people()).collect()
    } else {
        earlier.listed().iter().take(5).map(Bill::citation).collect()
    };
    format!("Which one do you mean? Say its number, or “the first one”. The last list began with {}.", names.join(", "))
}

/// "more", "next page", "the next 5".
fn more(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let is_it = ["more", "show more", "show me more", "next", "next page", "more results", "the next ones", "see more"];
    let says_next = asked.begins(&["next", "the next", "show me the next", "show the next"]) && asked.word_count() <= 6;
    if !is_it.contains(&asked.text()) && !says_next {
        return None;
    }
    let Some(Search { tool, args, total }) = earlier.searches.first() else {
        return Some(Next::Text("There is no list to go on with. Ask for a topic first.".into()));
    };
    let offset = args.get("offset").and_then(Value::as_u64).unwrap_or_default() + SHOWN;
    if offset >= *total {
        return Some(Next::Text(format!("Those were all that I found: {total}.")));
    }
    let mut args = args.clone();
    args.insert("offset".into(), offset.into());
    Some(one(Plan { tool, args: args.into() }))
}

/// "and bills?" after executive orders, and the other way round: the same topic.
fn of_the_other_kind(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    let text = asked.text();
    let about_it = ["on it", "about it", "on that", "about that", "on this", "about this"];
    let noun = about_it.iter().find_map(|it| text.strip_suffix(it)).unwrap_or(text).trim();
    let noun = ["and ", "what about ", "how about "].iter().find_map(|word| noun.strip_prefix(word)).unwrap_or(noun);
    let tool = match noun.trim_start_matches("the ") {
        "bills" | "legislation" => SearchBills::NAME,
        "executive orders" | "executive actions" | "eos" => SearchExecutiveActions::NAME,
        _ => return None,
    };
    let Search { args, .. } = earlier.searches.first().filter(|search| search.tool != tool)?;
    let topic = Asked::new(args.get("query")?.as_str()?).topic_words();
    (!topic.is_empty()).then(|| one(Plan { tool, args: json!({ "query": topic.join(" ") }) }))
}

const GOES_ON: [&str; 34] = [
    "on",
    "about",
    "any",
    "and",
    "only",
    "just",
    "what about",
    "how about",
    "now",
    "but only",
    "but",
    "same for",
    "same",
    "in",
    "from",
    "by",
    "those",
    "which of those",
    "which of them",
    "of those",
    "show me the",
    "show the",
    "show only",
    "the",
    "that",
    "who",
    "how many of them",
    "how many of those",
    "how many of these",
    "or",
    "make it",
    "since",
    "before",
    "sort",
];

/// The same search with other filters or another topic.
fn refined(asked: &Asked, earlier: &Earlier) -> Option<Next> {
    if earlier.searches.is_empty()
        || asked.word_count() > 10
        || asked.after_beginning(&["research", "overview of"]).is_some()
    {
        return None;
    }
    if let Some(names) = removed(asked) {
        return all(earlier, asked, |args| merge::remove(args, &names));
    }
    let is_of_them = asked.has(&["them", "those", "these", "ones", "only", "just"]) || asked.begins(&["any"]);
    let names_its_own = asked.has(&["bills", "laws", "resolutions", "legislation", "bill", "sponsors", "topics"])
        || asked.has(&["latest law", "newest law", "recent law", "oldest law"])
        || executive::is_meant(asked)
        || asked.has_beginning(&["compare"]);
    let goes_on =
        asked.begins(&GOES_ON) && !asked.begins(&["the most", "the latest", "who is", "who are"]) || is_of_them;
    if names_its_own && !is_of_them && !asked.begins(&["and", "what about", "how about", "same for"]) {
        return None;
    }
    let is_bills = earlier.searches.iter().any(|search| search.tool == SearchBills::NAME);
    let mut filters = if is_bills { asked.filters(&BILL_FILTERS) } else { executive::filters(asked) };
    let mut topic = if is_bills { asked.topic_words() } else { executive::topic_words(asked) };
    topic.retain(|word| !["filter", "only", "page", "results", "else"].contains(&word.as_str()));
    let is_another = asked.begins(&["what about", "how about", "and", "same for", "now", "or"])
        || asked.begins(&["on", "about"]) && asked.word_count() <= 5;
    if is_bills && is_another && filters.is_empty() {
        name_or_state(asked, &mut filters, &mut topic, earlier);
    }
    match (filters.is_empty(), topic.is_empty()) {
        // "how many?", "how many are there in total?"
        (true, true) if asked.counts() || asked.has(&["them", "those", "again"]) => all(earlier, asked, |_| ()),
        (true, true) => None,
        (false, true) => all(earlier, asked, |args| merge::merge(args, &filters, asked)),
        (_, false) if is_another => all(earlier, asked, |args| {
            merge::merge(args, &filters, asked);
            args.insert("query".into(), topic.join(" ").into());
        }),
        (false, false) if goes_on && asked.word_count() <= 4 && is_of_them => {
            all(earlier, asked, |args| merge::merge(args, &filters, asked))
        }
        _ => None,
    }
}

/// The searches of the last turn once more, each changed in the same way.
fn all(earlier: &Earlier, asked: &Asked, change: impl Fn(&mut Map<String, Value>)) -> Option<Next> {
    let plans = earlier.searches.iter().map(|search| {
        let mut args = search.args.clone();
        args.remove("offset");
        args.remove("limit");
        if let Some(query) = args.get("query").and_then(Value::as_str) {
            // What follows is filters, so the query is words, not the question as it was asked.
            let topic = Asked::new(query).topic_words();
            let topic = if topic.is_empty() { words(query) } else { topic };
            args.insert("query".into(), topic.join(" ").into());
        }
        change(&mut args);
        Plan { tool: search.tool, args: args.into() }
    });
    let mut distinct: Vec<Plan> = Vec::new();
    for plan in plans.flat_map(|plan| executive::for_each_president(asked, plan)) {
        if !distinct.contains(&plan) {
            distinct.push(plan);
        }
    }
    Some(Next::Calls(distinct))
}

/// "and Massie?" after a member's bills, "what about Texas?".
fn name_or_state(asked: &Asked, filters: &mut Map<String, Value>, topic: &mut Vec<String>, earlier: &Earlier) {
    let said = topic.join(" ");
    if let Some(letters) = states::letters(&said).filter(|_| said.len() > 2) {
        filters.insert("state".into(), letters.into());
        topic.clear();
        return;
    }
    let of_a_member = earlier.searches.iter().all(|search| {
        let query = search.args.get("query").and_then(Value::as_str).unwrap_or_default();
        search.args.contains_key("sponsor") && words(query).is_empty()
    });
    // What begins with a capital letter is a name, and "energy" is not.
    let is_capital = |typed: &str| typed.starts_with(char::is_uppercase) && topic.contains(&typed.to_lowercase());
    let is_name = asked.original().split(|letter: char| !letter.is_alphanumeric()).any(is_capital);
    if of_a_member && is_name {
        filters.insert("sponsor".into(), said.into());
        topic.clear();
    }
}

/// "remove the party filter".
fn removed(asked: &Asked) -> Option<Vec<&'static str>> {
    if !asked.begins(&["remove", "drop", "clear", "forget", "ignore"]) {
        return None;
    }
    let names = [
        ("party", &["party"][..]),
        ("state", &["state"]),
        ("sponsor", &["sponsor"]),
        ("chamber", &["chamber", "type"]),
        ("status", &["status", "law_from", "law_to"]),
        ("date", &["from", "to", "law_from", "law_to"]),
        ("year", &["from", "to", "law_from", "law_to"]),
        ("congress", &["congress"]),
    ];
    names.into_iter().find(|(word, _)| asked.has(&[word])).map(|(_, names)| names.to_vec())
}
