//! A call that runs in a page and waits there for the person: to click, so that no agent copies, saves or reads anything
//! unseen.

use leptos::prelude::*;

use super::Card;
use crate::browser::tools;

#[component]
pub fn Here(card: Card) -> impl IntoView {
    // Which tab this is, a server does not know.
    let is_here = RwSignal::new(None::<bool>);
    Effect::new(move || {
        let tab = card.read(|call| call.tab.clone());
        is_here.set(Some(tab.is_some_and(|tab| tab == tools::tab())));
    });
    let label = move || card.read(|call| tools::label(&call.tool_name));
    let run = move |_| tools::run_by_hand(card.live, card.id.get_value());
    let skip = move |_| tools::skip(card.live, card.id.get_value());
    view! {
        <section class="ask" aria-label="In your browser">
            {move || match is_here.get() {
                Some(true) => {
                    view! {
                        <p class="ask__lede">{move || card.read(|call| tools::question(&call.tool_name))}</p>
                        <div class="actions">
                            <button class="btn btn--primary" type="button" on:click=run>
                                {label}
                            </button>
                            <button class="btn btn--quiet" type="button" on:click=skip>
                                "Skip"
                            </button>
                        </div>
                    }
                        .into_any()
                }
                Some(false) => view! { <p class="muted">"This waits for you in the tab that asked."</p> }.into_any(),
                None => view! { <p class="muted">"This waits for you in your browser."</p> }.into_any(),
            }}
        </section>
    }
}
