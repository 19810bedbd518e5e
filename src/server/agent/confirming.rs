//! Results that wait for somebody to look at them: they go to the model when the person says so, or not at all.

use super::Agent;
use crate::{
    model::{
        Conversation, ConversationId, Event, Run, RunStatus, ToolCall,
        event::{AgentStatus, ContextEvent},
        run::Continuation,
    },
    server::{Error, clock},
};

impl Agent {
    /// The results go to the model, and the run goes on.
    pub async fn send_results(&self, id: ConversationId) -> Result<(), Error> {
        self.decide(id, |_, run| {
            let goes_on = Continuation { should_continue: true, ..person_says(run, "") };
            vec![Event::AgentContinuation(goes_on), status(run, RunStatus::Running)]
        })
        .await?;
        self.take_up(id);
        Ok(())
    }

    /// The model does not get them, and the run ends.
    pub async fn discard_results(&self, id: ConversationId) -> Result<(), Error> {
        self.decide(id, |known, run| {
            let left_out = |call: &ToolCall| ContextEvent { tool_call_id: call.id.clone(), is_left_out: true };
            let mut events: Vec<Event> = last_step(known, run).map(|call| Event::Context(left_out(call))).collect();
            events.push(Event::AgentContinuation(person_says(run, "discarded")));
            events.push(status(run, RunStatus::Completed));
            events
        })
        .await?;
        self.take_up(id);
        Ok(())
    }

    /// One decision at a time: of two who decide at once, the second is told that it has been decided.
    async fn decide(
        &self,
        id: ConversationId,
        events: impl FnOnce(&Conversation, &Run) -> Vec<Event> + Send,
    ) -> Result<(), Error> {
        let _deciding = self.deciding().await;
        let known = self.log.fold(id).await?;
        let Some(run) = waiting(&known) else {
            return Err(Error::Invalid("Nothing waits for a decision here any more.".into()));
        };
        self.log.append(id, &events(&known, run)).await?;
        Ok(())
    }

    /// Whoever says something else has looked: what waited goes to the model with that.
    pub(super) async fn close_waiting(&self, known: &Conversation) -> Result<(), Error> {
        let _deciding = self.deciding().await;
        let known = self.log.fold(known.id).await?;
        match waiting(&known) {
            Some(run) => self.log.append(known.id, &[status(run, RunStatus::Completed)]).await.map(drop),
            None => Ok(()),
        }
    }
}

/// The run that waits for a decision.
pub fn waiting(known: &Conversation) -> Option<&Run> {
    let runs = known.turns().iter().filter_map(|turn| known.run(turn.run.as_ref()?));
    runs.into_iter().find(|run| run.status == RunStatus::Waiting)
}

/// The calls whose results the model has not seen: those of the last answer that made any.
fn last_step<'a>(known: &'a Conversation, run: &Run) -> impl Iterator<Item = &'a ToolCall> {
    let of_run = |call: &&ToolCall| call.run_id.as_ref() == Some(&run.id) && call.parent_id.is_none();
    let last = known.calls().filter(of_run).filter_map(|call| call.message_id.clone()).max();
    let run = run.id.clone();
    known
        .calls()
        .filter(move |call| call.run_id.as_ref() == Some(&run) && call.parent_id.is_none() && call.message_id == last)
}

fn person_says(run: &Run, stop_reason: &str) -> Continuation {
    Continuation {
        run_id: run.id.clone(),
        should_continue: false,
        stop_reason: stop_reason.into(),
        resolved_by: "Person".into(),
        evaluations: Vec::new(),
    }
}

fn status(run: &Run, status: RunStatus) -> Event {
    Event::AgentStatus(AgentStatus {
        run_id: run.id.clone(),
        status,
        error_message: None,
        timestamp: Some(clock::now()),
    })
}
