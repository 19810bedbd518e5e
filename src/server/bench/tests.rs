//! What is measured is what is played.

use super::*;

#[test]
fn scenarios_are_read_from_words() {
    assert_eq!(Scenario::of("s1 20 5 10"), Some(Scenario::OneByOne { calls: 20, progress: 5, gap_ms: 10.0 }));
    assert_eq!(Scenario::of("s2 200 10000"), Some(Scenario::AtOnce { calls: 200, events: 10_000 }));
    assert_eq!(
        Scenario::of(" s6 200 10000 1000 "),
        Some(Scenario::Steadily { calls: 200, events: 10_000, per_second: 1000.0 })
    );
    assert_eq!(Scenario::of("s3 5 2.5"), Some(Scenario::OneMore { events: 5, gap_ms: 2.5 }));
    assert_eq!(Scenario::of("s3"), None);
    assert_eq!(Scenario::of("What is S. 3?"), None);
}

#[test]
fn as_many_events_as_were_asked_for() {
    let run = RunId::from("r");
    assert_eq!(Script::side_by_side(&run, 200, 10_000).events.len(), 10_000);
    assert_eq!(Script::one_by_one(&run, 20, 5).events.len(), 140);
    assert_eq!(Script::one_by_one(&run, 1, 3).events.len(), 5);
}
