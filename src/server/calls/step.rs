//! The calls of one step of a run, side by side. Each begins when its own arguments are there, and its result goes out
//! the moment it is; the step is complete when all are, and is then kept as one message.

use serde_json::Value;
use tokio::task::JoinHandle;

use super::{
    Caller, Reporter,
    execution::{execute, take_up},
    keep,
};
use crate::{
    model::{
        CallId, Event, MessageId, ToolCall,
        event::{ToolResult, ToolsAggregate},
        message::ToolCallInfo,
        summary::args_summary,
    },
    server::Error,
};

/// What the results in one message may have together. Those that do not fit are shortened there, and whole in the log.
const LARGEST_MESSAGE: usize = 1024 * 1024;

pub struct Step {
    caller: Caller,
    pub message_id: MessageId,
    calls: Vec<Running>,
}

struct Running {
    info: ToolCallInfo,
    task: JoinHandle<Result<Option<ToolResult>, Error>>,
}

/// A call that has ended.
pub struct Called {
    pub info: ToolCallInfo,
    /// Nothing, if it was cancelled.
    pub result: Option<ToolResult>,
}

impl Step {
    pub fn new(caller: Caller, message_id: MessageId) -> Self {
        Self { caller, message_id, calls: Vec::new() }
    }

    /// The next call's reporter, and the events that give it its card and its arguments. They must be in the log before
    /// it starts.
    pub fn announce(&self, index: u32, tool: &str, args: &Value) -> (Reporter, [Event; 2]) {
        let reporter = self.caller.reporter(&CallId::mint(), tool);
        let events = [reporter.announcement(), reporter.arguments(&self.message_id, index, args)];
        (reporter, events)
    }

    /// Starts a call whose arguments are complete. Others may still be on their way.
    pub fn start(&mut self, reporter: Reporter, tool: &str, args: Value) {
        let info = info(reporter.call_id(), tool, Some(args.clone()));
        self.calls.push(Running { info, task: tokio::spawn(execute(reporter, args)) });
    }

    /// A call that has ended before it could start.
    pub fn ended(&mut self, info: ToolCallInfo, result: Option<ToolResult>) {
        self.calls.push(Running { info, task: tokio::spawn(std::future::ready(Ok(result))) });
    }

    /// Takes up a call of this step that the log knows.
    pub fn take_up(&mut self, call: &ToolCall, may_repeat: bool) {
        let (caller, known) = (self.caller.clone(), call.clone());
        let task = tokio::spawn(async move {
            match known.status.is_ended() {
                true => Ok(known.shown_result().cloned()),
                false => take_up(&caller, &known, may_repeat).await,
            }
        });
        self.calls.push(Running { info: info(&call.id, &call.tool_name, call.args()), task });
    }

    /// Waits until all calls have ended, and those that they have made. They are in the order in which they were made. If
    /// one could not be written, the others are told to stop, and are waited for all the same: nobody else ends them.
    pub async fn finish(self) -> Result<Vec<Called>, Error> {
        let (mut called, mut problem) = (Vec::new(), None);
        for Running { info, task } in self.calls {
            match task.await.map_err(|_| Error::Stopping).flatten() {
                Ok(result) => called.push(Called { info, result }),
                Err(error) => {
                    self.caller.cancelled.cancel();
                    problem.get_or_insert(error);
                }
            }
        }
        self.caller.tasks.close();
        self.caller.tasks.wait().await;
        self.caller.tasks.reopen();
        problem.map_or(Ok(called), Err)
    }
}

/// The step as one message.
pub fn aggregate(message_id: MessageId, called: &[Called]) -> Event {
    let results = || called.iter().filter_map(|called| called.result.as_ref());
    let all: usize = results().map(|result| keep::size(&result.result)).sum();
    let share = LARGEST_MESSAGE / called.len().max(1);
    let most = if all > LARGEST_MESSAGE { share.min(keep::LARGEST_EVENT) } else { keep::LARGEST_EVENT };
    let shortened = |result: &ToolResult| match keep::size(&result.result) > most {
        true => ToolResult { result: keep::preview(&result.result, most), ..result.clone() },
        false => result.clone(),
    };
    Event::ToolsAggregate(ToolsAggregate {
        message_id,
        tool_calls: called.iter().map(|called| called.info.clone()).collect(),
        tool_results: results().map(shortened).collect(),
    })
}

fn info(id: &CallId, tool: &str, args: Option<Value>) -> ToolCallInfo {
    let args_summary = args.as_ref().map(args_summary);
    ToolCallInfo { id: Some(id.clone()), name: tool.to_owned(), args, args_summary }
}
