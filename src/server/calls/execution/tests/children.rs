//! Calls of calls, and calls beside calls.

use super::*;
use crate::server::calls::step::{Step, aggregate};

#[tokio::test(flavor = "multi_thread")]
async fn fifty_deep_ends_and_nobody_waits_for_himself() {
    let bench = Bench::open(Limits { per_conversation: 2, per_server: 2 }).await;
    let result = bench.call("top", "fault", json!({"key": "n", "nest": 50})).await.unwrap();
    assert!(!result.is_error, "{result:?}");
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Completed).count(), 51);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_run_reaches_the_deepest_call() {
    let bench = Arc::new(Bench::open(Limits::default()).await);
    let top = bench.spawn("top", "fault", json!({"key": "t", "nest": 3, "hangs": true}));
    bench.until_started("t...").await;
    bench.caller.cancelled.cancel();
    assert_eq!(top.await.unwrap(), None);
    // The children write their endings by themselves.
    bench.until(|fold| fold.calls().all(|call| call.status.is_ended())).await;
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Cancelled).count(), 4, "all of them");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_holds_for_everything_below() {
    let bench = Bench::open(Limits::default()).await;
    let child = json!({"key": "slow", "slow_ms": 10_000});
    let result = bench.call("top", "fault_once", json!({"key": "t", "children": [child]})).await.unwrap();
    assert!(result.is_error && result.result.as_str().unwrap().contains("within 2.0 s"), "{result:?}");
    bench.until(|fold| fold.calls().all(|call| call.status.is_ended())).await;
    let fold = bench.fold().await;
    let child = fold.call(&fold.call(&"top".into()).unwrap().children[0]).unwrap();
    assert!(matches!(child.status, CallStatus::Cancelled | CallStatus::Failed), "{:?}", child.status);
    assert_eq!(bench.faults.started("slow"), 1, "there was no time for a second attempt");
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_run_side_by_side_or_in_order_up_to_the_first_failure() {
    let bench = Bench::open(Limits::default()).await;
    let order = |key: &str, slow_ms: u64, fail: bool| json!({"key": key, "slow_ms": slow_ms, "fail": fail});
    let ends = || bench.faults.ends.lock().unwrap().iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();

    let group = json!({"key": "p", "children": [order("slow", 300, false), order("quick", 0, false)]});
    let result = bench.call("parallel", "fault", group).await.unwrap();
    assert_eq!(result.result["children"], json!(["slow", "quick"]), "results are in the order of the calls");
    assert_eq!(ends(), ["quick", "slow", "p"], "they ran side by side");

    let group = [order("a", 50, false), order("b", 0, false), order("c", 0, true), order("d", 0, false)];
    let result =
        bench.call("ordered", "fault", json!({"key": "o", "in_order": true, "children": group})).await.unwrap();
    assert!(!result.is_error);
    assert_eq!(ends()[3..], ["a", "b", "o"], "one after the other");
    assert_eq!(bench.faults.started("d"), 0, "nothing begins behind a failure");
    let fold = bench.fold().await;
    let children = fold.call(&"ordered".into()).unwrap().children.iter().map(|id| fold.call(id).unwrap().status);
    use CallStatus::{Cancelled, Completed, Failed};
    assert_eq!(children.collect::<Vec<_>>(), [Completed, Completed, Failed, Cancelled]);

    let progress = |call: &str| -> Vec<f64> {
        let moments = &fold.call(&call.into()).unwrap().timeline;
        moments.iter().filter_map(|moment| moment.metadata.progress).collect()
    };
    assert_eq!(result.result["children"].as_array().map(Vec::len), Some(3), "what did not begin has no result");
    let told = progress("ordered");
    assert!(told.is_sorted() && told.last() == Some(&1.0), "a parent's progress is its children's: {told:?}");
    assert_eq!(progress("parallel").first(), Some(&0.5), "one of two");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_one_message_with_its_calls_and_results() {
    let bench = Bench::open(Limits::default()).await;
    let mut step = Step::new(bench.caller.clone(), "step".into());
    let orders =
        [json!({"key": "slow", "slow_ms": 100}), json!({"key": "bad", "fail": true}), json!({"bytes": 900_000})];
    for (index, args) in (0..).zip(orders) {
        let (reporter, events) = step.announce(index, "fault", &args);
        bench.caller.log.append(bench.caller.conversation, &events).await.unwrap();
        // It begins while the next is not even announced.
        step.start(reporter, "fault", args);
    }
    let called = step.finish().await.unwrap();
    bench.caller.log.append(bench.caller.conversation, &[aggregate("step".into(), &called)]).await.unwrap();
    let messages = bench.db.messages(bench.caller.conversation).await.unwrap();
    let [(seq, kind, json)] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!((*seq as u64, kind.as_str()), (bench.fold().await.last_seq(), "tools_aggregate"));
    let message: Value = serde_json::from_str(json).unwrap();
    assert_eq!(message["tool_calls"].as_array().unwrap().len(), 3);
    assert_eq!(message["tool_calls"][0]["args_summary"], "key: \"slow\", slow_ms: 100");
    assert_eq!(message["tool_results"][1]["is_error"], true);
    assert_eq!(message["tool_results"][2]["whole"]["bytes"], 900_000);
    assert!(json.len() < 100_000, "a preview is enough there: {}", json.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn children_of_a_parent_that_is_gone_end_all_the_same() {
    let bench = Bench::open(Limits::default()).await;
    let slow = json!({"slow_ms": 20_000});
    let args = json!({"key": "t", "in_order": true, "children": [slow, slow, slow, slow]});
    let mut step = Step::new(bench.caller.clone(), "m".into());
    let (reporter, events) = step.announce(0, "fault_once", &args);
    bench.caller.log.append(bench.caller.conversation, &events).await.unwrap();
    step.start(reporter, "fault_once", args);
    let called = step.finish().await.unwrap();
    assert!(called[0].result.as_ref().unwrap().is_error, "it took too long");
    let fold = bench.fold().await;
    assert_eq!(fold.calls().count(), 5);
    assert!(fold.calls().all(|call| call.status.is_ended()), "a step is over when everything below it is");
    let cancelled = fold.calls().filter(|call| call.status == CallStatus::Cancelled).count();
    assert_eq!(cancelled, 4, "and nobody claims anything else");
    assert!(bench.db.due_conversations().await.unwrap().is_empty(), "so nothing is left to be taken up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_runs_on_its_parents_seat() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 2, per_server: 8 }).await);
    let others: Vec<_> =
        (0..6).map(|n| bench.spawn(&format!("o{n}"), "fault", json!({"key": "other", "slow_ms": 1_000}))).collect();
    let parent = bench.call("p", "fault", json!({"key": "p", "children": [{"key": "child"}, {"key": "child"}]})).await;
    assert!(!parent.unwrap().is_error);
    let began = |call: &ToolCall| call.started_at.unwrap();
    let fold = bench.fold().await;
    let parent = fold.call(&"p".into()).unwrap();
    let child = fold.call(&parent.children[0]).unwrap();
    let waited = began(child).millis_since(began(parent));
    assert!(waited < 500, "it does not queue behind those who came before: {waited} ms");
    for other in others {
        other.await.unwrap();
    }
    assert!(bench.faults.most.load(std::sync::atomic::Ordering::SeqCst) <= 3, "and its parent rests meanwhile");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retried_parent_keeps_its_seat() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 2, per_server: 8 }).await);
    let order = json!({"key": "p", "fail_times": 1, "children": [{"slow_ms": 20}]});
    let calls: Vec<_> = (0..8).map(|n| bench.spawn(&format!("c{n}"), "fault", order.clone())).collect();
    for call in calls {
        assert!(!call.await.unwrap().unwrap().is_error);
    }
    // Two seats; on each a parent at rest and its child.
    assert!(bench.faults.most.load(std::sync::atomic::Ordering::SeqCst) <= 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_said_after_the_ending() {
    let bench = Bench::open(Limits::default()).await;
    let chatty = json!({"flood": 300, "lines": 300});
    bench.call("p", "fault", json!({"flood": 50, "children": [chatty, chatty, {"nest": 2}]})).await.unwrap();
    let (mut reader, mut ended) = (bench.caller.log.follow(bench.caller.conversation, 0), Vec::new());
    let last = bench.fold().await.last_seq();
    let mut seen = 0;
    while seen < last {
        let frames = String::from_utf8(reader.next().await.unwrap().bytes.to_vec()).unwrap();
        for frame in frames.split_terminator("\n\n") {
            let (id, data) = frame.split_once('\n').unwrap();
            seen = id.strip_prefix("id: ").unwrap().parse().unwrap();
            let id = match Event::decode(data.strip_prefix("data: ").unwrap()) {
                Event::ToolCall(event) if event.status.is_ended() => {
                    ended.push(event.id);
                    continue;
                }
                Event::ToolCall(event) => event.id,
                Event::ToolOutput(output) => output.tool_call_id,
                _ => continue,
            };
            assert!(!ended.contains(&id), "{id} has ended and says {frame}");
        }
    }
    assert_eq!(ended.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_called_something_once_is_not_tried_again() {
    let bench = Bench::open(Limits::default()).await;
    let children = json!([{"tool": "fault_once", "key": "effect"}]);
    // A parent that would be tried again: its failure may pass.
    let parent = json!({"key": "p", "children": children, "fails_after": true});
    let result = bench.call("p", "fault", parent).await.unwrap();
    assert!(result.is_error, "{result:?}");
    assert_eq!((bench.faults.started("p"), bench.faults.started("effect")), (1, 1));
}
