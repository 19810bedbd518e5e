//! The first piece of work at once, what follows on its heels together: a single event is on the screen without
//! waiting for anything, and a thousand cost no more than the few batches they fall into.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use leptos::prelude::{document, request_animation_frame, set_timeout};

use super::clock::monotonic_ms;

/// What comes sooner than this after the last batch waits: for a later piece, or for the end of the frame. A quarter
/// of a frame keeps 100 events a second from waiting at all, and a burst from taking more than four batches a frame.
const CLOSEST_MS: f64 = 4.0;

/// So many pieces between two batches are a burst.
const BURST: usize = 24;

/// So many pieces cost a few milliseconds. More at once would be felt.
const MOST_IN_A_FRAME: usize = 400;

/// A hidden tab gets no frames, so it takes a slow timer instead.
const HIDDEN_FRAME: Duration = Duration::from_millis(200);

pub struct Frames<T> {
    work: Box<dyn Fn(Vec<T>)>,
    queue: RefCell<Vec<T>>,
    /// When the last batch was done.
    last_ms: Cell<f64>,
    /// The end of a frame has been asked for.
    is_waiting: Cell<bool>,
}

impl<T: 'static> Frames<T> {
    pub fn new(work: impl Fn(Vec<T>) + 'static) -> Rc<Self> {
        let last_ms = Cell::new(f64::NEG_INFINITY);
        Rc::new(Self { work: Box::new(work), queue: RefCell::default(), last_ms, is_waiting: Cell::new(false) })
    }

    pub fn push(self: &Rc<Self>, item: T) {
        let waiting = {
            let mut queue = self.queue.borrow_mut();
            queue.push(item);
            queue.len()
        };
        // A burst is not cut into pieces smaller than a frame.
        if waiting < BURST && monotonic_ms() - self.last_ms.get() >= CLOSEST_MS {
            self.flush();
        } else {
            self.wait();
        }
    }

    fn wait(self: &Rc<Self>) {
        if self.is_waiting.replace(true) {
            return;
        }
        let frames = Rc::clone(self);
        let end = move || {
            frames.is_waiting.set(false);
            frames.some();
        };
        if document().hidden() { set_timeout(end, HIDDEN_FRAME) } else { request_animation_frame(end) }
    }

    /// As much as fits into a frame; the rest comes with the next ones.
    fn some(self: &Rc<Self>) {
        let waiting = self.queue.borrow().len();
        if waiting <= MOST_IN_A_FRAME {
            return self.flush();
        }
        let later = self.queue.borrow_mut().split_off(MOST_IN_A_FRAME);
        self.flush();
        self.queue.borrow_mut().splice(0..0, later);
        self.wait();
    }

    /// The tab has been hidden or shown: the frame that was asked for may never come, so it is not waited for.
    pub fn tab_changed(&self) {
        self.is_waiting.set(false);
        self.flush();
    }

    /// Does what waits.
    pub fn flush(&self) {
        let waiting = self.queue.take();
        if !waiting.is_empty() {
            (self.work)(waiting);
            self.last_ms.set(monotonic_ms());
        }
    }
}
