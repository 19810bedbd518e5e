//! A view as HTML. Everything in it is escaped here, and nowhere else.
//!
//! Browsers join neighbouring texts, and leave out empty ones, so an empty comment stands where a walk over the page
//! must find a seam: between a text and the next one, after a text that changes, after everything that comes and goes, and
//! around it, where it is not just one element.

use super::{Attr, Content, Each, Element, Lazy, Refill, Switch, View};

/// The empty comment.
const SEAM: &str = "<!>";

/// Everything, as a server sends it; with a form that was refused as it was filled in.
pub fn html(mut view: View, refill: Option<Refill>) -> String {
    let mut writing = Writing { out: String::new(), is_whole: true, is_after_text: false, refill };
    writing.view(&mut view);
    writing.out
}

pub struct Writing {
    pub out: String,
    /// Also what is only made when it is wanted.
    is_whole: bool,
    is_after_text: bool,
    refill: Option<Refill>,
}

impl Writing {
    /// As a page writes what is new.
    pub const fn anew() -> Self {
        Self { out: String::new(), is_whole: false, is_after_text: false, refill: None }
    }

    /// Writes, and leaves in the view what was made for it.
    pub fn view(&mut self, view: &mut View) {
        match view {
            View::Nothing => {}
            View::Text(text) if text.is_empty() => {}
            View::Text(text) => {
                self.begin_text();
                escape(text, false, &mut self.out);
                self.is_after_text = true;
            }
            View::Said(text) => {
                self.begin_text();
                escape(&leptos::prelude::untrack(text), false, &mut self.out);
                self.seam();
            }
            View::Element(element) => self.element(element),
            View::Many(all) => all.iter_mut().for_each(|view| self.view(view)),
            View::Switch(switch) => self.switch(switch),
            View::Each(each) => self.each(each),
            View::Lazy(lazy) => self.lazy(lazy),
            View::Still(element) => {
                if let Some(element) = element {
                    self.element(element);
                }
                self.seam();
            }
            View::Own(content) => self.content(content),
        }
    }

    fn begin_text(&mut self) {
        if self.is_after_text {
            self.seam();
        }
    }

    fn seam(&mut self) {
        self.out.push_str(SEAM);
        self.is_after_text = false;
    }

    fn switch(&mut self, switch: &mut Switch) {
        let mut content = switch.take();
        if !matches!(content.view, View::Nothing) {
            self.item(&mut content);
        }
        self.seam();
        switch.content = Some(content);
    }

    fn each(&mut self, each: &mut Each) {
        let mut items = each.take();
        for (_, content) in &mut items {
            self.item(content);
        }
        self.seam();
        each.items = Some(items);
    }

    /// Something that comes and goes as a whole.
    pub fn item(&mut self, content: &mut Content) {
        if content.view.is_element() {
            return self.content(content);
        }
        self.seam();
        self.content(content);
        self.seam();
    }

    /// What is made for it on the way belongs to it.
    fn content(&mut self, content: &mut Content) {
        let Content { owner, view } = content;
        owner.with(|| self.view(view));
    }

    fn lazy(&mut self, lazy: &mut Lazy) {
        if self.is_whole || leptos::prelude::untrack(&lazy.is_wanted) {
            let mut content = lazy.take();
            self.content(&mut content);
            lazy.content = Some(content);
        }
        self.seam();
    }

    fn element(&mut self, element: &mut Element) {
        let tag = element.tag;
        let instead = self.refill.as_mut().map(|refill| refill.enter(element)).unwrap_or_default();
        self.out.push('<');
        self.out.push_str(tag);
        for (name, attr) in element.attrs.iter().filter(|(name, _)| !instead.has(name)) {
            match attr {
                Attr::Is(value) => self.attr(name, value),
                Attr::Live(value) => {
                    if let Some(value) = leptos::prelude::untrack(value) {
                        self.attr(name, &value);
                    }
                }
                // A field of several lines holds its text inside.
                Attr::Value(_) if tag == "textarea" => {}
                Attr::Value(value) => self.attr(name, &leptos::prelude::untrack(value)),
                Attr::Checked(is) => {
                    if leptos::prelude::untrack(is) {
                        self.attr(name, "");
                    }
                }
            }
        }
        if let Some((name, true)) = instead.flag {
            self.attr(name, "");
        }
        if let Some(value) = &instead.value {
            self.attr("value", value);
        }
        self.out.push('>');
        if !matches!(tag, "br" | "hr" | "img" | "input") {
            self.inside(element, instead.text);
            self.out.push_str("</");
            self.out.push_str(tag);
            self.out.push('>');
        }
        self.is_after_text = false;
        if let Some(refill) = &mut self.refill {
            refill.leave(element);
        }
    }

    fn inside(&mut self, element: &mut Element, instead: Option<String>) {
        self.is_after_text = false;
        // Browsers leave out a line break at the very beginning of these.
        if matches!(element.tag, "pre" | "textarea") {
            self.out.push('\n');
        }
        if let Some(instead) = instead {
            return escape(&instead, false, &mut self.out);
        }
        let held = element.attrs.iter().find_map(|(_, attr)| match attr {
            Attr::Value(value) if element.tag == "textarea" => Some(leptos::prelude::untrack(value)),
            _ => None,
        });
        if let Some(held) = held {
            escape(&held, false, &mut self.out);
        }
        for view in &mut element.inside {
            self.view(view);
        }
    }

    fn attr(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        if !value.is_empty() {
            self.out.push_str("=\"");
            escape(value, true, &mut self.out);
            self.out.push('"');
        }
    }
}

/// Browsers would take a carriage return for a line break, and stumble over a zero.
pub fn escape(text: &str, is_attr: bool, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let instead = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' if !is_attr => "&gt;",
            b'"' if is_attr => "&quot;",
            b'\r' => "&#13;",
            0 => "\u{fffd}",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(instead);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}
