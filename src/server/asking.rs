//! From what somebody sends to a question in the log: its text, and what it carries beside that.

use super::{App, Error, clock, media, tools::update_todos, uninterrupted};
use crate::{
    api::{LONGEST_MESSAGE, Sent},
    model::{
        BriefId, Conversation, ConversationId, Event, FollowUp, Message, MessageId, Preferences, Role, Todo,
        event::{BriefEvent, ConversationUpdated, TodosEvent},
        message::MessageMetadata,
        summary::shorten,
    },
};

/// A question as it is sent. Lists are JSON, but for files, whose ids stand side by side.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    pub text: String,
    pub model: Option<String>,
    pub prompt_path: Option<String>,
    pub media: Option<String>,
    /// Those that the agent may use. Nothing means as before; a form that allows none says an empty name.
    pub tools: Option<Vec<String>>,
    pub client_tools: Option<String>,
    /// The tab that asks.
    pub tab: Option<String>,
    pub todos: Option<String>,
    pub briefs: Option<String>,
}

impl From<&str> for Ask {
    fn from(text: &str) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// How many notes a conversation has, and how long each is, at most.
const MOST_BRIEFS: usize = 20;
const LONGEST_BRIEF: usize = 2_000;

impl App {
    /// Begins a conversation, with its first question if there is one.
    pub async fn new_conversation(&self, ask: Option<Ask>, preferred: &Preferences) -> Result<ConversationId, Error> {
        let id = ConversationId::mint();
        let (mut events, title) = match ask {
            Some(mut ask) => {
                ask.model = ask.model.or_else(|| preferred.model.clone());
                let title = title_of(&ask.text);
                (self.asked(id, ask, &[]).await?.1, title)
            }
            None => Default::default(),
        };
        if preferred.follow_up != FollowUp::default() {
            let updated =
                ConversationUpdated { follow_up: Some(preferred.follow_up), ..ConversationUpdated::default() };
            events.insert(0, Event::ConversationUpdated(updated));
        }
        let app = self.clone();
        uninterrupted(async move {
            app.log.create(id, title, &events).await?;
            app.agent.take_up(id);
            Ok(id)
        })
        .await
    }

    /// Adds a question. It is answered when those before it are.
    pub async fn send_message(&self, conversation: ConversationId, ask: Ask) -> Result<Sent, Error> {
        let title = title_of(&ask.text);
        let briefs = match &ask.briefs {
            Some(_) => self.briefs(conversation).await?,
            None => Vec::new(),
        };
        let (message_id, events) = self.asked(conversation, ask, &briefs).await?;
        let app = self.clone();
        uninterrupted(async move {
            let seq = app.log.append_titled(conversation, title, &events).await?;
            app.agent.take_up(conversation);
            Ok(Sent { message_id, seq })
        })
        .await
    }

    async fn briefs(&self, conversation: ConversationId) -> Result<Vec<String>, Error> {
        let known = self.log.fold(conversation).await?;
        Ok(known.arrangements().briefs.iter().map(|brief| brief.text.clone()).collect())
    }

    /// Those that are not among the ones that somebody wants. Who does not say means those of the last question; names that
    /// are not known come from a page that is older than this server.
    async fn tools_off(&self, conversation: ConversationId, wanted: Option<Vec<String>>) -> Result<Vec<String>, Error> {
        let Some(wanted) = wanted else {
            return match self.log.read(conversation, Conversation::tools_off).await {
                Err(Error::NoConversation(_)) => Ok(Vec::new()),
                last => last,
            };
        };
        let names = self.agent.calls.tools.iter().map(|found| found.about.name.clone());
        Ok(names.filter(|name| !wanted.contains(name)).collect())
    }

    /// The question, after what comes with it.
    async fn asked(
        &self,
        conversation: ConversationId,
        ask: Ask,
        briefs: &[String],
    ) -> Result<(MessageId, Vec<Event>), Error> {
        let content = checked_text(&ask.text)?;
        let given = |field: Option<String>| field.filter(|value| !value.trim().is_empty());
        let model = given(ask.model);
        if let Some(unknown) = model.as_deref().filter(|name| self.agent.models.get(Some(name)).name != *name) {
            return Err(Error::Invalid(format!("There is no model “{}” here. Choose another.", shorten(unknown, 60))));
        }
        let prompt_path = given(ask.prompt_path);
        if let Some(missing) = prompt_path.as_deref().filter(|path| self.agent.presets.get(path).is_none()) {
            return Err(Error::Invalid(self.agent.presets.missing(missing)));
        }
        let media = match given(ask.media) {
            Some(ids) => media::attached(self, conversation, &ids).await?,
            None => Vec::new(),
        };
        let chosen = self.agent.models.get(model.as_deref());
        if let Some(image) = media.iter().find(|media| media.is_image() && !chosen.sees) {
            return Err(Error::Invalid(format!(
                "{} does not see images. Take “{}” away, or choose a model that does.",
                chosen.label, image.name
            )));
        }
        let tools_off = self.tools_off(conversation, ask.tools).await?;
        let client_tools = match given(ask.client_tools) {
            Some(json) => self.agent.calls.tools.read_clients(&json).map_err(Error::Invalid)?,
            None => Vec::new(),
        };
        // It is only of use where something can be run in it.
        let tab = given(ask.tab).filter(|_| !client_tools.is_empty()).map(|tab| shorten(&tab, 64));
        let mut events = match given(ask.todos) {
            Some(json) => {
                let todos: Vec<Todo> = serde_json::from_str(&json).map_err(|error| {
                    Error::Invalid(format!("todos is a JSON list of objects with text and status: {error}."))
                })?;
                vec![Event::Todos(TodosEvent { todos: update_todos::checked(todos).map_err(Error::Invalid)? })]
            }
            None => Vec::new(),
        };
        if let Some(json) = given(ask.briefs) {
            let wanted: Vec<String> = serde_json::from_str(&json)
                .map_err(|error| Error::Invalid(format!("briefs is a JSON list of texts: {error}.")))?;
            let mut known = briefs.to_vec();
            for text in wanted {
                if !known.contains(&text) {
                    events.push(Event::Brief(brief(&text, known.len()).map_err(Error::Invalid)?));
                    known.push(text);
                }
            }
        }
        let metadata =
            MessageMetadata { model, prompt_path, media, tools_off, client_tools, tab, ..MessageMetadata::default() };
        let has_metadata = metadata != MessageMetadata::default();
        let message = Message {
            id: MessageId::mint(),
            role: Role::User,
            content,
            timestamp: clock::now(),
            metadata: has_metadata.then_some(metadata),
            reasoning: String::new(),
        };
        let id = message.id.clone();
        events.push(Event::Message(message));
        Ok((id, events))
    }

    /// Pins a note to a conversation.
    pub async fn pin_brief(&self, conversation: ConversationId, text: &str) -> Result<(), Error> {
        let _deciding = self.agent.deciding().await;
        let known = self.briefs(conversation).await?.len();
        self.log.append(conversation, &[Event::Brief(brief(text, known).map_err(Error::Invalid)?)]).await?;
        Ok(())
    }

    pub async fn remove_brief(&self, conversation: ConversationId, id: BriefId) -> Result<(), Error> {
        self.log.append(conversation, &[Event::Brief(BriefEvent { id, text: None })]).await?;
        Ok(())
    }
}

/// A note, or what is wrong with it.
pub fn brief(text: &str, known: usize) -> Result<BriefEvent, String> {
    let (text, length) = (text.trim(), text.trim().chars().count());
    if text.is_empty() {
        return Err("Write the note first.".into());
    }
    if length > LONGEST_BRIEF {
        return Err(format!("This note has {length} characters; at most {LONGEST_BRIEF} fit. Shorten it."));
    }
    if known >= MOST_BRIEFS {
        return Err(format!("There are {MOST_BRIEFS} notes already. Take one away first."));
    }
    Ok(BriefEvent { id: BriefId::mint(), text: Some(text.to_owned()) })
}

pub fn checked_text(text: &str) -> Result<String, Error> {
    let content = text.trim();
    if content.is_empty() {
        return Err(Error::Invalid("Type a question first.".into()));
    }
    let length = content.chars().count();
    if length > LONGEST_MESSAGE {
        return Err(Error::Invalid(format!(
            "This message has {length} characters; at most {LONGEST_MESSAGE} fit. Send it in parts."
        )));
    }
    Ok(content.to_owned())
}

/// The first line of the first question.
fn title_of(question: &str) -> String {
    shorten(question.trim().lines().next().unwrap_or_default(), 60)
}
