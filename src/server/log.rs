//! The event log: the only truth, and the only place where events are appended.
//!
//! **Commit, then publish.** An append is on the disk before anyone is told of it. Concurrent appends share a commit;
//! text deltas wait a little, so that a fast model does not cost a commit per word. The bus carries wake-ups and, for
//! those who keep up, the newest frames, encoded once for all; whoever falls behind reads the log again. So there is
//! one order, and a reader costs the same whether it is fast or slow.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::{mpsc, oneshot};

use super::{
    Error,
    db::{
        Db, Writer,
        events::{Batch, Part},
        grants::Permission,
        media::MediaRow,
    },
};
use crate::model::{Applied, Conversation, ConversationId, Event, Seq, ask::Subject, event::Delta};

/// What events say beside themselves.
mod derive;
/// Conversations that were read lately.
mod folds;
/// An event as bytes of the stream.
mod frame;
/// Subscribe, read, follow.
mod reader;
/// The newest frames of conversations that somebody follows.
mod tail;
/// The one task that writes.
mod writer;

#[cfg(test)]
mod tests;

use folds::Folds;
pub use frame::{KEEP_ALIVE, resync};
pub use reader::Reader;
use tail::Tails;
use writer::{Request, Voice};

#[derive(Clone)]
pub struct EventLog {
    db: Db,
    tails: Arc<Tails>,
    requests: mpsc::Sender<Request>,
    commits: Arc<AtomicU64>,
    folds: Arc<Folds>,
}

impl EventLog {
    pub fn open(db: Db, writer: Writer) -> Self {
        let (requests, inbox) = mpsc::channel(1024);
        let tails = Arc::new(Tails::default());
        let commits = Arc::default();
        tokio::spawn(writer::write(writer, inbox, Arc::clone(&tails), Arc::clone(&commits)));
        Self { db, tails, requests, commits, folds: Arc::default() }
    }

    /// Begins a conversation.
    pub async fn create(&self, conversation: ConversationId, title: String, events: &[Event]) -> Result<Seq, Error> {
        self.submit(Batch { creates: true, title: Some(title), ..encode(conversation, events)? }).await
    }

    /// Appends like `append`, and gives the conversation a title if it has none yet.
    pub async fn append_titled(
        &self,
        conversation: ConversationId,
        title: String,
        events: &[Event],
    ) -> Result<Seq, Error> {
        self.submit(Batch { title: Some(title), ..encode(conversation, events)? }).await
    }

    /// Appends events, all or none, and returns the last one's sequence number once they are on the disk.
    pub async fn append(&self, conversation: ConversationId, events: &[Event]) -> Result<Seq, Error> {
        self.submit(encode(conversation, events)?).await
    }

    /// Appends text that a model is writing. Returns at once; it is committed within a moment, and in any case before
    /// whatever this conversation appends next.
    pub async fn append_text(&self, conversation: ConversationId, delta: Delta) -> Result<(), Error> {
        self.request(Request::Delta(conversation, Voice::Text, delta)).await
    }

    /// The same for what it thinks.
    pub async fn append_reasoning(&self, conversation: ConversationId, delta: Delta) -> Result<(), Error> {
        self.request(Request::Delta(conversation, Voice::Reasoning, delta)).await
    }

    /// Keeps pieces of something too large for an event. They belong to nobody until an event names them.
    pub async fn keep(&self, parts: Vec<Part>) -> Result<(), Error> {
        let (done, answer) = oneshot::channel();
        self.request(Request::Keep(parts, done)).await?;
        answer.await.map_err(|_| Error::Stopping)?
    }

    /// Takes a file in. It belongs to nobody until a question names it.
    pub async fn store_media(&self, media: MediaRow) -> Result<(), Error> {
        let (done, answer) = oneshot::channel();
        self.request(Request::Media(Box::new(media), done)).await?;
        answer.await.map_err(|_| Error::Stopping)?
    }

    /// Deletes a conversation, or brings it back. False, if there is none to which that could be done.
    pub async fn set_deleted(&self, conversation: ConversationId, is_deleted: bool) -> Result<bool, Error> {
        let (done, answer) = oneshot::channel();
        self.request(Request::Deleted(conversation, is_deleted, done)).await?;
        answer.await.map_err(|_| Error::Stopping)?
    }

    /// How it stands with a tool in a conversation.
    pub async fn permission(&self, conversation: ConversationId, subject: &Subject) -> Result<Permission, Error> {
        Ok(self.db.permission(conversation, subject).await?)
    }

    /// Takes a permission back. False, if there is none.
    pub async fn revoke(&self, grant: i64) -> Result<bool, Error> {
        let (done, answer) = oneshot::channel();
        self.request(Request::Revoke(grant, done)).await?;
        answer.await.map_err(|_| Error::Stopping)?
    }

    /// Follows a conversation from just after `after`: what there is, then what comes.
    pub fn follow(&self, conversation: ConversationId, after: Seq) -> Reader {
        Reader::new(self.db.clone(), Tails::subscribe(&self.tails, conversation), after)
    }

    /// The conversation as of now.
    pub async fn fold(&self, id: ConversationId) -> Result<Conversation, Error> {
        self.read(id, Conversation::clone).await
    }

    /// Something about the conversation as of now.
    pub async fn read<T>(&self, id: ConversationId, read: impl FnOnce(&Conversation) -> T) -> Result<T, Error> {
        let Some(last_seq) = self.db.last_seq(id).await? else {
            return Err(Error::NoConversation(id.to_string()));
        };
        let kept = self.folds.of(id);
        let mut known = kept.lock().await;
        while known.last_seq() < last_seq {
            let page = self.db.events_after(id, known.last_seq()).await?;
            if page.is_empty() {
                return Err(Error::Gap { conversation: id, after: known.last_seq() });
            }
            for (seq, json) in page {
                if let Applied::Gap { after } = known.apply(seq, &Event::decode(&json)) {
                    self.folds.forget(id);
                    return Err(Error::Gap { conversation: id, after });
                }
            }
        }
        self.folds.grown(id, known.last_seq());
        Ok(read(&known))
    }

    /// How many commits there have been since the server started. Appends that shared one count once.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Commits what still waits. Nothing can be appended afterwards.
    pub async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.requests.send(Request::Close(done)).await.is_ok() {
            let _ = closed.await;
            tracing::debug!(commits = self.commits(), "the log is closed");
        }
    }

    async fn submit(&self, batch: Batch) -> Result<Seq, Error> {
        let (done, answer) = oneshot::channel();
        self.request(Request::Append(Box::new(batch), done)).await?;
        answer.await.map_err(|_| Error::Stopping)?
    }

    async fn request(&self, request: Request) -> Result<(), Error> {
        self.requests.send(request).await.map_err(|_| Error::Stopping)
    }
}

fn encode(conversation: ConversationId, events: &[Event]) -> Result<Batch, Error> {
    let json = events.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(Batch { conversation, creates: false, title: None, events: json, derived: derive::derive(events)? })
}
