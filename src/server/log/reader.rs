//! Subscribe first, then read the log, then follow. In this order nothing is lost in between, and since every read
//! begins right after the last event that was handed out, nothing comes twice.

use super::{frame::Frames, tail::Subscription};
use crate::{
    model::Seq,
    server::{Error, db::Db},
};

pub struct Reader {
    db: Db,
    subscription: Subscription,
    /// The last event that was handed out.
    position: Seq,
    /// The log may hold more than what the bell has told of.
    is_behind: bool,
}

impl Reader {
    pub(super) fn new(db: Db, subscription: Subscription, after: Seq) -> Self {
        Self { db, subscription, position: after, is_behind: true }
    }

    /// The next events, waiting for them if need be: frames of the stream, ready to send. Dropping the future between
    /// calls loses nothing.
    pub async fn next(&mut self) -> Result<Frames, Error> {
        loop {
            let newest = *self.subscription.bell.borrow_and_update();
            if let Some(frames) = self.subscription.after(self.position) {
                self.position = frames.last;
                return Ok(frames);
            }
            if self.is_behind || newest > self.position {
                let page = self.db.events_after(self.subscription.conversation(), self.position).await?;
                if let Some(&(first, _)) = page.first() {
                    let frames = Frames::encode(first, page.iter().map(|(_, event)| event));
                    self.position = frames.last;
                    return Ok(frames);
                }
                self.is_behind = false;
            }
            // The bell belongs to the tail, which this reader's own share keeps.
            self.subscription.bell.changed().await.map_err(|_| Error::Stopping)?;
        }
    }
}
