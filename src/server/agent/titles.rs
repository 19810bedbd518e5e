//! Titles: a conversation is called after its first question, and a model that is there finds something better, once.

use std::time::Duration;

use super::Agent;
use crate::{
    model::{
        Conversation, ConversationId, Entry, Event, Role, RunStatus, event::ConversationUpdated, summary::shorten,
    },
    server::{
        Error,
        models::{Finish, Heard, Model, Piece, Request, Said},
    },
};

const PROMPT: &str = "Write a title for the conversation that begins with this question and answer: two to six words, in the \
                      question's language, in sentence case, without quotation marks and without a full stop. Answer with \
                      the title and nothing else.";

/// What of the question and the answer is enough to name it.
const ENOUGH: usize = 1_500;
const LONGEST: usize = 60;
const PATIENCE: Duration = Duration::from_secs(60);

impl Agent {
    /// Has the model find a title, if this was the first answer. Nobody waits for it, and nothing comes of it that fails.
    pub(super) fn improve_title(&self, id: ConversationId, model: Model) {
        if !model.titles {
            return;
        }
        let agent = self.clone();
        tokio::spawn(async move {
            match tokio::time::timeout(PATIENCE, agent.find_title(id, &model)).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::warn!(conversation = %id, %error, "no title was found"),
                Err(_) => tracing::warn!(conversation = %id, "no title was found in {PATIENCE:?}"),
            }
        });
    }

    async fn find_title(&self, id: ConversationId, model: &Model) -> Result<(), Error> {
        let known = self.log.fold(id).await?;
        let Some(exchange) = first_exchange(&known) else { return Ok(()) };
        let request = Request {
            model: model.name.clone(),
            system: PROMPT.into(),
            messages: vec![Said::User { text: exchange, files: Vec::new(), images: Vec::new() }],
            turn_at: 0,
            tools: Vec::new(),
            max_tokens: None,
            temperature: None,
        };
        let (mut heard, mut text) = (self.models.ask(model, request), String::new());
        while let Some(next) = heard.recv().await {
            match next {
                Heard::Piece(Piece::Text(delta)) if text.len() < 10 * LONGEST => text.push_str(&delta),
                Heard::End(ending) if ending.finish != Finish::Stop => return Ok(()),
                Heard::Piece(_) | Heard::Again { .. } | Heard::End(_) => {}
            }
        }
        if let Some(title) = tidy(&text) {
            let updated = ConversationUpdated { title: Some(title), ..ConversationUpdated::default() };
            self.log.append(id, &[Event::ConversationUpdated(updated)]).await?;
        }
        Ok(())
    }
}

/// Nothing, if this is not about the first answer, or the conversation has got a title of its own.
fn first_exchange(known: &Conversation) -> Option<String> {
    let [turn] = known.turns() else { return None };
    let is_done = known.run(turn.run.as_ref()?).is_some_and(|run| run.status == RunStatus::Completed);
    if !is_done || known.arrangements().title.is_some() {
        return None;
    }
    let said = |role: Role| {
        let messages = turn.entries.iter().rev().filter_map(|entry| match entry {
            Entry::Message(id) => known.message(id).filter(|message| message.role == role),
            Entry::Call(_) => None,
        });
        messages.map(|message| shorten(&message.content, ENOUGH)).next().unwrap_or_default()
    };
    Some(format!("Question: {}\n\nAnswer: {}", said(Role::User), said(Role::Assistant)))
}

/// What a model wrote, as a title: one line, without the decoration that many cannot do without.
fn tidy(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.contains("###:"))?;
    let line = line.trim_start_matches(['#', ' ']);
    let line = line.strip_prefix("Title:").or_else(|| line.strip_prefix("title:")).unwrap_or(line);
    let line = line.trim_matches(|c: char| c.is_whitespace() || "\"'“”‘’*_`.".contains(c));
    (!line.is_empty()).then(|| shorten(line, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoration_is_taken_off() {
        for (written, title) in [
            ("Water bills of 2025", Some("Water bills of 2025")),
            ("\n\n**\"Water bills\"**.\nHere you are!", Some("Water bills")),
            ("# Title: “Wasser”", Some("Wasser")),
            ("  \n", None),
            ("###:{\"toolName\":\"x\"}", None),
        ] {
            assert_eq!(tidy(written).as_deref(), title, "{written:?}");
        }
        assert!(tidy(&"long ".repeat(100)).unwrap().chars().count() <= LONGEST);
    }
}
