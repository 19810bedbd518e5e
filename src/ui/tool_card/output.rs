//! What the tool printed while it ran, as it was.

use leptos::prelude::*;

use super::Card;

#[component]
pub fn Output(card: Card) -> impl IntoView {
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Output"</h3>
            </div>
            <pre class="code">{move || card.read(|call| call.output.clone())}</pre>
        </section>
    }
}
