//! What the tool was called with: one line per argument, for people.

use leptos::prelude::*;
use serde_json::{Map, Value};

use super::{Card, ask::pretty};
use crate::{
    model::summary::count,
    ui::{
        copy::copy_button,
        view::{Element, View, code, dd, details, div, dl, dt, h3, pre, said, section, summary, switch},
    },
};

pub fn arguments(card: Card) -> Element {
    let json = move || card.read(|call| call.args_json.clone());
    // Arguments stream in: until they are whole they are a text that grows, and then one line each.
    let whole =
        Memo::new(move |_| card.read(|call| call.args().filter(Value::is_object).map(|_| call.args_json.clone())));
    let shown = switch(
        move || whole.get(),
        move |whole| match whole {
            Some(json) => lines(json),
            None => pre("code").with(code("").with(said(json))).into(),
        },
    );
    let head = div("sec__head").with(h3("").with("Arguments")).with(copy_button("Copy arguments", json));
    section("sec").with(head).with(shown)
}

fn lines(json: &str) -> View {
    let fields: Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
    let line = |(name, value): (String, Value)| [dt("").with(name), dd("").with(plain(&value))];
    let exact = pre("code").attr("tabindex", "0").with(code("").with(pretty(json)));
    [dl("kv").all(fields.into_iter().flat_map(line)), details("raw").with(summary("").with("JSON")).with(exact)].into()
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
        Value::Object(fields) => count(fields.len() as u64, "field"),
        Value::Array(items) => count(items.len() as u64, "item"),
        other => other.to_string(),
    }
}
