//! A tool that does everything wrong, as it is told: for tests, and for builds that are made to be tested. Never in what
//! people get.

use std::{
    collections::HashMap,
    fs::OpenOptions,
    io::Write,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Child, Done, Effect, Policy, Registry, Reporter, Tool, ToolError};
use crate::{
    model::{ErrorKind, Family, Metadata, Stage},
    server::crash,
};

/// Does what it is told, however bad.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Order {
    /// Under which its starts are counted.
    pub key: String,
    pub slow_ms: u64,
    /// Fail so often, and then no more.
    pub fail_times: usize,
    /// Fail for good.
    pub fail: bool,
    pub panics: bool,
    pub hangs: bool,
    pub ignores_cancel: bool,
    /// Say so many times how far it is.
    pub flood: u64,
    /// Say so many times that it is at another stage.
    pub stages: u64,
    /// Print so many lines.
    pub lines: u64,
    /// Return a text of so many bytes.
    pub bytes: usize,
    /// Print and return exactly this.
    pub says: String,
    /// Return a list of so many things.
    pub items: usize,
    /// Call itself, so deep.
    pub nest: u32,
    /// Call itself with each of these, side by side.
    pub children: Vec<Value>,
    /// And then fail in a way that may pass.
    pub fails_after: bool,
    /// One after the other instead.
    pub in_order: bool,
}

/// How often each key has been started, and how many run now and at most. The file has a line for every start.
#[derive(Clone, Default)]
pub struct Faults {
    pub starts: Arc<Mutex<HashMap<String, usize>>>,
    now: Arc<AtomicUsize>,
    pub most: Arc<AtomicUsize>,
    /// Which keys came to their end, and when.
    pub ends: Arc<Mutex<Vec<(String, Instant)>>>,
    ledger: Option<Arc<Path>>,
}

pub struct Fault(pub Faults);
pub struct FaultOnce(pub Faults);
pub struct FaultCached(pub Faults);
pub struct FaultAsks(pub Faults);

const QUICK: Policy = Policy {
    deadline: Duration::from_secs(2),
    pause: Duration::from_millis(5),
    fresh_for: Duration::ZERO,
    ..Policy::LOOKUP
};

impl Faults {
    /// With a file that has a line for every start, which outlives the server.
    pub fn with_ledger(file: &Path) -> Self {
        Self { ledger: Some(file.into()), ..Self::default() }
    }

    pub fn register(&self, tools: &mut Registry) {
        tools.register(Fault(self.clone()));
        tools.register(FaultOnce(self.clone()));
        tools.register(FaultCached(self.clone()));
        tools.register(FaultAsks(self.clone()));
    }

    pub fn started(&self, key: &str) -> usize {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied().unwrap_or(0)
    }

    fn start(&self, order: &Order, tool: &str, reporter: &Reporter) -> std::io::Result<usize> {
        if let Some(file) = &self.ledger {
            let mut ledger = OpenOptions::new().create(true).append(true).open(file)?;
            ledger.write_all(format!("{tool} {}\n", reporter.call_id()).as_bytes())?;
            ledger.sync_all()?;
        }
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let tries = starts.entry(order.key.clone()).or_default();
        *tries += 1;
        Ok(*tries)
    }

    async fn obey(&self, tool: &str, order: Order, reporter: &Reporter) -> Result<Done<Value>, ToolError> {
        let failed = |error: std::io::Error| ToolError::new(ErrorKind::ToolError, error.to_string());
        let tries = self.start(&order, tool, reporter).map_err(failed)?;
        crash::point("effect");
        let running = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        let _leaves = Leaves(Arc::clone(&self.now));
        for n in 0..order.flood {
            reporter.progress(n as f64 / order.flood as f64, format!("step {n}")).await?;
        }
        if order.flood > 0 {
            reporter.step(order.flood, order.flood, "all steps").await?;
        }
        for n in 0..order.stages {
            let stage = if n % 2 == 0 { Stage::ExecutingQuery } else { Stage::ProcessingResults };
            reporter.stage(stage, Metadata { total_results: Some(n), ..Metadata::default() }).await?;
        }
        for n in 0..order.lines {
            reporter.output(&format!("line {n} of {}\n", order.lines)).await?;
        }
        reporter.output(&order.says).await?;
        let rest = Duration::from_millis(order.slow_ms);
        if order.ignores_cancel {
            let _ = tokio::task::spawn_blocking(move || std::thread::sleep(rest)).await;
        } else {
            tokio::time::sleep(rest).await;
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
            let inner = json!({"key": format!("{}.", order.key), "nest": order.nest - 1, "hangs": order.hangs});
            let inner = reporter.call::<Fault>(inner).await?;
            if inner.is_error {
                return Err(ToolError::new(ErrorKind::ToolError, format!("inside: {}", inner.result)));
            }
        }
        let children: Vec<Child> = order.children.into_iter().map(child).collect();
        let results =
            if order.in_order { reporter.in_order(children).await? } else { reporter.in_parallel(children).await? };
        if order.fails_after {
            return Err(ToolError::transient("after all"));
        }
        let items: Vec<Value> = (0..order.items).map(|n| json!({"n": n, "name": format!("thing {n}")})).collect();
        let keys: Vec<Value> = results.iter().map(|result| result.result["key"].clone()).collect();
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).push((order.key.clone(), Instant::now()));
        let output = match order.bytes {
            0 if !order.says.is_empty() => order.says.into(),
            0 => json!({"key": order.key, "items": items, "children": keys}),
            bytes => "0123456789abcde\n".repeat(bytes / 16 + 1)[..bytes].into(),
        };
        Ok(Done { output, metadata: Metadata::default() })
    }
}

/// `{"tool": "fault_once", …}` calls that, and so for `fault_cached` and `fault_asks`; anything else calls `fault`.
fn child(mut order: Value) -> Child {
    let tool = order.as_object_mut().and_then(|order| order.remove("tool")).unwrap_or_default();
    match tool.as_str() {
        Some(FaultOnce::NAME) => Child::of::<FaultOnce>(order),
        Some(FaultCached::NAME) => Child::of::<FaultCached>(order),
        Some(FaultAsks::NAME) => Child::of::<FaultAsks>(order),
        _ => Child::of::<Fault>(order),
    }
}

struct Leaves(Arc<AtomicUsize>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

macro_rules! fault {
    ($tool:ident, $name:literal, $title:literal, $asks:literal, $policy:expr) => {
        impl Tool for $tool {
            type Input = Order;
            type Output = Value;

            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const SHORT_TITLE: &'static str = $title;
            const FAMILY: Family = Family::Generic;
            const EXAMPLES: &'static [&'static str] = &["{}"];
            const POLICY: Policy = $policy;
            const ASKS: bool = $asks;

            async fn run(&self, order: Order, reporter: &Reporter) -> Result<Done<Value>, ToolError> {
                self.0.obey(Self::NAME, order, reporter).await
            }
        }
    };
}

fault!(Fault, "fault", "Fault", false, Policy { deadline: Duration::from_secs(10), ..QUICK });
fault!(FaultOnce, "fault_once", "Fault once", false, Policy { effect: Effect::Once, ..QUICK });
fault!(FaultCached, "fault_cached", "Fault cached", false, Policy { fresh_for: Duration::from_secs(60), ..QUICK });
fault!(FaultAsks, "fault_asks", "Fault asks", true, Policy { effect: Effect::Once, ..QUICK });
