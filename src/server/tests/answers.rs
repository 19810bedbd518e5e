//! The embedded agent on the built-in sample: questions as people ask them, and a fact that must be in the answer.

use super::*;
use crate::{
    model::{Conversation, Entry, Role},
    server::clock,
};

/// Conversations.
mod chains;
/// Single questions.
mod pairs;

use chains::CHAINS;
use pairs::{PAIRS, Pair};

/// What no answer has in it: names that only programs know.
const INTERNAL: [&str; 6] = ["get\\_", "search\\_", ":applied", "party:", "status:", "\"query\""];

/// What is wrong with an answer, if anything is.
fn wrong((question, facts, wanted): &Pair, said: &str, used: &str) -> Option<String> {
    let is_cited =
        ["](#call_", "no bill", "No bill", "There is no", "no executive"].iter().any(|sign| said.contains(sign));
    let why = if used != *wanted {
        "another tool"
    } else if let Some(fact) = facts.iter().find(|fact| !said.contains(**fact)) {
        fact
    } else if !used.is_empty() && !is_cited {
        "no link to the call"
    } else {
        INTERNAL.iter().find(|word| said.contains(**word))?
    };
    Some(format!("{question} ({why}): {used}: {said}"))
}

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
    let mut all_wrong = Vec::new();
    // What is about today has its facts in the year in which they were looked up.
    let is_that_year = clock::now().to_string().starts_with("2026");
    let is_timeless = |question: &str| !["this Congress", "last year"].iter().any(|words| question.contains(words));
    for pair in PAIRS.iter().filter(|pair| is_that_year || is_timeless(pair.0)) {
        let conversation = server.ask(pair.0).await;
        server.finished(conversation, 1).await;
        let folded = server.app.log.fold(conversation).await.unwrap();
        all_wrong.extend(wrong(pair, &answer(&folded, 0), tool(&folded, 0)));
    }
    assert!(all_wrong.is_empty(), "{} of {}:\n{}", all_wrong.len(), PAIRS.len(), all_wrong.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_next_is_about_what_was_found() {
    let server = Server::start().await;
    let mut all_wrong = Vec::new();
    for chain in CHAINS {
        let conversation = server.ask(chain[0].0).await;
        let id = conversation.to_string();
        for (turn, pair) in chain.iter().enumerate() {
            if turn > 0 {
                server.post("/api/send_message", &[("conversation_id", &id), ("text", pair.0)]).send().await.unwrap();
            }
            server.finished(conversation, turn + 1).await;
            let folded = server.app.log.fold(conversation).await.unwrap();
            all_wrong.extend(wrong(pair, &answer(&folded, turn), tool(&folded, turn)));
        }
    }
    assert!(all_wrong.is_empty(), "{}:\n{}", all_wrong.len(), all_wrong.join("\n\n"));
}

#[test]
fn there_are_enough_questions() {
    let follow_ups: usize = CHAINS.iter().map(|chain| chain.len() - 1).sum();
    assert!(PAIRS.len() >= 90 && follow_ups >= 30, "{} and {follow_ups}", PAIRS.len());
}
