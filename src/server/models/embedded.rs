//! The embedded agent: no model, no key, no network. It is asked like any model and answers in the same pieces: first the
//! calls that a question needs, then, with their results, what they found. It says nothing that no tool has found.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::Sender;

use super::{ARGS_CHANGED, Ending, Finish, Heard, Piece, Request, Said};

/// What a question says.
mod asked;
/// What attached files are asked about.
mod attached;
/// What was found before.
mod earlier;
/// What somebody wants done, not found.
mod errands;
/// What presidents have signed.
mod executive;
/// Questions about what was found before.
mod follow;
/// Which tools a question calls for.
mod plan;
/// What of a question was left out.
mod remarks;
/// What was found, in words.
mod report;
/// Work of several steps, and its plan.
mod stages;
/// What is no question about legislation.
mod talk;

use asked::Asked;
use earlier::Earlier;
use errands::Errand;
use plan::{Next, Plan};

/// A call that was made for the question, and what came of it.
pub struct Found<'a> {
    pub tool: &'a str,
    /// Where its card is.
    pub call_id: &'a str,
    /// What it was asked for.
    pub args: Value,
    pub result: Value,
    pub is_error: bool,
    /// A person has changed what it was asked for.
    pub is_changed: bool,
}

pub async fn answer(request: Request, tell: Sender<Heard>, pace: Duration) {
    let offered: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    let (text, plans) = next(&request.messages, request.turn_at, &offered);
    for line in text.split_inclusive('\n') {
        let _ = tell.send(Heard::Piece(Piece::Text(line.to_owned()))).await;
        tokio::time::sleep(pace).await;
    }
    let finish = if plans.is_empty() { Finish::Stop } else { Finish::Calls };
    for (nth, Plan { tool, args }) in plans.into_iter().enumerate() {
        let call = Piece::Call { nth, id: format!("call_{nth}"), name: tool.to_owned() };
        let chunk = args.to_string();
        for piece in [call, Piece::Arguments { nth, chunk }, Piece::Ready { nth, args }] {
            let _ = tell.send(Heard::Piece(piece)).await;
        }
    }
    let _ = tell.send(Heard::End(Ending { finish, said: None })).await;
}

/// What to say, and what to call. Questions that came while others were worked on are answered after them, one by one.
fn next(messages: &[Said], turn_at: usize, offered: &[&str]) -> (String, Vec<Plan>) {
    let (mut texts, mut after) = (Vec::new(), 0);
    for place in open_questions(messages, turn_at) {
        let (before, since) = messages.split_at(place + 1);
        // Calls are made for one question at a time, so they come in the order of the questions.
        let from = after.max(place + 1);
        let results = |(nth, said)| result(said, messages).map(|found| (from + nth + 1, found));
        let mut made: Vec<(usize, Found<'_>)> = messages[from..].iter().enumerate().filter_map(results).collect();
        let mut found: Vec<Found<'_>> = Vec::new();
        let text = loop {
            match due(before, &found, offered) {
                Next::Text(text) => break text,
                Next::Calls(left) => match made.iter().position(|(_, found)| planned_as(&left, found).is_some()) {
                    Some(nth) => {
                        let (end, result) = made.remove(nth);
                        found.push(result);
                        after = after.max(end);
                    }
                    None => return (joined(&texts), left),
                },
            }
        };
        if !has_said(since, &text) {
            texts.push(text);
        }
    }
    (joined(&texts), Vec::new())
}

/// Where the questions of this turn are that have no answer yet: an answer is a text without calls.
fn open_questions(messages: &[Said], turn_at: usize) -> Vec<usize> {
    let is_answer = |said: &Said| matches!(said, Said::Assistant { text, calls, .. } if calls.is_empty() && !text.trim().is_empty());
    let from = messages.iter().rposition(is_answer).map_or(0, |place| place + 1).max(turn_at);
    let is_question = |place: &usize| matches!(messages[*place], Said::User { .. });
    (from..messages.len()).filter(is_question).collect()
}

fn has_said(since: &[Said], told: &str) -> bool {
    since.iter().any(|said| matches!(said, Said::Assistant { text, .. } if text.contains(told.trim())))
}

fn joined(texts: &[String]) -> String {
    texts.iter().map(|text| text.trim_end()).collect::<Vec<_>>().join("\n\n")
}

/// What is still to be done about the last question of these, with what was found for it: calls, or the answer.
fn due(before: &[Said], found: &[Found<'_>], offered: &[&str]) -> Next {
    let (question, files) = match before.last() {
        Some(Said::User { text, files, .. }) => (text.as_str(), &files[..]),
        _ => ("", &[][..]),
    };
    let asked = Asked::new(question);
    if let Some(errand) = Errand::of(question, before) {
        return errand.next(&asked, found, |tool| offered.contains(&tool));
    }
    let planned =
        attached::plans(question, files).map_or_else(|| plan::next(question, &Earlier::of(before)), Next::Calls);
    match planned {
        Next::Text(text) => Next::Text(attached::with_remark(text, question, files)),
        Next::Calls(plans) => match not_made(stages::all(&asked, plans, found), found) {
            left if left.is_empty() => {
                Next::Text(attached::with_remark(report::report(&asked, found), question, files))
            }
            left => Next::Calls(left),
        },
    }
}

/// What of the plan is still to be done: all of it at first, and after an interruption what had not been called by then.
fn not_made(mut plans: Vec<Plan>, found: &[Found<'_>]) -> Vec<Plan> {
    for made in found {
        if let Some(made) = planned_as(&plans, made) {
            plans.remove(made);
        }
    }
    plans
}

/// Which call of a plan was made. A person may have changed its arguments; one that never got any was not made.
fn planned_as(plans: &[Plan], made: &Found<'_>) -> Option<usize> {
    let is_it = |plan: &Plan| plan.tool == made.tool && plan.args == made.args;
    let is_changed = |plan: &Plan| made.is_changed && plan.tool == made.tool;
    plans.iter().position(is_it).or_else(|| plans.iter().position(is_changed))
}

/// A result, with what was asked for in the call that it belongs to.
fn result<'a>(said: &'a Said, all: &[Said]) -> Option<Found<'a>> {
    let Said::Result { call_id, name, content, is_error } = said else { return None };
    // What was shortened has a remark behind it.
    let first = serde_json::Deserializer::from_str(content).into_iter().next();
    let result = first.and_then(Result::ok).unwrap_or_else(|| content.as_str().into());
    let made = all.iter().find_map(|said| match said {
        Said::Assistant { calls, .. } => calls.iter().find(|call| call.id == *call_id),
        Said::User { .. } | Said::Result { .. } => None,
    });
    let args = made.map(|made| made.args.clone()).unwrap_or_default();
    let is_changed = content.ends_with(ARGS_CHANGED);
    Some(Found { tool: name, call_id, args, result, is_error: *is_error, is_changed })
}
