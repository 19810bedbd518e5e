//! The list of conversations: what there is, what is looked for, what it is called, and what is not wanted any more.

use super::{App, Error, clock, db::conversations::ConversationRow, shown_title, uninterrupted};
use crate::{
    api::{List, Listed, Mark},
    model::{ConversationId, Event, event::ConversationUpdated},
};

const SHOWN: u32 = 100;
const MOST_WORDS: usize = 10;
const LONGEST_TITLE: usize = 120;

impl App {
    /// Those that were last active, or those that have to do with what is looked for.
    pub async fn list(&self, query: Option<&str>) -> Result<List, Error> {
        let words: Vec<&str> = query.unwrap_or_default().split_whitespace().take(MOST_WORDS).collect();
        let rows = match &words[..] {
            [] => self.db.recent_conversations(SHOWN).await?,
            words => self.db.find_conversations(words, SHOWN).await?,
        };
        Ok(List { conversations: rows.into_iter().map(listed).collect(), now: clock::now() })
    }

    pub async fn rename(&self, conversation: ConversationId, title: &str) -> Result<(), Error> {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let length = title.chars().count();
        if title.is_empty() || length > LONGEST_TITLE {
            let told = format!("A title has 1 to {LONGEST_TITLE} characters; this has {length}.");
            return Err(Error::Invalid(told));
        }
        let updated = ConversationUpdated { title: Some(title), ..ConversationUpdated::default() };
        self.log.append(conversation, &[Event::ConversationUpdated(updated)]).await?;
        Ok(())
    }

    /// Takes a conversation away, with what goes on in it. It can be brought back for a day.
    pub async fn delete(&self, conversation: ConversationId) -> Result<(), Error> {
        let app = self.clone();
        uninterrupted(async move {
            app.agent.cancel(conversation).await?;
            match app.log.set_deleted(conversation, true).await? {
                true => Ok(()),
                false => Err(Error::NoConversation(conversation.to_string())),
            }
        })
        .await
    }

    pub async fn restore(&self, conversation: ConversationId) -> Result<(), Error> {
        let app = self.clone();
        uninterrupted(async move {
            if !app.log.set_deleted(conversation, false).await? {
                return Err(Error::Nothing("There is nothing to bring back: it is there, or gone for good.".into()));
            }
            app.agent.take_up(conversation);
            Ok(())
        })
        .await
    }
}

fn listed(row: ConversationRow) -> Listed {
    let mark = match row.state.as_str() {
        _ if row.is_asking => Mark::Waiting,
        "waiting" => Mark::Waiting,
        _ if row.is_due => Mark::Running,
        "failed" => Mark::Failed,
        _ => Mark::None,
    };
    Listed { id: row.id, title: shown_title(row.title), updated_at: row.updated_at, mark, excerpt: row.excerpt }
}
