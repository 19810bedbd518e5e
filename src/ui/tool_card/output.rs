//! What the tool printed while it ran, as it was.

use super::{Card, whole::whole};
use crate::ui::{
    copy::copy_button,
    view::{Element, code, div, h3, pre, said, section, switch},
};

pub fn output(card: Card) -> Element {
    let output = move || card.read(|call| call.output.clone());
    let head = div("sec__head").with(h3("").with("Output")).with(copy_button("Copy output", output));
    let kept = switch(
        move || card.read(|call| call.whole_output.as_ref().map(|kept| kept.bytes)),
        move |bytes| bytes.map(|bytes| whole(card, bytes, "output")),
    );
    section("sec").with(head).with(kept).with(pre("code").with(code("").with(said(output))))
}
