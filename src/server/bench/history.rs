//! A long conversation out of nothing: questions, cards that are done, answers.

use super::script::Script;
use crate::{
    model::{ConversationId, Event, Message, MessageId, Role, RunId, RunStatus, event::AgentStatus},
    server::{Error, clock, log::EventLog},
};

/// Cards in a turn, and entries in a card's timeline.
const CARDS: usize = 10;
const ENTRIES: usize = 7;

pub async fn make(log: &EventLog, cards: usize) -> Result<ConversationId, Error> {
    let conversation = ConversationId::mint();
    log.create(conversation, format!("A conversation with {cards} cards"), &[]).await?;
    let mut left = cards;
    let mut nth = 0;
    while left > 0 {
        nth += 1;
        let here = left.min(CARDS);
        log.append(conversation, &turn(nth, here)).await?;
        left -= here;
    }
    Ok(conversation)
}

fn turn(nth: usize, cards: usize) -> Vec<Event> {
    let run = RunId::mint();
    let says = |role, content: String| {
        Event::Message(Message { role, content, timestamp: clock::now(), ..Message::streaming(MessageId::mint()) })
    };
    let status = |status| {
        let (run_id, timestamp) = (run.clone(), Some(clock::now()));
        Event::AgentStatus(AgentStatus { run_id, status, error_message: None, timestamp })
    };
    let mut events = vec![says(Role::User, format!("Question {nth}")), status(RunStatus::Running)];
    events.extend((0..cards).flat_map(|_| Script::finished(&run, ENTRIES)));
    events.push(says(Role::Assistant, format!("This is **answer {nth}**, with a little text to read.")));
    events.push(status(RunStatus::Completed));
    events
}
