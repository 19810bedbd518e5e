//! What holds for the fold whatever the log says, and however it is delivered.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use serde_json::json;

use super::{
    event::{Delta, ToolCallEvent, ToolOutput, ToolResult, ToolsCallUpdate},
    *,
};
use crate::testing::{any_event, any_metadata, call_event, cases, user_message};

fn folded(events: &[Event]) -> Conversation {
    let mut conversation = empty();
    for (seq, event) in (1..).zip(events) {
        assert!(matches!(conversation.apply(seq, event), Applied::Touched(_)));
    }
    conversation
}

fn empty() -> Conversation {
    Conversation::new(ConversationId::from_uuid(uuid::Uuid::nil()))
}

/// One call's life, in strands. Within a strand the order is given; across strands the log permits any.
#[derive(Clone, Debug)]
struct Life {
    strands: Vec<Vec<Event>>,
}

/// Lives that make sense: a named call, arguments in chunks, a walk along the statuses, output, one result.
fn life(id: String) -> impl Strategy<Value = Life> {
    let steps = vec((0..CallStatus::ALL.len(), any_metadata(), any::<bool>()), 0..7);
    let args = vec("[a-z]{1,3}", 0..4);
    let output = vec("[a-z]{1,3}", 0..3);
    (steps, args, output, any::<Option<bool>>()).prop_map(move |(steps, args, output, result)| {
        let name = Some("search_bills".to_owned());
        let update = |chunk: &str, function_name| {
            Event::ToolsCallUpdate(ToolsCallUpdate {
                message_id: "step".into(),
                index: 0,
                tool_call_id: id.as_str().into(),
                function_name,
                function_args: Some(chunk.into()),
            })
        };
        let mut updates = vec![update("", name)];
        updates.extend(args.iter().map(|chunk| update(chunk, None)));
        Life {
            strands: vec![
                updates,
                walk(&id, &steps),
                output
                    .into_iter()
                    .map(|chunk| Event::ToolOutput(ToolOutput { tool_call_id: id.as_str().into(), chunk, whole: None }))
                    .collect(),
                result
                    .map(|is_error| {
                        let tool_call_id = id.as_str().into();
                        Event::ToolResult(ToolResult {
                            tool_call_id,
                            result: json!([1]),
                            is_error,
                            duration_ms: 7,
                            cached: false,
                            whole: None,
                        })
                    })
                    .into_iter()
                    .collect(),
            ],
        }
    })
}

/// A walk along what section 3 permits, with further attempts now and then.
fn walk(id: &str, steps: &[(usize, Metadata, bool)]) -> Vec<Event> {
    let (mut status, mut attempt, mut events) = (CallStatus::Queued, 1, Vec::new());
    for (at, (choice, metadata, again)) in steps.iter().enumerate() {
        if status.is_ended() {
            break;
        }
        let next = CallStatus::ALL[*choice];
        if *again && !next.is_ended() {
            attempt += 1;
        } else if next != status && !status.may_become(next) {
            continue;
        }
        status = next;
        events.push(Event::ToolCall(ToolCallEvent {
            metadata: metadata.clone(),
            attempt: Some(attempt),
            timestamp: Timestamp::from_millis(at as i64 * 1000),
            ..call_event(id, status)
        }));
    }
    events
}

/// Several lives and some text, and an order in which the log took them.
fn interleaved() -> impl Strategy<Value = (Vec<Life>, Vec<Event>)> {
    let lives = (1..4_usize).prop_flat_map(|n| (0..n).map(|n| life(format!("c{n}"))).collect::<Vec<_>>());
    (lives, vec("[a-z]{1,3}", 0..5)).prop_flat_map(|(lives, text)| {
        let text = text.into_iter().map(|delta| Event::TextDelta(Delta { message_id: "m".into(), delta })).collect();
        let strands: Vec<Vec<Event>> = lives.iter().flat_map(|life| life.strands.clone()).chain([text]).collect();
        let turns: Vec<usize> = strands.iter().enumerate().flat_map(|(n, strand)| vec![n; strand.len()]).collect();
        (Just(lives), Just(strands), Just(turns).prop_shuffle()).prop_map(|(lives, strands, turns)| {
            let mut strands: Vec<_> = strands.into_iter().map(Vec::into_iter).collect();
            (lives, turns.into_iter().filter_map(|n| strands[n].next()).collect())
        })
    })
}

/// A call without what the order of delivery may decide: where its moments stand in the log.
fn call_as_such(conversation: &Conversation, id: &str) -> Option<ToolCall> {
    let mut call = conversation.call(&id.into())?.clone();
    call.timeline.iter_mut().for_each(|moment| moment.seq = 0);
    Some(call)
}

/// Every known call has exactly one card, and every entry something to show.
fn check_shape(conversation: &Conversation) {
    let mut places: BTreeMap<&CallId, u32> = BTreeMap::new();
    for entry in conversation.turns().iter().flat_map(|turn| &turn.entries) {
        match entry {
            Entry::Call(id) => *places.entry(id).or_default() += 1,
            Entry::Message(id) => assert!(conversation.message(id).is_some(), "{id} is shown and not there"),
        }
    }
    for call in conversation.calls() {
        for child in &call.children {
            assert_eq!(conversation.call(child).and_then(|child| child.parent_id.as_ref()), Some(&call.id));
            *places.entry(child).or_default() += 1;
        }
    }
    for call in conversation.calls() {
        assert_eq!(places.remove(&call.id), Some(1), "{} has not exactly one card", call.id);
    }
    assert!(places.is_empty(), "cards without a call: {places:?}");
}

/// Everything that differs between two states, in the words in which the fold tells what it touched.
fn differences(before: &Conversation, after: &Conversation) -> Vec<Touch> {
    let mut found = Vec::new();
    if before.unfinished_turns().next().is_some() != after.unfinished_turns().next().is_some() {
        found.push(Touch::Activity);
    }
    if before.turns().len() != after.turns().len() {
        found.push(Touch::Turns);
    }
    for (n, turn) in after.turns().iter().enumerate() {
        if before.turns().get(n).unwrap_or(&Turn::default()) != turn {
            found.push(Touch::Turn(n));
        }
        found.extend(turn.run.iter().filter(|id| before.run(id) != after.run(id)).cloned().map(Touch::Run));
        for entry in &turn.entries {
            if let Entry::Message(id) = entry
                && before.message(id) != after.message(id)
            {
                found.push(Touch::Message(id.clone()));
            }
        }
    }
    for call in after.calls() {
        let known = before.call(&call.id);
        if known.map(|call| &call.children).unwrap_or(&Vec::new()) != &call.children {
            found.push(Touch::Children(call.id.clone()));
        }
        let own = |call: &ToolCall| ToolCall { children: Vec::new(), ..call.clone() };
        if known.map(own) != Some(own(call)) {
            found.push(Touch::Call(call.id.clone()));
        }
    }
    found
}

proptest! {
    #![proptest_config(cases(10_000))]

    /// Whatever order the log took them in, early results and late arguments included, each call ends up the same.
    #[test]
    fn order_across_strands_does_not_matter((lives, events) in interleaved()) {
        let conversation = folded(&events);
        check_shape(&conversation);
        for (n, life) in lives.iter().enumerate() {
            let canonical = folded(&life.strands.concat());
            let id = format!("c{n}");
            prop_assert_eq!(call_as_such(&conversation, &id), call_as_such(&canonical, &id));
        }
    }

    /// A reader may be cut off anywhere, be told things again, keep its state as JSON, and go on.
    #[test]
    fn any_prefix_and_any_repetition(
        events in vec(any_event(), 1..40), cut in any::<prop::sample::Index>(), again in vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let whole = folded(&events);
        let cut = cut.index(events.len() + 1);
        let kept = serde_json::to_string(&folded(&events[..cut])).unwrap();
        let mut resumed: Conversation = serde_json::from_str(&kept).unwrap();
        for seq in again.iter().filter(|_| cut > 0).map(|index| index.index(cut)) {
            prop_assert_eq!(resumed.apply(seq as Seq + 1, &events[seq]), Applied::Duplicate);
        }
        if cut + 1 < events.len() {
            prop_assert_eq!(resumed.apply(cut as Seq + 2, &events[cut + 1]), Applied::Gap { after: cut as Seq });
        }
        for (seq, event) in (1..).zip(&events).skip(cut) {
            let first = resumed.apply(seq, event);
            prop_assert!(matches!(first, Applied::Touched(_)));
            prop_assert_eq!(resumed.apply(seq, event), Applied::Duplicate);
        }
        prop_assert_eq!(resumed, whole);
    }

    /// Whatever comes, nothing breaks, what has ended stays as it ended, and the fold tells all that it changed.
    #[test]
    fn any_events_at_all(events in vec(any_event(), 1..40)) {
        let mut conversation = empty();
        for (seq, event) in (1..).zip(&events) {
            let before = conversation.clone();
            let Applied::Touched(touched) = conversation.apply(seq, event) else { panic!("{seq} was not taken") };
            for difference in differences(&before, &conversation) {
                prop_assert!(touched.contains(&difference), "{event:?} changed {difference:?} and touched {touched:?}");
            }
            for call in before.calls().filter(|call| call.status.is_ended()) {
                let now = conversation.call(&call.id).unwrap();
                prop_assert_eq!(now.status, call.status);
                // Unless it was a record that closed it.
                if call.ended_at.is_none() {
                    continue;
                }
                prop_assert_eq!((now.status, now.ended_at, now.timeline.len()), (call.status, call.ended_at, call.timeline.len()));
            }
            for call in before.calls() {
                prop_assert_eq!(&conversation.call(&call.id).unwrap().title, &call.title);
            }
        }
        check_shape(&conversation);
        prop_assert_eq!(conversation.last_seq(), events.len() as Seq);
        for call in conversation.calls() {
            // The words for people must hold up too.
            let _ = (call.stage_line(), call.subject(), call.preview(), call.duration(Timestamp::default()));
            prop_assert!(call.progress().is_none_or(|progress| (0.0..=1.0).contains(&progress)));
        }
    }
}

/// A result of the call `c`.
fn one() -> ToolResult {
    ToolResult {
        tool_call_id: "c".into(),
        result: json!(1),
        is_error: false,
        duration_ms: 5,
        cached: false,
        whole: None,
    }
}

#[test]
fn a_result_before_its_call_waits_for_it() {
    let result = one();
    let mut conversation = empty();
    assert_eq!(conversation.apply(1, &Event::ToolResult(result.clone())), Applied::Touched(vec![]));
    assert_eq!(conversation.calls().count(), 0, "nothing to show yet");
    let named = ToolCallEvent { tool_name: Some("t".into()), ..call_event("c", CallStatus::Starting) };
    conversation.apply(2, &Event::ToolCall(named));
    assert_eq!(conversation.call(&"c".into()).and_then(ToolCall::shown_result), Some(&result));
}

#[test]
fn a_late_result_after_cancel_is_kept_and_not_shown() {
    let named = |status| Event::ToolCall(ToolCallEvent { tool_name: Some("t".into()), ..call_event("c", status) });
    let result = one();
    let conversation =
        folded(&[named(CallStatus::InProgress), named(CallStatus::Cancelled), Event::ToolResult(result)]);
    let call = conversation.call(&"c".into()).unwrap();
    assert!(call.result.is_some() && call.shown_result().is_none());
}

#[test]
fn runs_take_up_questions_in_their_order() {
    let status = |run: &str, status| {
        Event::AgentStatus(event::AgentStatus { run_id: run.into(), status, error_message: None, timestamp: None })
    };
    let say = |id: &str| Event::TextDelta(Delta { message_id: id.into(), delta: "…".into() });
    let conversation = folded(&[
        user_message("q1", "one"),
        status("r1", RunStatus::Running),
        user_message("q2", "two"),
        say("a1"),
        status("r1", RunStatus::Completed),
        status("r2", RunStatus::Running),
        say("a2"),
    ]);
    let shown: Vec<Vec<Entry>> = conversation.turns().iter().map(|turn| turn.entries.clone()).collect();
    let message = |id: &str| Entry::Message(id.into());
    assert_eq!(shown, [[message("q1"), message("a1")], [message("q2"), message("a2")]]);
    assert_eq!(conversation.unfinished_turns().count(), 1);
}

#[test]
fn children_stand_below_their_parent_and_never_in_a_circle() {
    let child = |id: &str, parent: &str| {
        let parent_id = Some(parent.into());
        Event::ToolCall(ToolCallEvent {
            tool_name: Some("t".into()),
            parent_id,
            ..call_event(id, CallStatus::Starting)
        })
    };
    let conversation = folded(&[child("a", "b"), child("b", "a"), child("c", "b"), child("d", "d")]);
    check_shape(&conversation);
    let roots: Vec<_> = conversation.turns().iter().flat_map(|turn| turn.entries.clone()).collect();
    assert_eq!(roots, [Entry::Call("a".into()), Entry::Call("d".into())]);
    assert_eq!(conversation.call(&"a".into()).unwrap().children, ["b".into()]);
    assert_eq!(conversation.call(&"b".into()).unwrap().children, ["c".into()]);
}

#[test]
fn the_seeds_own_search_comes_out_as_it_says() {
    let step = |json: &str| Event::decode(&format!(r#"{{"type":"tool_call","data":{{"id":"search_001",{json}}}}}"#));
    let conversation = folded(&[
        step(
            r#""tool_name":"search_bills","status":"starting","stage":"preparing_search","metadata":{"query":"healthcare legislation","iteration":1,"max_iterations":20},"timestamp":"2025-01-15T10:30:00Z""#,
        ),
        step(
            r#""tool_name":"","status":"in_progress","stage":"executing_query","metadata":{"filters_applied":["status:active"]},"timestamp":"2025-01-15T10:30:01Z""#,
        ),
        step(
            r#""tool_name":"","status":"in_progress","stage":"processing_results","metadata":{"results_found":15,"total_results":15},"timestamp":"2025-01-15T10:30:02Z""#,
        ),
        step(
            r#""tool_name":"","status":"completed","stage":"finalizing","metadata":{"iteration":3,"total_results":28},"timestamp":"2025-01-15T10:30:05Z""#,
        ),
        step(
            r#""tool_name":"","status":"failed","stage":"finalizing","metadata":{},"timestamp":"2025-01-15T10:30:06Z""#,
        ),
    ]);
    let call = conversation.call(&"search_001".into()).unwrap();
    assert_eq!((call.status, call.timeline.len()), (CallStatus::Completed, 4), "the second ending is no ending");
    assert_eq!(call.title, "Search bills");
    assert_eq!(call.stage_line(), "28 bills found · 3 iterations");
    assert_eq!(call.duration_ms(Timestamp::default()), Some(5000));
}
