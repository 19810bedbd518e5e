//! What came of the call. Tools whose results we know are shown as people would write them, all others as the JSON they
//! returned; that is always there, one click away.

use leptos::prelude::untrack;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Card, arguments::plain, whole::whole};
use crate::{
    model::{event::TodosEvent, summary::display_name},
    ui::{
        copy::copy_button,
        plan::checklist,
        view::{Element, View, code, dd, details, div, dl, dt, h3, pre, said, section, span, summary},
    },
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

pub fn results(card: Card) -> Element {
    // The first result is the one that counts, so it is read once.
    let (tool, result) = untrack(|| card.read(|call| (call.tool_name.clone(), call.shown_result().cloned())));
    let (result, kept) = result.map(|result| (result.result, result.whole)).unwrap_or_default();
    let preview = move || card.read(|call| call.preview()).unwrap_or_default();
    let shown = for_people(&tool, &result).or_else(|| generic::for_people(&result));
    let json = result.as_str().map_or_else(|| format!("{result:#}"), str::to_owned);
    let raw = || pre("code").attr("tabindex", "0").with(code("").with(json.clone()));
    let written = if shown.is_some() {
        details("raw").with(summary("").with("JSON")).with(raw())
    } else if result.is_string() {
        raw()
    } else {
        div("code json-box").attr("tabindex", "0").with(generic::folding(&result))
    };
    let head = div("sec__head")
        .with(h3("").with("Results"))
        .with(span("muted").with(said(preview)))
        .with(copy_button("Copy result", move || json.clone()));
    section("sec").with(head).with(kept.map(|kept| whole(card, kept.bytes, "result"))).with(shown).with(written)
}

/// Every tool whose results are shown in a way of their own. A result that is not what it should be is shown as JSON.
fn for_people(tool: &str, result: &Value) -> Option<View> {
    match tool {
        "search_bills" => read(result).map(bills::bills),
        "get_bill_details" => read(result).map(|details| bill_page::bill_page(details).into()),
        "compare_bills" => read(result).map(comparison::side),
        "search_executive_actions" => read(result).map(executive_actions::actions),
        "get_executive_action_details" => read(result).map(|action| executive_actions::action_page(action).into()),
        "research_topic" => read(result).map(research::overview),
        "get_available_sponsors" | "get_available_topics" | "get_available_statuses" => {
            read(result).map(options::choices)
        }
        "ask_user" => answers(result).map(View::from),
        "update_todos" => read(result).map(|plan: TodosEvent| checklist(&plan.todos).into()),
        _ => None,
    }
}

/// What a person has filled in.
fn answers(result: &Value) -> Option<Element> {
    let fields = result.get("answer")?.as_object()?;
    let row = |(name, value): (&String, &Value)| [dt("").with(display_name(name)), dd("").with(plain(value))];
    Some(dl("kv").all(fields.iter().map(row)))
}

fn read<T: DeserializeOwned>(result: &Value) -> Option<T> {
    T::deserialize(result).ok()
}
