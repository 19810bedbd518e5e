//! What is said about one call, by whoever says it: the tool itself, those who run it, its children. What is said is
//! committed before its speaker goes on, and after the ending nothing is.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use super::{
    keep,
    output::Output,
    throttle::{Joins, Throttle, Verdict},
};
use crate::{
    model::{
        CallId, CallStatus, ConversationId, Event, Executor, Family, Metadata, RunId, Stage,
        event::{ToolCallEvent, ToolOutput},
    },
    server::{Error, clock, log::EventLog},
};

pub struct Voice {
    pub call: CallId,
    pub run: RunId,
    pub tool: String,
    pub title: String,
    pub family: Option<Family>,
    pub executor: Executor,
    pub parent_id: Option<CallId>,
    /// Whoever has called it, while it is there.
    pub parent: Option<Arc<Voice>>,
    /// Which of its parent's children it is.
    pub nth_child: usize,
    pub repeats: Option<CallId>,
    pub attempt: AtomicU32,
    /// What the tool was last busy with: that is where it fails, if it does.
    pub stage: Mutex<Stage>,
    /// How often it has said one.
    pub stages: AtomicU32,
    pub progress: Throttle<ToolCallEvent>,
    pub output: Output,
    pub children: Mutex<Children>,
    /// One thing after the other, so that nothing overtakes what had to wait.
    pub speaking: tokio::sync::Mutex<()>,
    /// The ending has been said.
    pub is_silent: AtomicBool,
    /// It, or something that it has called, may not happen twice, and has begun.
    pub has_effect: AtomicBool,
    /// Of its parent's attempts, the one that it belongs to.
    pub parents_attempt: u32,
    pub sink: Sink,
    /// A pause after each thing said, for those who want to watch.
    pub pace: Duration,
}

/// How far a call's children are, each from 0 to 1.
#[derive(Default)]
pub struct Children {
    progress: Vec<f64>,
    /// How many there are going to be, as far as the tool has said.
    expected: usize,
    /// A bar does not go back.
    said: f64,
}

#[derive(Clone)]
pub enum Sink {
    Log(EventLog, ConversationId),
    #[cfg(test)]
    Memory(Arc<Mutex<Vec<Event>>>),
}

impl Joins for ToolCallEvent {
    /// The newest holds. What it leaves out still does.
    fn join(&mut self, newer: Self) {
        let mut metadata = std::mem::take(&mut self.metadata);
        metadata.merge(&newer.metadata);
        *self = Self { metadata, ..newer };
    }
}

impl Voice {
    /// From here on nobody above may try again either.
    pub fn takes_effect(&self) {
        let mut voice = Some(self);
        while let Some(each) = voice {
            each.has_effect.store(true, Ordering::SeqCst);
            voice = each.parent.as_deref();
        }
    }

    pub fn has_taken_effect(&self) -> bool {
        self.has_effect.load(Ordering::SeqCst)
    }

    /// The common part of everything that is said about the call.
    pub fn event(&self, status: CallStatus) -> ToolCallEvent {
        ToolCallEvent {
            id: self.call.clone(),
            tool_name: None,
            status,
            stage: Some(*self.stage.lock().unwrap_or_else(PoisonError::into_inner)),
            metadata: Metadata::default(),
            timestamp: clock::now(),
            run_id: Some(self.run.clone()),
            parent_id: self.parent_id.clone(),
            attempt: Some(self.attempt.load(Ordering::Relaxed)),
            executor: Some(self.executor),
            title: Some(self.title.clone()),
            error_kind: None,
            family: None,
            repeats: None,
            ask: None,
            tab: None,
        }
    }

    /// The event that gives a call its card, before its arguments are known. It fixes the title.
    pub fn announcement(&self) -> Event {
        Event::ToolCall(ToolCallEvent { family: self.family, ..self.named(CallStatus::Queued) })
    }

    /// What begins or ends the call says everything about it.
    pub fn named(&self, status: CallStatus) -> ToolCallEvent {
        ToolCallEvent { tool_name: Some(self.tool.clone()), repeats: self.repeats.clone(), ..self.event(status) }
    }

    /// Says something, after what had to wait.
    pub async fn say(&self, events: &[Event]) -> Result<(), Error> {
        {
            let _speaking = self.speaking.lock().await;
            if self.is_silent.load(Ordering::SeqCst) {
                return Ok(());
            }
            let mut all = self.waiting();
            all.extend_from_slice(events);
            if all.is_empty() {
                return Ok(());
            }
            self.sink.append(&all).await?;
        }
        self.rest().await;
        Ok(())
    }

    /// Says the last thing. Whatever comes after it is not said.
    pub async fn say_last(&self, events: &[Event]) -> Result<(), Error> {
        let _speaking = self.speaking.lock().await;
        let mut all = self.waiting();
        all.extend_from_slice(events);
        self.sink.append(&all).await?;
        self.is_silent.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// What had to wait.
    fn waiting(&self) -> Vec<Event> {
        let output = self.output.throttle.take().map(|chunk| printed(&self.call, chunk));
        output.into_iter().chain(self.progress.take().map(Event::ToolCall)).collect()
    }

    pub async fn rest(&self) {
        if !self.pace.is_zero() {
            tokio::time::sleep(self.pace).await;
        }
    }

    /// Another stage is said at once; more about the same one, or more than anyone has, like all progress.
    pub async fn stage(self: &Arc<Self>, stage: Stage, metadata: Metadata) -> Result<(), Error> {
        const MOST: u32 = 100;
        let before = std::mem::replace(&mut *self.stage.lock().unwrap_or_else(PoisonError::into_inner), stage);
        let event = ToolCallEvent { metadata, ..self.event(CallStatus::InProgress) };
        let count = self.stages.fetch_add(1, Ordering::Relaxed);
        if count > 0 && before == stage || count >= MOST {
            return self.throttled(&self.progress, event).await;
        }
        self.say(&[Event::ToolCall(event)]).await
    }

    /// How far it is, and so those above it are.
    pub async fn progress(self: &Arc<Self>, progress: f64, message: Option<String>) -> Result<(), Error> {
        let metadata = Metadata { progress: Some(progress), message, ..Metadata::default() };
        self.throttled(&self.progress, self.moved(metadata)).await?;
        self.tell_parents(progress).await
    }

    /// Tells those above how far this one is: their progress is their children's.
    pub async fn tell_parents(&self, progress: f64) -> Result<(), Error> {
        let (mut child, mut progress) = (self, progress);
        while let Some(parent) = &child.parent {
            if parent.attempt.load(Ordering::Relaxed) != child.parents_attempt {
                return Ok(());
            }
            let Some(moved) = parent.lock_children().moved(child.nth_child, progress) else { return Ok(()) };
            let metadata = Metadata { progress: Some(moved), ..Metadata::default() };
            parent.throttled(&parent.progress, parent.moved(metadata)).await?;
            (child, progress) = (parent, moved);
        }
        Ok(())
    }

    fn moved(&self, metadata: Metadata) -> ToolCallEvent {
        ToolCallEvent { metadata, ..self.event(CallStatus::InProgress) }
    }

    pub async fn print(self: &Arc<Self>, chunk: &str) -> Result<(), Error> {
        match self.output.print(chunk) {
            Some(said) => self.throttled(&self.output.throttle, said).await,
            None => Ok(()),
        }
    }

    /// Says something now, or soon, or not at all because something newer took its place.
    async fn throttled<T: Joins + Send>(self: &Arc<Self>, throttle: &Throttle<T>, said: T) -> Result<(), Error> {
        match throttle.offer(said) {
            Verdict::Now => self.say(&[]).await,
            Verdict::Waits => Ok(()),
            Verdict::ComeBack(at) => {
                let voice = Arc::clone(self);
                tokio::spawn(async move {
                    tokio::time::sleep_until(at).await;
                    let _speaking = voice.speaking.lock().await;
                    let waiting = voice.waiting();
                    if !waiting.is_empty() && !voice.is_silent.load(Ordering::SeqCst) {
                        let _ = voice.sink.append(&waiting).await;
                    }
                });
                Ok(())
            }
        }
    }

    /// Keeps all that was printed, if it was too much for the log.
    pub async fn keep_output(&self) -> Result<Option<Event>, Error> {
        let (Some(log), Some(whole)) = (self.sink.log(), self.output.whole()) else { return Ok(None) };
        let whole = Some(keep::keep(log, whole).await?);
        Ok(Some(Event::ToolOutput(ToolOutput { tool_call_id: self.call.clone(), chunk: String::new(), whole })))
    }

    pub fn lock_children(&self) -> std::sync::MutexGuard<'_, Children> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn printed(call: &CallId, chunk: String) -> Event {
    Event::ToolOutput(ToolOutput { tool_call_id: call.clone(), chunk, whole: None })
}

impl Children {
    pub fn expect(&mut self, expected: usize) {
        self.expected = expected;
    }

    /// One more, and which one it is.
    pub fn add(&mut self) -> usize {
        self.progress.push(0.0);
        self.progress.len() - 1
    }

    /// How far all of them are, if that is further than was said before.
    fn moved(&mut self, nth: usize, progress: f64) -> Option<f64> {
        *self.progress.get_mut(nth)? = progress.clamp(0.0, 1.0);
        let all = self.progress.len().max(self.expected) as f64;
        let now = self.progress.iter().sum::<f64>() / all;
        (now > self.said).then(|| {
            self.said = now;
            now
        })
    }
}

impl Sink {
    pub const fn log(&self) -> Option<&EventLog> {
        match self {
            Self::Log(log, _) => Some(log),
            #[cfg(test)]
            Self::Memory(_) => None,
        }
    }

    pub const fn conversation(&self) -> Option<ConversationId> {
        match self {
            Self::Log(_, conversation) => Some(*conversation),
            #[cfg(test)]
            Self::Memory(_) => None,
        }
    }

    pub async fn append(&self, events: &[Event]) -> Result<(), Error> {
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
