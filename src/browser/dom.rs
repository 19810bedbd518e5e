//! Views in a page. What was written, here or by the server, is walked over once, side by side with the view that it was
//! written from; what changes is held on to, and written again when it has.
//!
//! All that changes in a scope (a page, a thing in a list, something that comes and goes) is looked at together, by one
//! effect: it is cheap to look and to find the same, and costly to have an effect for every word.

use std::{cell::RefCell, rc::Rc};

use leptos::prelude::{GetValue, Owner, RenderEffect, SetValue, StoredValue, document, untrack};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{
    DocumentFragment, Element, HtmlDetailsElement, HtmlInputElement, HtmlTemplateElement, HtmlTextAreaElement, Node,
};
pub use web_sys::{Event, HtmlElement};

use crate::ui::view::{self, Attr, Content, Hook, View, Writing};

/// Something that changes.
mod binding;
/// A list of things.
mod listed;
/// From node to node.
mod walk;

use binding::Binding;
use listed::Listed;
use walk::{Mismatch, Walk};

/// Something that opens has opened or closed.
pub fn is_open(event: &Event) -> Option<bool> {
    event.current_target()?.dyn_ref::<HtmlDetailsElement>().map(HtmlDetailsElement::open)
}

pub fn set_open(element: &HtmlElement) {
    let _ = element.set_attribute("open", "");
}

/// What somebody has typed.
pub fn value_of(event: &Event) -> String {
    let target = event.target();
    let field = target.as_ref().and_then(|target| target.dyn_ref::<HtmlTextAreaElement>().map(|field| field.value()));
    let input = || target.as_ref()?.dyn_ref::<HtmlInputElement>().map(|field| field.value());
    field.or_else(input).unwrap_or_default()
}

/// An element that is needed again later.
#[derive(Clone, Copy, Default)]
pub struct Handle(StoredValue<Option<SendWrapper<HtmlElement>>>);

impl Handle {
    pub fn set(self, element: HtmlElement) {
        self.0.set_value(Some(SendWrapper::new(element)));
    }

    /// None on a server, and where it has gone.
    pub fn get(self) -> Option<HtmlElement> {
        self.0.try_get_value().flatten().map(SendWrapper::take)
    }
}

/// Brings to life what the server wrote into an element. What does not fit is written anew.
pub fn wake(root: &Element, make: impl Fn() -> View) {
    match hydrate(Content::make(&make), &mut Walk::inside(root)) {
        // For as long as there is the page.
        Ok(mut scope) => {
            scope.arrive();
            std::mem::forget(scope);
        }
        Err(mismatch) => {
            mismatch.tell();
            root.set_text_content(None);
            let end = document().create_comment("");
            let _ = root.append_child(&end);
            std::mem::forget(place(vec![Content::make(&make)], &end));
        }
    }
}

/// Listens until it is dropped. An event may be on its way by then.
struct Handler {
    node: Element,
    event: &'static str,
    act: Closure<dyn FnMut(Event)>,
}

impl Handler {
    fn new(node: Element, event: &'static str, act: Box<dyn FnMut(Event)>) -> Self {
        let act = Closure::wrap(act);
        let _ = node.add_event_listener_with_callback(event, act.as_ref().unchecked_ref());
        Self { node, event, act }
    }
}

impl Drop for Handler {
    fn drop(&mut self) {
        let _ = self.node.remove_event_listener_with_callback(self.event, self.act.as_ref().unchecked_ref());
    }
}

/// Everything that is alive in a part of the page. It ends when it is dropped, the inner parts first.
pub struct Scope {
    _effect: Option<RenderEffect<()>>,
    _bindings: Rc<RefCell<Vec<Binding>>>,
    _lists: Vec<Listed>,
    _handlers: Vec<Handler>,
    /// Parts with a scope of their own that stay as long as this one.
    _owned: Vec<Scope>,
    made: Vec<Made>,
    _owner: Owner,
}

/// What is to be done with an element once it is in the page.
type Made = (Box<dyn FnOnce(HtmlElement)>, HtmlElement);

impl Scope {
    /// It is in the page now.
    fn arrive(&mut self) {
        for (act, element) in self.made.drain(..) {
            untrack(|| act(element));
        }
    }
}

/// Part of a page that comes and goes as a whole.
pub struct Placed {
    scope: Scope,
    first: Node,
    last: Node,
}

impl Placed {
    /// Takes it out of the page.
    fn remove(self) {
        each_between(&self.first, &self.last, |node| {
            if let Some(parent) = node.parent_node() {
                let _ = parent.remove_child(node);
            }
        });
    }

    fn move_before(&self, next: &Node) {
        if let Some(parent) = next.parent_node() {
            each_between(&self.first, &self.last, |node| drop(parent.insert_before(node, Some(next))));
        }
    }
}

fn each_between(first: &Node, last: &Node, act: impl Fn(&Node)) {
    let mut node = Some(first.clone());
    while let Some(this) = node {
        let next = if this == *last { None } else { this.next_sibling() };
        act(&this);
        node = next;
    }
}

/// Makes several things at once, before a node: writing and parsing them together is quicker.
fn place(mut contents: Vec<Content>, next: &Node) -> Vec<Placed> {
    let fragment = write(&mut contents);
    let mut walk = Walk::inside(&fragment);
    let found: Result<Vec<Placed>, Mismatch> =
        contents.into_iter().map(|content| take_place(content, &mut walk)).collect();
    let mut placed = found.unwrap_or_else(|mismatch| {
        mismatch.tell();
        Vec::new()
    });
    if let Some(parent) = next.parent_node() {
        let _ = parent.insert_before(&fragment, Some(next));
    }
    for each in &mut placed {
        each.scope.arrive();
    }
    placed
}

/// Finds in the page what was written as one thing.
fn take_place(content: Content, walk: &mut Walk) -> Result<Placed, Mismatch> {
    if content.view.is_element() {
        let scope = hydrate(content, walk)?;
        let node = walk.last()?;
        return Ok(Placed { scope, first: node.clone(), last: node });
    }
    let first = walk.seam()?;
    let scope = hydrate(content, walk)?;
    let last = walk.seam()?;
    Ok(Placed { scope, first, last })
}

thread_local! {
    static PARSER: Option<HtmlTemplateElement> =
        document().create_element("template").ok().and_then(|element| element.dyn_into().ok());
}

/// Writes views as HTML, in which everything is escaped, and has it parsed.
fn write(contents: &mut [Content]) -> DocumentFragment {
    let mut writing = Writing::anew();
    contents.iter_mut().for_each(|content| writing.item(content));
    PARSER.with(|parser| match parser {
        Some(parser) => {
            parser.set_inner_html(&writing.out);
            parser.content()
        }
        None => document().create_document_fragment(),
    })
}

/// What is found on the way over a part of the page.
struct Draft {
    owner: Owner,
    bindings: Vec<Binding>,
    lists: Vec<Listed>,
    handlers: Vec<Handler>,
    owned: Vec<Scope>,
    made: Vec<Made>,
}

fn hydrate(content: Content, walk: &mut Walk) -> Result<Scope, Mismatch> {
    let Content { owner, view } = content;
    let mut draft = Draft {
        owner: owner.clone(),
        bindings: Vec::new(),
        lists: Vec::new(),
        handlers: Vec::new(),
        owned: Vec::new(),
        made: Vec::new(),
    };
    owner.with(|| draft.view(view, walk))?;
    Ok(draft.settle())
}

impl Draft {
    fn settle(self) -> Scope {
        let Self { owner, bindings, lists, handlers, owned, made } = self;
        let has_bindings = !bindings.is_empty();
        let bindings = Rc::new(RefCell::new(bindings));
        let effect = has_bindings.then(|| {
            let (bindings, owner_then) = (Rc::downgrade(&bindings), owner.clone().downgrade());
            let look = move |_| {
                if let (Some(bindings), Some(owner)) = (bindings.upgrade(), owner_then.upgrade()) {
                    bindings.borrow_mut().iter_mut().for_each(|binding| binding.look(&owner));
                }
            };
            // It belongs to its scope, and to whoever made that only as long.
            owner.with(|| RenderEffect::new(look))
        });
        Scope {
            _effect: effect,
            _bindings: bindings,
            _lists: lists,
            _handlers: handlers,
            _owned: owned,
            made,
            _owner: owner,
        }
    }

    fn view(&mut self, view: View, walk: &mut Walk) -> Result<(), Mismatch> {
        match view {
            View::Nothing => {}
            View::Text(text) => walk.text(&text)?,
            View::Said(text) => {
                let node = walk.said()?;
                self.bindings.push(Binding::said(node, text));
            }
            View::Element(element) => self.element(*element, walk)?,
            View::Many(all) => all.into_iter().try_for_each(|view| self.view(view, walk))?,
            View::Still(_) => {
                walk.element_if_any();
                walk.seam()?;
            }
            View::Own(content) => {
                let mut scope = hydrate(*content, walk)?;
                self.made.append(&mut scope.made);
                self.owned.push(scope);
            }
            View::Switch(mut switch) => {
                let content = switch.take();
                let placed = match content.view {
                    View::Nothing => None,
                    _ => Some(self.placed(content, walk)?),
                };
                let seam = walk.seam()?;
                self.bindings.push(Binding::switch(seam, switch.changing, placed));
            }
            View::Each(mut each) => {
                let mut items = Vec::new();
                for (key, content) in each.take() {
                    items.push((key, self.placed(content, walk)?));
                }
                let seam = walk.seam()?;
                self.lists.push(Listed::new(seam, each.listing, items, &self.owner));
            }
            View::Lazy(mut lazy) => {
                let (mut still, mut placed) = (None, None);
                if untrack(&lazy.is_wanted) {
                    let content = lazy.take();
                    placed = Some(self.placed(content, walk)?);
                } else {
                    still = walk.element_if_any();
                }
                let seam = walk.seam()?;
                self.bindings.push(Binding::lazy(seam, *lazy, still, placed));
            }
        }
        Ok(())
    }

    fn placed(&mut self, content: Content, walk: &mut Walk) -> Result<Placed, Mismatch> {
        let mut placed = take_place(content, walk)?;
        self.made.append(&mut placed.scope.made);
        Ok(placed)
    }

    fn element(&mut self, element: view::Element, walk: &mut Walk) -> Result<(), Mismatch> {
        let node = walk.element(element.tag)?;
        if !element.is_live {
            return Ok(());
        }
        for (name, attr) in element.attrs {
            match attr {
                Attr::Is(_) => {}
                Attr::Live(value) => self.bindings.push(Binding::attr(node.clone(), name, value)),
                Attr::Value(value) => self.bindings.push(Binding::value(node.clone(), value)),
                Attr::Checked(is) => self.bindings.push(Binding::checked(node.clone(), is)),
            }
        }
        for hook in element.hooks {
            match hook {
                Hook::On(event, act) => {
                    self.handlers.push(Handler::new(node.clone(), event, act));
                }
                Hook::Made(act) => {
                    let owner = self.owner.clone();
                    let act = Box::new(move |element| owner.with(|| act(element)));
                    self.made.push((act, node.clone().unchecked_into()));
                }
            }
        }
        if element.tag != "textarea" {
            let mut inside = Walk::inside(&node);
            // Nobody needs to go where nothing changes any more.
            let live = element.inside.iter().rposition(View::is_live).map_or(0, |last| last + 1);
            element.inside.into_iter().take(live).try_for_each(|view| self.view(view, &mut inside))?;
        }
        Ok(())
    }
}
