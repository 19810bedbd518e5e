//! Listening to a model: its words become events as they come, its calls get their cards with the first chunk that names
//! them, and start as soon as their own arguments are complete.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::sync::mpsc::Receiver;

use crate::{
    model::{
        CallId, Event, Message, MessageId, Role,
        event::{Delta, ToolsCallUpdate},
        message::{MessageMetadata, ToolCallInfo},
        run::Usage,
        summary::{args_summary, duration},
        words::StatusType,
    },
    server::{
        Error,
        calls::{
            Caller, Reporter,
            execution::{cancel, refuse},
            step::Step,
        },
        clock,
        models::{Ending, Finish, Heard, Piece},
    },
};

/// What is heard at once, at most: a commit for each word would be too many.
const AT_ONCE: usize = 64;

pub struct Listening {
    caller: Caller,
    message_id: MessageId,
    text: String,
    reasoning: String,
    kept: Vec<Value>,
    used: Usage,
    calls: HashMap<usize, Calling>,
    made: Vec<ToolCallInfo>,
    step: Step,
    /// Since when it thinks, and for how long it has before.
    thinking: Option<Instant>,
    thought: Duration,
    /// The line that says that it is asked again, as long as it is.
    delay: Option<MessageId>,
    /// Said before the first new word, where an interrupted answer is said anew.
    reset: Option<Event>,
}

/// A call that the model is making.
struct Calling {
    id: CallId,
    name: String,
    /// Until it starts.
    reporter: Option<Reporter>,
    /// What of its arguments has arrived and is not in the log yet.
    waiting: String,
    nth: usize,
}

/// What a model has said in one step.
pub struct Spoken {
    pub message_id: MessageId,
    /// Said whole, if it said anything that is not in the log already.
    pub message: Option<Message>,
    pub finish: Finish,
    pub used: Usage,
}

impl Listening {
    pub fn new(caller: Caller, message_id: MessageId, reset: Option<Event>) -> Self {
        Self {
            step: Step::new(caller.clone(), message_id.clone()),
            caller,
            message_id,
            text: String::new(),
            reasoning: String::new(),
            kept: Vec::new(),
            used: Usage::default(),
            calls: HashMap::new(),
            made: Vec::new(),
            thinking: None,
            thought: Duration::ZERO,
            delay: None,
            reset,
        }
    }

    /// Hears all of it. If that cannot be written down, the calls that have begun are stopped and waited for: they would go
    /// on for nobody.
    pub async fn hear(mut self, heard: Receiver<Heard>) -> Result<(Spoken, Step), Error> {
        let said = match self.listen(heard).await {
            Ok(ending) => self.say_whole(ending).await,
            Err(error) => Err(error),
        };
        match said {
            Ok(spoken) => Ok((spoken, self.step)),
            Err(error) => {
                self.caller.cancelled.cancel();
                for reporter in self.calls.values_mut().filter_map(|calling| calling.reporter.take()) {
                    cancel(&reporter).await?;
                }
                self.step.finish().await?;
                Err(error)
            }
        }
    }

    /// Listens to the end, or until somebody stops the run.
    async fn listen(&mut self, mut heard: Receiver<Heard>) -> Result<Ending, Error> {
        let mut some = Vec::with_capacity(AT_ONCE);
        loop {
            let cancelled = self.caller.cancelled.clone();
            tokio::select! {
                biased;
                () = cancelled.cancelled() => return Ok(Ending { finish: Finish::Stop, said: Some("cancelled".into()) }),
                count = heard.recv_many(&mut some, AT_ONCE) => {
                    if count == 0 {
                        return Ok(Ending { finish: Finish::Cut, said: None });
                    }
                }
            }
            let mut ending = None;
            for each in some.drain(..) {
                match each {
                    Heard::Piece(piece) => self.take(piece).await?,
                    Heard::Again { why, pause } => self.say_delay(&why, pause).await?,
                    Heard::End(end) => ending = Some(end),
                }
            }
            self.say_arguments().await?;
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    async fn take(&mut self, piece: Piece) -> Result<(), Error> {
        let (log, conversation) = (self.caller.log.clone(), self.caller.conversation);
        if let (Piece::Text(_) | Piece::Reasoning(_) | Piece::Call { .. }, Some(reset)) = (&piece, &self.reset) {
            log.append(conversation, std::slice::from_ref(reset)).await?;
            self.reset = None;
        }
        if let Some(line) = self.delay.take() {
            log.append(conversation, &[Event::Message(status_line(line, String::new()))]).await?;
        }
        match &piece {
            Piece::Reasoning(_) => drop(self.thinking.get_or_insert_with(Instant::now)),
            Piece::Text(_) | Piece::Call { .. } => self.has_thought(),
            _ => {}
        }
        match piece {
            Piece::Text(delta) => {
                self.text.push_str(&delta);
                log.append_text(conversation, Delta { message_id: self.message_id.clone(), delta }).await?;
            }
            Piece::Reasoning(delta) => {
                self.reasoning.push_str(&delta);
                log.append_reasoning(conversation, Delta { message_id: self.message_id.clone(), delta }).await?;
            }
            Piece::Call { nth, name, .. } => self.announce(nth, name).await?,
            Piece::Arguments { nth, chunk } => {
                if let Some(calling) = self.calls.get_mut(&nth) {
                    calling.waiting.push_str(&chunk);
                }
            }
            Piece::Ready { nth, args } => self.start(nth, args).await?,
            Piece::Broken { nth, why } => self.give_up(nth, &why).await?,
            Piece::Usage { input_tokens, output_tokens } => self.used = Usage { input_tokens, output_tokens },
            Piece::Keep(block) => self.kept.push(block),
        }
        Ok(())
    }

    /// What the model thought until now was a thought.
    fn has_thought(&mut self) {
        self.thought += self.thinking.take().map(|since| since.elapsed()).unwrap_or_default();
    }

    /// The model is asked again: whoever waits is told why, and how long.
    async fn say_delay(&mut self, why: &str, pause: Duration) -> Result<(), Error> {
        tracing::warn!(conversation = %self.caller.conversation, %why, "asking the model again in {pause:?}");
        let line = self.delay.get_or_insert_with(MessageId::mint).clone();
        let pause = duration(u64::try_from(pause.as_millis()).unwrap_or(u64::MAX));
        let told = format!("{} Asking again in {pause}.", why.trim_end());
        self.caller.log.append(self.caller.conversation, &[Event::Message(status_line(line, told))]).await?;
        Ok(())
    }

    /// The card is there as soon as the call has a name. Its id is ours: two answers of a model may use the same.
    async fn announce(&mut self, nth: usize, name: String) -> Result<(), Error> {
        let reporter = self.caller.reporter(&CallId::mint(), &name);
        let id = reporter.call_id().clone();
        let named = self.update(&id, self.calls.len(), Some(name.clone()), None);
        self.caller.log.append(self.caller.conversation, &[reporter.announcement(), named]).await?;
        let calling = Calling { id, name, reporter: Some(reporter), waiting: String::new(), nth: self.calls.len() };
        self.calls.insert(nth, calling);
        Ok(())
    }

    fn update(&self, id: &CallId, index: usize, name: Option<String>, args: Option<String>) -> Event {
        Event::ToolsCallUpdate(ToolsCallUpdate {
            message_id: self.message_id.clone(),
            index: index as u32,
            tool_call_id: id.clone(),
            function_name: name,
            function_args: args,
        })
    }

    /// What has arrived of the arguments since the last time.
    async fn say_arguments(&mut self) -> Result<(), Error> {
        let waiting: Vec<(CallId, usize, String)> = self
            .calls
            .values_mut()
            .filter(|calling| !calling.waiting.is_empty())
            .map(|calling| (calling.id.clone(), calling.nth, std::mem::take(&mut calling.waiting)))
            .collect();
        let events: Vec<Event> =
            waiting.into_iter().map(|(id, nth, chunk)| self.update(&id, nth, None, Some(chunk))).collect();
        if !events.is_empty() {
            self.caller.log.append(self.caller.conversation, &events).await?;
        }
        Ok(())
    }

    async fn start(&mut self, nth: usize, args: Value) -> Result<(), Error> {
        self.say_arguments().await?;
        let Some(calling) = self.calls.get_mut(&nth) else { return Ok(()) };
        let Some(reporter) = calling.reporter.take() else { return Ok(()) };
        let (id, name) = (calling.id.clone(), calling.name.clone());
        // The list of calls has the arguments as they are; what was streamed may have been an empty text.
        self.made.push(info(&id, &name, Some(args.clone())));
        self.step.start(reporter, &name, args);
        Ok(())
    }

    /// Arguments that never became any: the card says why, and the model is told.
    async fn give_up(&mut self, nth: usize, why: &str) -> Result<(), Error> {
        self.say_arguments().await?;
        let Some(calling) = self.calls.get_mut(&nth) else { return Ok(()) };
        let Some(reporter) = calling.reporter.take() else { return Ok(()) };
        let info = info(&calling.id, &calling.name, None);
        self.made.push(info.clone());
        let result = match self.caller.cancelled.is_cancelled() {
            true => cancel(&reporter).await?,
            false => refuse(&reporter, why).await?,
        };
        self.step.ended(info, result);
        Ok(())
    }

    /// The model has come to its end: what it said, as one message.
    async fn say_whole(&mut self, ending: Ending) -> Result<Spoken, Error> {
        let is_open = |(_, calling): &(&usize, &Calling)| calling.reporter.is_some();
        let open: Vec<usize> = self.calls.iter().filter(is_open).map(|(nth, _)| *nth).collect();
        for nth in open {
            self.give_up(nth, "The model's answer ended before all arguments were there.").await?;
        }
        let has_spoken = !self.text.is_empty() || !self.reasoning.is_empty() || !self.made.is_empty();
        let (tool_calls, kept) = (std::mem::take(&mut self.made), std::mem::take(&mut self.kept));
        self.has_thought();
        let thought_ms = u64::try_from(self.thought.as_millis()).ok().filter(|_| !self.reasoning.is_empty());
        let metadata = MessageMetadata { tool_calls, kept, thought_ms, ..MessageMetadata::default() };
        let has_metadata = metadata != MessageMetadata::default();
        let message = Message {
            id: self.message_id.clone(),
            role: Role::Assistant,
            content: std::mem::take(&mut self.text),
            timestamp: clock::now(),
            metadata: has_metadata.then_some(metadata),
            reasoning: std::mem::take(&mut self.reasoning),
        };
        let mut message = has_spoken.then_some(message);
        if !self.calls.is_empty() {
            // Before the calls have ended: who takes this up after a crash needs all of it.
            let said: Vec<Event> = message.take().map(Event::Message).into_iter().collect();
            self.caller.log.append(self.caller.conversation, &said).await?;
        }
        Ok(Spoken { message_id: self.message_id.clone(), message, finish: ending.finish, used: self.used })
    }
}

/// A line that goes when it is empty, or when the run is over.
fn status_line(id: MessageId, content: String) -> Message {
    let metadata = MessageMetadata { status_type: Some(StatusType::Info), ..MessageMetadata::default() };
    Message {
        id,
        role: Role::Status,
        content,
        timestamp: clock::now(),
        metadata: Some(metadata),
        reasoning: String::new(),
    }
}

fn info(id: &CallId, name: &str, args: Option<Value>) -> ToolCallInfo {
    let args_summary = args.as_ref().map(args_summary);
    ToolCallInfo { id: Some(id.clone()), name: name.to_owned(), args, args_summary }
}
