//! Something that changes: looked at whenever what it was made from has changed, and written only when it differs.

use leptos::prelude::Owner;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement, Node, Text};

use super::{Content, Placed, place};
use crate::ui::view::{self, Changing, Lazy, View};

pub struct Binding {
    what: What,
    /// The first look finds what was written.
    is_known: bool,
}

enum What {
    Said { node: Text, text: Box<dyn Fn() -> view::Text>, last: view::Text },
    Attr { node: Element, name: &'static str, value: Box<dyn Fn() -> Option<view::Text>>, last: Option<view::Text> },
    Value { node: Element, value: Box<dyn Fn() -> view::Text>, last: view::Text },
    Checked { node: Element, is: Box<dyn Fn() -> bool>, last: bool },
    Switch { seam: Node, changing: Box<dyn Changing>, placed: Option<Placed> },
    Lazy { seam: Node, lazy: Lazy, still: Option<Element>, placed: Option<Placed> },
}

impl Binding {
    const fn new(what: What) -> Self {
        Self { what, is_known: false }
    }

    pub fn said(node: Text, text: Box<dyn Fn() -> view::Text>) -> Self {
        Self::new(What::Said { node, text, last: view::Text::Borrowed("") })
    }

    pub fn attr(node: Element, name: &'static str, value: Box<dyn Fn() -> Option<view::Text>>) -> Self {
        Self::new(What::Attr { node, name, value, last: None })
    }

    pub fn value(node: Element, value: Box<dyn Fn() -> view::Text>) -> Self {
        Self::new(What::Value { node, value, last: view::Text::Borrowed("") })
    }

    pub fn checked(node: Element, is: Box<dyn Fn() -> bool>) -> Self {
        Self::new(What::Checked { node, is, last: false })
    }

    pub fn switch(seam: Node, changing: Box<dyn Changing>, placed: Option<Placed>) -> Self {
        Self::new(What::Switch { seam, changing, placed })
    }

    /// With what the server wrote in its place, which nobody has asked for yet.
    pub fn lazy(seam: Node, lazy: Lazy, still: Option<Element>, placed: Option<Placed>) -> Self {
        Self::new(What::Lazy { seam, lazy, still, placed })
    }

    /// Looks, and writes what has changed.
    pub fn look(&mut self, owner: &Owner) {
        let is_known = std::mem::replace(&mut self.is_known, true);
        match &mut self.what {
            What::Said { node, text, last } => {
                let now = text();
                if is_known && now != *last {
                    say(node, last, &now);
                }
                *last = now;
            }
            What::Attr { node, name, value, last } => {
                let now = value();
                if is_known && now != *last {
                    let _ = match &now {
                        Some(value) => node.set_attribute(name, value),
                        None => node.remove_attribute(name),
                    };
                }
                *last = now;
            }
            What::Value { node, value, last } => {
                let now = value();
                if is_known && now != *last {
                    if let Some(field) = node.dyn_ref::<HtmlTextAreaElement>() {
                        field.set_value(&now);
                    } else {
                        node.unchecked_ref::<HtmlInputElement>().set_value(&now);
                    }
                }
                *last = now;
            }
            What::Checked { node, is, last } => {
                let now = is();
                if is_known && now != *last {
                    node.unchecked_ref::<HtmlInputElement>().set_checked(now);
                }
                *last = now;
            }
            What::Switch { seam, changing, placed } => {
                if changing.look() {
                    if let Some(old) = placed.take() {
                        old.remove();
                    }
                    let content = owner.with(|| Content::make(|| changing.make()));
                    *placed = match content.view {
                        View::Nothing => None,
                        _ => place(vec![content], seam).pop(),
                    };
                }
            }
            What::Lazy { seam, lazy, still, placed } => {
                if placed.is_none() && (lazy.is_wanted)() {
                    if let Some(still) = still.take() {
                        still.remove();
                    }
                    let content = owner.with(|| lazy.take());
                    *placed = place(vec![content], seam).pop();
                }
            }
        }
    }
}

/// What only grows is only added to.
fn say(node: &Text, last: &str, now: &str) {
    const WORTH_IT: usize = 256;
    match now.strip_prefix(last).filter(|_| last.len() > WORTH_IT) {
        Some(more) => drop(node.append_data(more)),
        None => node.set_data(now),
    }
}
