//! Tools that call tools: one, several side by side, several in order. Their cards stand below the caller's, its progress is
//! theirs, and they end with it.

use serde_json::Value;

use super::{Reporter, execution::execute_whole};
use crate::{
    model::{Event, MessageId, event::ToolResult},
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
        self.group(children, Order::SideBySide).await
    }

    /// Calls others one after the other, up to the first that fails. Those behind it end as cancelled, without having
    /// begun, and have no result here.
    pub async fn in_order(&self, children: Vec<Child>) -> Result<Vec<ToolResult>, ToolError> {
        self.group(children, Order::OneAfterTheOther).await
    }

    /// A group is a task of its own: from the moment its children are announced somebody sees to it that they end, also
    /// when whoever called them is gone.
    async fn group(&self, children: Vec<Child>, order: Order) -> Result<Vec<ToolResult>, ToolError> {
        if children.is_empty() {
            return Ok(Vec::new());
        }
        self.listen()?;
        let group: Vec<(Self, Value)> =
            children.into_iter().map(|Child { tool, args }| (self.child(tool), args)).collect();
        let (voice, tasks) = (std::sync::Arc::clone(&self.voice), self.tasks.clone());
        let running = self.tasks.spawn(async move {
            let announced = |(index, (child, args)): (u32, &(Self, Value))| {
                [child.announcement(), child.arguments(&MessageId::mint(), index, args)]
            };
            let events: Vec<Event> = (0..).zip(&group).flat_map(announced).collect();
            voice.sink.append(&events).await?;
            voice.rest().await;
            match order {
                Order::SideBySide => {
                    let all = group.into_iter().map(|(child, args)| tasks.spawn(whole(child, args)));
                    let ended = futures::future::join_all(all.collect::<Vec<_>>()).await;
                    ended.into_iter().map(|ended| ended.map_err(|_| Error::Stopping)?).collect()
                }
                Order::OneAfterTheOther => one_after_the_other(group).await,
            }
        });
        Ok(running.await.map_err(|_| Error::Stopping)??)
    }
}

#[derive(Clone, Copy)]
enum Order {
    SideBySide,
    OneAfterTheOther,
}

async fn one_after_the_other(group: Vec<(Reporter, Value)>) -> Result<Vec<ToolResult>, Error> {
    let mut results: Vec<Result<ToolResult, Error>> = Vec::new();
    for (child, args) in group {
        let is_wanted = results.last().is_none_or(|last| last.as_ref().is_ok_and(|last| !last.is_error));
        if !is_wanted {
            child.cancelled.cancel();
        }
        let ended = whole(child, args).await;
        if is_wanted {
            results.push(ended);
        }
    }
    results.into_iter().collect()
}

/// A child's result, whole. One that was cancelled has none, and that is a value, too.
async fn whole(child: Reporter, args: Value) -> Result<ToolResult, Error> {
    let call = child.call_id().clone();
    let ended = execute_whole(child, args).await?;
    Ok(ended.unwrap_or_else(|| ToolResult {
        tool_call_id: call,
        result: "It was cancelled.".into(),
        is_error: true,
        duration_ms: 0,
        cached: false,
        whole: None,
    }))
}
