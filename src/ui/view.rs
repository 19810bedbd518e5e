//! What stands in a page, as plain data: elements, texts, and the few places where something changes.
//!
//! A view is a tree that a function makes. The server writes it as HTML. A browser parses what was written, whether the
//! server wrote it or the page itself, walks over it once and holds on to the places that change (`browser::dom`). Every view
//! has the same type, and so all of them share the little code there is for this: views that each were a type of their own
//! made the program for the browser five times as large.
//!
//! Whatever is put into a view is text. There is no way to put markup in.

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash, Hasher},
};

use leptos::prelude::{Owner, untrack};

use crate::browser::dom::{Event, HtmlElement};

/// Forms that were refused.
mod refill;
/// One function for each element there is.
mod tags;
/// A view as HTML.
mod write;

pub use refill::Refill;
pub use tags::*;
pub use write::{Writing, escape, html};

pub type Text = Cow<'static, str>;

#[derive(Default)]
pub enum View {
    #[default]
    Nothing,
    Text(Text),
    /// Text that changes.
    Said(Box<dyn Fn() -> Text>),
    Element(Box<Element>),
    Many(Vec<View>),
    /// Something, and something else whenever that changes.
    Switch(Box<Switch>),
    /// A list of things, each known by its key.
    Each(Box<Each>),
    /// Something that the server writes, but a page makes only when it is wanted. One element.
    Lazy(Box<Lazy>),
    /// What only the server writes, and a page leaves as it is: one element, or none.
    Still(Option<Box<Element>>),
    /// What changes in here is looked at apart from what changes around it.
    Own(Box<Content>),
}

pub struct Element {
    pub tag: &'static str,
    pub attrs: Vec<(&'static str, Attr)>,
    pub inside: Vec<View>,
    /// What a browser does with it.
    pub hooks: Vec<Hook>,
    /// Something in it changes, or is listened to.
    pub is_live: bool,
}

pub enum Attr {
    Is(Text),
    Live(Box<dyn Fn() -> Option<Text>>),
    /// What a field holds: written as an attribute, and changed as what it is.
    Value(Box<dyn Fn() -> Text>),
    Checked(Box<dyn Fn() -> bool>),
}

pub enum Hook {
    On(&'static str, Box<dyn FnMut(Event)>),
    /// It is in the page.
    Made(Box<dyn FnOnce(HtmlElement)>),
}

/// A view with everything that belongs to it. What it owns goes with it.
pub struct Content {
    pub owner: Owner,
    pub view: View,
}

impl Content {
    pub fn make(make: impl FnOnce() -> View) -> Self {
        let owner = Owner::current().map_or_else(Owner::new, |owner| owner.child());
        let view = owner.with(|| untrack(make));
        Self { owner, view }
    }
}

pub struct Switch {
    pub changing: Box<dyn Changing>,
    pub content: Option<Content>,
}

pub trait Changing {
    /// Looks, and tells whether it has changed since it last did.
    fn look(&mut self) -> bool;
    fn make(&self) -> View;
}

impl Switch {
    pub fn take(&mut self) -> Content {
        self.content.take().unwrap_or_else(|| {
            untrack(|| self.changing.look());
            Content::make(|| self.changing.make())
        })
    }
}

pub struct Each {
    pub listing: Box<dyn Listing>,
    pub items: Option<Vec<(u64, Content)>>,
}

pub trait Listing {
    /// Looks, and tells the keys of what there is now.
    fn look(&mut self) -> Vec<u64>;
    /// The one in this place.
    fn make(&self, nth: usize) -> View;
}

impl Each {
    pub fn take(&mut self) -> Vec<(u64, Content)> {
        self.items.take().unwrap_or_else(|| {
            let keys = untrack(|| self.listing.look());
            (0..).zip(keys).map(|(nth, key)| (key, Content::make(|| self.listing.make(nth)))).collect()
        })
    }
}

pub struct Lazy {
    pub is_wanted: Box<dyn Fn() -> bool>,
    pub make: Box<dyn Fn() -> View>,
    pub content: Option<Content>,
}

impl Lazy {
    pub fn take(&mut self) -> Content {
        self.content.take().unwrap_or_else(|| Content::make(|| (self.make)()))
    }
}

/// Text that changes.
pub fn said<T: Into<Text>>(text: impl Fn() -> T + 'static) -> View {
    View::Said(Box::new(move || text().into()))
}

/// What there is to say about something, and something else to say when that has changed.
pub fn switch<T: PartialEq + 'static, V: Into<View>>(
    read: impl Fn() -> T + 'static,
    view: impl Fn(&T) -> V + 'static,
) -> View {
    struct Switching<T, R, V> {
        read: R,
        view: V,
        last: Option<T>,
    }
    impl<T: PartialEq, R: Fn() -> T, W: Into<View>, V: Fn(&T) -> W> Changing for Switching<T, R, V> {
        fn look(&mut self) -> bool {
            let now = Some((self.read)());
            let has_changed = now != self.last;
            self.last = now;
            has_changed
        }

        fn make(&self) -> View {
            self.last.as_ref().map_or(View::Nothing, |last| (self.view)(last).into())
        }
    }
    View::Switch(Box::new(Switch { changing: Box::new(Switching { read, view, last: None }), content: None }))
}

/// Something that is there only while something holds.
pub fn when<V: Into<View>>(is: impl Fn() -> bool + 'static, then: impl Fn() -> V + 'static) -> View {
    switch(is, move |is| if *is { then().into() } else { View::Nothing })
}

/// What there is, one by one. What stays keeps what it holds.
pub fn each<K: Hash + 'static, V: Into<View>>(
    all: impl Fn() -> Vec<K> + 'static,
    view: impl Fn(&K) -> V + 'static,
) -> View {
    struct Known<K, A, V> {
        all: A,
        view: V,
        last: Vec<K>,
    }
    impl<K: Hash, A: Fn() -> Vec<K>, W: Into<View>, V: Fn(&K) -> W> Listing for Known<K, A, V> {
        fn look(&mut self) -> Vec<u64> {
            self.last = (self.all)();
            self.last.iter().map(key).collect()
        }

        fn make(&self, nth: usize) -> View {
            self.last.get(nth).map_or(View::Nothing, |item| (self.view)(item).into())
        }
    }
    View::Each(Box::new(Each { listing: Box::new(Known { all, view, last: Vec::new() }), items: None }))
}

fn key<K: Hash>(item: &K) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    hasher.finish()
}

/// An element that the server writes in any case. A page makes it when it is wanted, and keeps it.
pub fn lazy(is_wanted: impl Fn() -> bool + 'static, make: impl Fn() -> Element + 'static) -> View {
    let make = Box::new(move || View::from(make()));
    View::Lazy(Box::new(Lazy { is_wanted: Box::new(is_wanted), make, content: None }))
}

/// What never changes while somebody looks, and so is not even known to the program in the browser.
pub fn still(make: impl FnOnce() -> Option<Element>) -> View {
    View::Still(if IS_BROWSER { None } else { make().map(Box::new) })
}

const IS_BROWSER: bool = cfg!(target_arch = "wasm32");

/// A part that changes for reasons of its own.
pub fn own<V: Into<View>>(make: impl FnOnce() -> V) -> View {
    View::Own(Box::new(Content::make(|| make().into())))
}

/// All of these, one after the other.
pub fn many<V: Into<View>>(views: impl IntoIterator<Item = V>) -> View {
    View::Many(views.into_iter().map(Into::into).collect())
}

impl Element {
    pub fn new(tag: &'static str, class: &'static str) -> Self {
        let element = Self { tag, attrs: Vec::new(), inside: Vec::new(), hooks: Vec::new(), is_live: false };
        if class.is_empty() { element } else { element.attr("class", class) }
    }

    pub fn attr(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        if let Value(Some(value)) = value.into() {
            self.attrs.push((name, Attr::Is(value)));
        }
        self
    }

    /// It is there or not, and says nothing beyond that.
    pub fn flag(self, name: &'static str, is: bool) -> Self {
        self.attr(name, is.then_some(""))
    }

    /// An attribute that changes, or comes and goes.
    pub fn live<T: Into<Value>>(self, name: &'static str, value: impl Fn() -> T + 'static) -> Self {
        self.changing(name, Attr::Live(Box::new(move || value().into().0)))
    }

    pub fn live_flag(self, name: &'static str, is: impl Fn() -> bool + 'static) -> Self {
        self.live(name, move || is().then_some(""))
    }

    /// What a field holds, until somebody changes it, and again whenever this changes.
    pub fn value<T: Into<Text>>(self, value: impl Fn() -> T + 'static) -> Self {
        self.changing("value", Attr::Value(Box::new(move || value().into())))
    }

    pub fn checked(self, is: impl Fn() -> bool + 'static) -> Self {
        self.changing("checked", Attr::Checked(Box::new(is)))
    }

    fn changing(mut self, name: &'static str, attr: Attr) -> Self {
        self.is_live = true;
        self.attrs.push((name, attr));
        self
    }

    pub fn with(mut self, inside: impl Into<View>) -> Self {
        match inside.into() {
            View::Nothing => {}
            View::Many(all) => return all.into_iter().fold(self, Self::with),
            view => {
                self.is_live |= view.is_live();
                self.inside.push(view);
            }
        }
        self
    }

    /// All of these.
    pub fn all<V: Into<View>>(self, inside: impl IntoIterator<Item = V>) -> Self {
        inside.into_iter().fold(self, |element, view| element.with(view.into()))
    }

    pub fn on(mut self, event: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        self.is_live = true;
        self.hooks.push(Hook::On(event, Box::new(act)));
        self
    }

    /// What a browser does with it once it is there.
    pub fn made(mut self, act: impl FnOnce(HtmlElement) + 'static) -> Self {
        self.is_live = true;
        self.hooks.push(Hook::Made(Box::new(act)));
        self
    }
}

impl View {
    /// Whether something in it changes, or is listened to.
    pub fn is_live(&self) -> bool {
        match self {
            Self::Nothing | Self::Text(_) => false,
            Self::Element(element) => element.is_live,
            Self::Many(all) => all.iter().any(Self::is_live),
            Self::Said(_) | Self::Switch(_) | Self::Each(_) | Self::Lazy(_) | Self::Still(_) | Self::Own(_) => true,
        }
    }

    /// Whether it is one element, and nothing else, for as long as it is there.
    pub fn is_element(&self) -> bool {
        match self {
            Self::Element(_) => true,
            Self::Own(content) => content.view.is_element(),
            _ => false,
        }
    }
}

/// What an attribute says; nothing, if it is not there.
pub struct Value(Option<Text>);

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self(Some(text.into()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self(Some(text.into()))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self(None), Into::into)
    }
}

impl From<&'static str> for View {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for View {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Element> for View {
    fn from(element: Element) -> Self {
        Self::Element(Box::new(element))
    }
}

impl<V: Into<Self>> From<Option<V>> for View {
    fn from(view: Option<V>) -> Self {
        view.map_or(Self::Nothing, Into::into)
    }
}

impl<V: Into<Self>> From<Vec<V>> for View {
    fn from(views: Vec<V>) -> Self {
        many(views)
    }
}

impl<V: Into<Self>, const N: usize> From<[V; N]> for View {
    fn from(views: [V; N]) -> Self {
        many(views)
    }
}

#[cfg(test)]
mod tests;
