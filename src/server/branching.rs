//! A conversation that goes on from an earlier point of another one. It gets a log of its own: the events up to there, as
//! they are; from then on the two have nothing to do with each other.

use std::collections::HashSet;

use super::{App, Error, shown_title, uninterrupted};
use crate::model::{
    CallId, Conversation, ConversationId, Entry, Event, MediaId, Message, MessageId, RunId, Seq, ask::AnswerEvent,
    event::ConversationUpdated, summary::shorten,
};

impl App {
    /// A new conversation with everything up to the end of this turn, counted from 0.
    pub async fn branch(&self, from: ConversationId, turn: usize) -> Result<ConversationId, Error> {
        let app = self.clone();
        uninterrupted(async move {
            let known = app.log.fold(from).await?;
            let kept = Kept::of(&known, turn)?;
            let mut events = app.events_of(from, &kept).await?;
            let id = ConversationId::mint();
            for event in &mut events {
                match event {
                    Event::Message(message) => app.copy_files(message, from).await?,
                    // What was allowed there is allowed there.
                    Event::Answer(AnswerEvent { subject, .. }) => *subject = None,
                    _ => {}
                }
            }
            let title = app.db.title(from).await?.map(shown_title).unwrap_or_default();
            let title = format!("{} (branch)", shorten(title.trim_end_matches(" (branch)"), 100));
            let named = ConversationUpdated { title: Some(title.clone()), branch_of: Some(from), ..Default::default() };
            events.push(Event::ConversationUpdated(named));
            app.log.create(id, title, &events).await?;
            Ok(id)
        })
        .await
    }

    async fn events_of(&self, from: ConversationId, kept: &Kept) -> Result<Vec<Event>, Error> {
        let (mut after, mut all) = (0, Vec::<(Seq, Event, About)>::new());
        loop {
            let page = self.db.events_after(from, after).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            all.extend(page.iter().map(|(seq, json)| {
                let event = Event::decode(json);
                let about = kept.about(&event);
                (*seq, event, about)
            }));
        }
        // Notes and plans as they were by then.
        let until = all.iter().filter(|(_, _, about)| *about == About::Kept).map(|(seq, ..)| *seq).max().unwrap_or(0);
        let is_wanted = |(seq, _, about): &(Seq, Event, About)| match about {
            About::Kept => true,
            About::Later => false,
            About::All => *seq <= until,
        };
        Ok(all.into_iter().filter(is_wanted).map(|(_, event, _)| event).collect())
    }

    /// Files belong to one conversation, so the new one gets its own.
    async fn copy_files(&self, message: &mut Message, from: ConversationId) -> Result<(), Error> {
        for media in message.metadata.iter_mut().flat_map(|metadata| &mut metadata.media) {
            if let Some(mut row) = self.db.media(&media.id, from).await? {
                media.id = MediaId::mint();
                row.about.id = media.id.clone();
                self.log.store_media(row).await?;
            }
        }
        Ok(())
    }
}

/// What the turns up to one have.
struct Kept {
    messages: HashSet<MessageId>,
    calls: HashSet<CallId>,
    runs: HashSet<RunId>,
}

#[derive(PartialEq)]
enum About {
    Kept,
    Later,
    /// The whole conversation.
    All,
}

impl Kept {
    fn of(known: &Conversation, turn: usize) -> Result<Self, Error> {
        let turns = known.turns().get(..=turn).ok_or_else(|| {
            Error::Nothing(format!("There is no turn {} in this conversation.", turn.saturating_add(1)))
        })?;
        let is_over = |run: &RunId| known.run(run).is_some_and(|run| run.status.is_ended());
        if !turns.iter().all(|turn| turn.run.as_ref().is_some_and(is_over)) {
            return Err(Error::Invalid("Wait until this answer is complete, or stop it; then branch from it.".into()));
        }
        let (mut messages, mut calls) = (HashSet::new(), HashSet::new());
        for entry in turns.iter().flat_map(|turn| &turn.entries) {
            match entry {
                Entry::Message(id) => drop(messages.insert(id.clone())),
                Entry::Call(id) => {
                    let mut below = vec![id.clone()];
                    while let Some(id) = below.pop() {
                        let Some(call) = known.call(&id) else { continue };
                        if !call.status.is_ended() {
                            let told =
                                "A call of this answer is still going on. Wait for it, or cancel it; then branch.";
                            return Err(Error::Invalid(told.into()));
                        }
                        messages.extend(call.message_id.clone());
                        below.extend(call.children.iter().cloned());
                        calls.insert(id);
                    }
                }
            }
        }
        Ok(Self { messages, calls, runs: turns.iter().filter_map(|turn| turn.run.clone()).collect() })
    }

    fn about(&self, event: &Event) -> About {
        let is_kept = match event {
            Event::ToolCall(event) => self.calls.contains(&event.id),
            Event::ToolsCallUpdate(event) => self.calls.contains(&event.tool_call_id),
            Event::ToolOutput(event) => self.calls.contains(&event.tool_call_id),
            Event::ToolResult(event) => self.calls.contains(&event.tool_call_id),
            Event::Context(event) => self.calls.contains(&event.tool_call_id),
            Event::Answer(event) => self.calls.contains(&event.tool_call_id),
            Event::ToolsAggregate(event) => self.messages.contains(&event.message_id),
            Event::TextDelta(event) | Event::ReasoningDelta(event) => self.messages.contains(&event.message_id),
            Event::Message(message) => self.messages.contains(&message.id),
            Event::Queue(event) => self.messages.contains(&event.message_id),
            Event::Steer(event) => self.messages.contains(&event.message_id),
            Event::AgentStatus(event) => self.runs.contains(&event.run_id),
            Event::AgentStepCompleted(event) => self.runs.contains(&event.run_id),
            Event::AgentContinuation(event) => self.runs.contains(&event.run_id),
            Event::Usage(event) => self.runs.contains(&event.run_id),
            Event::ConversationUpdated(_) | Event::Brief(_) | Event::Todos(_) => return About::All,
            Event::Unknown => false,
        };
        if is_kept { About::Kept } else { About::Later }
    }
}
