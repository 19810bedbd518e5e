//! What a person says to a call that waits: yes, no, or what it asked for. Of two who answer at once, the first is heard and
//! the second is told.

use serde_json::Value;

use super::{App, Error, calls::schema, clock, db::grants::Held, uninterrupted};
use crate::{
    api::GrantInfo,
    model::{
        CallId, ConversationId, Event, Timestamp, ToolCall,
        ask::{Answer, AnswerEvent, Approval, Ask, Asked, Question, Scope, Subject},
        form::{Filled, Form},
        summary::display_name,
    },
};

/// What an approval form says.
pub struct Verdict {
    pub is_allowed: bool,
    pub scope: Scope,
    /// Other arguments than the model's, as JSON.
    pub args: Option<String>,
    pub reason: Option<String>,
}

const LONGEST_REASON: usize = 1_000;

impl App {
    /// Allows a call, or does not.
    pub async fn approve(
        &self,
        conversation: ConversationId,
        call: CallId,
        nth: Option<u32>,
        verdict: Verdict,
    ) -> Result<(), Error> {
        let app = self.clone();
        self.answer(conversation, call, nth, move |call, ask| {
            let Question::Approval(Approval { subject, .. }) = &ask.question else {
                return Err(Error::Invalid("This call asks for something else. Look at its card.".into()));
            };
            if !verdict.is_allowed {
                let reason = verdict.reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
                if reason.as_ref().is_some_and(|reason| reason.chars().count() > LONGEST_REASON) {
                    return Err(Error::Invalid(format!(
                        "A reason has at most {LONGEST_REASON} characters. Shorten it."
                    )));
                }
                return Ok((Answer::Denied { reason }, None));
            }
            let args = match verdict.args.as_deref().map(str::trim).filter(|args| !args.is_empty()) {
                Some(written) => app.changed_args(call, written)?,
                None => None,
            };
            Ok((Answer::Approved { scope: verdict.scope, args }, Some(subject.clone())))
        })
        .await
    }

    /// The arguments that somebody wrote, if they are others than they were.
    pub(super) fn changed_args(&self, call: &ToolCall, written: &str) -> Result<Option<Value>, Error> {
        let args: Value = serde_json::from_str(written).map_err(|error| {
            Error::Invalid(format!("The arguments are no JSON: {error}. Mend them and send again."))
        })?;
        if let Ok(found) = self.agent.calls.tools.get(&call.tool_name) {
            schema::check(&found.about.input_schema, &args).map_err(|reasons| {
                let reasons = reasons.join("; ");
                Error::Invalid(format!("{} does not take this: {reasons}. Mend it and send again.", call.title))
            })?;
        }
        Ok((call.args().as_ref() != Some(&args)).then_some(args))
    }

    /// What was filled into a form, or that it was skipped.
    pub async fn submit(
        &self,
        conversation: ConversationId,
        call: CallId,
        nth: Option<u32>,
        filled: Option<Filled>,
    ) -> Result<(), Error> {
        self.answer(conversation, call, nth, move |_, ask| {
            let Question::Form(inquiry) = &ask.question else {
                return Err(Error::Invalid("This call asks for something else. Look at its card.".into()));
            };
            let Some(filled) = filled else { return Ok((Answer::Skipped, None)) };
            let form = Form::of(&inquiry.schema).map_err(Error::Invalid)?;
            let content = form.read(&filled).map_err(|problems| {
                Error::Invalid(problems.into_iter().map(|(_, told)| told).collect::<Vec<_>>().join(" "))
            })?;
            schema::check(&inquiry.schema, &content).map_err(|reasons| Error::Invalid(reasons.join("; ")))?;
            Ok((Answer::Submitted { content }, None))
        })
        .await
    }

    async fn answer(
        &self,
        conversation: ConversationId,
        call: CallId,
        nth: Option<u32>,
        read: impl FnOnce(&ToolCall, &Ask) -> Result<(Answer, Option<crate::model::ask::Subject>), Error> + Send + 'static,
    ) -> Result<(), Error> {
        let app = self.clone();
        uninterrupted(async move {
            let people = &app.agent.calls.people;
            let deciding = people.deciding.lock().await;
            let known = app.log.read(conversation, |known| known.call(&call).cloned()).await?;
            let Some(known) = known else {
                return Err(Error::Nothing("There is no such call in this conversation.".into()));
            };
            let ask = known.open_question().filter(|ask| nth.is_none_or(|nth| nth == ask.nth));
            let Some(ask) = ask else { return Err(Error::Invalid(too_late(&known, nth).into())) };
            let (answer, subject) = read(&known, ask)?;
            let event =
                AnswerEvent { tool_call_id: call.clone(), nth: ask.nth, answer, subject, timestamp: clock::now() };
            app.log.append(conversation, &[Event::Answer(event)]).await?;
            super::crash::point("answered");
            drop(deciding);
            people.ring(conversation, &call);
            Ok(())
        })
        .await
    }

    /// All permissions that hold.
    pub async fn grants(&self) -> Result<Vec<GrantInfo>, Error> {
        let info = |held: Held| {
            let Subject { tool, server, .. } = held.subject;
            let known = self.agent.calls.tools.get(&tool);
            let title = known.map_or_else(|_| display_name(&tool), |found| found.about.title.clone());
            GrantInfo { id: held.id, tool, title, server, conversation: held.conversation, at: held.at }
        };
        Ok(self.db.grants().await?.into_iter().map(info).collect())
    }

    pub async fn revoke(&self, grant: i64) -> Result<(), Error> {
        let is_revoked = self.log.revoke(grant).await?;
        let told = "This permission has been taken back already, or never was.";
        is_revoked.then_some(()).ok_or_else(|| Error::Nothing(told.into()))
    }
}

/// Why an answer is not taken.
fn too_late(call: &ToolCall, nth: Option<u32>) -> &'static str {
    let is_it = |asked: &&Asked| nth.is_none_or(|nth| asked.ask.nth == nth);
    match call.asked.iter().rev().find(is_it) {
        Some(Asked { answer: Some(Answer::Withdrawn), ask, .. }) if has_expired(ask, call.ended_at) => {
            "This question had expired before you answered. Nothing was run; run the call again to be asked again."
        }
        Some(Asked { answer: Some(answer), .. }) => answer.told(),
        Some(Asked { answer: None, .. }) => "This call has ended, so nobody asks any more.",
        None => "This call asks nothing.",
    }
}

fn has_expired(ask: &Ask, ended_at: Option<Timestamp>) -> bool {
    ask.expires_at.zip(ended_at).is_some_and(|(expires, ended)| ended >= expires)
}
