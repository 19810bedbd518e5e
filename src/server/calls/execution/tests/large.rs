//! More than an event can carry, and more than anyone can read.

use super::*;
use crate::server::calls::keep;

#[tokio::test(flavor = "multi_thread")]
async fn ten_megabytes_are_kept_whole_and_the_event_has_a_preview() {
    let bench = Bench::open(Limits::default()).await;
    let result = bench.call("text", "fault", json!({"key": "t", "bytes": 10_000_000})).await.unwrap();
    assert_eq!(result.result.as_str().unwrap().len(), 10_000_000, "whoever called gets all of it");
    let logged = bench.ended("text").await.result.unwrap();
    let preview = logged.result.as_str().unwrap();
    assert!(preview.len() < keep::LARGEST_EVENT && preview.ends_with('…'), "{}", preview.len());
    assert_eq!(logged.whole.as_ref().map(|kept| kept.bytes), Some(10_000_000));
    assert_eq!(bench.whole("text", What::Result).await, result.result.as_str().unwrap());

    let list = bench.call("list", "fault", json!({"key": "l", "items": 5_000})).await.unwrap();
    let logged = bench.ended("list").await.result.unwrap();
    assert!(logged.result["items"].as_array().unwrap().len() >= 50, "a preview has the shape of the whole");
    let whole: Value = serde_json::from_str(&bench.whole("list", What::Result).await).unwrap();
    assert_eq!(whole, list.result);
    let row = bench.db.kept(bench.caller.conversation, &"list".into(), What::Result).await.unwrap().unwrap();
    assert!(row.is_json);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_output_is_a_trickle_in_the_log_and_kept_whole() {
    let bench = Bench::open(Limits::default()).await;
    let before = bench.fold().await.last_seq();
    let started = Instant::now();
    bench.call("c", "fault", json!({"key": "k", "lines": 50_000})).await;
    let events = bench.fold().await.last_seq() - before;
    let most = 8 + started.elapsed().as_millis() as u64 / 100;
    assert!(events <= most, "{events} events in {:?}", started.elapsed());
    let call = bench.ended("c").await;
    assert!(
        call.output.starts_with("line 0 of 50000\n") && call.output.contains("There is more"),
        "{}",
        call.output.len()
    );
    let whole = bench.whole("c", What::Output).await;
    assert_eq!(whole.lines().count(), 50_000);
    assert!(whole.ends_with("line 49999 of 50000\n"));
    assert_eq!(call.whole_output.unwrap().bytes, whole.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_progress_is_a_trickle_in_the_log() {
    let bench = Bench::open(Limits::default()).await;
    let started = Instant::now();
    bench.call("c", "fault", json!({"key": "k", "flood": 5_000, "slow_ms": 150})).await;
    let call = bench.ended("c").await;
    let said: Vec<_> = call.timeline.iter().filter_map(|moment| moment.metadata.message.clone()).collect();
    let most = 3 + started.elapsed().as_millis() as usize / 100;
    assert!(said.len() <= most, "{} in {:?}", said.len(), started.elapsed());
    assert_eq!(said.last().map(String::as_str), Some("5000 of 5000: all steps"), "the last word arrives");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_stages_is_a_trickle_too() {
    let bench = Bench::open(Limits::default()).await;
    let started = Instant::now();
    bench.call("c", "fault", json!({"key": "k", "stages": 5_001})).await;
    let call = bench.ended("c").await;
    let most = 110 + started.elapsed().as_millis() as usize / 100;
    assert!(call.timeline.len() <= most, "{} in {:?}", call.timeline.len(), started.elapsed());
    let said = call.timeline.iter().filter_map(|moment| moment.metadata.total_results);
    assert_eq!(said.max(), Some(5_000), "the last word arrives");
}
