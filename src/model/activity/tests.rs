//! A run that is drawn, from its events.

use super::*;
use crate::{
    model::{
        Event, RunStatus,
        event::{AgentStatus, AgentStepCompleted, ToolCallEvent},
        run::Usage,
    },
    testing::{call_event, user_message},
};

const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_000_000 + seconds * 1000)
}

fn moment(id: &str, status: CallStatus, seconds: i64, attempt: u32, parent: Option<&str>) -> Event {
    Event::ToolCall(ToolCallEvent {
        tool_name: Some("search_bills".into()),
        run_id: Some("r".into()),
        parent_id: parent.map(Into::into),
        attempt: Some(attempt),
        timestamp: at(seconds),
        ..call_event(id, status)
    })
}

fn status(status: RunStatus, seconds: i64) -> Event {
    Event::AgentStatus(AgentStatus { run_id: "r".into(), status, error_message: None, timestamp: Some(at(seconds)) })
}

fn folded(events: &[Event]) -> Conversation {
    let mut conversation = Conversation::new(crate::model::ConversationId::mint());
    for (seq, event) in (1..).zip(events) {
        conversation.apply(seq, event);
    }
    conversation
}

fn drawn(segments: &[Segment]) -> Vec<(f64, f64, &'static str)> {
    segments.iter().map(|segment| (segment.from, segment.to, segment.kind.as_str())).collect()
}

#[test]
fn a_run_is_drawn_with_its_retries_its_waiting_and_its_children() {
    use CallStatus::{Completed, InProgress, Queued, Retrying, Starting};
    let step = AgentStepCompleted {
        run_id: "r".into(),
        step: 1,
        duration_ms: 10_000,
        usage: Usage { input_tokens: 5, output_tokens: 2 },
        model_ms: Some(1000),
        timestamp: Some(at(10)),
    };
    let conversation = folded(&[
        user_message("q", "?"),
        status(RunStatus::Running, 0),
        moment("a", Queued, 1, 1, None),
        moment("a", Starting, 2, 1, None),
        moment("b", Queued, 2, 1, Some("a")),
        moment("b", Starting, 2, 1, Some("a")),
        moment("a", InProgress, 3, 1, None),
        moment("a", Retrying, 4, 1, None),
        moment("b", Completed, 5, 1, Some("a")),
        moment("a", Starting, 6, 2, None),
        moment("a", Completed, 10, 2, None),
        Event::AgentStepCompleted(step),
    ]);
    let turn = &conversation.turns()[0];
    let drawing = conversation.waterfall(turn, at(20));
    assert_eq!((drawing.total_ms, drawing.is_running), (20_000, true));
    assert_eq!(drawn(&drawing.model), [(0.0, 0.05, "model"), (0.5, 1.0, "model")], "the next step is the model's");
    let [a, b] = &drawing.rows[..] else { panic!("two rows") };
    assert_eq!(
        drawn(&a.segments),
        [(0.05, 0.1, "wait"), (0.1, 0.2, "failed"), (0.2, 0.3, "wait"), (0.3, 0.5, "completed")]
    );
    assert_eq!((b.depth, drawn(&b.segments)), (1, vec![(0.1, 0.1, "wait"), (0.1, 0.25, "completed")]));

    let mut ended = conversation.clone();
    ended.apply(13, &status(RunStatus::Completed, 12));
    let drawing = ended.waterfall(&ended.turns()[0], at(500));
    assert_eq!((drawing.total_ms, drawing.is_running), (12_000, false), "what is over does not grow");
    let totals = ended.totals(&ended.turns()[0], at(500));
    assert_eq!((totals.calls, totals.failures, totals.tokens, totals.wall_ms), (2, 0, 7, 12_000));
}

#[test]
fn what_knows_no_time_draws_nothing_and_breaks_nothing() {
    let conversation = folded(&[user_message("q", "?")]);
    assert_eq!(conversation.waterfall(&conversation.turns()[0], at(5)), Waterfall::default());
    let old = folded(&[user_message("q", "?"), moment("a", CallStatus::Starting, 1, 1, None)]);
    assert_eq!(old.waterfall(&old.turns()[0], at(3)).total_ms, 2000);
}

#[test]
fn ticks_are_easy_to_read() {
    assert_eq!(ticks(18_400, 6), [0, 5000, 10_000, 15_000]);
    assert_eq!(ticks(900, 5), [0, 200, 400, 600, 800]);
    assert_eq!(ticks(0, 5), [0]);
    assert!(ticks(u64::MAX / 2, 5).len() <= 5);
}
