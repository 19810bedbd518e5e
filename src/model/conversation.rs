//! The whole: everything on the screen is a `Conversation`, and a `Conversation` is a fold of events.
//!
//! Here is what it holds and how it is read; how an event changes it is in `fold`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Arrangements, CallId, ConversationId, Message, MessageId, Role, Run, RunId, ToolCall};

/// `Conversation::apply`: one event in, what it touched out.
mod fold;
/// Some of a conversation instead of all of it: its end, and what comes before, piece by piece.
mod window;

pub use window::{Joined, Stretch};

/// An event's place in its conversation's log: 1, 2, 3, …
pub type Seq = u64;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    pub id: ConversationId,
    last_seq: Seq,
    /// How many turns come before those that are held here. Where the whole is held: none.
    #[serde(default)]
    first_turn: usize,
    /// The last event that was about something which is not held here.
    #[serde(default)]
    missed: Seq,
    turns: Vec<Turn>,
    messages: BTreeMap<MessageId, Message>,
    calls: BTreeMap<CallId, ToolCall>,
    runs: BTreeMap<RunId, Run>,
    arrangements: Arrangements,
    /// In which turn each run's things stand.
    turn_of_run: BTreeMap<RunId, usize>,
    /// The turn that is being worked on: where things go that name no run.
    current_turn: Option<usize>,
}

/// A question and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    pub run: Option<RunId>,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Entry {
    Message(MessageId),
    /// Calls of calls stand below their parent instead.
    Call(CallId),
}

/// What came of handing an event to the fold.
#[derive(Clone, Debug, PartialEq)]
pub enum Applied {
    Touched(Vec<Touch>),
    /// Seen before; nothing changed.
    Duplicate,
    /// Events are missing in between; nothing changed. Read again from `after`.
    Gap {
        after: Seq,
    },
}

/// The smallest thing that an event changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Touch {
    /// There is a further turn.
    Turns,
    /// The entries of this turn, or which run it has.
    Turn(usize),
    Message(MessageId),
    Call(CallId),
    /// The call has a further child.
    Children(CallId),
    Run(RunId),
    /// Whether anything is under way.
    Activity,
    Arrangements,
}

impl Conversation {
    pub fn new(id: ConversationId) -> Self {
        Self {
            id,
            last_seq: 0,
            first_turn: 0,
            missed: 0,
            turns: Vec::new(),
            messages: BTreeMap::new(),
            calls: BTreeMap::new(),
            runs: BTreeMap::new(),
            arrangements: Arrangements::default(),
            turn_of_run: BTreeMap::new(),
            current_turn: None,
        }
    }

    pub const fn last_seq(&self) -> Seq {
        self.last_seq
    }

    /// The turns that are held here: all, or the newest.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Where the turns that are held here begin.
    pub const fn first_turn(&self) -> usize {
        self.first_turn
    }

    /// How many turns there are, held here or not.
    pub const fn turn_count(&self) -> usize {
        self.first_turn + self.turns.len()
    }

    /// The turn with this number, counted from the beginning of the conversation.
    pub fn turn(&self, turn: usize) -> Option<&Turn> {
        self.turns.get(turn.checked_sub(self.first_turn)?)
    }

    pub const fn arrangements(&self) -> &Arrangements {
        &self.arrangements
    }

    pub fn message(&self, id: &MessageId) -> Option<&Message> {
        self.messages.get(id)
    }

    pub fn run(&self, id: &RunId) -> Option<&Run> {
        self.runs.get(id)
    }

    /// A call with a card. Those that are only waited for are not told of.
    pub fn call(&self, id: &CallId) -> Option<&ToolCall> {
        self.calls.get(id).filter(|call| call.is_known())
    }

    /// The call that stands here, if one does.
    pub fn call_of(&self, entry: &Entry) -> Option<&ToolCall> {
        match entry {
            Entry::Call(id) => self.call(id),
            Entry::Message(_) => None,
        }
    }

    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.values().filter(|call| call.is_known())
    }

    /// What was asked in a turn.
    pub fn question(&self, turn: &Turn) -> Option<&Message> {
        self.questions(turn).next()
    }

    /// All that was asked in a turn: what came later went into the same run.
    pub fn questions<'a, 't>(&'a self, turn: &'t Turn) -> impl DoubleEndedIterator<Item = &'a Message> + use<'a, 't> {
        turn.entries.iter().filter_map(move |entry| match entry {
            Entry::Message(id) => self.message(id).filter(|message| message.role == Role::User),
            Entry::Call(_) => None,
        })
    }

    /// Whether nobody has taken this question up yet.
    pub fn is_waiting(&self, message: &MessageId) -> bool {
        self.waiting_turn(message).is_some()
    }

    /// Questions that nobody has taken up yet, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Message> {
        self.turns.iter().filter(|turn| turn.run.is_none()).filter_map(|turn| self.question(turn))
    }

    /// The tools that the newest question did without.
    pub fn tools_off(&self) -> Vec<String> {
        let newest = self.turns.iter().rev().find_map(|turn| self.question(turn));
        newest.and_then(|question| Some(question.metadata.as_ref()?.tools_off.clone())).unwrap_or_default()
    }

    /// The turn that a run answers, or will: the oldest that has none.
    pub fn turn_of_run(&self, run: &RunId) -> Option<&Turn> {
        let waiting = || self.turns.iter().find(|turn| turn.run.is_none());
        self.turn_of_run.get(run).and_then(|turn| self.turn(*turn)).or_else(waiting)
    }

    /// Turns whose question nobody has taken up yet, and those whose run goes on.
    pub fn unfinished_turns(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().filter(|turn| match turn.run.as_ref().and_then(|id| self.runs.get(id)) {
            Some(run) => !run.status.is_ended(),
            None => true,
        })
    }
}
