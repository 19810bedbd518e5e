//! Results of tools that nobody here has heard of: text as what it was written as, lists of things as a table, and anything
//! else as JSON that folds.

use leptos::prelude::*;
use serde_json::{Map, Value};

use crate::ui::markdown::Markdown;

/// Rows on a page; pages; the rest is in the JSON.
const ROWS: usize = 50;
const MOST_ROWS: usize = 500;
const MOST_COLUMNS: usize = 8;
const MOST_NODES: usize = 2_000;
const DEEPEST: usize = 32;

/// For people, if there is a better form than JSON.
pub fn for_people(result: &Value) -> Option<AnyView> {
    match result {
        Value::String(text) if looks_like_markdown(text) => {
            let text = text.clone();
            let whole = Signal::stored(true);
            Some(
                view! { <div class="prose prose--sm"><Markdown text=Signal::stored(text) is_whole=whole /></div> }
                    .into_any(),
            )
        }
        Value::Array(items) => table(items),
        Value::Object(fields) => match fields.values().collect::<Vec<_>>()[..] {
            // A list in a box.
            [Value::Array(items)] => table(items),
            _ if is_flat(fields) => Some(sheet(fields)),
            _ => None,
        },
        _ => None,
    }
}

fn looks_like_markdown(text: &str) -> bool {
    let begins = |line: &str| {
        let line = line.trim_start();
        line.starts_with("# ")
            || line.starts_with("## ")
            || line.starts_with("- ")
            || line.starts_with("* ")
            || line.starts_with("|")
            || line.starts_with("```")
    };
    text.lines().any(begins) || text.contains("**") || text.contains("](http")
}

const fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn is_flat(fields: &Map<String, Value>) -> bool {
    !fields.is_empty() && fields.len() <= 20 && fields.values().all(is_plain)
}

fn sheet(fields: &Map<String, Value>) -> AnyView {
    let line = |(name, value): (&String, &Value)| {
        view! {
            <dt>{name.clone()}</dt>
            <dd>{cell(value)}</dd>
        }
    };
    view! { <dl class="kv">{fields.iter().map(line).collect_view()}</dl> }.into_any()
}

/// Things of the same kind, side by side. Nothing, if they are not.
fn table(items: &[Value]) -> Option<AnyView> {
    let rows: Vec<&Map<String, Value>> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
    let mut columns: Vec<&String> = Vec::new();
    for name in rows.iter().take(MOST_ROWS).flat_map(|row| row.keys()) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    if rows.is_empty() || columns.is_empty() || columns.len() > MOST_COLUMNS {
        return None;
    }
    let more = rows.len().saturating_sub(MOST_ROWS);
    let head = || columns.iter().map(|name| view! { <th scope="col">{(*name).clone()}</th> }).collect_view();
    let line = |row: &&Map<String, Value>| {
        let cells = columns.iter().map(|name| view! { <td>{row.get(*name).map(cell)}</td> }).collect_view();
        view! { <tr>{cells}</tr> }
    };
    let page = |rows: &[&Map<String, Value>]| {
        view! {
            <div class="tablewrap" tabindex="0">
                <table class="generic">
                    <thead>
                        <tr>{head()}</tr>
                    </thead>
                    <tbody>{rows.iter().map(line).collect_view()}</tbody>
                </table>
            </div>
        }
    };
    let shown = &rows[..rows.len().min(MOST_ROWS)];
    let mut pages = shown.chunks(ROWS);
    let first = pages.next().map(page);
    let further = (1..).zip(pages).map(|(nth, rows)| {
        let told = format!("Rows {} to {} of {}", nth * ROWS + 1, nth * ROWS + rows.len(), shown.len());
        view! {
            <details class="raw">
                <summary>{told}</summary>
                {page(rows)}
            </details>
        }
    });
    Some(
        view! {
            {first}
            {further.collect_view()}
            {(more > 0).then(|| view! { <p class="results__note">{format!("and {more} more, in the JSON")}</p> })}
        }
        .into_any(),
    )
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// JSON that folds: what has something inside is closed below the second level.
pub fn folding(value: &Value) -> AnyView {
    let mut left = MOST_NODES;
    node(None, value, 0, &mut left)
}

fn node(name: Option<&str>, value: &Value, depth: usize, left: &mut usize) -> AnyView {
    *left = left.saturating_sub(1);
    let name = name.map(|name| view! { <span class="json__key">{format!("{name}: ")}</span> });
    let (count, open, close) = match value {
        Value::Object(fields) if !fields.is_empty() && depth < DEEPEST && *left > 0 => (fields.len(), "{", "}"),
        Value::Array(items) if !items.is_empty() && depth < DEEPEST && *left > 0 => (items.len(), "[", "]"),
        // Cut where it becomes too much: all of it is there to be copied.
        other => {
            let text = crate::model::summary::shorten(&other.to_string(), 2_000);
            return view! { <div class="json__leaf">{name} <span>{text}</span></div> }.into_any();
        }
    };
    let inside: Vec<AnyView> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| node(Some(name), value, depth + 1, left)).collect(),
        Value::Array(items) => items.iter().map(|value| node(None, value, depth + 1, left)).collect(),
        _ => Vec::new(),
    };
    let is_open = depth < 2;
    view! {
        <details class="json" open=is_open>
            <summary>{name} <span>{format!("{open} {count} {close}")}</span></summary>
            <div class="json__inside">{inside}</div>
        </details>
    }
    .into_any()
}
