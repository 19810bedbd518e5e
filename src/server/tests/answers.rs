//! The embedded agent on the built-in sample: questions as people ask them, and a fact that must be in the answer.

use super::*;
use crate::model::{Conversation, Entry, Role};

/// A question, what the answer must say, and which tool found it.
const PAIRS: &[(&str, &[&str], &str)] = &[
    ("Which bills are about veterans?", &["bills", "Veterans"], "search_bills"),
    ("What became of the HALT Fentanyl Act?", &["S. 331", "Became law"], "search_bills"),
    ("Research artificial intelligence", &["executive actions", "bills"], "research_topic"),
    ("Compare H.R. 27 with S. 331", &["H.R. 27", "S. 331", "Passed House", "Became law"], "compare_bills"),
    ("What is H.R. 4405?", &["Epstein Files Transparency Act", "Became law", "Ro Khanna"], "get_bill_details"),
    ("hr4405", &["Epstein Files Transparency Act"], "get_bill_details"),
    ("Tell me about H. R. 4405 of the 119th Congress", &["Epstein Files Transparency Act"], "get_bill_details"),
    ("who sponsored S.331?", &["Bill Cassidy (R-LA)"], "get_bill_details"),
    ("status of s 331", &["Became law"], "get_bill_details"),
    ("How many bills became law this Congress?", &["bills"], "search_bills"),
    ("How many bills were vetoed?", &["bill"], "search_bills"),
    ("Who sponsors the most bills?", &["sponsors", "| Name | Bills |"], "get_available_sponsors"),
    ("Which senator sponsored the most bills?", &["sponsors"], "get_available_sponsors"),
    ("Which sponsors are from Alaska?", &["Dan Sullivan (R-AK)"], "get_available_sponsors"),
    ("Which topics are there?", &["topics", "Congressional oversight"], "get_available_topics"),
    ("topics about health", &["Health"], "get_available_topics"),
    ("List the statuses", &["statuses", "Became law"], "get_available_statuses"),
    ("Executive orders by Biden on artificial intelligence", &["EO 14110", "Joe Biden"], "search_executive_actions"),
    (
        "What is Executive Order 14110?",
        &["Safe, Secure, and Trustworthy", "Oct 30, 2023"],
        "get_executive_action_details",
    ),
    ("EO 14110", &["Safe, Secure, and Trustworthy"], "get_executive_action_details"),
    (
        "How many executive orders did Trump sign in 2025?",
        &["**221 executive orders**", "Donald Trump"],
        "search_executive_actions",
    ),
    ("executive orders by Obama on cybersecurity", &["Barack Obama"], "search_executive_actions"),
    ("bills by Ro Khanna", &["Ro Khanna"], "search_bills"),
    ("Bills sponsored by Senator Cruz", &["Ted Cruz"], "search_bills"),
    ("Democratic bills on health", &["(D-"], "search_bills"),
    ("Senate bills about broadband", &["S. "], "search_bills"),
    ("rural broadband", &["Broadband"], "search_bills"),
    ("bills about fentanyl that passed the House", &["H.R. 27", "Passed House"], "search_bills"),
    ("Bills of the 118th Congress on veterans", &["118th"], "search_bills"),
    ("bills introduced in 2023 about taxes", &["no bill", "among the 362 stored here"], "search_bills"),
    ("Everything about fentanyl", &["bills", "executive actions"], "research_topic"),
    ("zebra unicorn quantum basket", &["no bill"], "search_bills"),
    ("H.R. 99999", &["99999"], "get_bill_details"),
    ("executive order 99999", &["99999"], "get_executive_action_details"),
    ("hello", &["built into Vitrine"], ""),
    ("thanks", &["welcome"], ""),
    ("What can you do?", &["VITRINE_MODEL_URL"], ""),
    ("What is the weather tomorrow?", &["not something I can answer"], ""),
    ("tell me a joke", &["not something I can answer"], ""),
    ("Write a poem about spring", &["not something I can answer"], ""),
    ("2 + 2", &["not something I can answer"], ""),
    ("vetrans menopause", &["Menopause"], "search_bills"),
];

fn answer(folded: &Conversation, turn: usize) -> String {
    let entries = folded.turns()[turn].entries.iter();
    let messages = entries.filter_map(|entry| match entry {
        Entry::Message(id) => folded.message(id).filter(|message| message.role == Role::Assistant),
        Entry::Call(_) => None,
    });
    messages.map(|message| message.content.as_str()).collect()
}

/// The first call of a turn, but for the plan.
fn tool(folded: &Conversation, turn: usize) -> &str {
    let calls = folded.turns()[turn].entries.iter().find_map(|entry| match entry {
        Entry::Call(id) => folded.call(id).filter(|call| call.tool_name != "update_todos"),
        Entry::Message(_) => None,
    });
    calls.map_or("", |call| call.tool_name.as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn people_get_answers_with_the_facts() {
    let server = Server::start().await;
    let mut wrong = Vec::new();
    for (question, facts, wanted) in PAIRS {
        let conversation = server.ask(question).await;
        server.finished(conversation, 1).await;
        let folded = server.app.log.fold(conversation).await.unwrap();
        let (said, used) = (answer(&folded, 0), tool(&folded, 0));
        if used != *wanted || !facts.iter().all(|fact| said.contains(fact)) {
            wrong.push(format!("{question}: {used}: {said}"));
        }
        let is_cited = said.contains("](#call_") || said.contains("no bill") || said.contains("There is no");
        if !used.is_empty() && !is_cited {
            wrong.push(format!("{question}: no link to the call: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), PAIRS.len(), wrong.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_next_is_about_what_was_found() {
    let server = Server::start().await;
    let conversation = server.ask("Which bills are about veterans?").await;
    let id = conversation.to_string();
    let mut runs = 1;
    server.finished(conversation, runs).await;
    for (question, wanted, args) in [
        ("only Democrats", "search_bills", r#""party":"D""#),
        ("and in the Senate?", "search_bills", r#""chamber":"senate""#),
        ("the second one", "get_bill_details", "congress"),
        ("who sponsors it?", "get_bill_details", "congress"),
        ("compare the first two", "compare_bills", "bills"),
        ("what about broadband?", "search_bills", "broadband"),
        ("thank you", "", ""),
    ] {
        server.post("/api/send_message", &[("conversation_id", &id), ("text", question)]).send().await.unwrap();
        runs += 1;
        server.finished(conversation, runs).await;
        let folded = server.app.log.fold(conversation).await.unwrap();
        assert_eq!(tool(&folded, runs - 1), wanted, "{question}: {}", answer(&folded, runs - 1));
        let call = folded.turns()[runs - 1].entries.iter().find_map(|entry| match entry {
            Entry::Call(id) => folded.call(id),
            Entry::Message(_) => None,
        });
        let made = call.map(|call| call.args_json.clone()).unwrap_or_default();
        assert!(made.contains(args), "{question}: {made}");
    }
}
