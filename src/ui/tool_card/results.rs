//! What came of the call. Tools whose results we know are shown as people would write them, all others as the JSON they
//! returned; that is always there, one click away.

use leptos::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Card, arguments::plain, whole::Whole};
use crate::{
    model::{event::TodosEvent, summary::display_name},
    ui::{copy::CopyButton, plan::Checklist},
};

/// A bill's page.
mod bill_page;
/// A list of bills.
mod bills;
/// Bills side by side.
mod comparison;
/// Executive actions: a list, or one.
mod executive_actions;
/// Anything else.
mod generic;
/// What one can choose from, with counts.
mod options;
/// All about a topic.
mod research;

#[component]
pub fn Results(card: Card) -> impl IntoView {
    // The first result is the one that counts, so it is read once.
    let (tool, result) = untrack(|| card.read(|call| (call.tool_name.clone(), call.shown_result().cloned())));
    let (result, whole) = result.map(|result| (result.result, result.whole)).unwrap_or_default();
    let preview = move || card.read(|call| call.preview());
    let for_people = for_people(&tool, &result).or_else(|| generic::for_people(&result));
    let is_json = for_people.is_none();
    let json = result.as_str().map_or_else(|| format!("{result:#}"), str::to_owned);
    let text = StoredValue::new(json.clone());
    let folded = (!result.is_string()).then(|| generic::folding(&result));
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Results"</h3>
                <span class="muted">{preview}</span>
                <CopyButton label="Copy result" text=move || text.get_value() />
            </div>
            {whole.map(|kept| view! { <Whole card bytes=kept.bytes what="result" /> })}
            {for_people}
            {if let Some(folded) = folded.filter(|_| is_json) {
                view! { <div class="code json-box" tabindex="0">{folded}</div> }.into_any()
            } else if is_json {
                view! { <pre class="code" tabindex="0"><code>{json}</code></pre> }.into_any()
            } else {
                view! {
                    <details class="raw">
                        <summary>"JSON"</summary>
                        <pre class="code" tabindex="0"><code>{json}</code></pre>
                    </details>
                }
                    .into_any()
            }}
        </section>
    }
}

/// Every tool whose results are shown in a way of their own. A result that is not what it should be is shown as JSON.
fn for_people(tool: &str, result: &Value) -> Option<AnyView> {
    match tool {
        "search_bills" => read(result).map(|found| view! { <bills::Bills found /> }.into_any()),
        "get_bill_details" => read(result).map(|details| view! { <bill_page::BillPage details /> }.into_any()),
        "compare_bills" => read(result).map(|compared| view! { <comparison::Side compared /> }.into_any()),
        "search_executive_actions" => {
            read(result).map(|found| view! { <executive_actions::Actions found /> }.into_any())
        }
        "get_executive_action_details" => {
            read(result).map(|action| view! { <executive_actions::ActionPage action /> }.into_any())
        }
        "research_topic" => read(result).map(|research| view! { <research::Overview research /> }.into_any()),
        "get_available_sponsors" | "get_available_topics" | "get_available_statuses" => {
            read(result).map(|found| view! { <options::Choices found /> }.into_any())
        }
        "ask_user" => answers(result),
        "update_todos" => read(result).map(|plan: TodosEvent| view! { <Checklist todos=plan.todos /> }.into_any()),
        _ => None,
    }
}

/// What a person has filled in.
fn answers(result: &Value) -> Option<AnyView> {
    let fields = result.get("answer")?.as_object()?;
    let row = |(name, value): (&String, &Value)| view! { <dt>{display_name(name)}</dt> <dd>{plain(value)}</dd> };
    Some(view! { <dl class="kv">{fields.iter().map(row).collect_view()}</dl> }.into_any())
}

fn read<T: DeserializeOwned>(result: &Value) -> Option<T> {
    T::deserialize(result).ok()
}
