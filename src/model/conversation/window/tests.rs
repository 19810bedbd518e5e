//! A conversation that was put together piece by piece equals the one that was folded from its start.

use proptest::{collection::vec, prelude::*};
use serde_json::json;

use super::*;
use crate::{
    model::{
        Applied, CallStatus, ConversationId,
        event::{AgentStatus, ContextEvent, Delta, ToolCallEvent, ToolResult},
    },
    testing::{call_event, cases, user_message},
};

/// What somebody or something does next. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Act {
    Ask,
    Begin,
    Say,
    Call,
    Child(usize),
    Answer(usize),
    End,
    /// A call of any age is done over.
    Again(usize),
    LeaveOut(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Ask),
        4 => Just(Act::Begin),
        3 => Just(Act::Say),
        4 => Just(Act::Call),
        1 => any::<usize>().prop_map(Act::Child),
        3 => any::<usize>().prop_map(Act::Answer),
        4 => Just(Act::End),
        1 => any::<usize>().prop_map(Act::Again),
        1 => any::<usize>().prop_map(Act::LeaveOut),
    ]
}

/// The log that comes of it.
fn played(acts: &[Act]) -> Vec<Event> {
    let mut log = Vec::new();
    let (mut asked, mut begun) = (0, 0);
    let mut running = None::<RunId>;
    let mut calls: Vec<(CallId, RunId)> = Vec::new();
    for act in acts {
        let n = log.len();
        let status = |run_id: &RunId, status| {
            let run_id = run_id.clone();
            Event::AgentStatus(AgentStatus { run_id, status, error_message: None, timestamp: None })
        };
        let chosen = |choice: usize| calls.get(choice % calls.len().max(1)).cloned();
        let call = |run: &RunId, parent_id, repeats| {
            let event = call_event(&format!("c{n}"), CallStatus::Starting);
            let (tool_name, run_id) = (Some("t".to_owned()), Some(run.clone()));
            Event::ToolCall(ToolCallEvent { tool_name, run_id, parent_id, repeats, ..event })
        };
        match act {
            Act::Ask => {
                asked += 1;
                log.push(user_message(&format!("q{n}"), "?"));
            }
            Act::Begin if running.is_none() && begun < asked => {
                begun += 1;
                let run = RunId::from(format!("r{n}").as_str());
                log.push(status(&run, RunStatus::Running));
                running = Some(run);
            }
            Act::Say if running.is_some() => {
                log.push(Event::TextDelta(Delta {
                    message_id: format!("m{}", n / 3).as_str().into(),
                    delta: "a".into(),
                }));
            }
            Act::Call => {
                if let Some(run) = running.clone() {
                    log.push(call(&run, None, None));
                    calls.push((format!("c{n}").as_str().into(), run));
                }
            }
            Act::Child(choice) => {
                if let (Some(run), Some((parent, of))) = (running.clone(), chosen(*choice))
                    && run == of
                {
                    log.push(call(&run, Some(parent), None));
                    calls.push((format!("c{n}").as_str().into(), run));
                }
            }
            Act::Answer(choice) => {
                if let Some((id, _)) = chosen(*choice) {
                    let result = json!(n);
                    log.push(Event::ToolResult(ToolResult {
                        tool_call_id: id,
                        result,
                        is_error: false,
                        duration_ms: 1,
                        cached: false,
                        whole: None,
                    }));
                }
            }
            Act::End => {
                if let Some(run) = running.take() {
                    log.push(status(&run, RunStatus::Completed));
                }
            }
            Act::Again(choice) => {
                if let Some((repeats, run)) = chosen(*choice) {
                    log.push(call(&run, None, Some(repeats)));
                    calls.push((format!("c{n}").as_str().into(), run));
                }
            }
            Act::LeaveOut(choice) => {
                if let Some((tool_call_id, _)) = chosen(*choice) {
                    log.push(Event::Context(ContextEvent { tool_call_id, is_left_out: n % 2 == 0 }));
                }
            }
            Act::Begin | Act::Say => {}
        }
    }
    log
}

fn folded(events: &[Event]) -> Conversation {
    let mut all = Conversation::new(ConversationId::from_uuid(uuid::Uuid::nil()));
    for (seq, event) in (1..).zip(events) {
        assert!(matches!(all.apply(seq, event), Applied::Touched(_)));
    }
    all
}

/// Everything that somebody could see.
fn seen(known: &Conversation) -> impl PartialEq + std::fmt::Debug + use<> {
    let whole = known.stretch(known.first_turn, known.turn_count());
    (whole, known.current_turn, known.turn_of_run.clone(), known.arrangements.clone())
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn piece_by_piece_equals_the_whole(
        acts in vec(act(), 1..120), cut in 0.0..1.0_f64, things in 1..12_usize, asks in vec(0..6_usize, 120),
    ) {
        let log = played(&acts);
        let cut = (cut * log.len() as f64) as usize;
        let mut page = folded(&log[..cut]).window(things);
        prop_assert_eq!(page.turn_count(), folded(&log[..cut]).turn_count());
        let mut held = None::<Stretch>;
        for (seq, event) in (1..).zip(&log).skip(cut) {
            prop_assert!(matches!(page.apply(seq, event), Applied::Touched(_)));
            // A stretch is asked for now and then, is told as of a little earlier or later, and tried until it fits.
            let asked = asks[seq as usize % asks.len()];
            if asked < 3 && page.first_turn > 0 && held.is_none() {
                let as_of = (seq as usize + asked).saturating_sub(1).clamp(cut, log.len());
                held = Some(folded(&log[..as_of]).before(page.first_turn, things));
            }
            if let Some(stretch) = held.take() && page.prepend(stretch.clone()) == Joined::Early {
                held = Some(stretch);
            }
        }
        let whole = folded(&log);
        while page.first_turn > 0 {
            prop_assert_eq!(page.prepend(whole.before(page.first_turn, things)), Joined::Done);
        }
        prop_assert_eq!(seen(&page), seen(&whole));
    }
}

#[test]
fn a_window_holds_the_newest_and_says_where_the_rest_is() {
    let acts = [Act::Ask, Act::Begin, Act::Call, Act::Say, Act::End];
    let log = played(&acts.iter().cycle().take(50).cloned().collect::<Vec<_>>());
    let whole = folded(&log);
    let page = whole.window(6);
    assert_eq!((page.first_turn(), page.turn_count()), (8, 10));
    assert!(page.calls().count() == 2 && whole.calls().count() == 10);
    let old = whole.turn(0).and_then(|turn| {
        turn.entries.iter().find_map(|entry| match entry {
            Entry::Call(id) => Some(id.clone()),
            Entry::Message(_) => None,
        })
    });
    let old = old.unwrap();
    assert_eq!((whole.turn_of_call(&old), page.turn_of_call(&old)), (Some(0), None));
    let stretch = whole.before(8, 6);
    let mut page = page;
    assert_eq!(page.prepend(stretch.clone()), Joined::Done);
    assert_eq!(page.first_turn(), 6);
    assert_eq!(page.prepend(stretch), Joined::Stale, "twice");
    assert_eq!(whole.excerpt(3, 1000).turns(), &whole.turns()[..3]);
}

#[test]
fn what_is_not_over_is_always_held() {
    let mut acts = vec![Act::Ask, Act::Begin, Act::Say, Act::End, Act::Ask, Act::Begin, Act::Call];
    acts.extend(vec![Act::Ask; 20]);
    let page = folded(&played(&acts)).window(1);
    assert_eq!((page.first_turn(), page.turn_count()), (1, 22));
}
