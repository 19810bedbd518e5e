//! The embedded agent: no model, no key, no network. It is asked like any model and answers in the same pieces: first the
//! calls that a question needs, then, with their results, what they found. It says nothing that no tool has found.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::Sender;

use super::{Ending, Finish, Heard, Piece, Request, Said};

/// What a question says.
mod asked;
/// What attached files are asked about.
mod attached;
/// What was found before.
mod earlier;
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
}

pub async fn answer(request: Request, tell: Sender<Heard>, pace: Duration) {
    let finish = match next(&request.messages) {
        Next::Calls(plans) => {
            for (nth, Plan { tool, args }) in plans.into_iter().enumerate() {
                let call = Piece::Call { nth, id: format!("call_{nth}"), name: tool.to_owned() };
                let chunk = args.to_string();
                for piece in [call, Piece::Arguments { nth, chunk }, Piece::Ready { nth, args }] {
                    let _ = tell.send(Heard::Piece(piece)).await;
                }
            }
            Finish::Calls
        }
        Next::Text(text) => {
            for line in text.split_inclusive('\n') {
                let _ = tell.send(Heard::Piece(Piece::Text(line.to_owned()))).await;
                tokio::time::sleep(pace).await;
            }
            Finish::Stop
        }
    };
    let _ = tell.send(Heard::End(Ending { finish, said: None })).await;
}

fn next(messages: &[Said]) -> Next {
    let asked = messages.iter().rposition(|said| matches!(said, Said::User { .. }));
    let (before, since) = messages.split_at(asked.map_or(0, |place| place + 1));
    let (question, files) = match before.last() {
        Some(Said::User { text, files, .. }) => (text.as_str(), &files[..]),
        _ => ("", &[][..]),
    };
    let asked = Asked::new(question);
    let found: Vec<Found<'_>> = since.iter().filter_map(|said| result(said, since)).collect();
    let planned =
        attached::plans(question, files).map_or_else(|| plan::next(question, &Earlier::of(before)), Next::Calls);
    match planned {
        Next::Text(text) => Next::Text(attached::with_remark(text, question, files)),
        Next::Calls(plans) => match not_made(stages::all(&asked, plans, &found), since) {
            left if left.is_empty() => {
                Next::Text(attached::with_remark(report::report(&asked, &found), question, files))
            }
            left => Next::Calls(left),
        },
    }
}

/// What of the plan is still to be done: all of it at first, and after an interruption what had not been called by then.
fn not_made(mut plans: Vec<Plan>, since: &[Said]) -> Vec<Plan> {
    for said in since {
        let Said::Assistant { calls, .. } = said else { continue };
        for call in calls {
            let is_it = |plan: &Plan| plan.tool == call.name && plan.args == call.args;
            if let Some(made) = plans.iter().position(is_it) {
                plans.remove(made);
            }
        }
    }
    plans
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
    Some(Found { tool: name, call_id, args, result, is_error: *is_error })
}
