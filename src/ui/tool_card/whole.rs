//! What a card says where it shows only the beginning: how much there is, and where all of it can be read.

use leptos::prelude::*;

use super::Card;
use crate::{
    model::summary,
    ui::{icon::Icon, part_page},
};

#[component]
pub fn Whole(card: Card, bytes: u64, what: &'static str) -> impl IntoView {
    let (conversation, call) = (card.live.id(), card.id.get_value());
    let page = part_page::address(conversation, &call, what);
    let file = part_page::file_address(&conversation.to_string(), call.as_str(), what);
    let told = format!("This is the beginning. The whole {what} has {}.", summary::bytes(bytes));
    view! {
        <div class="whole">
            <span>{told}</span>
            <a class="btn btn--sm" href=page>
                "Read all of it"
            </a>
            <a class="btn btn--sm" href=file download="" rel="external">
                <Icon name="download" class="icon icon--sm" />
                "Download"
            </a>
        </div>
    }
}
