//! How the arguments of a search are made of those before and what is newly asked: what contradicts it goes.

use serde_json::{Map, Value};

use crate::{model::legislation::BillStatus, server::models::embedded::Asked};

pub fn merge(args: &mut Map<String, Value>, new: &Map<String, Value>, asked: &Asked) {
    let mut new = new.clone();
    let has = |name: &str| new.contains_key(name);
    // Another person or party takes the place of the one before.
    if has("sponsor") {
        remove(args, &["party", "state"]);
    } else if has("party") || has("state") {
        args.remove("sponsor");
    }
    if has("chamber") {
        args.remove("type");
    } else if has("type") {
        args.remove("chamber");
    }
    if has("status") && new["status"] != args.get("status").cloned().unwrap_or_default() {
        remove(args, &["law_from", "law_to"]);
    }
    let status = new.get("status").or_else(|| args.get("status")).and_then(Value::as_str);
    // Of laws it is asked when they became that.
    if status == Some(BillStatus::BecameLaw.as_str()) && !asked.has(&["introduced", "introduce"]) {
        for (name, of_law) in [("from", "law_from"), ("to", "law_to")] {
            if let Some(date) = new.remove(name) {
                new.insert(of_law.into(), date);
            }
        }
    }
    for (from, to) in [("from", "to"), ("law_from", "law_to")] {
        keep_fitting(args, &new, from, to);
    }
    keep_congress(args, &new);
    args.extend(new);
}

/// Without these.
pub fn remove(args: &mut Map<String, Value>, names: &[&str]) {
    args.retain(|name, _| !names.contains(&name.as_str()));
}

/// Where only one end of a span is new, the other one stays if there is something between them, and if they were not the
/// two ends of one year.
fn keep_fitting(args: &mut Map<String, Value>, new: &Map<String, Value>, from: &str, to: &str) {
    let text = |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    if !new.contains_key(from) && !new.contains_key(to) {
        return;
    }
    let was_one = args.contains_key(from) && args.get(from) == args.get(to);
    let is_empty = match (text(new, from).or_else(|| text(args, from)), text(new, to).or_else(|| text(args, to))) {
        (Some(from), Some(to)) => from > to,
        _ => false,
    };
    if was_one || is_empty {
        args.remove(from);
        args.remove(to);
    }
}

/// A congress has two years; dates outside of them are asked for without it.
fn keep_congress(args: &mut Map<String, Value>, new: &Map<String, Value>) {
    if new.contains_key("congress") {
        remove(args, &["from", "to", "law_from", "law_to"]);
        return;
    }
    let Some(congress) = args.get("congress").and_then(Value::as_u64) else { return };
    let first = 1787 + 2 * congress;
    let years =
        ["from", "to", "law_from", "law_to"].iter().filter_map(|name| new.get(*name)?.as_str()?.get(..4)?.parse().ok());
    if years.into_iter().any(|year: u64| year < first || year > first + 2) {
        args.remove("congress");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_contradicts_goes() {
        for (before, new, after) in [
            (json!({"from": "2017", "to": "2017"}), json!({"from": "2018"}), json!({"from": "2018"})),
            (json!({"from": "2024"}), json!({"to": "2017"}), json!({"to": "2017"})),
            (json!({"from": "2018"}), json!({"to": "2020"}), json!({"from": "2018", "to": "2020"})),
            (json!({"sponsor": "cruz"}), json!({"party": "D"}), json!({"party": "D"})),
            (json!({"party": "D"}), json!({"sponsor": "cruz"}), json!({"sponsor": "cruz"})),
            (json!({"congress": 119}), json!({"from": "2017", "to": "2017"}), json!({"from": "2017", "to": "2017"})),
            (
                json!({"status": "became_law"}),
                json!({"from": "2018", "to": "2018"}),
                json!({"status": "became_law", "law_from": "2018", "law_to": "2018"}),
            ),
            (json!({"type": "hres"}), json!({"chamber": "senate"}), json!({"chamber": "senate"})),
        ] {
            let (mut args, new) = (before.as_object().unwrap().clone(), new.as_object().unwrap().clone());
            merge(&mut args, &new, &Asked::new("x"));
            assert_eq!(Value::from(args), after, "{before} {new:?}");
        }
    }
}
