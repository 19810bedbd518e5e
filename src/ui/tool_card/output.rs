//! What the tool printed while it ran, as it was.

use leptos::prelude::*;

use super::{Card, whole::Whole};

#[component]
pub fn Output(card: Card) -> impl IntoView {
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Output"</h3>
            </div>
            {move || card.read(|call| call.whole_output.clone()).map(|kept| view! { <Whole card bytes=kept.bytes what="output" /> })}
            <pre class="code"><code>{move || card.read(|call| call.output.clone())}</code></pre>
        </section>
    }
}
