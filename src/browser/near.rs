//! What is near to what somebody sees: there before it is needed, and gone when it is far away.

use std::{cell::RefCell, collections::VecDeque};

use js_sys::Array;
use leptos::prelude::{document, request_animation_frame};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{
    Element, FocusOptions, HtmlElement, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit, css,
};

/// How far around what is seen things are there.
const MARGIN: &str = "600px 0px";

/// An element that holds the place of what is in it.
pub type Holder = HtmlElement;

/// Watches until it is dropped.
pub struct Watch {
    observer: SendWrapper<IntersectionObserver>,
    _heard: SendWrapper<Closure<dyn FnMut(Array)>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Tells whether an element is near, and how high it is: soon after now, and whenever that changes.
pub fn watch(element: &Holder, tell: impl Fn(bool, f64) + 'static) -> Option<Watch> {
    let heard = Closure::new(move |entries: Array| {
        // Only the last one still holds.
        let last = entries.get(entries.length().saturating_sub(1)).dyn_into::<IntersectionObserverEntry>();
        if let Ok(entry) = last {
            tell(entry.is_intersecting(), entry.bounding_client_rect().height());
        }
    });
    let options = IntersectionObserverInit::new();
    options.set_root_margin(MARGIN);
    let observer = IntersectionObserver::new_with_options(heard.as_ref().unchecked_ref(), &options).ok()?;
    observer.observe(element);
    Some(Watch { observer: SendWrapper::new(observer), _heard: SendWrapper::new(heard) })
}

/// What waits for its frame; nothing, while no frame has been asked for.
type Waiting = Option<VecDeque<Box<dyn FnOnce()>>>;

thread_local! {
    static WAITING: RefCell<Waiting> = const { RefCell::new(None) };
}

/// Makes a piece of the page at once, and each further one with a frame of its own: all in one would hold up whoever reads.
pub fn in_turn(make: impl FnOnce() + 'static) {
    let mut make = Some(make);
    let has_to_wait = WAITING.with_borrow_mut(|waiting| match waiting {
        Some(waiting) => {
            waiting.extend(make.take().map(|make| Box::new(make) as Box<dyn FnOnce()>));
            true
        }
        None => {
            *waiting = Some(VecDeque::new());
            false
        }
    });
    if !has_to_wait {
        make.into_iter().for_each(|make| make());
        request_animation_frame(next_in_turn);
    }
}

fn next_in_turn() {
    let next = WAITING.with_borrow_mut(|waiting| {
        let next = waiting.as_mut().and_then(VecDeque::pop_front);
        if next.is_none() {
            *waiting = None;
        }
        next
    });
    if let Some(make) = next {
        make();
        request_animation_frame(next_in_turn);
    }
}

/// Whether somebody is in there: what has the focus must stay.
pub fn has_focus(element: &Holder) -> bool {
    document().active_element().is_some_and(|active| element.contains(Some(&active)))
}

/// If the focus is in one element, it goes to another, which stays where it is.
pub fn move_focus(from: &str, to: &str) {
    let find = |selector: &str| document().query_selector(selector).ok().flatten()?.dyn_into::<HtmlElement>().ok();
    if let (Some(from), Some(to)) = (find(from), find(to))
        && has_focus(&from)
    {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = to.focus_with_options(&options);
    }
}

/// Keeps an element's place when what is in it goes. It is told how high: asking now would have the page laid out for it.
pub fn hold(element: &Holder, height: f64) {
    let _ = element.style().set_property("block-size", &format!("{height:.1}px"));
}

/// What is in it gives it its size again.
pub fn release(element: &Holder) {
    let _ = element.style().remove_property("block-size");
}

/// Changes something above what is seen, without moving what is seen. Browsers see to that themselves, except at the very
/// top; and some do not.
pub fn keep_place(of: &'static str, change: impl FnOnce()) {
    let Some(html) = document().document_element() else { return };
    if does_browser_anchor() {
        html.set_scroll_top(html.scroll_top().max(1));
        return change();
    }
    let seen = first_seen(of);
    change();
    if let Some((element, top)) = seen {
        request_animation_frame(move || {
            let moved = element.get_bounding_client_rect().top() - top;
            html.set_scroll_top(html.scroll_top() + moved.round() as i32);
        });
    }
}

fn does_browser_anchor() -> bool {
    css::supports_with_value("overflow-anchor", "auto").unwrap_or(false)
}

/// The first element of this kind that is in sight, and where it is.
fn first_seen(of: &str) -> Option<(Element, f64)> {
    let all = document().query_selector_all(of).ok()?;
    (0..all.length()).find_map(|nth| {
        let element = all.item(nth)?.dyn_into::<Element>().ok()?;
        let place = element.get_bounding_client_rect();
        (place.bottom() > 0.0).then(|| (element, place.top()))
    })
}
