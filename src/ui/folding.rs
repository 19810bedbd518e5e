//! Something that opens and closes. What somebody opened stays open: over a reload, and when it was far away meanwhile.

use super::view::{Element, details};
use crate::browser::{dom, page};

/// Known by a name that nothing else on the page has.
pub fn folding(class: &'static str, name: String) -> Element {
    let kept = name.clone();
    details(class)
        .made(move |element| {
            if page::recall(&name).is_some() {
                dom::set_open(&element);
            }
        })
        .on("toggle", move |event| {
            if let Some(is_open) = dom::is_open(&event) {
                page::remember(&kept, is_open.then_some("open"));
            }
        })
}
