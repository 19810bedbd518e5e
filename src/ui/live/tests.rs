//! What is shown equals the plain fold. A memo stands for a view here: it reads once, and again only when it is woken.

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{
    model::ConversationId,
    testing::{any_event, cases},
};

/// A call, and which children it has.
type Card = (Memo<Option<ToolCall>>, Memo<Vec<CallId>>);

/// Views of everything there is, made as things appear and never made anew.
struct Page {
    live: Live,
    turns: Memo<usize>,
    entries: Vec<Memo<(Vec<Entry>, Option<RunId>)>>,
    calls: HashMap<CallId, Card>,
    messages: HashMap<MessageId, Memo<Option<Message>>>,
    runs: HashMap<RunId, Memo<Option<Run>>>,
}

impl Page {
    fn new(live: Live) -> Self {
        let turns = Memo::new(move |_| live.turn_count());
        Self { live, turns, entries: vec![], calls: HashMap::new(), messages: HashMap::new(), runs: HashMap::new() }
    }

    /// Makes a view for what has appeared, as the keyed lists of a page do.
    fn grow(&mut self) {
        let live = self.live;
        for turn in self.entries.len()..self.turns.get_untracked() {
            self.entries.push(Memo::new(move |_| (live.entries(turn), live.run_of(turn))));
        }
        let mut calls = Vec::new();
        for (entries, run) in self.entries.iter().map(GetUntracked::get_untracked) {
            if let Some(id) = run {
                self.runs.entry(id.clone()).or_insert_with(|| Memo::new(move |_| live.run(&id, Run::clone)));
            }
            for entry in entries {
                match entry {
                    Entry::Call(id) => calls.push(id),
                    Entry::Message(id) => {
                        let of = id.clone();
                        self.messages
                            .entry(id)
                            .or_insert_with(|| Memo::new(move |_| live.message(&of, Message::clone)));
                    }
                }
            }
        }
        while let Some(id) = calls.pop() {
            let of = id.clone();
            let (_, children) = self.calls.entry(id).or_insert_with(|| {
                let parent = of.clone();
                (Memo::new(move |_| live.call(&of, ToolCall::clone)), Memo::new(move |_| live.children(&parent)))
            });
            calls.extend(children.get_untracked());
        }
    }

    fn check(&mut self, plain: &Conversation) -> Result<(), TestCaseError> {
        self.grow();
        prop_assert_eq!(self.turns.get_untracked(), plain.turns().len());
        for (shown, turn) in self.entries.iter().zip(plain.turns()) {
            prop_assert_eq!(shown.get_untracked(), (turn.entries.clone(), turn.run.clone()));
        }
        prop_assert_eq!(self.calls.len(), plain.calls().count());
        // A card reads its children apart from the rest, so that a child does not wake its parent.
        let own = |call: &ToolCall| ToolCall { children: vec![], ..call.clone() };
        for (id, (shown, children)) in &self.calls {
            let call = plain.call(id).unwrap();
            prop_assert_eq!(shown.get_untracked().as_ref().map(own), Some(own(call)));
            prop_assert_eq!(&children.get_untracked(), &call.children);
        }
        for (id, shown) in &self.messages {
            prop_assert_eq!(shown.get_untracked(), plain.message(id).cloned());
        }
        for (id, shown) in &self.runs {
            prop_assert_eq!(shown.get_untracked(), plain.run(id).cloned());
        }
        Ok(())
    }
}

fn empty() -> Conversation {
    Conversation::new(ConversationId::from_uuid(uuid::Uuid::nil()))
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn what_is_shown_equals_the_fold(events in vec(any_event(), 1..40), frames in vec(1..6_usize, 40), resync in any::<bool>()) {
        let owner = Owner::new();
        owner.with(|| {
            let events: Vec<(Seq, Event)> = (1..).zip(events).collect();
            let live = Live::new(empty());
            let mut page = Page::new(live);
            let mut plain = empty();
            let mut rest = &events[..];
            for frame in frames {
                let (now, later) = rest.split_at(frame.min(rest.len()));
                rest = later;
                // Whatever arrives twice is taken once.
                prop_assert_eq!(live.receive(now), Received::All);
                prop_assert_eq!(live.receive(now), Received::All);
                for (seq, event) in now {
                    plain.apply(*seq, event);
                }
                page.check(&plain)?;
            }
            if resync {
                live.forget();
                prop_assert_eq!(live.last_seq(), 0);
                live.receive(&events);
                page.check(&plain)?;
            }
            Ok(())
        })?;
    }
}

#[test]
fn an_event_wakes_only_what_it_is_about() {
    let owner = Owner::new();
    owner.with(|| {
        let call = |seq, id: &str, status| {
            let tool_name = Some("t".to_owned());
            let event = crate::model::event::ToolCallEvent { tool_name, ..crate::testing::call_event(id, status) };
            (seq, Event::ToolCall(event))
        };
        use crate::model::CallStatus::{InProgress, Starting};
        let live = Live::new(empty());
        live.receive(&[call(1, "a", Starting), call(2, "b", Starting)]);
        let reads = |id: &'static str| {
            let count = StoredValue::new(0);
            let memo = Memo::new(move |_| {
                count.update_value(|n| *n += 1);
                live.call(&id.into(), |call| call.status)
            });
            move || {
                memo.get_untracked();
                count.get_value()
            }
        };
        let (a, b) = (reads("a"), reads("b"));
        assert_eq!((a(), b()), (1, 1));
        live.receive(&[call(3, "b", InProgress)]);
        assert_eq!((a(), b()), (1, 2), "a card was woken by what another one did");
    });
}

#[test]
fn a_gap_is_reported_and_what_came_before_it_is_kept() {
    let owner = Owner::new();
    owner.with(|| {
        let live = Live::new(empty());
        assert_eq!(live.receive(&[(1, Event::Unknown), (3, Event::Unknown)]), Received::Gap { after: 1 });
        assert_eq!(live.last_seq(), 1);
    });
}
