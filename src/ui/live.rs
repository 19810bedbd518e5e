//! The conversation that a page shows: the plain fold, and who is woken by what.
//!
//! Views read the fold through here, and by reading subscribe to the smallest thing they read. An event goes into the
//! fold, the fold tells what it touched, and just that wakes. Nothing is copied into signals, so what is shown cannot
//! differ from the fold; nothing else changes the conversation.

use std::collections::HashMap;

use leptos::prelude::*;

use crate::model::{
    Applied, Arrangements, CallId, Conversation, ConversationId, Entry, Event, Joined, Message, MessageId, Run, RunId,
    RunStatus, Seq, Stretch, ToolCall, Touch, Turn, message::MessageMetadata,
};

/// A handle; the conversation goes with the page that made it.
#[derive(Clone, Copy)]
pub struct Live {
    fold: StoredValue<Conversation>,
    wakes: StoredValue<HashMap<Touch, ArcTrigger>>,
}

/// What came of handing events to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    All,
    /// Some are missing in between: go on reading after this one.
    Gap {
        after: Seq,
    },
}

impl Live {
    pub fn new(conversation: Conversation) -> Self {
        Self { fold: StoredValue::new(conversation), wakes: StoredValue::default() }
    }

    pub fn id(self) -> ConversationId {
        self.fold.with_value(|conversation| conversation.id)
    }

    pub fn last_seq(self) -> Seq {
        self.fold.with_value(Conversation::last_seq)
    }

    /// Takes events in, then wakes everything they touched, each thing once.
    pub fn receive<'a>(self, events: impl IntoIterator<Item = &'a (Seq, Event)>) -> Received {
        let mut touched = Vec::new();
        let mut received = Received::All;
        // The page may have gone while its stream still had something to say.
        self.fold.try_update_value(|conversation| {
            for (seq, event) in events {
                match conversation.apply(*seq, event) {
                    Applied::Touched(things) => touched.extend(things),
                    Applied::Duplicate => {}
                    Applied::Gap { after } => {
                        received = Received::Gap { after };
                        break;
                    }
                }
            }
        });
        touched.sort_unstable();
        touched.dedup();
        let woken = self
            .wakes
            .try_with_value(|wakes| touched.iter().filter_map(|touch| wakes.get(touch).cloned()).collect::<Vec<_>>());
        for trigger in woken.unwrap_or_default() {
            trigger.notify();
        }
        received
    }

    /// Puts older turns before those that are there.
    pub fn prepend(self, stretch: Stretch) -> Joined {
        let joined = self.fold.try_update_value(|conversation| conversation.prepend(stretch)).unwrap_or(Joined::Stale);
        let trigger = self.wakes.try_with_value(|wakes| wakes.get(&Touch::Turns).cloned()).flatten();
        if let Some(trigger) = trigger.filter(|_| joined == Joined::Done) {
            trigger.notify();
        }
        joined
    }

    /// Forgets everything: the log turned out to be another one, and will be told from its start.
    pub fn forget(self) {
        self.fold.try_update_value(|conversation| *conversation = Conversation::new(conversation.id));
        let all = self.wakes.try_with_value(|wakes| wakes.values().cloned().collect::<Vec<_>>());
        for trigger in all.unwrap_or_default() {
            trigger.notify();
        }
    }

    /// The model that the last question was for, if it said so.
    pub fn last_model(self) -> Option<String> {
        self.last_carried(|metadata| metadata.model.clone())
    }

    fn last_carried<T>(self, read: impl Fn(&MessageMetadata) -> Option<T>) -> Option<T> {
        self.fold.with_value(|conversation| {
            let mut questions = conversation.turns().iter().rev().filter_map(|turn| conversation.question(turn));
            questions.find_map(|question| read(question.metadata.as_ref()?))
        })
    }

    /// The preset that the last question was asked with, if it said so.
    pub fn last_preset(self) -> Option<String> {
        self.last_carried(|metadata| metadata.prompt_path.clone())
    }

    /// The tools that the last question did without.
    pub fn last_tools_off(self) -> Vec<String> {
        self.peek(Conversation::tools_off)
    }

    /// What was asked, the newest first.
    pub fn questions(self) -> Vec<String> {
        self.peek(|known| {
            let questions = known.turns().iter().rev().filter_map(|turn| known.question(turn));
            questions.take(50).map(|question| question.content.clone()).collect()
        })
    }

    /// Whether somebody is at it: a run that only waits for a person is not running.
    pub fn is_running(self) -> bool {
        self.read(Touch::Activity, |conversation| {
            let runs = conversation.turns().iter().rev().filter_map(|turn| conversation.run(turn.run.as_ref()?));
            runs.take(50).any(|run| run.status == RunStatus::Running)
        })
    }

    /// Whether something will come without anybody doing anything: an answer is under way, or about to begin.
    pub fn is_going_on(self) -> bool {
        self.read(Touch::Activity, |conversation| {
            let is_on = |turn: &Turn| match turn.run.as_ref().and_then(|run| conversation.run(run)) {
                Some(run) => run.status == RunStatus::Running,
                None => true,
            };
            conversation.turns().iter().rev().take(50).any(is_on)
        })
    }

    /// Whether a call waits for somebody.
    pub fn is_asking(self) -> bool {
        self.read(Touch::Activity, |conversation| conversation.calls().any(ToolCall::waits_for_person))
    }

    /// Whether a turn goes no further until somebody does something, and nothing else of it is going on. Its calls are only
    /// looked at while one of them waits.
    pub fn is_held(self, turn: usize) -> bool {
        let stands = |entry: &Entry| match entry {
            Entry::Call(id) => {
                let stands =
                    |call: &ToolCall| call.status.is_ended() || call.waits_for_person() || !call.children.is_empty();
                self.call(id, stands).unwrap_or(true)
            }
            Entry::Message(_) => true,
        };
        self.is_asking() && self.entries(turn).iter().filter(|entry| !stands(entry)).count() == 0
    }

    /// Whether a question waits for the end of its answer.
    pub fn is_busy(self) -> bool {
        self.read(Touch::Activity, |conversation| conversation.unfinished_turns().next().is_some())
    }

    pub fn arrangements<T>(self, read: impl FnOnce(&Arrangements) -> T) -> T {
        self.read(Touch::Arrangements, |conversation| read(conversation.arrangements()))
    }

    pub fn turn_count(self) -> usize {
        self.read(Touch::Turns, Conversation::turn_count)
    }

    /// The first of those that are there.
    pub fn first_turn(self) -> usize {
        self.read(Touch::Turns, Conversation::first_turn)
    }

    pub fn entries(self, turn: usize) -> Vec<Entry> {
        self.read(Touch::Turn(turn), |conversation| {
            conversation.turn(turn).map(|turn| turn.entries.clone()).unwrap_or_default()
        })
    }

    pub fn run_of(self, turn: usize) -> Option<RunId> {
        self.read(Touch::Turn(turn), |conversation| conversation.turn(turn)?.run.clone())
    }

    pub fn has_children(self, call: &CallId) -> bool {
        self.read(Touch::Children(call.clone()), |conversation| {
            conversation.call(call).is_some_and(|call| !call.children.is_empty())
        })
    }

    pub fn children(self, call: &CallId) -> Vec<CallId> {
        self.read(Touch::Children(call.clone()), |conversation| {
            conversation.call(call).map(|call| call.children.clone()).unwrap_or_default()
        })
    }

    pub fn run<T>(self, id: &RunId, read: impl FnOnce(&Run) -> T) -> Option<T> {
        self.read(Touch::Run(id.clone()), |conversation| conversation.run(id).map(read))
    }

    pub fn message<T>(self, id: &MessageId, read: impl FnOnce(&Message) -> T) -> Option<T> {
        self.read(Touch::Message(id.clone()), |conversation| conversation.message(id).map(read))
    }

    pub fn call<T>(self, id: &CallId, read: impl FnOnce(&ToolCall) -> T) -> Option<T> {
        self.read(Touch::Call(id.clone()), |conversation| conversation.call(id).map(read))
    }

    /// Reads without subscribing, for what is looked at from time to time.
    pub fn peek<T>(self, read: impl FnOnce(&Conversation) -> T) -> T {
        self.fold.with_value(read)
    }

    /// Reads, and subscribes whoever reads to the thing that was read.
    fn read<T>(self, thing: Touch, read: impl FnOnce(&Conversation) -> T) -> T {
        let known = self.wakes.with_value(|wakes| wakes.get(&thing).cloned());
        let trigger = known.unwrap_or_else(|| {
            let trigger = ArcTrigger::new();
            self.wakes.update_value(|wakes| {
                wakes.insert(thing, trigger.clone());
            });
            trigger
        });
        trigger.track();
        self.fold.with_value(read)
    }
}

#[cfg(test)]
mod tests;
