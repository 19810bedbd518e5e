//! A tool that does everything wrong, and what becomes of its calls.

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    model::{CallId, Conversation, ConversationId, RunId, ToolCall, event::AgentStatus, words::RunStatus},
    server::{
        calls::{Calls, lanes::Limits},
        db::{self, Db, derived::What},
        log::EventLog,
        tools::{Registry, fault::Faults},
    },
};

/// Calls of calls, and calls beside calls.
mod children;
/// More than an event can carry, and more than anyone can read.
mod large;
/// What was found before.
mod reuse;

const PATIENCE: Duration = Duration::from_secs(20);

struct Bench {
    caller: Caller,
    db: Db,
    faults: Faults,
    _folder: tempfile::TempDir,
}

impl Bench {
    async fn open(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (db, writer) = db::open(&folder.path().join("test.db")).await.unwrap();
        let (log, faults, conversation) =
            (EventLog::open(db.clone(), writer), Faults::default(), ConversationId::mint());
        let run = RunId::mint();
        let running =
            AgentStatus { run_id: run.clone(), status: RunStatus::Running, error_message: None, timestamp: None };
        log.create(conversation, "test".into(), &[Event::AgentStatus(running)]).await.unwrap();
        let mut tools = Registry::default();
        faults.register(&mut tools);
        let (calls, cancelled) = (Calls::new(tools, limits, Vec::new()), CancellationToken::new());
        let caller =
            Caller { log, calls, conversation, run, cancelled, tasks: Default::default(), pace: Duration::ZERO };
        Self { caller, db, faults, _folder: folder }
    }

    async fn call_by(&self, caller: &Caller, call: &str, tool: &str, args: Value) -> Option<ToolResult> {
        let reporter = caller.reporter(&call.into(), tool);
        let events = [reporter.announcement(), reporter.arguments(&"m".into(), 0, &args)];
        caller.log.append(caller.conversation, &events).await.unwrap();
        execute_whole(reporter, args).await.unwrap()
    }

    async fn call(&self, call: &str, tool: &str, args: Value) -> Option<ToolResult> {
        self.call_by(&self.caller, call, tool, args).await
    }

    /// The same, beside whatever else goes on.
    fn spawn(self: &Arc<Self>, call: &str, tool: &str, args: Value) -> JoinHandle<Option<ToolResult>> {
        let (bench, call, tool) = (Arc::clone(self), call.to_owned(), tool.to_owned());
        tokio::spawn(async move { bench.call(&call, &tool, args).await })
    }

    fn cancel(&self, call: &str) -> bool {
        self.caller.calls.cancel(self.caller.conversation, &call.into())
    }

    /// All of something that was too large for an event.
    async fn whole(&self, call: &str, what: What) -> String {
        let row = self.db.kept(self.caller.conversation, &call.into(), what).await.unwrap().unwrap();
        let mut whole = String::new();
        for part in 1..=row.kept.parts {
            whole.push_str(&self.db.part(&row.kept.sha256, part).await.unwrap().unwrap());
        }
        assert_eq!(self.db.part(&row.kept.sha256, row.kept.parts + 1).await.unwrap(), None);
        whole
    }

    async fn fold(&self) -> Conversation {
        self.caller.log.fold(self.caller.conversation).await.unwrap()
    }

    /// Waits for what must come. What never comes must fail, not hang.
    async fn until(&self, is_so: impl Fn(&Conversation) -> bool) {
        let wait = async {
            while !is_so(&self.fold().await) {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, wait).await.expect("it never came to that");
    }

    async fn until_started(&self, key: &str) {
        self.until(|_| self.faults.started(key) > 0).await;
    }

    async fn ended(&self, call: &str) -> ToolCall {
        self.fold().await.call(&CallId::from(call)).unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_ends_in_the_right_status_with_a_sentence() {
    let bench = Bench::open(Limits::default()).await;
    for (call, tool, args, status, kind, says) in [
        ("fine", "fault", json!({"key": "a"}), CallStatus::Completed, None, ""),
        ("slow", "fault", json!({"key": "b", "slow_ms": 100}), CallStatus::Completed, None, ""),
        (
            "fails",
            "fault",
            json!({"key": "c", "fail": true}),
            CallStatus::Failed,
            Some(ErrorKind::ToolError),
            "for good",
        ),
        (
            "panics",
            "fault",
            json!({"key": "d", "panics": true}),
            CallStatus::Failed,
            Some(ErrorKind::ToolError),
            "broke off",
        ),
        (
            "hangs",
            "fault_once",
            json!({"key": "e", "hangs": true}),
            CallStatus::Failed,
            Some(ErrorKind::Timeout),
            "within 2.0 s",
        ),
        (
            "unknown",
            "nothing",
            json!({}),
            CallStatus::Failed,
            Some(ErrorKind::UnknownTool),
            "There are: fault, fault_asks, fault_cached, fault_once",
        ),
        (
            "wrong",
            "fault",
            json!({"slow_ms": "x"}),
            CallStatus::Failed,
            Some(ErrorKind::InvalidArguments),
            "slow_ms must be an integer",
        ),
        ("passes", "fault", json!({"key": "f", "fail_times": 2}), CallStatus::Completed, None, ""),
        (
            "never",
            "fault",
            json!({"key": "g", "fail_times": 9}),
            CallStatus::Failed,
            Some(ErrorKind::ToolError),
            "failure 3",
        ),
        (
            "once",
            "fault_once",
            json!({"key": "h", "fail_times": 1}),
            CallStatus::Failed,
            Some(ErrorKind::ToolError),
            "failure 1",
        ),
        ("large", "fault", json!({"key": "i", "bytes": 1_000_000}), CallStatus::Completed, None, ""),
        (
            "far too large",
            "fault",
            json!({"key": "j", "bytes": 40_000_000}),
            CallStatus::Failed,
            Some(ErrorKind::TooLarge),
            "at most 32 MB can be kept",
        ),
        (
            "strange",
            "fault",
            json!({"mood": 1}),
            CallStatus::Failed,
            Some(ErrorKind::InvalidArguments),
            "mood is not known here",
        ),
    ] {
        let result = bench.call(call, tool, args).await.unwrap();
        let ended = bench.ended(call).await;
        assert_eq!((ended.status, ended.error_kind), (status, kind), "{call}");
        assert_eq!(result.is_error, kind.is_some(), "{call}");
        assert!(ended.error_text().unwrap_or_default().contains(says), "{call}: {:?}", ended.error_text());
        let endings = ended.timeline.iter().filter(|moment| moment.status.is_ended()).count();
        assert_eq!(endings, 1, "{call} ends once");
    }
    let starts = ["f", "g", "h", "e"].map(|key| bench.faults.started(key));
    assert_eq!(starts, [3, 3, 1, 1], "what counts is started once");
}

#[tokio::test(flavor = "multi_thread")]
async fn retries_are_told_and_counted() {
    let bench = Bench::open(Limits::default()).await;
    bench.call("c", "fault", json!({"key": "k", "fail_times": 2})).await;
    let call = bench.ended("c").await;
    let retries: Vec<_> = call
        .timeline
        .iter()
        .filter(|moment| moment.status == CallStatus::Retrying)
        .map(|moment| (moment.attempt, moment.metadata.retry_count, moment.metadata.max_retries))
        .collect();
    assert_eq!(retries, [(1, Some(1), Some(2)), (2, Some(2), Some(2))]);
    assert_eq!((call.attempt, call.status), (3, CallStatus::Completed));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_calls_at_once_keep_to_the_limit_and_none_is_lost() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 4, per_server: 64 }).await);
    let tasks: Vec<_> = (0..200)
        .map(|n| bench.spawn(&format!("c{n}"), "fault", json!({"key": format!("c{n}"), "slow_ms": n * 37 % 60})))
        .collect();
    for task in tasks {
        assert!(!task.await.unwrap().unwrap().is_error);
    }
    assert_eq!(bench.faults.most.load(std::sync::atomic::Ordering::SeqCst), 4);
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Completed).count(), 200);
    let waited =
        fold.calls().filter(|call| call.timeline.iter().any(|moment| moment.metadata.message.is_some())).count();
    assert!(waited > 100, "those that wait are told their place: {waited}");

    // Results are in the order of their completion. Four run at once, so a neighbour may slip in between.
    let keys: Vec<String> = bench.faults.ends.lock().unwrap().iter().map(|(key, _)| key.clone()).collect();
    let mut logged: Vec<_> =
        fold.calls().map(|call| (call.timeline.last().unwrap().seq, call.id.to_string())).collect();
    logged.sort_unstable();
    for (place, (_, call)) in logged.iter().enumerate() {
        let completed = keys.iter().position(|key| key == call).unwrap();
        assert!(place.abs_diff(completed) <= 8, "{call} was completed as {completed} and logged as {place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_call_does_not_hold_up_another_conversation() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 1, per_server: 8 }).await);
    let hanging = bench.spawn("hangs", "fault_once", json!({"key": "x", "hangs": true}));
    bench.until_started("x").await;
    let other = Caller { conversation: ConversationId::mint(), run: RunId::mint(), ..bench.caller.clone() };
    other.log.create(other.conversation, "other".into(), &[]).await.unwrap();
    let done = bench.call_by(&other, "quick", "fault", json!({"key": "y"})).await.unwrap();
    assert!(!done.is_error && !hanging.is_finished(), "it did not wait for the other");
    hanging.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_calls_end_at_once_and_late_results_are_not_used() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 1, per_server: 8 }).await);
    let stubborn = bench.spawn("stubborn", "fault", json!({"key": "s", "slow_ms": 200, "ignores_cancel": true}));
    bench.until_started("s").await;
    let queued = bench.spawn("queued", "fault", json!({"key": "q"}));
    bench.until(|fold| fold.call(&"queued".into()).is_some_and(|call| call.timeline.len() >= 2)).await;
    assert!(!bench.caller.calls.cancel(ConversationId::mint(), &"queued".into()), "not by a stranger");
    assert!(bench.cancel("queued"));
    assert_eq!(queued.await.unwrap(), None);
    assert_eq!(bench.faults.started("q"), 0, "it never began");

    assert!(bench.cancel("stubborn"));
    assert_eq!(stubborn.await.unwrap(), None);
    assert_eq!(bench.ended("stubborn").await.status, CallStatus::Cancelled);
    bench.until(|fold| fold.call(&"stubborn".into()).is_some_and(|call| call.result.is_some())).await;
    let late = bench.ended("stubborn").await;
    assert_eq!((late.status, late.shown_result()), (CallStatus::Cancelled, None), "logged, not used");
    assert!(!bench.cancel("stubborn"), "it is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cancelled_before_it_begins_takes_no_effect() {
    let mut bench = Bench::open(Limits::default()).await;
    // Time enough between the word that it starts and its start.
    bench.caller.pace = Duration::from_millis(300);
    let bench = Arc::new(bench);
    let running = bench.spawn("c", "fault_once", json!({"key": "k"}));
    bench.until(|fold| fold.call(&"c".into()).is_some_and(|call| call.status == CallStatus::Starting)).await;
    assert!(bench.cancel("c"));
    assert_eq!(running.await.unwrap(), None);
    assert_eq!((bench.faults.started("k"), bench.ended("c").await.status), (0, CallStatus::Cancelled));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_any_size_is_told_in_short_and_kept() {
    let bench = Bench::open(Limits::default()).await;
    let reporter = bench.caller.reporter(&"c".into(), "fault");
    bench.caller.log.append(bench.caller.conversation, &[reporter.announcement()]).await.unwrap();
    refuse(&reporter, &"why ".repeat(100_000)).await.unwrap();
    let call = bench.ended("c").await;
    assert!(call.metadata.error_message.as_ref().unwrap().len() < 3_000);
    assert_eq!(bench.whole("c", What::Result).await.len(), 400_000);
}
