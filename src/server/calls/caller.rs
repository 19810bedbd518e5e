//! Where calls come from.

use std::time::Duration;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Calls, Reporter,
    reporter::{Origin, Parent},
    voice::Sink,
};
use crate::{
    model::{CallId, ConversationId, RunId, ToolCall},
    server::log::EventLog,
};

/// Where calls come from: a run of a conversation.
#[derive(Clone)]
pub struct Caller {
    pub log: EventLog,
    pub calls: Calls,
    pub conversation: ConversationId,
    pub run: RunId,
    /// Stops the run, and with it every call.
    pub cancelled: CancellationToken,
    /// Everything that goes on for it: whoever waits for these knows that all calls have ended, those of calls included.
    pub tasks: TaskTracker,
    /// A pause after each thing said, for those who want to watch.
    pub pace: Duration,
}

/// What makes a call more than one of the run's own, the first time.
#[derive(Default)]
pub(super) struct Special {
    pub parent: Option<Parent>,
    pub parent_id: Option<CallId>,
    pub repeats: Option<CallId>,
    pub is_fresh: bool,
    /// How often it was tried before.
    pub attempt: u32,
    /// The question that it has open.
    pub pending: u32,
    /// It had begun, and was waiting for a person, when it was taken up.
    pub is_resumed: bool,
    /// It asks before it runs, whatever was allowed.
    pub must_ask: bool,
}

impl Caller {
    pub fn reporter(&self, call: &CallId, tool: &str) -> Reporter {
        self.special(call, tool, Special::default())
    }

    fn special(&self, call: &CallId, tool: &str, special: Special) -> Reporter {
        let sink = Sink::Log(self.log.clone(), self.conversation);
        let origin = Origin { run: self.run.clone(), sink, tasks: self.tasks.clone(), pace: self.pace };
        Reporter::make(&self.calls, call, tool, origin, &self.cancelled, special)
    }

    /// A further call, which does this one over, and everything that it calls.
    /// Even one that is allowed asks first when it must.
    pub fn repeating(&self, call: &ToolCall, must_ask: bool) -> Reporter {
        let (repeats, parent_id) = (Some(call.id.clone()), call.parent_id.clone());
        let special = Special { repeats, parent_id, is_fresh: true, must_ask, ..Special::default() };
        self.special(&CallId::mint(), &call.tool_name, special)
    }

    fn may_repeat(&self, tool: &str) -> bool {
        self.calls.tools.get(tool).is_ok_and(|found| found.about.policy.effect.may_repeat())
    }

    /// A call that the log has open, to be taken up again.
    pub fn taken_up(&self, call: &ToolCall) -> Reporter {
        let special = Special {
            repeats: call.repeats.clone(),
            parent_id: call.parent_id.clone(),
            is_fresh: call.repeats.is_some(),
            attempt: call.attempt.saturating_sub(1),
            pending: call.open_question().map_or(0, |ask| ask.nth),
            is_resumed: call.started_at.is_some() && call.open_question().is_some(),
            must_ask: call.repeats.is_some() && call.started_at.is_none() && !self.may_repeat(&call.tool_name),
            parent: None,
        };
        self.special(&call.id, &call.tool_name, special)
    }
}
