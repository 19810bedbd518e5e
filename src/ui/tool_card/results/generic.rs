//! Results of tools that nobody here has heard of: text as what it was written as, lists of things as a table, and anything
//! else as JSON that folds.

use serde_json::{Map, Value};

use crate::ui::{
    markdown::markdown,
    view::{Element, View, dd, details, div, dl, dt, p, span, summary, table, tbody, td, th, thead, tr},
};

/// Rows on a page; pages; the rest is in the JSON.
const ROWS: usize = 50;
const MOST_ROWS: usize = 500;
const MOST_COLUMNS: usize = 8;
const MOST_NODES: usize = 2_000;
const DEEPEST: usize = 32;

/// For people, if there is a better form than JSON.
pub fn for_people(result: &Value) -> Option<View> {
    match result {
        Value::String(text) if looks_like_markdown(text) => {
            let text = text.clone();
            Some(div("prose prose--sm").with(markdown(move || text.clone(), || true)).into())
        }
        Value::Array(items) => side_by_side(items),
        Value::Object(fields) => match fields.values().collect::<Vec<_>>()[..] {
            // A list in a box.
            [Value::Array(items)] => side_by_side(items),
            _ if is_flat(fields) => Some(sheet(fields).into()),
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

fn sheet(fields: &Map<String, Value>) -> Element {
    let line = |(name, value): (&String, &Value)| [dt("").with(name.clone()), dd("").with(cell(value))];
    dl("kv").all(fields.iter().map(line))
}

/// Things of the same kind, side by side. Nothing, if they are not.
fn side_by_side(items: &[Value]) -> Option<View> {
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
    let head = || tr("").all(columns.iter().map(|name| th("").attr("scope", "col").with((*name).clone())));
    let line = |row: &&Map<String, Value>| {
        let cells = columns.iter().map(|name| td("").with(row.get(*name).map(cell)));
        tr("").all(cells)
    };
    let page = |rows: &[&Map<String, Value>]| {
        let lines = tbody("").all(rows.iter().map(line));
        div("tablewrap").attr("tabindex", "0").with(table("generic").with(thead("").with(head())).with(lines))
    };
    let shown = &rows[..rows.len().min(MOST_ROWS)];
    let mut pages = shown.chunks(ROWS);
    let first = pages.next().map(page);
    let further = (1..).zip(pages).map(|(nth, rows)| {
        let told = format!("Rows {} to {} of {}", nth * ROWS + 1, nth * ROWS + rows.len(), shown.len());
        details("raw").with(summary("").with(told)).with(page(rows))
    });
    let rest = (more > 0).then(|| p("results__note").with(format!("and {more} more, in the JSON")));
    Some(first.into_iter().chain(further).chain(rest).collect::<Vec<_>>().into())
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
pub fn folding(value: &Value) -> Element {
    let mut left = MOST_NODES;
    node(None, value, 0, &mut left)
}

fn node(name: Option<&str>, value: &Value, depth: usize, left: &mut usize) -> Element {
    *left = left.saturating_sub(1);
    let name = name.map(|name| span("json__key").with(format!("{name}: ")));
    let (count, open, close) = match value {
        Value::Object(fields) if !fields.is_empty() && depth < DEEPEST && *left > 0 => (fields.len(), "{", "}"),
        Value::Array(items) if !items.is_empty() && depth < DEEPEST && *left > 0 => (items.len(), "[", "]"),
        // Cut where it becomes too much: all of it is there to be copied.
        other => {
            let text = crate::model::summary::shorten(&other.to_string(), 2_000);
            return div("json__leaf").with(name).with(span("").with(text));
        }
    };
    let inside: Vec<Element> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| node(Some(name), value, depth + 1, left)).collect(),
        Value::Array(items) => items.iter().map(|value| node(None, value, depth + 1, left)).collect(),
        _ => Vec::new(),
    };
    let is_open = depth < 2;
    details("json")
        .flag("open", is_open)
        .with(summary("").with(name).with(span("").with(format!("{open} {count} {close}"))))
        .with(div("json__inside").with(inside))
}
