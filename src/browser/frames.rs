//! The first piece of work at once, what follows on its heels in the next frame: a single event is on the screen without
//! waiting for anything, and ten thousand hold up nobody for longer than a frame.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
    time::Duration,
};

use leptos::prelude::{document, request_animation_frame, set_timeout};

use super::clock::monotonic_ms;

/// What comes sooner than this after the last batch waits for the next frame. A quarter of a frame keeps 100 events a
/// second from waiting at all.
const CLOSEST_MS: f64 = 4.0;

/// How long a batch may take. What it changes must be shown in the same frame, too.
const BUDGET_MS: f64 = 5.0;

/// A hidden tab gets no frames, so it takes a slow timer instead.
const HIDDEN_FRAME: Duration = Duration::from_millis(200);

pub struct Frames<T> {
    work: Box<dyn Fn(T)>,
    queue: RefCell<VecDeque<T>>,
    /// When the last batch was done.
    last_ms: Cell<f64>,
    /// A frame has been asked for.
    is_waiting: Cell<bool>,
}

impl<T: 'static> Frames<T> {
    pub fn new(work: impl Fn(T) + 'static) -> Rc<Self> {
        let last_ms = Cell::new(f64::NEG_INFINITY);
        Rc::new(Self { work: Box::new(work), queue: RefCell::default(), last_ms, is_waiting: Cell::new(false) })
    }

    pub fn push(self: &Rc<Self>, item: T) {
        self.queue.borrow_mut().push_back(item);
        if !self.is_waiting.get() && monotonic_ms() - self.last_ms.get() >= CLOSEST_MS {
            self.some();
        } else {
            self.wait();
        }
    }

    fn wait(self: &Rc<Self>) {
        if self.is_waiting.replace(true) {
            return;
        }
        let frames = Rc::clone(self);
        let next = move || {
            frames.is_waiting.set(false);
            frames.some();
        };
        if document().hidden() { set_timeout(next, HIDDEN_FRAME) } else { request_animation_frame(next) }
    }

    /// As much as fits into a frame; the rest comes with the next ones.
    fn some(self: &Rc<Self>) {
        let began = monotonic_ms();
        while let Some(item) = self.next() {
            (self.work)(item);
            if monotonic_ms() - began > BUDGET_MS && !self.queue.borrow().is_empty() {
                self.wait();
                break;
            }
        }
        self.last_ms.set(monotonic_ms());
    }

    fn next(&self) -> Option<T> {
        self.queue.borrow_mut().pop_front()
    }

    /// The tab has been hidden or shown: the frame that was asked for may never come, so it is not waited for.
    pub fn tab_changed(&self) {
        self.is_waiting.set(false);
        self.flush();
    }

    /// Does what waits.
    pub fn flush(&self) {
        while let Some(item) = self.next() {
            (self.work)(item);
        }
        self.last_ms.set(monotonic_ms());
    }
}
