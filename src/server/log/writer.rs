//! The one task that writes. It takes what has queued up while the last commit was on its way to the disk, commits
//! that together, and only then publishes and answers: under load a commit is shared by many, without any waiting for
//! company when there is none.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::{
    sync::{mpsc, oneshot},
    time::{Duration, Instant, sleep_until},
};

use super::{encode, frame::Frames, tail::Tails};
use crate::{
    model::{ConversationId, Event, Seq, event::Delta},
    server::{
        Error, clock,
        db::{
            Writer,
            events::{Batch, Part},
            media::MediaRow,
        },
    },
};

/// How long, and how much of, a model's text may wait for its commit.
const DELTA_DELAY: Duration = Duration::from_millis(50);
const DELTA_BYTES: usize = 4 * 1024;

/// A commit that grew without end would keep its first events waiting.
const GROUP: usize = 512;

/// Who waits to hear whether something has changed.
type Changed = oneshot::Sender<Result<bool, Error>>;

/// Who waits for something to be on the disk.
type Done = oneshot::Sender<Result<(), Error>>;

pub enum Request {
    Append(Box<Batch>, oneshot::Sender<Result<Seq, Error>>),
    Keep(Vec<Part>, Done),
    Media(Box<MediaRow>, Done),
    Deleted(ConversationId, bool, Changed),
    Revoke(i64, Changed),
    Delta(ConversationId, Voice, Delta),
    Close(oneshot::Sender<()>),
}

/// What a model writes, and what it thinks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    Text,
    Reasoning,
}

/// Text of one conversation that has not been committed yet.
struct Waiting {
    deltas: Vec<(Voice, Delta)>,
    bytes: usize,
    until: Instant,
}

/// What goes into the next commit.
#[derive(Default)]
struct Group {
    batches: Vec<Batch>,
    parts: Vec<Part>,
    /// Who waits for parts.
    keepers: Vec<Done>,
    /// Who waits for which batch.
    answers: Vec<(usize, oneshot::Sender<Result<Seq, Error>>)>,
    /// Files: each is written by itself, because it may be large.
    media: Vec<(Box<MediaRow>, Done)>,
    deleted: Vec<(ConversationId, bool, Changed)>,
    revoked: Vec<(i64, Changed)>,
}

pub async fn write(mut writer: Writer, mut inbox: mpsc::Receiver<Request>, tails: Arc<Tails>, commits: Arc<AtomicU64>) {
    let mut waiting: HashMap<ConversationId, Waiting> = HashMap::new();
    let mut closing = None;
    while closing.is_none() {
        let mut group = Group::default();
        let next_due = waiting.values().map(|text| text.until).min();
        tokio::select! {
            request = inbox.recv() => match request {
                Some(request) => accept(request, &mut waiting, &mut group, &mut closing),
                None => break,
            },
            () = sleep_until(next_due.unwrap_or_else(Instant::now)), if next_due.is_some() => {}
        }
        while closing.is_none() && group.batches.len() < GROUP && group.parts.is_empty() {
            let Ok(request) = inbox.try_recv() else { break };
            accept(request, &mut waiting, &mut group, &mut closing);
        }
        let now = Instant::now();
        let is_due = |text: &Waiting| text.until <= now || text.bytes >= DELTA_BYTES || closing.is_some();
        for (conversation, text) in waiting.extract_if(|_, text| is_due(text)) {
            group.add(conversation, text);
        }
        for (media, done) in group.media.drain(..) {
            let stored = writer.store_media(&media, clock::now()).await.map_err(Error::from);
            let _ = done.send(stored);
        }
        for (conversation, is_deleted, done) in group.deleted.drain(..) {
            let changed = writer.set_deleted(conversation, is_deleted, clock::now()).await.map_err(Error::from);
            let _ = done.send(changed);
        }
        for (grant, done) in group.revoked.drain(..) {
            let _ = done.send(writer.revoke(grant, clock::now()).await.map_err(Error::from));
        }
        if !group.batches.is_empty() || !group.parts.is_empty() {
            commits.fetch_add(1, Ordering::Relaxed);
            group.commit(&mut writer, &tails).await;
        }
    }
    drop(inbox);
    if let Some(done) = closing {
        let _ = done.send(());
    }
}

fn accept(
    request: Request,
    waiting: &mut HashMap<ConversationId, Waiting>,
    group: &mut Group,
    closing: &mut Option<oneshot::Sender<()>>,
) {
    match request {
        Request::Append(batch, done) => {
            // What was said before comes before.
            if let Some(text) = waiting.remove(&batch.conversation) {
                group.add(batch.conversation, text);
            }
            group.batches.push(*batch);
            group.answers.push((group.batches.len() - 1, done));
        }
        Request::Keep(parts, done) => {
            group.parts.extend(parts);
            group.keepers.push(done);
        }
        Request::Media(media, done) => group.media.push((media, done)),
        Request::Deleted(conversation, is, done) => group.deleted.push((conversation, is, done)),
        Request::Revoke(grant, done) => group.revoked.push((grant, done)),
        Request::Delta(conversation, voice, delta) => {
            let text = waiting.entry(conversation).or_insert_with(|| Waiting {
                deltas: Vec::new(),
                bytes: 0,
                until: Instant::now() + DELTA_DELAY,
            });
            text.add(voice, delta);
        }
        Request::Close(done) => *closing = Some(done),
    }
}

impl Waiting {
    /// Text that goes on where the last left off becomes one event with it.
    fn add(&mut self, voice: Voice, delta: Delta) {
        self.bytes += delta.delta.len();
        match self.deltas.last_mut() {
            Some((last_voice, last)) if *last_voice == voice && last.message_id == delta.message_id => {
                last.delta.push_str(&delta.delta);
            }
            _ => self.deltas.push((voice, delta)),
        }
    }
}

impl Group {
    fn add(&mut self, conversation: ConversationId, text: Waiting) {
        let events = text.deltas.into_iter().map(|(voice, delta)| match voice {
            Voice::Text => Event::TextDelta(delta),
            Voice::Reasoning => Event::ReasoningDelta(delta),
        });
        match encode(conversation, &events.collect::<Vec<_>>()) {
            Ok(batch) => self.batches.push(batch),
            Err(error) => tracing::error!(%conversation, %error, "text could not be encoded"),
        }
    }

    async fn commit(self, writer: &mut Writer, tails: &Tails) {
        let firsts = writer.append(&self.parts, &self.batches, clock::now()).await.map_err(Error::from);
        if let Err(error) = &firsts {
            tracing::error!(%error, batches = self.batches.len(), "a commit failed");
        }
        if let Ok(firsts) = &firsts {
            for (batch, first) in self.batches.iter().zip(firsts) {
                if let (Some(first), false) = (*first, batch.events.is_empty()) {
                    tails.publish(batch.conversation, || Frames::encode(first, &batch.events));
                }
            }
        }
        for done in self.keepers {
            let _ = done.send(firsts.as_ref().map(drop).map_err(Error::clone));
        }
        for (index, done) in self.answers {
            let batch = &self.batches[index];
            let answer = match &firsts {
                Ok(firsts) => firsts[index]
                    .map(|first| first + batch.events.len() as Seq - 1)
                    .ok_or_else(|| Error::NoConversation(batch.conversation.to_string())),
                Err(error) => Err(error.clone()),
            };
            // Whoever asked may have gone; what was written stays written.
            let _ = done.send(answer);
        }
    }
}
