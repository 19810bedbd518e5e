//! Questions that wait while a run goes on: they can be changed and withdrawn until the agent has taken them up.

use super::{App, Error, asking::checked_text, uninterrupted};
use crate::model::{CallId, ConversationId, Event, MessageId, event::ContextEvent, event::QueueEvent};

impl App {
    /// Says something else instead, or, without a text, nothing.
    pub async fn requeue(
        &self,
        conversation: ConversationId,
        message: MessageId,
        text: Option<&str>,
    ) -> Result<(), Error> {
        let text = text.map(checked_text).transpose()?;
        let app = self.clone();
        uninterrupted(async move {
            let _deciding = app.agent.deciding().await;
            if !app.log.read(conversation, |known| known.is_waiting(&message)).await? {
                let told = match text {
                    Some(_) => "The agent has taken this up already. Send another message to correct it.",
                    None => "The agent has taken this up already. Stop it if you do not want an answer.",
                };
                return Err(Error::Invalid(told.into()));
            }
            app.log.append(conversation, &[Event::Queue(QueueEvent { message_id: message, text })]).await?;
            Ok(())
        })
        .await
    }

    /// Whether the model gets to see what came of a call.
    pub async fn leave_out(&self, conversation: ConversationId, call: CallId, is_left_out: bool) -> Result<(), Error> {
        match self.log.read(conversation, |known| known.call(&call).map(|call| call.status.is_ended())).await? {
            None => return Err(Error::Nothing("There is no such call in this conversation.".into())),
            Some(false) => return Err(Error::Invalid("This call has no result yet.".into())),
            Some(true) => {}
        }
        let context = ContextEvent { tool_call_id: call, is_left_out };
        self.log.append(conversation, &[Event::Context(context)]).await?;
        Ok(())
    }
}
