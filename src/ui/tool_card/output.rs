//! What the tool printed while it ran, as it was.

use leptos::prelude::*;

use super::{Card, whole::Whole};
use crate::ui::copy::CopyButton;

#[component]
pub fn Output(card: Card) -> impl IntoView {
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Output"</h3>
                <CopyButton label="Copy output" text=move || untrack(|| card.read(|call| call.output.clone())) />
            </div>
            {move || card.read(|call| call.whole_output.clone()).map(|kept| view! { <Whole card bytes=kept.bytes what="output" /> })}
            <pre class="code"><code>{move || card.read(|call| call.output.clone())}</code></pre>
        </section>
    }
}
