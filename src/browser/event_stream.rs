//! The conversation's events, as they happen, from the log into the fold.
//!
//! The browser's own EventSource gives up for good on any answer but 200, so reconnecting is done here: with growing,
//! jittered pauses, at once when the network or the tab comes back, and always from the last event that was folded.

use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    time::Duration,
};

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, MessageEvent};

use super::{ask, clock::monotonic_ms, frames::Frames, tools};
use crate::{
    model::{ConversationId, Event, ProblemKind, Seq, event::ToolCallEvent},
    ui::live::{Live, Received},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    #[default]
    Live,
    Reconnecting,
    /// The server is there and says that the conversation is not.
    Gone,
}

/// The first pause, and what it grows to.
const SHORTEST_PAUSE_MS: f64 = 250.0;
const LONGEST_PAUSE_MS: f64 = 8_000.0;

/// A stream that broke sooner than this was no good, and the next pause is longer.
const GOOD_AFTER_MS: f64 = 5_000.0;

/// After this much silence a connection is dead, even if nobody has said so: the server tells every 15 s that it is
/// there.
const DEAD_AFTER_MS: f64 = 40_000.0;
const WATCH_EVERY: Duration = Duration::from_secs(5);

/// What a person has sent must come back on the stream. If it takes longer, the stream is not trusted.
const ECHO_WITHIN: Duration = Duration::from_secs(2);

/// Follows a conversation until it is dropped.
pub struct EventStream {
    inner: SendWrapper<Rc<Inner>>,
    listeners: SendWrapper<Vec<WindowListenerHandle>>,
    watch: Option<IntervalHandle>,
}

impl EventStream {
    /// This event is in the log, so it must come.
    pub fn expect(&self, seq: Seq) {
        let inner = Rc::downgrade(&self.inner);
        set_timeout(
            move || {
                if let Some(inner) = inner.upgrade().filter(|inner| inner.live.last_seq() < seq) {
                    inner.connect_now();
                }
            },
            ECHO_WITHIN,
        );
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        for listener in self.listeners.drain(..) {
            listener.remove();
        }
        if let Some(watch) = self.watch.take() {
            watch.clear();
        }
    }
}

struct Inner {
    conversation: ConversationId,
    live: Live,
    connection: RwSignal<Connection>,
    /// As they came: they are read in the frame that shows them.
    frames: Rc<Frames<MessageEvent>>,
    source: RefCell<Option<Source>>,
    failures: Cell<u32>,
    pause: Cell<Option<TimeoutHandle>>,
    opened_ms: Cell<f64>,
    /// When something was last heard.
    heard_ms: Cell<f64>,
    this: Weak<Self>,
}

/// An open EventSource with what it calls. Dropping it closes it.
struct Source {
    source: EventSource,
    _handlers: [Closure<dyn FnMut(MessageEvent)>; 5],
}

impl Drop for Source {
    fn drop(&mut self) {
        self.source.close();
    }
}

pub fn follow(conversation: ConversationId, live: Live, connection: RwSignal<Connection>) -> EventStream {
    let inner = Rc::new_cyclic(|this: &Weak<Inner>| {
        let receiver = this.clone();
        Inner {
            conversation,
            live,
            connection,
            frames: Frames::new(move |message: MessageEvent| {
                if let Some(inner) = receiver.upgrade() {
                    inner.receive(&read(&message));
                }
            }),
            source: RefCell::default(),
            failures: Cell::new(0),
            pause: Cell::new(None),
            opened_ms: Cell::new(f64::INFINITY),
            heard_ms: Cell::new(monotonic_ms()),
            this: this.clone(),
        }
    });
    inner.connect();
    tools::consider_all(live);
    let on = |event: &str, act: fn(&Inner)| {
        let inner = Rc::downgrade(&inner);
        window_event_listener_untyped(event, move |_| {
            if let Some(inner) = inner.upgrade() {
                act(&inner);
            }
        })
    };
    let listeners = vec![
        on("visibilitychange", |inner| {
            inner.frames.tab_changed();
            inner.look_after();
        }),
        on("pageshow", Inner::look_after),
        // Another network: whatever was open belongs to the old one.
        on("online", Inner::connect_now),
    ];
    let watched = Rc::downgrade(&inner);
    let watch = move || {
        if let Some(inner) = watched.upgrade() {
            inner.watch();
        }
    };
    let watch = set_interval_with_handle(watch, WATCH_EVERY).ok();
    EventStream { inner: SendWrapper::new(inner), listeners: SendWrapper::new(listeners), watch }
}

impl Inner {
    fn connect(&self) {
        if let Some(pause) = self.pause.take() {
            pause.clear();
        }
        // An EventSource cannot send where it wants to go on with its first request, so the address says it.
        let (after, tab, load) = (self.live.last_seq(), tools::tab(), tools::load());
        let url =
            format!("/api/conversations/{}/events?after={after}&tab={tab}&load={load}&packed=1", self.conversation);
        let Ok(source) = EventSource::new(&url) else {
            return self.reconnect_later();
        };
        let handlers = [
            self.handler(|inner, _| inner.opened()),
            self.handler(Self::message),
            self.handler(|inner, _| inner.heard_ms.set(monotonic_ms())),
            self.handler(|inner, _| inner.resync()),
            self.handler(|inner, _| inner.failed()),
        ];
        for (name, handler) in ["open", "message", "alive", "resync", "error"].into_iter().zip(&handlers) {
            let _ = source.add_event_listener_with_callback(name, handler.as_ref().unchecked_ref());
        }
        *self.source.borrow_mut() = Some(Source { source, _handlers: handlers });
    }

    fn handler(&self, handle: fn(&Self, MessageEvent)) -> Closure<dyn FnMut(MessageEvent)> {
        let this = self.this.clone();
        Closure::new(move |event| {
            if let Some(inner) = this.upgrade() {
                handle(&inner, event);
            }
        })
    }

    fn opened(&self) {
        self.opened_ms.set(monotonic_ms());
        self.heard_ms.set(monotonic_ms());
        self.show(Connection::Live);
    }

    fn message(&self, event: MessageEvent) {
        self.heard_ms.set(monotonic_ms());
        self.frames.push(event);
    }

    fn receive(&self, events: &[(Seq, Event)]) {
        match self.live.receive(events) {
            Received::All => {
                self.failures.set(0);
                for (_, event) in events {
                    if let Event::ToolCall(ToolCallEvent { id, tab: Some(_), .. }) = event {
                        tools::consider(self.live, id);
                    }
                }
            }
            // The stream skipped something: take it up again where the fold stands.
            Received::Gap { .. } => self.reconnect_later(),
        }
    }

    fn resync(&self) {
        self.frames.flush();
        self.live.forget();
    }

    fn failed(&self) {
        self.frames.flush();
        if monotonic_ms() - self.opened_ms.replace(f64::INFINITY) > GOOD_AFTER_MS {
            self.failures.set(0);
        }
        self.show(Connection::Reconnecting);
        self.reconnect_later();
        // An EventSource does not tell why it failed. If it keeps failing, ask whether there is anything to follow.
        if self.failures.get() > 1 {
            self.ask_whether_gone();
        }
    }

    fn ask_whether_gone(&self) {
        let (this, conversation) = (self.this.clone(), self.conversation.to_string());
        leptos::task::spawn_local(async move {
            let asked = [("conversation_id", conversation.as_str())];
            let answer = ask::get::<serde::de::IgnoredAny>("/api/load_conversation", &asked).await;
            let is_gone = answer.is_err_and(|problem| problem.kind == ProblemKind::NotFound);
            if let Some(inner) = this.upgrade().filter(|_| is_gone) {
                inner.stop();
                inner.show(Connection::Gone);
            }
        });
    }

    fn reconnect_later(&self) {
        self.stop();
        let failures = self.failures.replace(self.failures.get().saturating_add(1));
        let longest = (SHORTEST_PAUSE_MS * 2_f64.powi(failures.min(16) as i32)).min(LONGEST_PAUSE_MS);
        let pause = longest * (0.5 + 0.5 * js_sys::Math::random());
        let this = self.this.clone();
        let connect = move || {
            if let Some(inner) = this.upgrade() {
                inner.connect();
            }
        };
        self.pause.set(set_timeout_with_handle(connect, Duration::from_millis(pause as u64)).ok());
    }

    fn stop(&self) {
        if let Some(source) = &*self.source.borrow() {
            // Only closed here, not dropped: this may be running in one of its own handlers.
            source.source.close();
        }
        if let Some(pause) = self.pause.take() {
            pause.clear();
        }
    }

    fn connect_now(&self) {
        self.failures.set(0);
        self.connect();
    }

    /// Somebody looks again, so a pause ends now, and a silence that is too long is not trusted.
    fn look_after(&self) {
        let pause = self.pause.take();
        let is_paused = pause.is_some();
        self.pause.set(pause);
        if is_paused || self.is_silent() {
            self.connect_now();
        }
    }

    /// Looks for another connection when this one has said nothing for too long.
    fn watch(&self) {
        let is_open =
            self.source.borrow().as_ref().is_some_and(|source| source.source.ready_state() != EventSource::CLOSED);
        if is_open && self.is_silent() {
            self.heard_ms.set(monotonic_ms());
            self.show(Connection::Reconnecting);
            self.connect_now();
        }
    }

    fn is_silent(&self) -> bool {
        monotonic_ms() - self.heard_ms.get() > DEAD_AFTER_MS
    }

    fn show(&self, connection: Connection) {
        // The page, and the signal with it, may be gone already.
        if self.connection.try_get_untracked().is_some_and(|shown| shown != connection) {
            self.connection.set(connection);
        }
    }
}

/// A list of events, and the number of the last.
fn read(message: &MessageEvent) -> Vec<(Seq, Event)> {
    let (Ok(last), Some(json)) = (message.last_event_id().parse::<Seq>(), message.data().as_string()) else {
        return Vec::new();
    };
    let events = Event::decode_all(&json);
    (last + 1 - events.len() as Seq..).zip(events).collect()
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(pause) = self.pause.take() {
            pause.clear();
        }
    }
}
