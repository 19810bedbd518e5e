//! Arguments against their JSON Schema, before a tool gets to see them. What is wrong is told with the field and the
//! reason, so that a model can mend it. The part of the vocabulary that tools use is known; what is not is not checked.

use std::cell::Cell;

use serde_json::Value;

/// Deeper is no argument but an attack.
const DEEPEST: usize = 64;

/// Schemas come from strangers, and a few lines can ask for work without end. This is a thousand times what tools need.
const MOST_WORK: u32 = 20_000;

/// Nobody reads more.
const MOST_REASONS: usize = 8;

/// Everything that is wrong, each with its field: `bills[0] must be a string, not 7`.
pub fn check(schema: &Value, value: &Value) -> Result<(), Vec<String>> {
    let mut reasons = Vec::new();
    let left = Cell::new(MOST_WORK);
    Check { root: schema, reasons: &mut reasons, left: &left }.value(schema, value, "", 0);
    if left.get() == 0 {
        return Err(vec!["the schema asks for more than can be checked".into()]);
    }
    if reasons.is_empty() { Ok(()) } else { Err(reasons) }
}

/// The same value, with `2.0` written as `2`: JSON makes no difference between them, and neither do models.
pub fn whole_numbers(value: Value) -> Value {
    match value {
        // Up to here a double holds every integer.
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => Value::from(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(whole_numbers).collect(),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(k, v)| (k, whole_numbers(v))).collect()),
        other => other,
    }
}

struct Check<'a> {
    root: &'a Value,
    reasons: &'a mut Vec<String>,
    /// How much may still be looked at, in all.
    left: &'a Cell<u32>,
}

impl<'a> Check<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value, place: &str, depth: usize) {
        if self.reasons.len() >= MOST_REASONS || self.left.get() == 0 {
            return;
        }
        self.left.set(self.left.get() - 1);
        if depth > DEEPEST {
            return self.refuse(place, "is nested too deeply");
        }
        match schema {
            Value::Bool(false) => return self.refuse(place, "is not expected"),
            Value::Object(_) => {}
            _ => return,
        }
        if let Some(named) = schema["$ref"].as_str().and_then(|name| self.root.pointer(name.strip_prefix('#')?)) {
            self.value(named, value, place, depth + 1);
        }
        if !self.has_type(&schema["type"], value, place) {
            return;
        }
        if let Some(allowed) = schema["enum"].as_array().filter(|allowed| !allowed.contains(value)) {
            let allowed = allowed.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
            self.refuse(place, &format!("must be one of {allowed}, not {}", short(value)));
        }
        if schema.get("const").is_some_and(|only| only != value) {
            self.refuse(place, &format!("must be {}, not {}", schema["const"], short(value)));
        }
        self.combined(schema, value, place, depth);
        match value {
            Value::Number(_) => self.number(schema, value, place),
            Value::String(text) => self.length(schema, "Length", text.chars().count(), "characters", place),
            Value::Array(items) => {
                self.length(schema, "Items", items.len(), "entries", place);
                for (n, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, &format!("{place}[{n}]"), depth + 1);
                }
            }
            Value::Object(_) => self.object(schema, value, place, depth),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn has_type(&mut self, allowed: &Value, value: &Value, place: &str) -> bool {
        let allowed: Vec<&str> = match allowed {
            Value::String(one) => vec![one],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => return true,
        };
        let fits = |name: &&str| match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => true,
        };
        let does = allowed.iter().any(fits);
        if !does {
            let names = allowed.iter().filter(|name| **name != "null").map(|name| article(name)).collect::<Vec<_>>();
            self.refuse(place, &format!("must be {}, not {}", names.join(" or "), short(value)));
        }
        does
    }

    fn combined(&mut self, schema: &'a Value, value: &Value, place: &str, depth: usize) {
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.value(part, value, place, depth + 1);
        }
        for (name, is_enough) in [("anyOf", (|n| n >= 1) as fn(usize) -> bool), ("oneOf", |n| n == 1)] {
            let Some(parts) = schema[name].as_array() else { continue };
            let mut closest: Option<Vec<String>> = None;
            let mut fitting = 0;
            for part in parts {
                let mut reasons = Vec::new();
                Check { root: self.root, reasons: &mut reasons, left: self.left }.value(part, value, place, depth + 1);
                fitting += usize::from(reasons.is_empty());
                // What is nearly right says best what is wrong; `null` never is.
                if !reasons.is_empty()
                    && part["type"] != "null"
                    && closest.as_ref().is_none_or(|c| reasons.len() < c.len())
                {
                    closest = Some(reasons);
                }
            }
            if !is_enough(fitting) {
                let reasons = closest.filter(|_| fitting == 0);
                match reasons {
                    Some(reasons) => self.reasons.extend(reasons),
                    None => self.refuse(place, "fits none, or several, of the forms it may have"),
                }
            }
        }
    }

    fn object(&mut self, schema: &'a Value, value: &Value, place: &str, depth: usize) {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if value.get(name).is_none() {
                self.refuse(&join(place, name), "is missing");
            }
        }
        let Some(fields) = value.as_object() else { return };
        for (name, field) in fields {
            let place = join(place, name);
            match (schema["properties"].get(name), schema.get("additionalProperties")) {
                (Some(property), _) => self.value(property, field, &place, depth + 1),
                (None, Some(Value::Bool(false))) => {
                    let known = schema["properties"].as_object().into_iter().flat_map(|known| known.keys());
                    let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
                    self.refuse(&place, &format!("is not known here. There are: {known}"));
                }
                (None, Some(others)) => self.value(others, field, &place, depth + 1),
                (None, None) => {}
            }
        }
    }

    fn number(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(number) = value.as_f64() else { return };
        let limit = |name: &str| schema[name].as_f64();
        if let Some(least) = limit("minimum").filter(|least| number < *least) {
            self.refuse(place, &format!("must be at least {least}, not {value}"));
        }
        if let Some(most) = limit("maximum").filter(|most| number > *most) {
            self.refuse(place, &format!("must be at most {most}, not {value}"));
        }
        if let Some(least) = limit("exclusiveMinimum").filter(|least| number <= *least) {
            self.refuse(place, &format!("must be more than {least}, not {value}"));
        }
        if let Some(most) = limit("exclusiveMaximum").filter(|most| number >= *most) {
            self.refuse(place, &format!("must be less than {most}, not {value}"));
        }
    }

    fn length(&mut self, schema: &Value, what: &str, length: usize, unit: &str, place: &str) {
        let limit = |which: &str| schema[format!("{which}{what}")].as_u64();
        if let Some(least) = limit("min").filter(|least| (length as u64) < *least) {
            self.refuse(place, &format!("must have at least {least} {unit}, and has {length}"));
        }
        if let Some(most) = limit("max").filter(|most| length as u64 > *most) {
            self.refuse(place, &format!("must have at most {most} {unit}, and has {length}"));
        }
    }

    fn refuse(&mut self, place: &str, reason: &str) {
        let place = if place.is_empty() { "the arguments" } else { place };
        self.reasons.push(format!("{place} {reason}"));
    }
}

fn join(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn article(name: &str) -> String {
    let article = if name.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

fn short(value: &Value) -> String {
    crate::model::summary::shorten(&value.to_string(), 40)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(schema: &Value, value: &Value) -> String {
        check(schema, value).err().unwrap_or_default().join("; ")
    }

    #[test]
    fn says_which_field_and_why() {
        let schema = json!({
            "type": "object", "required": ["bills"], "additionalProperties": false,
            "properties": {
                "bills": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
                "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 100},
                "status": {"enum": ["open", "closed"]},
                "place": {"$ref": "#/$defs/Place"},
                "name": {"type": "string", "maxLength": 3},
                "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "$defs": {"Place": {"type": "object", "required": ["x"], "properties": {"x": {"type": "number"}}}},
        });
        for (value, expected) in [
            (json!({"bills": ["a", "b"], "limit": null, "maybe": null, "place": {"x": 1.5}}), ""),
            (json!({"bills": ["a", "b"], "limit": 3.0}), ""),
            (json!([]), "the arguments must be an object, not []"),
            (json!({}), "bills is missing"),
            (json!({"bills": "a"}), "bills must be an array, not \"a\""),
            (json!({"bills": ["a", 7]}), "bills[1] must be a string, not 7"),
            (json!({"bills": ["a"]}), "bills must have at least 2 entries, and has 1"),
            (json!({"bills": ["a", "b"], "limit": 0}), "limit must be at least 1, not 0"),
            (json!({"bills": ["a", "b"], "limit": 1.5}), "limit must be an integer, not 1.5"),
            (json!({"bills": ["a", "b"], "status": "x"}), "status must be one of \"open\", \"closed\", not \"x\""),
            (json!({"bills": ["a", "b"], "place": {}}), "place.x is missing"),
            (json!({"bills": ["a", "b"], "name": "long"}), "name must have at most 3 characters, and has 4"),
            (json!({"bills": ["a", "b"], "maybe": 1}), "maybe must be a string, not 1"),
            (
                json!({"bills": ["a", "b"], "color": 1}),
                "color is not known here. There are: bills, limit, status, place, name, maybe",
            ),
        ] {
            assert_eq!(said(&schema, &value), expected, "{value}");
        }
    }

    #[test]
    fn a_schema_that_asks_for_work_without_end_is_refused() {
        let both = json!([{"$ref": "#"}, {"$ref": "#"}]);
        for word in ["anyOf", "oneOf", "allOf"] {
            let told = check(&json!({"type": "object", word: both}), &json!({})).unwrap_err();
            assert!(told[0].contains("more than can be checked") || told[0].contains("nested too deeply"), "{told:?}");
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"$ref": "#"});
        assert!(said(&schema, &json!(1)).contains("too deeply"));
        let tree = json!({"type": "object", "properties": {"child": {"$ref": "#"}}});
        let mut deep = json!({});
        for _ in 0..100 {
            deep = json!({ "child": deep });
        }
        assert!(said(&tree, &deep).contains("too deeply"));
        assert_eq!(said(&json!({}), &deep), "", "what is not described is not checked");
        assert_eq!(said(&json!(true), &json!(1)), "");
    }
}
