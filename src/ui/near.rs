//! Long things in pieces: a piece that is far from what is seen keeps its place, but is not there.

use leptos::{html::ElementType, prelude::*};

use crate::browser::near::{self, Holder, Watch};

/// Whether the page has come to life. Until then it is what the server has sent, to the letter.
#[derive(Clone, Copy)]
pub struct Alive(StoredValue<bool>);

impl Alive {
    pub fn new() -> Self {
        Self(StoredValue::new(false))
    }

    pub fn set(self) {
        self.0.set_value(true);
    }

    /// On the server, and in a browser that takes over what the server has sent.
    pub fn is_first_look() -> bool {
        use_context::<Self>().is_none_or(|alive| !alive.0.get_value())
    }
}

/// Everything is wanted at once, for example on paper.
#[derive(Clone, Copy)]
pub struct Everything(pub RwSignal<bool>);

/// Whether a piece is there.
#[derive(Clone, Copy)]
pub struct Nearness {
    is_near: RwSignal<bool>,
    /// Somebody was led to it, so it is there whatever the place says.
    is_wanted: RwSignal<bool>,
    everything: Option<Everything>,
}

impl Nearness {
    /// Watches an element, and holds its place while it is empty.
    pub fn of<E>(element: NodeRef<E>, is_near: bool, about_px: f64) -> Self
    where
        E: ElementType + 'static,
        E::Output: AsRef<Holder>,
        NodeRef<E>: Get<Value = Option<E::Output>>,
    {
        let this = Self { is_near: RwSignal::new(is_near), is_wanted: RwSignal::new(false), everything: use_context() };
        let watched = StoredValue::new(None::<Watch>);
        Effect::new(move || {
            let Some(element) = element.get() else { return };
            let held: Holder = element.as_ref().clone();
            if !this.get_untracked() {
                near::hold(&held, Some(about_px));
            }
            watched.set_value(near::watch(&held.clone(), move |is_near| this.moved(&held, is_near)));
        });
        on_cleanup(move || drop(watched.try_update_value(Option::take)));
        this
    }

    fn moved(self, held: &Holder, is_near: bool) {
        // The page may be gone already.
        let Some(was_near) = self.is_near.try_get_untracked() else { return };
        if was_near == is_near || !is_near && near::has_focus(held) {
            return;
        }
        match is_near {
            true => near::release(held),
            false => {
                near::hold(held, None);
                self.is_wanted.set(false);
            }
        }
        self.is_near.set(is_near);
    }

    pub fn get(self) -> bool {
        self.is_near.get() || self.is_wanted.get() || self.everything.is_some_and(|everything| everything.0.get())
    }

    fn get_untracked(self) -> bool {
        untrack(|| self.get())
    }

    /// Somebody is led to what is in it.
    pub fn want(self) {
        self.is_wanted.set(true);
    }
}
