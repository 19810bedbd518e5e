//! Some of a conversation instead of all of it: a page begins with the newest turns, follows the log from there with the
//! same fold, and puts older stretches before them when somebody reads upwards. A conversation that is put together in
//! this way equals the one that was folded from the start.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Conversation, Entry, Seq, Turn};
use crate::model::{CallId, Event, Message, MessageId, Role, Run, RunId, RunStatus, ToolCall};

/// Turns that follow each other, with everything that stands in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Up to which event they tell.
    pub as_of: Seq,
    first_turn: usize,
    turns: Vec<Turn>,
    messages: BTreeMap<MessageId, Message>,
    calls: BTreeMap<CallId, ToolCall>,
    runs: BTreeMap<RunId, Run>,
}

/// What came of putting a stretch before what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    Done,
    /// It tells of events that have not come here yet. They will.
    Early,
    /// Something about it was told here since, or it does not end where the rest begins. Ask for another.
    Stale,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Something that is held, or begins now.
    Held,
    /// Something in the turns that are not held.
    Earlier,
    /// Something in those turns, or something that begins soon.
    Either,
}

impl Conversation {
    /// The newest turns with about so many messages and cards, and in any case all that is not over. It goes on with the
    /// events after `last_seq`, like the whole.
    pub fn window(&self, things: usize) -> Self {
        let newest = self.begin_of(self.turn_count(), things);
        let is_open =
            |turn: &Turn| turn.run.as_ref().and_then(|id| self.runs.get(id)).is_none_or(|run| !run.status.is_ended());
        let open = self.turns.iter().position(is_open).map(|turn| self.first_turn + turn);
        let first = [Some(newest), open, self.current_turn].into_iter().flatten().min().unwrap_or(newest);
        let Stretch { first_turn, turns, messages, mut calls, runs, .. } = self.stretch(first, self.turn_count());
        // What is known of calls that have no name yet may be of these turns.
        let nameless = self.calls.iter().filter(|(_, call)| !call.is_known());
        calls.extend(nameless.map(|(id, call)| (id.clone(), call.clone())));
        Self {
            id: self.id,
            last_seq: self.last_seq,
            first_turn,
            missed: self.missed,
            turn_of_run: turns_of_runs(first_turn, &turns),
            turns,
            messages,
            calls,
            runs,
            arrangements: self.arrangements.clone(),
            current_turn: self.current_turn,
        }
    }

    /// The turns before this one, about so many messages and cards of them.
    pub fn before(&self, turn: usize, things: usize) -> Stretch {
        let turn = turn.clamp(self.first_turn, self.turn_count());
        self.stretch(self.begin_of(turn, things), turn)
    }

    /// The same as a conversation of its own, to be read and not to be followed.
    pub fn excerpt(&self, before: usize, things: usize) -> Self {
        let Stretch { as_of, first_turn, turns, messages, calls, runs } = self.before(before, things);
        Self {
            last_seq: as_of,
            first_turn,
            turn_of_run: turns_of_runs(first_turn, &turns),
            turns,
            messages,
            calls,
            runs,
            arrangements: self.arrangements.clone(),
            ..Self::new(self.id)
        }
    }

    /// Puts older turns before those that are held.
    pub fn prepend(&mut self, stretch: Stretch) -> Joined {
        if stretch.first_turn + stretch.turns.len() != self.first_turn || self.missed > stretch.as_of {
            return Joined::Stale;
        }
        if stretch.as_of > self.last_seq {
            return Joined::Early;
        }
        self.first_turn = stretch.first_turn;
        self.turn_of_run.extend(turns_of_runs(stretch.first_turn, &stretch.turns));
        self.turns.splice(0..0, stretch.turns);
        self.messages.extend(stretch.messages);
        self.calls.extend(stretch.calls);
        self.runs.extend(stretch.runs);
        Joined::Done
    }

    /// In which turn a call stands, if it is held here.
    pub fn turn_of_call(&self, id: &CallId) -> Option<usize> {
        let mut root = self.call(id)?;
        while let Some(parent) = root.parent_id.as_ref().and_then(|parent| self.call(parent)) {
            root = parent;
        }
        let has = |turn: &Turn| turn.entries.iter().any(|entry| matches!(entry, Entry::Call(id) if *id == root.id));
        match root.run_id.as_ref().and_then(|run| self.turn_of_run.get(run)) {
            Some(turn) => Some(*turn),
            None => self.turns.iter().position(has).map(|turn| self.first_turn + turn),
        }
    }

    /// Whether an event is about something in the turns that are not held. What is new always begins with an event of its
    /// run or its message, or one that names its call; whatever else is not known is older, or, while something goes on,
    /// has come before its beginning.
    pub(super) fn is_about(&self, event: &Event) -> About {
        if self.first_turn == 0 {
            return About::Held;
        }
        let run = |run: &RunId| if self.turn_of_run.contains_key(run) { About::Held } else { About::Earlier };
        let fact = |call: &CallId| match self.call(call) {
            Some(_) => About::Held,
            None if self.unfinished_turns().next().is_some() => About::Either,
            None => About::Earlier,
        };
        match event {
            Event::AgentStatus(event) => {
                let may_begin = event.status == RunStatus::Running || self.oldest_waiting() < self.turn_count();
                if may_begin { About::Held } else { run(&event.run_id) }
            }
            Event::AgentStepCompleted(event) => run(&event.run_id),
            Event::AgentContinuation(event) => run(&event.run_id),
            Event::Usage(event) => run(&event.run_id),
            Event::ToolCall(event) if self.call(&event.id).is_some() => About::Held,
            Event::ToolCall(event) => {
                let is_orphan = event.parent_id.as_ref().is_some_and(|parent| self.call(parent).is_none());
                match &event.run_id {
                    Some(of) => run(of),
                    None if is_orphan => About::Earlier,
                    None if event.tool_name.is_none() => fact(&event.id),
                    None => About::Held,
                }
            }
            Event::ToolsCallUpdate(update) if update.function_name.is_some() => About::Held,
            Event::ToolsCallUpdate(update) => fact(&update.tool_call_id),
            Event::ToolOutput(output) => fact(&output.tool_call_id),
            Event::ToolResult(result) => fact(&result.tool_call_id),
            Event::Context(context) => fact(&context.tool_call_id),
            Event::Answer(answer) => fact(&answer.tool_call_id),
            Event::Steer(steer) if !self.turn_of_run.contains_key(&steer.run_id) => About::Either,
            Event::ToolsAggregate(aggregate) => {
                let ids = aggregate.tool_calls.iter().filter_map(|call| call.id.as_ref());
                let ids = ids.chain(aggregate.tool_results.iter().map(|result| &result.tool_call_id));
                ids.map(fact).find(|about| *about != About::Earlier).unwrap_or(About::Earlier)
            }
            Event::Message(message) => {
                let call = message.metadata.as_ref().and_then(|metadata| metadata.tool_call_id.as_ref());
                call.filter(|_| message.role == Role::Tool).map_or(About::Held, fact)
            }
            _ => About::Held,
        }
    }

    /// Where to begin, so that from there up to a turn there are about so many things: at least one turn.
    fn begin_of(&self, until: usize, things: usize) -> usize {
        let mut left = things;
        let held = &self.turns[..until.saturating_sub(self.first_turn).min(self.turns.len())];
        let fitting = held.iter().rev().take_while(|turn| {
            let fits = left > 0;
            left = left.saturating_sub(self.things_in(turn));
            fits
        });
        until - fitting.count()
    }

    fn things_in(&self, turn: &Turn) -> usize {
        turn.entries
            .iter()
            .map(|entry| match entry {
                Entry::Message(_) => 1,
                Entry::Call(id) => self.family_of(id).len(),
            })
            .sum::<usize>()
            .max(1)
    }

    /// A call and all calls below it.
    fn family_of(&self, id: &CallId) -> Vec<&ToolCall> {
        let mut family: Vec<&ToolCall> = self.calls.get(id).into_iter().collect();
        let mut seen = 0;
        while let Some(call) = family.get(seen) {
            family.extend(call.children.iter().filter_map(|child| self.calls.get(child)));
            seen += 1;
        }
        family
    }

    fn stretch(&self, from: usize, until: usize) -> Stretch {
        let turns = self.turns[from - self.first_turn..until - self.first_turn].to_vec();
        let (mut messages, mut calls, mut runs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut keep = |id: &MessageId| {
            if let Some(message) = self.messages.get(id) {
                messages.insert(id.clone(), message.clone());
            }
        };
        for turn in &turns {
            if let Some(run) = turn.run.as_ref().and_then(|run| self.runs.get(run)) {
                runs.insert(run.id.clone(), run.clone());
            }
            for entry in &turn.entries {
                match entry {
                    Entry::Message(id) => keep(id),
                    Entry::Call(id) => {
                        for call in self.family_of(id) {
                            // The message that made the call is not always shown.
                            call.message_id.iter().for_each(&mut keep);
                            calls.insert(call.id.clone(), call.clone());
                        }
                    }
                }
            }
        }
        Stretch { as_of: self.last_seq, first_turn: from, turns, messages, calls, runs }
    }
}

fn turns_of_runs(first_turn: usize, turns: &[Turn]) -> BTreeMap<RunId, usize> {
    (first_turn..).zip(turns).filter_map(|(number, turn)| Some((turn.run.clone()?, number))).collect()
}

#[cfg(test)]
mod tests;
