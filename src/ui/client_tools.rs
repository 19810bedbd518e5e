//! What this page can do for the agent, sent along with a question. Without a script a page can do nothing, and says so by
//! saying nothing.

use leptos::prelude::*;

use crate::browser::tools;

/// Two fields of a form.
#[component]
pub fn ClientTools() -> impl IntoView {
    let told = RwSignal::new((String::new(), String::new()));
    Effect::new(move || told.set((tools::offered(), tools::tab())));
    view! {
        <input type="hidden" name="client_tools" prop:value=move || told.get().0 />
        <input type="hidden" name="tab" prop:value=move || told.get().1 />
    }
}
