//! The one way in which a tool tells of itself. What it says is committed before it goes on.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    Calls, Registry, Tool, ToolError,
    execution::{announcement, execute},
    lanes::{Lane, Slot},
    running::Entry,
    throttle::{Throttle, Verdict},
};
use crate::{
    model::{
        CallId, CallStatus, ConversationId, ErrorKind, Event, Executor, MessageId, Metadata, RunId, Stage,
        event::{ToolCallEvent, ToolOutput, ToolResult, ToolsCallUpdate},
    },
    server::{Error, clock, log::EventLog},
};

/// Which call it is, and where its events go. Whoever executes calls writes their beginning and their ending with it;
/// the tool itself says what happens in between.
pub struct Reporter {
    pub call: CallId,
    pub run: RunId,
    parent: Option<CallId>,
    calls: Calls,
    title: String,
    attempt: AtomicU32,
    /// What the tool was last busy with: that is where it fails, if it does.
    stage: Mutex<Stage>,
    progress: Throttle<ToolCallEvent>,
    cancelled: CancellationToken,
    /// It can be cancelled from its announcement on.
    _listed: Entry,
    lane: Arc<Lane>,
    slot: tokio::sync::Mutex<Place>,
    sink: Sink,
    /// A pause after each thing said, for those who want to watch.
    pace: Duration,
}

/// Whether the call has a slot. While its children run it has none: they would wait for it, and it for them.
#[derive(Default)]
struct Place {
    slot: Option<Slot>,
    children: usize,
}

#[derive(Clone)]
enum Sink {
    Log(EventLog, ConversationId),
    #[cfg(test)]
    Memory(Arc<Mutex<Vec<Event>>>),
}

/// Which call it is.
pub struct Identity<'a> {
    pub conversation: ConversationId,
    pub run: RunId,
    pub call: CallId,
    pub tool: &'a str,
}

impl Reporter {
    /// `run_cancelled` is the token of the run, from which the call's own comes.
    pub fn new(
        log: EventLog,
        of: Identity<'_>,
        calls: &Calls,
        run_cancelled: &CancellationToken,
        pace: Duration,
    ) -> Self {
        let Identity { conversation, run, call, tool } = of;
        let cancelled = run_cancelled.child_token();
        Self {
            _listed: calls.running.enter(&call, Some(conversation), cancelled.clone()),
            call,
            run,
            parent: None,
            title: calls.tools.title(tool),
            attempt: AtomicU32::new(1),
            stage: Mutex::new(Stage::PreparingSearch),
            progress: Throttle::default(),
            cancelled,
            lane: calls.lanes.lane(conversation),
            slot: tokio::sync::Mutex::default(),
            sink: Sink::Log(log, conversation),
            calls: calls.clone(),
            pace,
        }
    }

    /// For a tool's own tests: everything it says, in order.
    #[cfg(test)]
    pub fn recording(tools: Registry) -> (Self, Arc<Mutex<Vec<Event>>>) {
        let events = Arc::<Mutex<Vec<Event>>>::default();
        let calls = Calls::new(tools, super::lanes::Limits::default());
        let (call, cancelled) = (CallId::mint(), CancellationToken::new());
        let reporter = Self {
            _listed: calls.running.enter(&call, None, cancelled.clone()),
            call,
            run: RunId::mint(),
            parent: None,
            title: "Test".into(),
            attempt: AtomicU32::new(1),
            stage: Mutex::new(Stage::PreparingSearch),
            progress: Throttle::default(),
            cancelled,
            lane: calls.lanes.lane(ConversationId::mint()),
            slot: tokio::sync::Mutex::default(),
            sink: Sink::Memory(Arc::clone(&events)),
            calls,
            pace: Duration::ZERO,
        };
        (reporter, events)
    }

    /// Calls another tool, whose card stands below this one's. A failure of the other is a value, too. It is cancelled
    /// with this one.
    pub async fn call<T: Tool>(&self, args: Value) -> Result<ToolResult, ToolError> {
        let (call, cancelled) = (CallId::mint(), self.cancelled.child_token());
        let child = Self {
            _listed: self.calls.running.enter(&call, self.conversation(), cancelled.clone()),
            call,
            run: self.run.clone(),
            parent: Some(self.call.clone()),
            title: self.calls.tools.title(T::NAME),
            attempt: AtomicU32::new(1),
            stage: Mutex::new(Stage::PreparingSearch),
            progress: Throttle::default(),
            cancelled,
            lane: Arc::clone(&self.lane),
            slot: tokio::sync::Mutex::default(),
            sink: self.sink.clone(),
            calls: self.calls.clone(),
            pace: self.pace,
        };
        let named = ToolsCallUpdate {
            message_id: MessageId::mint(),
            index: 0,
            tool_call_id: child.call.clone(),
            function_name: Some(T::NAME.into()),
            function_args: Some(args.to_string()),
        };
        child.append(&[announcement(&child, T::NAME), Event::ToolsCallUpdate(named)]).await?;
        self.step_aside().await;
        // Boxed, because a tool that calls tools would be a future without end.
        let executed = Box::pin(execute(child, T::NAME, args)).await;
        self.step_back().await?;
        executed?.ok_or_else(|| ToolError::new(ErrorKind::ToolError, "It was cancelled."))
    }

    /// What the tool is busy with now.
    pub async fn stage(&self, stage: Stage, metadata: Metadata) -> Result<(), ToolError> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        let event = ToolCallEvent { metadata, ..self.event(CallStatus::InProgress) };
        self.say_what_waits().await?;
        Ok(self.append(&[Event::ToolCall(event)]).await?)
    }

    /// How far it is, from 0 to 1, and with what. As often as one likes: what comes too soon after the last waits, and
    /// gives way to what is newer.
    pub async fn progress(&self, progress: f64, message: impl Into<String> + Send) -> Result<(), ToolError> {
        let metadata = Metadata { progress: Some(progress), message: Some(message.into()), ..Metadata::default() };
        let event = ToolCallEvent { metadata, ..self.event(CallStatus::InProgress) };
        match self.progress.offer(event) {
            Verdict::Now(event) => Ok(self.append(&[Event::ToolCall(event)]).await?),
            Verdict::Waits => Ok(()),
            Verdict::ComeBack(at) => {
                let (progress, sink) = (self.progress.clone(), self.sink.clone());
                tokio::spawn(async move {
                    tokio::time::sleep_until(at).await;
                    if let Some(event) = progress.take() {
                        let _ = sink.append(&[Event::ToolCall(event)]).await;
                    }
                });
                Ok(())
            }
        }
    }

    /// Output while it runs.
    pub async fn output(&self, chunk: impl Into<String> + Send) -> Result<(), ToolError> {
        let output = ToolOutput { tool_call_id: self.call.clone(), chunk: chunk.into() };
        Ok(self.append(&[Event::ToolOutput(output)]).await?)
    }

    /// Told to stop: a tool that works for long should look.
    pub const fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    pub(super) const fn tools(&self) -> &Registry {
        &self.calls.tools
    }

    const fn conversation(&self) -> Option<ConversationId> {
        match &self.sink {
            Sink::Log(_, conversation) => Some(*conversation),
            #[cfg(test)]
            Sink::Memory(_) => None,
        }
    }

    /// Waits for a slot, and says so if there is none.
    pub(super) async fn enter(&self) -> Result<(), Error> {
        let slot = match self.lane.try_enter() {
            Some(slot) => Some(slot),
            None => {
                let queued = self.lane.queue();
                let message = match queued.place {
                    1 => "Next in line".to_owned(),
                    n => format!("Waiting behind {} others", n - 1),
                };
                let metadata = Metadata { message: Some(message), ..Metadata::default() };
                let event = ToolCallEvent { metadata, ..self.event(CallStatus::Queued) };
                self.append(&[Event::ToolCall(event)]).await?;
                queued.enter().await
            }
        };
        self.slot.lock().await.slot = slot;
        Ok(())
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

    pub(super) fn next_attempt(&self) {
        self.attempt.fetch_add(1, Ordering::Relaxed);
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Stage::PreparingSearch;
    }

    /// A number from 0 to 1 that differs from call to call.
    pub(super) fn chance(&self) -> f64 {
        let seed = crate::server::corpus::store::fingerprint(format!("{}{:?}", self.call, self.attempt).as_bytes());
        (seed & 0xffff) as f64 / 65_535.0
    }

    /// What progress had to wait goes out before anything that comes after it.
    pub(super) async fn say_what_waits(&self) -> Result<(), Error> {
        match self.progress.take() {
            Some(event) => self.append(&[Event::ToolCall(event)]).await,
            None => Ok(()),
        }
    }

    /// The common part of everything that is said about the call.
    pub(super) fn event(&self, status: CallStatus) -> ToolCallEvent {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        ToolCallEvent {
            id: self.call.clone(),
            tool_name: None,
            status,
            stage: Some(stage),
            metadata: Metadata::default(),
            timestamp: clock::now(),
            run_id: Some(self.run.clone()),
            parent_id: self.parent.clone(),
            attempt: Some(self.attempt.load(Ordering::Relaxed)),
            executor: Some(Executor::Server),
            title: Some(self.title.clone()),
            error_kind: None,
        }
    }

    pub(super) async fn append(&self, events: &[Event]) -> Result<(), Error> {
        self.sink.append(events).await?;
        if !self.pace.is_zero() {
            tokio::time::sleep(self.pace).await;
        }
        Ok(())
    }
}

impl Sink {
    async fn append(&self, events: &[Event]) -> Result<(), Error> {
        match self {
            Self::Log(log, conversation) => {
                log.append(*conversation, events).await?;
            }
            #[cfg(test)]
            Self::Memory(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(events),
        }
        Ok(())
    }
}
