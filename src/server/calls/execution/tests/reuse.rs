//! What was found before, and how long it took.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_is_answered_from_what_is_known() {
    let bench = Bench::open(Limits::default()).await;
    let first = bench.call("a", "fault_cached", json!({"key": "k", "items": 2})).await.unwrap();
    let again = bench.call("b", "fault_cached", json!({"items": 2.0, "key": "k"})).await.unwrap();
    assert_eq!((first.cached, again.cached, &first.result), (false, true, &again.result));
    let call = bench.ended("b").await;
    assert!(call.metadata.cache_age_ms.is_some(), "with its age");
    assert_eq!((bench.faults.started("k"), call.status), (1, CallStatus::Completed));

    bench.call("c", "fault_cached", json!({"key": "k", "items": 3})).await.unwrap();
    assert_eq!(bench.faults.started("k"), 2, "other arguments are another call");
    for call in ["d", "e"] {
        assert!(bench.call(call, "fault_cached", json!({"key": "f", "fail": true})).await.unwrap().is_error);
    }
    assert_eq!(bench.faults.started("f"), 2, "failures are not kept");

    let id = done_over(&bench, &bench.ended("b").await).await;
    let fresh = bench.fold().await.call(&id).unwrap().result.clone().unwrap();
    assert_eq!((fresh.cached, bench.faults.started("k")), (false, 3), "it runs when somebody wants it to");
    let fold = bench.fold().await;
    assert_eq!(fold.call(&id).unwrap().repeats, Some("b".into()));
    let entries = format!("{:?}", fold.turns()[0].entries);
    let place = |id: &str| entries.find(&format!("\"{id}\"")).unwrap();
    assert!(place("b") < place(id.as_str()) && place(id.as_str()) < place("c"), "it stands below the old one");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_calls_at_once_share_one_execution() {
    // With one slot: those who wait must not hold it.
    let bench = Arc::new(Bench::open(Limits { per_conversation: 2, per_server: 8 }).await);
    let order = json!({"key": "k", "slow_ms": 200, "nest": 1});
    let calls: Vec<_> = (0..10).map(|n| bench.spawn(&format!("c{n}"), "fault_cached", order.clone())).collect();
    let mut shared = 0;
    for call in calls {
        let result = call.await.unwrap().unwrap();
        assert!(!result.is_error);
        shared += usize::from(result.cached);
    }
    assert_eq!((bench.faults.started("k"), shared), (1, 9));

    // When the one that runs is cancelled, another takes over.
    let order = json!({"key": "c", "slow_ms": 300});
    let first = bench.spawn("first", "fault_cached", order.clone());
    bench.until_started("c").await;
    let second = bench.spawn("second", "fault_cached", order);
    bench.until(|fold| fold.call(&"second".into()).is_some_and(|call| call.stage_line().contains("same call"))).await;
    assert!(bench.cancel("first"));
    assert_eq!(first.await.unwrap(), None);
    assert!(second.await.unwrap().is_some_and(|result| !result.is_error && !result.cached));
    assert_eq!(bench.faults.started("c"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_call_knows_what_is_usual() {
    let bench = Bench::open(Limits::default()).await;
    for n in 0..6 {
        bench.call(&format!("c{n}"), "fault", json!({"key": "k", "slow_ms": 20})).await;
    }
    let (first, last) = (bench.ended("c0").await, bench.ended("c5").await);
    assert_eq!(first.metadata.p50_ms, None, "nothing is usual yet");
    assert!(last.metadata.p50_ms.is_some_and(|millis| (20..2_000).contains(&millis)), "{:?}", last.metadata);
    assert!(last.metadata.p95_ms >= last.metadata.p50_ms);
    let remembered = bench.db.durations().await.unwrap();
    assert_eq!(remembered.len(), 6);
    assert!(remembered.iter().all(|(tool, millis)| tool == "fault" && *millis >= 20), "{remembered:?}");
}

/// Does a call of the log over, as a person would have it done.
async fn done_over(bench: &Bench, call: &ToolCall) -> CallId {
    let (again, args) = (bench.caller.repeating(call, false), call.args().unwrap());
    let id = again.call_id().clone();
    let events = [again.announcement(), again.arguments(&"m".into(), 0, &args)];
    bench.caller.log.append(bench.caller.conversation, &events).await.unwrap();
    execute(again, args).await.unwrap();
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_fresh_call_calls_is_fresh_too() {
    let bench = Bench::open(Limits::default()).await;
    let order = json!({"key": "outer", "children": [{"tool": "fault_cached", "key": "inner"}]});
    bench.call("a", "fault", order.clone()).await.unwrap();
    bench.call("b", "fault", order).await.unwrap();
    assert_eq!((bench.faults.started("outer"), bench.faults.started("inner")), (2, 1), "what is known is used");
    let call = bench.ended("b").await;
    done_over(&bench, &call).await;
    assert_eq!((bench.faults.started("outer"), bench.faults.started("inner")), (3, 2), "unless somebody says so");

    let child = bench.fold().await.call(&call.children[0]).unwrap().clone();
    let repeated = done_over(&bench, &child).await;
    assert_eq!(bench.faults.started("inner"), 3);
    let fold = bench.fold().await;
    assert_eq!(fold.call(&"b".into()).unwrap().children, [child.id, repeated], "it stands below the old one");
}
