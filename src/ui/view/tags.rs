//! One function for each element there is: `div("card").with("…")`. An element without a class has an empty one.

use super::Element;

macro_rules! tags {
    ($($name:ident)+) => {
        $(pub fn $name(class: &'static str) -> Element {
            Element::new(stringify!($name), class)
        })+
    };
}

tags! {
    a article aside b blockquote button code dd details div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5
    header kbd label legend li main mark nav noscript ol option p pre progress s section select small span strong summary
    svg table tbody td textarea th thead time tr ul
    // Those that hold nothing.
    br hr img input
    // Parts of drawings.
    line rect
}

/// Text in a drawing.
pub fn svg_text() -> Element {
    Element::new("text", "")
}

/// A drawing out of the set that every page has.
pub fn svg_use() -> Element {
    Element::new("use", "")
}

/// What is sent along unseen.
pub fn hidden(name: &'static str, value: impl Into<super::Value>) -> Element {
    input("").attr("type", "hidden").attr("name", name).attr("value", value)
}
