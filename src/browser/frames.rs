//! One batch of work per frame, the first piece of it at once: a single event is on the screen without waiting for
//! anything, and a thousand cost no more than the frames they fall into.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use leptos::prelude::{document, request_animation_frame, set_timeout};

/// A hidden tab gets no frames, so it takes a slow timer instead.
const HIDDEN_FRAME: Duration = Duration::from_millis(200);

pub struct Frames<T> {
    work: Box<dyn Fn(Vec<T>)>,
    queue: RefCell<Vec<T>>,
    /// A frame is under way: what comes now waits for its end.
    is_open: Cell<bool>,
}

impl<T: 'static> Frames<T> {
    pub fn new(work: impl Fn(Vec<T>) + 'static) -> Rc<Self> {
        Rc::new(Self { work: Box::new(work), queue: RefCell::default(), is_open: Cell::new(false) })
    }

    pub fn push(self: &Rc<Self>, item: T) {
        if self.is_open.get() {
            self.queue.borrow_mut().push(item);
        } else {
            (self.work)(vec![item]);
            self.is_open.set(true);
            self.wait();
        }
    }

    /// Does what waits now: the tab has been hidden or shown, and the frame that was asked for may never come.
    pub fn flush(self: &Rc<Self>) {
        let waiting = self.queue.take();
        if !waiting.is_empty() {
            (self.work)(waiting);
        }
        self.is_open.set(false);
    }

    fn wait(self: &Rc<Self>) {
        let frames = Rc::clone(self);
        let end = move || frames.end();
        if document().hidden() { set_timeout(end, HIDDEN_FRAME) } else { request_animation_frame(end) }
    }

    fn end(self: &Rc<Self>) {
        let waiting = self.queue.take();
        if waiting.is_empty() {
            self.is_open.set(false);
        } else {
            (self.work)(waiting);
            self.wait();
        }
    }
}
