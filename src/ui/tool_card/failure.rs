//! What went wrong, and what to do. The tool's own words are below.

use super::Card;
use crate::ui::view::{Element, div, p, said};

pub fn failure(card: Card) -> Element {
    // What fails while somebody watches is said at once; what failed long ago is only there.
    let role = card.was_watched.then_some("alert");
    let kind = move || card.read(|call| call.error_kind);
    let what = said(move || kind().map_or("This call failed.", |kind| kind.what()));
    let why = said(move || card.read(|call| call.error_text()).unwrap_or_default());
    let advice = said(move || kind().map_or("", |kind| kind.advice()));
    let told =
        div("").with(p("fail__what").with(what)).with(p("fail__why").with(why)).with(p("fail__why").with(advice));
    div("fail").attr("role", role).with(told)
}
