//! What went wrong, and what to do. The tool's own words are below.

use leptos::prelude::*;

use super::Card;

#[component]
pub fn Failure(card: Card) -> impl IntoView {
    // What fails while somebody watches is said at once; what failed long ago is only there.
    let role = card.was_watched.then_some("alert");
    let kind = move || card.read(|call| call.error_kind);
    view! {
        <div class="fail" role=role>
            <div>
                <p class="fail__what">{move || kind().map_or("This call failed.", |kind| kind.what())}</p>
                <p class="fail__why">{move || card.read(|call| call.error_text())}</p>
                <p class="fail__why">{move || kind().map(|kind| kind.advice())}</p>
            </div>
        </div>
    }
}
