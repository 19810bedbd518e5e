//! Where a call stops and asks a person: whether it may run, or what only the person knows. The question and the answer are
//! events, so both survive whatever happens to this server.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::MutexGuard;

use super::{Reporter, ending::Stop};
use crate::{
    model::{
        CallId, CallStatus, ErrorKind, Event, Timestamp,
        ask::{Answer, AnswerEvent, Approval, Ask, Asked, Question, Scope},
        event::ToolCallEvent,
        summary,
    },
    server::{
        Error, clock,
        db::grants::Permission,
        tools::{Registered, ToolError},
    },
};

/// How long a question waits.
pub const PATIENCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What came of asking.
pub enum Pass {
    /// With these arguments, which may be others than the model's.
    May(Value),
    Denied,
}

/// Asks whether a call may run, unless it may anyway.
pub async fn pass(reporter: &Reporter, found: &Registered, args: Value) -> Result<Pass, Stop> {
    let about = &found.about;
    let needs_leave = about.asks || reporter.must_ask;
    let Some(conversation) = reporter.voice.sink.conversation().filter(|_| needs_leave) else {
        return Ok(Pass::May(args));
    };
    let Some(log) = reporter.voice.sink.log() else { return Ok(Pass::May(args)) };
    let subject = about.subject();
    let permission = log.permission(conversation, &subject).await?;
    let has_asked = known(reporter).await?.iter().any(|asked| matches!(asked.ask.question, Question::Approval(_)));
    if let (Permission::Given { is_local }, false, false) = (permission, has_asked, reporter.must_ask) {
        let scope = if is_local { Scope::Conversation } else { Scope::Always };
        let answer = Answer::Approved { scope, args: None };
        let (tool_call_id, timestamp) = (reporter.voice.call.clone(), clock::now());
        let allowed = AnswerEvent { tool_call_id, nth: 0, answer, subject: None, timestamp };
        reporter.voice.say(&[Event::Answer(allowed)]).await?;
        return Ok(Pass::May(args));
    }
    let why_again = match permission {
        _ if reporter.must_ask => Some("It has run before, and every run counts. This would be once more.".into()),
        Permission::Given { .. } | Permission::None => None,
        Permission::Changed { at } => {
            Some(format!("You allowed this tool on {}. It has changed since, so it asks again.", day(at)))
        }
        Permission::Revoked { at } => Some(format!("You took back your permission on {}, so it asks again.", day(at))),
    };
    let approval = found.tool.approval(&args, about)?;
    let question = Question::Approval(Approval { why_again, subject, ..approval });
    match reporter.ask(question).await? {
        Answer::Approved { args: changed, .. } => Ok(Pass::May(changed.unwrap_or(args))),
        Answer::Denied { .. } | Answer::Skipped => Ok(Pass::Denied),
        Answer::Submitted { .. } | Answer::Withdrawn => Err(Stop::Cancelled),
    }
}

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// What this call has asked so far, by the log.
async fn known(reporter: &Reporter) -> Result<Vec<Asked>, Error> {
    let voice = &reporter.voice;
    let (Some(log), Some(conversation)) = (voice.sink.log(), voice.sink.conversation()) else { return Ok(Vec::new()) };
    let asked = log.read(conversation, |known| known.call(&voice.call).map(|call| call.asked.clone())).await?;
    Ok(asked.unwrap_or_default())
}

impl Reporter {
    /// Asks a person, and waits for the answer, however long that takes. A question that was asked before the server was
    /// started again is not asked twice, and one that was answered meanwhile is answered.
    pub(super) async fn ask(&self, question: Question) -> Result<Answer, Stop> {
        let Some(conversation) = self.voice.sink.conversation() else { return Err(ToolError::stopped().into()) };
        let status = match question {
            Question::Approval(_) => CallStatus::AwaitingApproval,
            Question::Form(_) => CallStatus::AwaitingInput,
        };
        let bell = self.calls.people.bell(conversation, &self.voice.call);
        let is_said = self.is_waiting_already();
        let _hold = self.hold_clock();
        // Nobody answers while it is found out what was asked.
        let deciding = self.calls.people.deciding.lock().await;
        let asked = known(self).await?;
        // Forms come one after the other, and again in the same order; leave is asked for once.
        let kind = |asked: &&Asked| std::mem::discriminant(&asked.ask.question) == std::mem::discriminant(&question);
        let of_kind: Vec<&Asked> = asked.iter().filter(kind).collect();
        let before = match question {
            Question::Approval(_) => of_kind.last(),
            Question::Form(_) => of_kind.get(self.next_question()),
        };
        let is_same =
            |asked: &&Asked| is_same(&asked.ask.question, &question) && asked.answer != Some(Answer::Withdrawn);
        let ask = match before.copied().filter(is_same) {
            Some(Asked { answer: Some(answer), .. }) => return Ok(answer.clone()),
            Some(Asked { ask, answer: None, .. }) => {
                if !is_said {
                    self.voice.say(&[Event::ToolCall(self.voice.event(status))]).await?;
                }
                ask.clone()
            }
            None => {
                let nth = asked.last().map_or(1, |last| last.ask.nth + 1);
                let expires_at = Some(clock::now().later(self.calls.patience));
                let ask = Ask { nth, expires_at, question };
                let event = ToolCallEvent { ask: Some(Box::new(ask.clone())), ..self.voice.event(status) };
                self.set_pending(nth);
                // What it asked before it does not ask any more.
                let open = asked.iter().filter(|asked| asked.answer.is_none());
                let mut events: Vec<Event> = open.map(|asked| withdrawn(&self.voice.call, asked.ask.nth)).collect();
                events.push(Event::ToolCall(event));
                self.voice.say(&events).await?;
                ask
            }
        };
        drop(deciding);
        self.set_pending(ask.nth);
        let answer = self.wait_for(&ask, &bell).await?;
        self.set_pending(0);
        Ok(answer)
    }

    async fn wait_for(&self, ask: &Ask, bell: &super::people::Bell) -> Result<Answer, Stop> {
        loop {
            let asked = known(self).await?;
            let answer = asked.iter().find(|asked| asked.ask.nth == ask.nth).and_then(|asked| asked.answer.clone());
            if let Some(answer) = answer {
                return Ok(answer);
            }
            let left = ask.expires_at.map_or(PATIENCE, |at| Duration::from_millis(at.millis_since(clock::now())));
            // Not longer at once than any clock can wait.
            let nap = left.min(Duration::from_secs(24 * 60 * 60));
            tokio::select! {
                biased;
                () = self.cancelled.cancelled() => return Err(Stop::Cancelled),
                () = bell.rung() => {}
                () = tokio::time::sleep(nap) => {
                    if nap == left {
                        return Err(expired(self.calls.patience).into());
                    }
                }
            }
        }
    }

    /// Asks from within a running tool: its clock stands still, and others get its seat meanwhile.
    pub async fn inquire(&self, question: Question) -> Result<Answer, ToolError> {
        self.listen()?;
        self.leave();
        let stop = self.stop();
        let answer = tokio::select! {
            biased;
            () = stop.cancelled() => return Err(ToolError::stopped()),
            answer = self.ask(question) => answer,
        };
        let answer = answer.map_err(|stop| match stop {
            Stop::Failed(error) => error,
            Stop::Cancelled => ToolError::stopped(),
            Stop::Broken(error) => error.into(),
        })?;
        self.enter().await?;
        self.voice.say(&[Event::ToolCall(self.voice.event(CallStatus::InProgress))]).await?;
        Ok(answer)
    }
}

/// Why something asks again is no part of the question.
fn is_same(one: &Question, other: &Question) -> bool {
    match (one, other) {
        (Question::Approval(one), Question::Approval(other)) => one.subject == other.subject,
        (Question::Form(one), Question::Form(other)) => one == other,
        (Question::Approval(_), Question::Form(_)) | (Question::Form(_), Question::Approval(_)) => false,
    }
}

fn expired(patience: Duration) -> ToolError {
    let told = summary::duration(u64::try_from(patience.as_millis()).unwrap_or(u64::MAX));
    ToolError::new(ErrorKind::Timeout, format!("Nobody answered within {told}, so it did not go on."))
}

/// Takes back the question that a call has open when it ends, if nobody has answered it meanwhile. Nobody can before that
/// is written.
pub async fn take_back(reporter: &Reporter) -> Result<Option<(MutexGuard<'_, ()>, Event)>, Error> {
    let nth = reporter.pending();
    if nth == 0 {
        return Ok(None);
    }
    let deciding = reporter.calls.people.deciding.lock().await;
    let is_open = known(reporter).await?.iter().any(|asked| asked.ask.nth == nth && asked.answer.is_none());
    Ok(is_open.then(|| (deciding, withdrawn(&reporter.voice.call, nth))))
}

pub fn withdrawn(call: &CallId, nth: u32) -> Event {
    Event::Answer(AnswerEvent {
        tool_call_id: call.clone(),
        nth,
        answer: Answer::Withdrawn,
        subject: None,
        timestamp: clock::now(),
    })
}
