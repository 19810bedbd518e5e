//! Conversations as pages need them: the end of one, and what is further up.

use super::{App, Error, clock, conversation_id, shown_title};
use crate::{
    api::Snapshot,
    model::{CallId, Conversation, ConversationId, Stretch},
};

/// How many messages and cards a page begins with, and how many more come when somebody reads upwards.
const FIRST: usize = 48;
const FURTHER: usize = 120;

impl App {
    /// The end of a conversation. A page follows the log from there.
    pub async fn snapshot(&self, id: &str) -> Result<Snapshot, Error> {
        self.seen(id, |known| known.window(FIRST)).await
    }

    /// What comes before a turn, to be read by itself.
    pub async fn excerpt(&self, id: &str, turn: usize) -> Result<Snapshot, Error> {
        let snapshot = self.seen(id, |known| known.excerpt(turn, FIRST)).await?;
        match snapshot.conversation.turns().is_empty() {
            true => Err(Error::Nothing("Nothing comes before that in this conversation.".into())),
            false => Ok(snapshot),
        }
    }

    /// What comes before a turn, to be put before it.
    pub async fn before(&self, id: &str, turn: usize) -> Result<Stretch, Error> {
        self.log.read(conversation_id(id)?, |known| known.before(turn, FURTHER)).await
    }

    /// In which turn a call stands, if there is such a call.
    pub async fn find_call(&self, id: &str, call: &str) -> Result<Option<usize>, Error> {
        let call = CallId::from(call);
        self.log.read(conversation_id(id)?, |known| known.turn_of_call(&call)).await
    }

    async fn seen(&self, id: &str, see: impl FnOnce(&Conversation) -> Conversation) -> Result<Snapshot, Error> {
        let known: ConversationId = conversation_id(id)?;
        let title = self.db.title(known).await?.ok_or_else(|| Error::NoConversation(id.to_owned()))?;
        Ok(Snapshot { title: shown_title(title), conversation: self.log.read(known, see).await?, now: clock::now() })
    }
}
