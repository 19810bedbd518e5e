//! What a card says where it shows only the beginning: how much there is, and where all of it can be read.

use leptos::prelude::*;

use super::Card;
use crate::{
    model::summary,
    ui::{
        icon::drawing,
        part_page,
        view::{Element, a, div, span},
    },
};

pub fn whole(card: Card, bytes: u64, what: &'static str) -> Element {
    let (conversation, call) = (card.live.id(), card.id.get_value());
    let page = part_page::address(conversation, &call, what);
    let file = part_page::file_address(&conversation.to_string(), call.as_str(), what);
    let told = format!("This is the beginning. The whole {what} has {}.", summary::bytes(bytes));
    let download = a("btn btn--sm").attr("href", file).attr("download", "").attr("rel", "external");
    div("whole")
        .with(span("").with(told))
        .with(a("btn btn--sm").attr("href", page).with("Read all of it"))
        .with(download.with(drawing("icon icon--sm", "download")).with("Download"))
}
