//! What a tool holds while it runs: the one way in which it tells of itself, calls others, and hears that it should stop.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Calls,
    caller::Special,
    deadline::{Deadline, Hold},
    lanes::{Lane, Queued, Slot},
    running::Entry,
    voice::{Sink, Voice},
};
use crate::{
    model::{
        CallId, CallStatus, ConversationId, ErrorKind, Event, MessageId, Metadata, RunId, Stage, Todo,
        event::{TodosEvent, ToolCallEvent, ToolsCallUpdate},
    },
    server::{Error, asking::brief, tools::ToolError},
};

pub struct Reporter {
    pub(super) voice: Arc<Voice>,
    pub(super) calls: Calls,
    pub(super) tasks: TaskTracker,
    /// Every call runs, also where the result is known.
    pub(super) is_fresh: bool,
    /// Stops this call.
    pub(super) cancelled: CancellationToken,
    attempt: Mutex<Attempt>,
    /// When those above it have no more time.
    budget: Option<Arc<Deadline>>,
    /// The question that waits for an answer, by its number; zero if none does.
    pending: AtomicU32,
    /// How many questions this attempt has asked.
    questions: AtomicU32,
    /// It asks before it runs, whatever was allowed.
    pub(super) must_ask: bool,
    /// It was waiting for a person when it was taken up, and has not gone on since.
    is_resumed: AtomicBool,
    /// The log says already that it waits for a person.
    has_said_so: AtomicBool,
    /// It can be cancelled from its announcement on.
    _listed: Entry,
    lane: Arc<Lane>,
    seat: Mutex<Option<Seat>>,
    /// Its own seat, for one of its children at a time: it has nothing to do itself while they run.
    lap: Arc<Semaphore>,
    parents_lap: Option<Arc<Semaphore>>,
    is_started: AtomicBool,
}

/// Leave to run. Dropping it lets the next one in.
enum Seat {
    Own { _slot: Slot },
    Parents { _permit: OwnedSemaphorePermit },
}

/// What holds for one attempt: the call's children and its queries end with it.
#[derive(Clone)]
pub(super) struct Attempt {
    pub stop: CancellationToken,
    deadline: Option<Arc<Deadline>>,
}

/// Where a call's events go, and who waits for it.
pub(super) struct Origin {
    pub run: RunId,
    pub sink: Sink,
    pub tasks: TaskTracker,
    pub pace: Duration,
}

/// A call that calls.
pub(super) struct Parent {
    voice: Arc<Voice>,
    budget: Option<Arc<Deadline>>,
    lap: Arc<Semaphore>,
}

impl Reporter {
    pub(super) fn make(
        calls: &Calls,
        call: &CallId,
        tool: &str,
        origin: Origin,
        cancelled: &CancellationToken,
        special: Special,
    ) -> Self {
        let Origin { run, sink, tasks, pace } = origin;
        let Special { parent, parent_id, repeats, is_fresh, attempt, pending, is_resumed, must_ask } = special;
        let conversation = sink.conversation();
        calls.receipts.announce(call);
        let cancelled = cancelled.child_token();
        let (title, family, executor) = calls.tools.named(tool);
        let (parents_lap, budget) = (
            parent.as_ref().map(|parent| Arc::clone(&parent.lap)),
            parent.as_ref().and_then(|parent| parent.budget.clone()),
        );
        let parent = parent.map(|parent| parent.voice);
        let parents_attempt = parent.as_ref().map_or(0, |parent| parent.attempt.load(Ordering::Relaxed));
        let voice = Voice {
            call: call.clone(),
            run,
            tool: tool.to_owned(),
            title,
            family,
            executor,
            parent_id: parent_id.or_else(|| parent.as_ref().map(|parent| parent.call.clone())),
            nth_child: parent.as_ref().map_or(0, |parent| parent.lock_children().add()),
            parent,
            repeats,
            attempt: AtomicU32::new(attempt + 1),
            stage: Mutex::new(Stage::PreparingSearch),
            stages: AtomicU32::new(0),
            progress: Default::default(),
            output: Default::default(),
            children: Mutex::default(),
            speaking: Default::default(),
            is_silent: AtomicBool::new(false),
            has_effect: AtomicBool::new(false),
            parents_attempt,
            sink,
            pace,
        };
        Self {
            _listed: calls.running.enter(call, conversation, cancelled.clone()),
            voice: Arc::new(voice),
            tasks,
            is_fresh,
            attempt: Mutex::new(Attempt { stop: cancelled.child_token(), deadline: None }),
            cancelled,
            budget,
            pending: AtomicU32::new(pending),
            must_ask,
            questions: AtomicU32::new(0),
            is_resumed: AtomicBool::new(is_resumed),
            has_said_so: AtomicBool::new(pending > 0),
            lane: calls.lanes.lane(conversation.unwrap_or_else(ConversationId::mint)),
            calls: calls.clone(),
            seat: Mutex::new(None),
            lap: Arc::new(Semaphore::new(1)),
            parents_lap,
            is_started: AtomicBool::new(false),
        }
    }

    /// A call that this one makes. It ends with this attempt, and has no more time.
    pub(super) fn child(&self, tool: &str) -> Self {
        let Voice { run, sink, pace, .. } = &*self.voice;
        let origin = Origin { run: run.clone(), sink: sink.clone(), tasks: self.tasks.clone(), pace: *pace };
        let Attempt { stop, deadline } = self.lock_attempt().clone();
        let parent = Parent { voice: Arc::clone(&self.voice), budget: deadline, lap: Arc::clone(&self.lap) };
        let special = Special { parent: Some(parent), is_fresh: self.is_fresh, ..Special::default() };
        Self::make(&self.calls, &CallId::mint(), tool, origin, &stop, special)
    }

    /// For a tool's own tests: everything it says, in order.
    #[cfg(test)]
    pub fn recording(tools: crate::server::tools::Registry) -> (Self, Arc<Mutex<Vec<Event>>>) {
        let events = Arc::<Mutex<Vec<Event>>>::default();
        let calls = Calls::new(tools, super::lanes::Limits::default(), Vec::new());
        let sink = Sink::Memory(Arc::clone(&events));
        let origin = Origin { run: RunId::mint(), sink, tasks: TaskTracker::new(), pace: Duration::ZERO };
        let reporter =
            Self::make(&calls, &CallId::mint(), "test", origin, &CancellationToken::new(), Special::default());
        (reporter, events)
    }

    /// What the tool is busy with now.
    pub async fn stage(&self, stage: Stage, metadata: Metadata) -> Result<(), ToolError> {
        self.listen()?;
        Ok(self.voice.stage(stage, metadata).await?)
    }

    /// How far it is, from 0 to 1, and with what. As often as one likes: what comes too soon after the last waits, and
    /// gives way to what is newer.
    pub async fn progress(&self, progress: f64, message: impl Into<String> + Send) -> Result<(), ToolError> {
        self.listen()?;
        Ok(self.voice.progress(progress, Some(message.into())).await?)
    }

    /// The same in steps: so many of so many are done.
    pub async fn step(&self, done: u64, of: u64, message: impl Into<String> + Send) -> Result<(), ToolError> {
        let message = format!("{done} of {of}: {}", message.into());
        self.progress(done as f64 / of.max(1) as f64, message).await
    }

    /// Output while it runs. As often as one likes, too.
    pub async fn output(&self, chunk: &str) -> Result<(), ToolError> {
        self.listen()?;
        Ok(self.voice.print(chunk).await?)
    }

    /// What the agent means to do, for the person to see.
    pub async fn plan(&self, todos: &[Todo]) -> Result<(), ToolError> {
        self.listen()?;
        Ok(self.voice.say(&[Event::Todos(TodosEvent { todos: todos.to_vec() })]).await?)
    }

    /// Pins a note to the conversation, as it is then.
    pub async fn pin(&self, text: &str) -> Result<String, ToolError> {
        self.listen()?;
        let (Some(log), Some(conversation)) = (self.voice.sink.log(), self.voice.sink.conversation()) else {
            return Err(ToolError::stopped());
        };
        let known = log.read(conversation, |known| known.arrangements().briefs.len()).await?;
        let brief = brief(text, known).map_err(|why| ToolError::new(ErrorKind::InvalidArguments, why))?;
        let text = brief.text.clone().unwrap_or_default();
        self.voice.say(&[Event::Brief(brief)]).await?;
        Ok(text)
    }

    /// Told to stop, by somebody or by the clock: a tool that works for long should look.
    pub fn stop(&self) -> CancellationToken {
        self.lock_attempt().stop.clone()
    }

    /// A tool that was told to stop has no more to say.
    pub(super) fn listen(&self) -> Result<(), ToolError> {
        if self.lock_attempt().stop.is_cancelled() { Err(ToolError::stopped()) } else { Ok(()) }
    }

    pub fn call_id(&self) -> &CallId {
        &self.voice.call
    }

    pub fn announcement(&self) -> Event {
        self.voice.announcement()
    }

    /// The event that tells with what it is called.
    pub fn arguments(&self, message_id: &MessageId, index: u32, args: &Value) -> Event {
        Event::ToolsCallUpdate(ToolsCallUpdate {
            message_id: message_id.clone(),
            index,
            tool_call_id: self.voice.call.clone(),
            function_name: Some(self.voice.tool.clone()),
            function_args: Some(args.to_string()),
        })
    }

    /// Waits for a seat, and says so if there is none: its parent's, or one of the conversation's slots.
    pub(super) async fn enter(&self) -> Result<(), Error> {
        let seat = match self.free_seat() {
            Some(seat) => Some(seat),
            None => {
                let queued = self.lane.queue();
                match self.parents_lap.clone() {
                    None => self.wait_in(&queued).await?,
                    Some(lap) => tokio::select! {
                        biased;
                        permit = lap.acquire_owned() => permit.ok().map(|permit| Seat::Parents { _permit: permit }),
                        own = self.wait_in(&queued) => own?,
                    },
                }
            }
        };
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = seat;
        Ok(())
    }

    /// Waits for its turn, and says its place: at first, and whenever only half of those are left before it. So a queue
    /// of any length says little.
    async fn wait_in(&self, queued: &Queued<'_>) -> Result<Option<Seat>, Error> {
        let mut entering = std::pin::pin!(queued.enter());
        loop {
            let place = queued.place();
            if !self.is_started.load(Ordering::Relaxed) {
                self.wait_because(match place {
                    1 => "Next in line".to_owned(),
                    2 => "Waiting behind 1 other".to_owned(),
                    n => format!("Waiting behind {} others", n - 1),
                })
                .await?;
            }
            tokio::select! {
                biased;
                slot = &mut entering => return Ok(slot.map(|slot| Seat::Own { _slot: slot })),
                () = queued.reach(place / 2), if place > 1 => {}
            }
        }
    }

    fn free_seat(&self) -> Option<Seat> {
        let parents = self.parents_lap.clone().and_then(|lap| lap.try_acquire_owned().ok());
        let own = || self.lane.try_enter().map(|slot| Seat::Own { _slot: slot });
        parents.map(|permit| Seat::Parents { _permit: permit }).or_else(own)
    }

    /// Says why a call has not begun yet.
    pub(super) async fn wait_because(&self, message: String) -> Result<(), Error> {
        let metadata = Metadata { message: Some(message), ..Metadata::default() };
        let event = ToolCallEvent { metadata, ..self.voice.event(CallStatus::Queued) };
        self.voice.say(&[Event::ToolCall(event)]).await
    }

    /// Gives its seat to whoever waits.
    pub(super) fn leave(&self) {
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Begins an attempt: how long it may take, and what stops it.
    pub(super) fn begin_attempt(&self, limit: Duration) -> (Arc<Deadline>, CancellationToken) {
        self.is_started.store(true, Ordering::Relaxed);
        let (deadline, stop) = (Deadline::after(limit, self.budget.clone()), self.cancelled.child_token());
        *self.lock_attempt() = Attempt { stop: stop.clone(), deadline: Some(Arc::clone(&deadline)) };
        (deadline, stop)
    }

    /// Its clock stands still, and that of those above it.
    pub(super) fn hold_clock(&self) -> Option<Hold> {
        // Before its first attempt it has no time of its own, but those above it have.
        self.lock_attempt().deadline.as_ref().or(self.budget.as_ref()).map(Deadline::hold)
    }

    /// The question that waits for an answer, by its number; zero if none does.
    pub(super) fn pending(&self) -> u32 {
        self.pending.load(Ordering::SeqCst)
    }

    pub(super) fn set_pending(&self, nth: u32) {
        self.pending.store(nth, Ordering::SeqCst);
    }

    /// Which question of this attempt comes next, from 0.
    pub(super) fn next_question(&self) -> usize {
        self.questions.fetch_add(1, Ordering::Relaxed) as usize
    }

    /// Whether the log says already that it waits for a person. Asking ends that.
    pub(super) fn is_waiting_already(&self) -> bool {
        self.is_resumed.store(false, Ordering::Relaxed);
        self.has_said_so.swap(false, Ordering::Relaxed)
    }

    /// Whether it was waiting for a person when it was taken up: then it has started long ago.
    pub(super) fn is_resumed(&self) -> bool {
        self.is_resumed.load(Ordering::Relaxed)
    }

    /// How many attempts there have been, this one included.
    pub(super) fn attempts(&self) -> u32 {
        self.voice.attempt.load(Ordering::Relaxed)
    }

    pub(super) fn next_attempt(&self) {
        self.voice.attempt.fetch_add(1, Ordering::Relaxed);
        self.questions.store(0, Ordering::Relaxed);
        // The next attempt's children are others.
        *self.voice.lock_children() = Default::default();
        *self.voice.stage.lock().unwrap_or_else(PoisonError::into_inner) = Stage::PreparingSearch;
    }

    pub(super) fn lock_attempt(&self) -> std::sync::MutexGuard<'_, Attempt> {
        self.attempt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number from 0 to 1 that differs from call to call.
    pub(super) fn chance(&self) -> f64 {
        let seed = format!("{}{:?}", self.voice.call, self.voice.attempt);
        let seed = crate::server::corpus::store::fingerprint(seed.as_bytes());
        (seed & 0xffff) as f64 / 65_535.0
    }
}
