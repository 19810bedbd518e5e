//! What the tool was called with: one line per argument, for people.

use leptos::prelude::*;
use serde_json::Value;

use super::{Card, ask::pretty};
use crate::{model::summary, ui::copy::CopyButton};

#[component]
pub fn Arguments(card: Card) -> impl IntoView {
    // Arguments stream in, so they are shown anew until they are whole, and then no more.
    let args = Memo::new(move |_| card.read(|call| (call.args(), call.args_json.clone())));
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Arguments"</h3>
                <CopyButton label="Copy arguments" text=move || args.get_untracked().1 />
            </div>
            {move || match args.get() {
                (Some(Value::Object(fields)), json) => {
                    let json = pretty(&json);
                    view! {
                        <dl class="kv">
                            {fields
                                .into_iter()
                                .map(|(name, value)| view! { <dt>{name}</dt> <dd>{plain(&value)}</dd> })
                                .collect_view()}
                        </dl>
                        <details class="raw">
                            <summary>"JSON"</summary>
                            <pre class="code" tabindex="0"><code>{json}</code></pre>
                        </details>
                    }
                        .into_any()
                }
                (_, json) => view! { <pre class="code"><code>{json}</code></pre> }.into_any(),
            }}
        </section>
    }
}

/// A value in a line.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(plain).collect::<Vec<_>>().join(", ")
        }
        // Whoever wants to know more opens the JSON.
        Value::Object(fields) => summary::count(fields.len() as u64, "field"),
        Value::Array(items) => summary::count(items.len() as u64, "item"),
        other => other.to_string(),
    }
}
