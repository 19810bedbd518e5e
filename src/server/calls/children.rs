//! Tools that call tools: one, several side by side, several in order. Their cards stand below the caller's, its progress is
//! theirs, and they end with it.

use std::{future::Future, sync::Arc};

use serde_json::Value;

use super::{
    Reporter,
    execution::execute,
    reporter::{Origin, Special},
    voice::Voice,
};
use crate::{
    model::{CallId, MessageId, event::ToolResult},
    server::{
        Error,
        tools::{Tool, ToolError},
    },
};

/// A call that a tool is going to make.
pub struct Child {
    tool: &'static str,
    args: Value,
}

impl Child {
    pub const fn of<T: Tool>(args: Value) -> Self {
        Self { tool: T::NAME, args }
    }
}

impl Reporter {
    /// How many calls it is going to make, so that its progress can tell how many are left.
    pub fn expect_calls(&self, calls: usize) {
        self.voice.lock_children().expect(calls);
    }

    /// Calls another tool, whose card stands below this one's. A failure of the other is a value, too. It ends with this
    /// one, and has no more time than this one has left.
    pub async fn call<T: Tool>(&self, args: Value) -> Result<ToolResult, ToolError> {
        let mut results = self.in_parallel(vec![Child::of::<T>(args)]).await?;
        results.pop().ok_or_else(ToolError::stopped)
    }

    /// Calls others side by side, as many at once as there are slots. Their results come in the order of `children`.
    pub async fn in_parallel(&self, children: Vec<Child>) -> Result<Vec<ToolResult>, ToolError> {
        if children.is_empty() {
            return Ok(Vec::new());
        }
        let children = self.announce(children).await?;
        self.step_aside().await;
        // All are started before any is waited for.
        let running: Vec<_> = children.into_iter().map(|(child, args)| run_child(child, args)).collect();
        let ended = futures::future::join_all(running).await;
        self.step_back().await?;
        ended.into_iter().collect()
    }

    /// Calls others one after the other, up to the first that fails. Those behind it end as cancelled, without having
    /// begun, and have no result here.
    pub async fn in_order(&self, children: Vec<Child>) -> Result<Vec<ToolResult>, ToolError> {
        if children.is_empty() {
            return Ok(Vec::new());
        }
        let children = self.announce(children).await?;
        self.step_aside().await;
        let mut results: Vec<Result<ToolResult, ToolError>> = Vec::new();
        for (child, args) in children {
            let is_wanted = results.last().is_none_or(|last| last.as_ref().is_ok_and(|last| !last.is_error));
            if !is_wanted {
                child.cancelled.cancel();
            }
            let ended = run_child(child, args).await;
            if is_wanted {
                results.push(ended);
            }
        }
        self.step_back().await?;
        results.into_iter().collect()
    }

    /// Gives every child its card, all at once.
    async fn announce(&self, children: Vec<Child>) -> Result<Vec<(Self, Value)>, ToolError> {
        self.listen()?;
        let attempt = self.lock_attempt().clone();
        let (mut events, mut reporters) = (Vec::new(), Vec::new());
        for (index, Child { tool, args }) in (0..).zip(children) {
            let Voice { run, sink, pace, .. } = &*self.voice;
            let origin = Origin { run: run.clone(), sink: sink.clone(), pace: *pace };
            let special = Special { parent: Some((Arc::clone(&self.voice), attempt.clone())), ..Special::default() };
            let child = Self::make(&self.calls, &CallId::mint(), tool, origin, &attempt.stop, special);
            events.push(child.announcement());
            events.push(child.arguments(&MessageId::mint(), index, &args));
            reporters.push((child, args));
        }
        self.voice.append(&events).await?;
        Ok(reporters)
    }

    async fn step_aside(&self) {
        let mut place = self.slot.lock().await;
        place.children += 1;
        place.slot = None;
    }

    async fn step_back(&self) -> Result<(), Error> {
        let mut place = self.slot.lock().await;
        place.children -= 1;
        if place.children == 0 {
            place.slot = self.lane.queue().enter().await;
        }
        Ok(())
    }
}

/// Runs a child in a task of its own, so that it writes its ending even when its parent is gone. One that was cancelled
/// has no result, and that is a value, too.
fn run_child(child: Reporter, args: Value) -> impl Future<Output = Result<ToolResult, ToolError>> {
    let call = child.voice.call.clone();
    let running = tokio::spawn(execute(child, args));
    async move {
        let ended = running.await.map_err(|_| Error::Stopping)??;
        Ok(ended.unwrap_or_else(|| ToolResult {
            tool_call_id: call,
            result: "It was cancelled.".into(),
            is_error: true,
            duration_ms: 0,
            cached: false,
            whole: None,
        }))
    }
}
