//! The conversation as a model gets it: what was said, what was called, what came of that. It is made from the fold, so a
//! run that goes on after a crash asks with what a run that never stopped would have asked with.

use std::collections::HashMap;

use super::files::Files;
use crate::{
    model::{CallId, CallStatus, Conversation, Entry, Message, MessageId, Role, ToolCall, Turn, summary::bytes},
    server::models::{ARGS_CHANGED, Made, Said},
};

/// What a model gets of one result.
const LARGEST_RESULT: usize = 48 * 1024;

/// Everything up to the end of this turn, but for what was half said and is said anew; and where this turn begins.
pub fn history(
    conversation: &Conversation,
    until: usize,
    files: &Files,
    anew: Option<&MessageId>,
) -> (Vec<Said>, usize) {
    let (mut said, mut turn_at) = (Vec::new(), 0);
    for turn in conversation.turns().iter().take(until + 1) {
        turn_at = said.len();
        said.extend(turn_said(conversation, turn, files, anew));
    }
    (said, turn_at)
}

/// What one answer of the model said and called.
#[derive(Default)]
struct Step<'a> {
    message: Option<&'a Message>,
    /// With the newest of those that do it over, if one has a result.
    calls: Vec<(&'a ToolCall, Option<&'a ToolCall>)>,
}

fn turn_said(conversation: &Conversation, turn: &Turn, files: &Files, anew: Option<&MessageId>) -> Vec<Said> {
    let (mut said, mut steps, mut place) = (Vec::new(), Vec::<Step<'_>>::new(), HashMap::<&MessageId, usize>::new());
    let again = done_over(conversation, turn);
    for entry in &turn.entries {
        match entry {
            Entry::Message(id) if Some(id) == anew => {}
            Entry::Message(id) => match conversation.message(id) {
                Some(message) if message.role == Role::User => {
                    // What was asked later comes after what had come of the first question by then.
                    said.extend(std::mem::take(&mut steps).into_iter().flat_map(Step::said));
                    place.clear();
                    let (files, images) = files.of(message);
                    said.push(Said::User { text: message.content.clone(), files, images });
                }
                Some(message) if message.role == Role::Assistant => {
                    let step = *place.entry(id).or_insert_with(|| grow(&mut steps));
                    steps[step].message = Some(message);
                }
                Some(_) | None => {}
            },
            Entry::Call(id) => {
                let Some(call) = conversation.call(id).filter(|call| call.repeats.is_none()) else { continue };
                let step = match &call.message_id {
                    Some(id) => *place.entry(id).or_insert_with(|| grow(&mut steps)),
                    None => grow(&mut steps),
                };
                // One without words is no entry of its own.
                steps[step].message = call.message_id.as_ref().and_then(|id| conversation.message(id));
                steps[step].calls.push((call, again.get(&call.id).copied()));
            }
        }
    }
    said.extend(steps.into_iter().flat_map(Step::said));
    said
}

/// The newest result of each call that a person has had done over: that is the one they want.
fn done_over<'a>(conversation: &'a Conversation, turn: &'a Turn) -> HashMap<&'a CallId, &'a ToolCall> {
    let mut newest = HashMap::<&CallId, &ToolCall>::new();
    let calls = turn.entries.iter().filter_map(|entry| conversation.call_of(entry));
    for call in calls.filter(|call| call.status == CallStatus::Completed) {
        let Some(mut first) = call.repeats.as_ref() else { continue };
        while let Some(before) = conversation.call(first).and_then(|call| call.repeats.as_ref()) {
            first = before;
        }
        if newest.get(first).is_none_or(|known| known.ended_at < call.ended_at) {
            newest.insert(first, call);
        }
    }
    newest
}

fn grow(steps: &mut Vec<Step<'_>>) -> usize {
    steps.push(Step::default());
    steps.len() - 1
}

impl Step<'_> {
    fn said(self) -> Vec<Said> {
        let text = self.message.map(|message| message.content.clone()).unwrap_or_default();
        let kept = self.message.and_then(|message| message.metadata.as_ref()).map(|metadata| metadata.kept.clone());
        if text.trim().is_empty() && self.calls.is_empty() {
            return Vec::new();
        }
        let made = |(call, _): &(&ToolCall, Option<&ToolCall>)| Made {
            id: call.id.to_string(),
            name: call.tool_name.clone(),
            args: call.args().filter(serde_json::Value::is_object).unwrap_or_else(|| serde_json::json!({})),
        };
        let calls = self.calls.iter().map(made).collect();
        let assistant = Said::Assistant { text, calls, kept: kept.unwrap_or_default() };
        std::iter::once(assistant).chain(self.calls.iter().map(|(call, again)| result(call, *again))).collect()
    }
}

/// What came of a call, or of doing it over, in words where there is nothing else.
fn result(made: &ToolCall, again: Option<&ToolCall>) -> Said {
    let call = again.unwrap_or(made);
    let (content, is_error) = match (call.status, call.shown_result()) {
        _ if made.is_left_out => ("The person looked at this result and left it out.".to_owned(), false),
        (CallStatus::Cancelled, _) => ("The person cancelled this call.".to_owned(), true),
        (CallStatus::Denied, _) => match call.denial() {
            Some(why) => (format!("The person did not allow this call, and said: {why}"), true),
            None => ("The person did not allow this call.".to_owned(), true),
        },
        (_, Some(result)) => {
            let text = result.result.as_str().map_or_else(|| result.result.to_string(), str::to_owned);
            let mut content = text;
            if content.len() > LARGEST_RESULT {
                content.truncate(content.floor_char_boundary(LARGEST_RESULT));
                content.push('…');
            }
            if let Some(whole) = &result.whole {
                content.push_str(&format!("\n(This is the beginning; all of it has {}.)", bytes(whole.bytes)));
            }
            if again.is_some() && call.args() != made.args() {
                content.push_str(&format!("\n(The person had this run again, with {}.)", call.args_json));
            }
            if call.model_args.is_some() {
                content.push_str(ARGS_CHANGED);
            }
            (content, result.is_error)
        }
        (_, None) => (call.error_text().unwrap_or_else(|| "There is no result.".into()), true),
    };
    Said::Result { call_id: made.id.to_string(), name: made.tool_name.clone(), content, is_error }
}
