//! A tool that does everything wrong, and what becomes of its calls.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    model::{CallId, Conversation, ConversationId, RunId, ToolCall, event::AgentStatus, words::RunStatus},
    server::{
        db,
        log::EventLog,
        tools::{Calls, Effect, Identity, Policy, Registry, Tool, lanes::Limits},
    },
};

/// Does what it is told, however bad.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Order {
    key: String,
    slow_ms: u64,
    fail_times: usize,
    /// Fail for good.
    fail: bool,
    panics: bool,
    hangs: bool,
    ignores_cancel: bool,
    flood: u64,
    bytes: usize,
    nest: u32,
}

/// How often each key has been started, and how many run now and at most.
#[derive(Clone, Default)]
struct Ledger {
    starts: Arc<Mutex<HashMap<String, usize>>>,
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

struct Fault(Ledger);
struct FaultOnce(Ledger);

const QUICK: Policy = Policy { deadline: Duration::from_secs(2), pause: Duration::from_millis(5), ..Policy::LOOKUP };

impl Ledger {
    async fn obey(&self, order: Order, reporter: &Reporter) -> Result<Done<Value>, ToolError> {
        let tries = {
            let mut starts = self.starts.lock().unwrap();
            let tries = starts.entry(order.key.clone()).or_default();
            *tries += 1;
            *tries
        };
        let running = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        let _leaves = Leaves(Arc::clone(&self.now));
        for n in 0..order.flood {
            reporter.progress(n as f64 / order.flood as f64, format!("step {n}")).await?;
        }
        if order.flood > 0 {
            reporter.progress(1.0, "all steps").await?;
        }
        if order.ignores_cancel {
            tokio::task::spawn_blocking(move || std::thread::sleep(Duration::from_millis(order.slow_ms)))
                .await
                .unwrap();
        } else {
            tokio::time::sleep(Duration::from_millis(order.slow_ms)).await;
        }
        if order.hangs && order.nest == 0 {
            std::future::pending::<()>().await;
        }
        assert!(!order.panics, "as ordered");
        if order.fail {
            return Err(ToolError::new(ErrorKind::ToolError, "for good"));
        }
        if tries <= order.fail_times {
            return Err(ToolError::transient(format!("failure {tries}")));
        }
        if order.nest > 0 {
            let inner = reporter
                .call::<Fault>(json!({"key": format!("{}.", order.key), "nest": order.nest - 1, "hangs": order.hangs}))
                .await?;
            assert!(!inner.is_error);
        }
        Ok(Done { output: json!({"key": order.key, "text": "x".repeat(order.bytes)}), metadata: Metadata::default() })
    }
}

struct Leaves(Arc<AtomicUsize>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Tool for Fault {
    type Input = Order;
    type Output = Value;
    const NAME: &'static str = "fault";
    const TITLE: &'static str = "Fault";
    const EXAMPLES: &'static [&'static str] = &["{}"];
    const POLICY: Policy = QUICK;

    async fn run(&self, order: Order, reporter: &Reporter) -> Result<Done<Value>, ToolError> {
        self.0.obey(order, reporter).await
    }
}

impl Tool for FaultOnce {
    type Input = Order;
    type Output = Value;
    const NAME: &'static str = "fault_once";
    const TITLE: &'static str = "Fault once";
    const EXAMPLES: &'static [&'static str] = &["{}"];
    const POLICY: Policy = Policy { effect: Effect::Once, ..QUICK };

    async fn run(&self, order: Order, reporter: &Reporter) -> Result<Done<Value>, ToolError> {
        self.0.obey(order, reporter).await
    }
}

const PATIENCE: Duration = Duration::from_secs(20);

struct Bench {
    log: EventLog,
    calls: Calls,
    ledger: Ledger,
    conversation: ConversationId,
    run: RunId,
    cancelled: CancellationToken,
    _folder: tempfile::TempDir,
}

impl Bench {
    async fn open(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (db, writer) = db::open(&folder.path().join("test.db")).await.unwrap();
        let (log, ledger, conversation) = (EventLog::open(db, writer), Ledger::default(), ConversationId::mint());
        let run = RunId::mint();
        let running = AgentStatus { run_id: run.clone(), status: RunStatus::Running, error_message: None };
        log.create(conversation, "test".into(), &[Event::AgentStatus(running)]).await.unwrap();
        let mut tools = Registry::default();
        tools.register(Fault(ledger.clone()));
        tools.register(FaultOnce(ledger.clone()));
        let (calls, cancelled) = (Calls::new(tools, limits), CancellationToken::new());
        Self { log, calls, ledger, conversation, run, cancelled, _folder: folder }
    }

    async fn start(&self, call: &str, tool: &str) -> Reporter {
        let of = Identity { conversation: self.conversation, run: self.run.clone(), call: call.into(), tool };
        let reporter = Reporter::new(self.log.clone(), of, &self.calls, &self.cancelled, Duration::ZERO);
        self.log.append(self.conversation, &[announcement(&reporter, tool)]).await.unwrap();
        reporter
    }

    async fn call(&self, call: &str, tool: &str, args: Value) -> Option<ToolResult> {
        execute(self.start(call, tool).await, tool, args).await.unwrap()
    }

    async fn fold(&self) -> Conversation {
        self.log.fold(self.conversation).await.unwrap()
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
        self.until(|_| self.ledger.starts.lock().unwrap().contains_key(key)).await;
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
            "There are: fault, fault_once",
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
    ] {
        let result = bench.call(call, tool, args).await.unwrap();
        let ended = bench.ended(call).await;
        assert_eq!((ended.status, ended.error_kind), (status, kind), "{call}");
        assert_eq!(result.is_error, kind.is_some(), "{call}");
        assert!(ended.error_text().unwrap_or_default().contains(says), "{call}: {:?}", ended.error_text());
        let endings = ended.timeline.iter().filter(|moment| moment.status.is_ended()).count();
        assert_eq!(endings, 1, "{call} ends once");
    }
    let starts = bench.ledger.starts.lock().unwrap().clone();
    assert_eq!((starts["f"], starts["g"], starts["h"], starts["e"]), (3, 3, 1, 1), "what counts is started once");
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
        .map(|n| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move {
                bench.call(&format!("c{n}"), "fault", json!({"key": n.to_string(), "slow_ms": n % 7})).await.unwrap()
            })
        })
        .collect();
    for task in tasks {
        assert!(!task.await.unwrap().is_error);
    }
    assert_eq!(bench.ledger.most.load(Ordering::SeqCst), 4);
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Completed).count(), 200);
    let waited =
        fold.calls().filter(|call| call.timeline.iter().any(|moment| moment.metadata.message.is_some())).count();
    assert!(waited > 100, "those that wait are told their place: {waited}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_call_does_not_hold_up_another_conversation() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 1, per_server: 8 }).await);
    let hanging = tokio::spawn({
        let bench = Arc::clone(&bench);
        async move { bench.call("hangs", "fault_once", json!({"key": "x", "hangs": true})).await }
    });
    bench.until_started("x").await;
    let other = ConversationId::mint();
    bench.log.create(other, "other".into(), &[]).await.unwrap();
    let of = Identity { conversation: other, run: RunId::mint(), call: "quick".into(), tool: "fault" };
    let reporter = Reporter::new(bench.log.clone(), of, &bench.calls, &bench.cancelled, Duration::ZERO);
    bench.log.append(other, &[announcement(&reporter, "fault")]).await.unwrap();
    let done = execute(reporter, "fault", json!({"key": "y"})).await.unwrap().unwrap();
    assert!(!done.is_error && !hanging.is_finished(), "it did not wait for the other");
    hanging.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_deep_ends_and_nobody_waits_for_himself() {
    let bench = Bench::open(Limits { per_conversation: 2, per_server: 2 }).await;
    let result = bench.call("top", "fault", json!({"key": "n", "nest": 50})).await.unwrap();
    assert!(!result.is_error, "{result:?}");
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Completed).count(), 51);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_calls_end_at_once_and_late_results_are_not_used() {
    let bench = Arc::new(Bench::open(Limits { per_conversation: 1, per_server: 8 }).await);
    let spawn = |call: &'static str, args: Value| {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.call(call, "fault", args).await })
    };
    let stubborn = spawn("stubborn", json!({"key": "s", "slow_ms": 200, "ignores_cancel": true}));
    bench.until_started("s").await;
    let queued = spawn("queued", json!({"key": "q"}));
    bench.until(|fold| fold.call(&"queued".into()).is_some_and(|call| call.timeline.len() >= 2)).await;
    assert!(!bench.calls.cancel(ConversationId::mint(), &"queued".into()), "not by a stranger");
    assert!(bench.calls.cancel(bench.conversation, &"queued".into()));
    assert_eq!(queued.await.unwrap(), None);
    assert!(!bench.ledger.starts.lock().unwrap().contains_key("q"), "it never began");

    assert!(bench.calls.cancel(bench.conversation, &"stubborn".into()));
    assert_eq!(stubborn.await.unwrap(), None);
    assert_eq!(bench.ended("stubborn").await.status, CallStatus::Cancelled);
    bench.until(|fold| fold.call(&"stubborn".into()).is_some_and(|call| call.result.is_some())).await;
    let late = bench.ended("stubborn").await;
    assert_eq!((late.status, late.shown_result()), (CallStatus::Cancelled, None), "logged, not used");
    assert!(!bench.calls.cancel(bench.conversation, &"stubborn".into()), "it is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_run_reaches_the_deepest_call() {
    let bench = Arc::new(Bench::open(Limits::default()).await);
    let top = tokio::spawn({
        let bench = Arc::clone(&bench);
        async move { bench.call("top", "fault", json!({"key": "t", "nest": 3, "hangs": true})).await }
    });
    bench.until_started("t...").await;
    bench.cancelled.cancel();
    assert_eq!(top.await.unwrap(), None);
    // The children write their endings by themselves.
    bench.until(|fold| fold.calls().all(|call| call.status.is_ended())).await;
    let fold = bench.fold().await;
    assert_eq!(fold.calls().filter(|call| call.status == CallStatus::Cancelled).count(), 4, "all of them");
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
    assert_eq!(said.last().map(String::as_str), Some("all steps"), "the last word arrives");
}
