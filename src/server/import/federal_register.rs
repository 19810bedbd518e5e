//! The Federal Register's documents, as its API answers (JSON) and as its site exports (CSV). Whatever in a JSON file
//! looks like one of its documents is one, wherever it stands.

use serde_json::Value;

use super::presidents;
use crate::model::legislation::{ActionKind, ExecutiveAction};

/// Counts what this reader has learned: a file that an older one has read is read again.
pub const VERSION: i64 = 1;

pub fn parse(bytes: &[u8]) -> Result<Vec<ExecutiveAction>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 text: {error}"))?;
    let text = text.trim_start_matches('\u{feff}');
    let actions = if text.trim_start().starts_with(['{', '[']) { from_json(text)? } else { from_csv(text)? };
    if actions.is_empty() { Err("it has no presidential document".into()) } else { Ok(actions) }
}

fn from_json(text: &str) -> Result<Vec<ExecutiveAction>, String> {
    let value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let mut actions = Vec::new();
    collect(&value, &mut actions);
    Ok(actions)
}

fn collect(value: &Value, actions: &mut Vec<ExecutiveAction>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, actions)),
        Value::Object(fields) if fields.contains_key("document_number") => {
            let president = &value["president"];
            let known = presidents::by_identifier(&told(&president["identifier"])).map(str::to_owned);
            actions.extend(document(&|name| told(&value[name]), &known.unwrap_or_else(|| told(&president["name"]))));
        }
        Value::Object(fields) => fields.values().for_each(|field| collect(field, actions)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The API gives numbers now as numbers, now as texts.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    }
}

fn from_csv(text: &str) -> Result<Vec<ExecutiveAction>, String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| format!("it is not CSV: {error}"))?.clone();
    if !names.iter().any(|name| name == "document_number") {
        return Err("it is neither JSON nor a CSV with the column document_number".into());
    }
    let mut actions = Vec::new();
    for line in reader.records() {
        let line = line.map_err(|error| format!("it is not whole CSV: {error}"))?;
        let field = |name: &str| {
            let at = names.iter().position(|each| each == name);
            at.and_then(|at| line.get(at)).unwrap_or_default().trim().to_owned()
        };
        actions.extend(document(&field, ""));
    }
    Ok(actions)
}

/// A document, if a president signed it: the Federal Register prints much else.
fn document(field: &dyn Fn(&str) -> String, president: &str) -> Option<ExecutiveAction> {
    let (type_, subtype) = (field("type"), field("subtype"));
    let order = field("executive_order_number");
    let proclamation = field("proclamation_number");
    let is_presidential =
        type_ == "Presidential Document" || type_ == "PRESDOCU" || type_.is_empty() && !order.is_empty();
    let document_number = field("document_number");
    if !is_presidential || document_number.is_empty() {
        return None;
    }
    let kind = ActionKind::from_text(&subtype).unwrap_or(match (order.as_str(), proclamation.as_str()) {
        ("", "") => ActionKind::Other,
        ("", _) => ActionKind::Proclamation,
        (_, _) => ActionKind::ExecutiveOrder,
    });
    let (signed, published) = (date(&field("signing_date")), date(&field("publication_date")));
    let day = if signed.is_empty() { &published } else { &signed };
    let president = if president.is_empty() { presidents::on(day).unwrap_or_default() } else { president };
    Some(ExecutiveAction {
        kind,
        number: if order.is_empty() { proclamation } else { order },
        title: field("title").split_whitespace().collect::<Vec<_>>().join(" "),
        president: president.to_owned(),
        citation: field("citation"),
        notes: notes(field),
        text: field("abstract"),
        url: field("html_url"),
        snippet: String::new(),
        document_number,
        signed,
        published,
    })
}

fn notes(field: &dyn Fn(&str) -> String) -> String {
    let notes = [field("disposition_notes"), field("executive_order_notes")].concat();
    notes.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// `01/25/2021` and `2021-01-25` are both to be found.
fn date(said: &str) -> String {
    match said.split('/').collect::<Vec<_>>()[..] {
        [month, day, year] => format!("{year}-{month:0>2}-{day:0>2}"),
        _ => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_have_their_ways() {
        let csv = "citation,document_number,type,subtype,publication_date,signing_date,title,disposition_notes,executive_order_number\n\
                   86 FR 6835, 2021-01713,Presidential Document,Executive Order,01/25/2021,2021-01-19,Revocation,\"Revokes: EO 1\n See: EO 2\",13983\n\
                   79 FR 1, C1-2014-25788,Presidential Document,Executive Order,11/03/2014,,A correction,,\n\
                   1 FR 1,2021-1,Rule,,01/25/2021,,A rule,,\n";
        let actions = parse(csv.as_bytes()).unwrap();
        assert_eq!(actions.len(), 2, "a rule is no executive action");
        assert_eq!(actions[0].document_number, "2021-01713");
        assert_eq!((&*actions[0].published, &*actions[0].signed), ("2021-01-25", "2021-01-19"));
        assert_eq!((&*actions[0].president, &*actions[0].notes), ("Donald Trump", "Revokes: EO 1\nSee: EO 2"));
        assert_eq!((actions[1].kind, &*actions[1].number), (ActionKind::ExecutiveOrder, ""));
        assert_eq!(actions[1].president, "Barack Obama");
    }

    #[test]
    fn documents_are_found_wherever_they_stand() {
        let json = r#"{"a": {"results": [{"document_number": "2025-1", "executive_order_number": 14147, "title": "T",
            "president": {"name": "Donald Trump"}, "signing_date": "2025-01-20"}]},
            "b": {"document_number": "2026-2", "type": "Presidential Document", "title": "U"},
            "c": {"document_number": "2026-3", "type": "Rule", "title": "V"}}"#;
        let actions = parse(json.as_bytes()).unwrap();
        let told: Vec<_> = actions.iter().map(|each| (&*each.document_number, each.kind, &*each.number)).collect();
        assert_eq!(told, [("2025-1", ActionKind::ExecutiveOrder, "14147"), ("2026-2", ActionKind::Other, "")]);
    }

    #[test]
    fn what_is_neither_says_so() {
        assert!(parse(b"{\"a\": 1").unwrap_err().contains("not JSON"));
        assert!(parse(b"a,b\n1,2\n").unwrap_err().contains("document_number"));
        assert!(parse(b"{}").unwrap_err().contains("no presidential document"));
        assert!(parse(b"\xff").unwrap_err().contains("UTF-8"));
    }
}
