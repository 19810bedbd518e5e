//! A form, made from a JSON Schema: what a person is asked for, and what is wrong with what was filled in. Browser and
//! server read it with this same code.
//!
//! Fields are known by their place, not by their name: a name may be anything, and goes into no address or selector.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::summary::{display_name, shorten};

const MOST_FIELDS: usize = 30;
const MOST_CHOICES: usize = 200;
const LONGEST_TEXT: u64 = 20_000;

/// So many choices are seen at once; more are in a list.
const MOST_RADIOS: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub label: String,
    pub hint: Option<String>,
    pub is_required: bool,
    pub default: Option<Value>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Text { input: TextInput, min: u64, max: u64 },
    Number { is_whole: bool, min: Option<f64>, max: Option<f64> },
    Boolean,
    One(Vec<Choice>),
    Many { choices: Vec<Choice>, min: u64, max: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextInput {
    Line,
    Lines,
    Email,
    Address,
    Date,
    Time,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub value: Value,
    pub label: String,
}

/// What was filled in: the field's key, and the text. What is left out was left empty.
pub type Filled = BTreeMap<String, String>;

/// What a field is known by. It begins with a letter: what reads forms would take a number for a place in a list.
pub fn key(place: usize) -> String {
    format!("f{place}")
}

/// The same for one of the things that can be chosen in it.
pub fn choice_key(place: usize, nth: usize) -> String {
    format!("f{place}.{nth}")
}

impl Form {
    /// Or what cannot be asked in a form.
    pub fn of(schema: &Value) -> Result<Self, String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|all| !all.is_empty()) else {
            return Err("the schema has no properties, so there is nothing to ask for".into());
        };
        if properties.len() > MOST_FIELDS {
            return Err(format!("a form has at most {MOST_FIELDS} fields; this has {}", properties.len()));
        }
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let field = |(name, about): (&String, &Value)| {
            let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
            Ok(Field {
                label: text("title").unwrap_or_else(|| display_name(name)),
                hint: text("description"),
                is_required: required.contains(&name.as_str()),
                default: about.get("default").cloned(),
                kind: Kind::of(about).map_err(|why| format!("“{}” {why}", shorten(name, 60)))?,
                name: name.clone(),
            })
        };
        Ok(Self { fields: properties.iter().map(field).collect::<Result<_, String>>()? })
    }

    /// Everything that can be filled in.
    pub fn keys(&self) -> Vec<String> {
        let of = |(place, field): (usize, &Field)| match &field.kind {
            Kind::Many { choices, .. } => (0..choices.len()).map(|nth| choice_key(place, nth)).collect(),
            Kind::Text { .. } | Kind::Number { .. } | Kind::Boolean | Kind::One(_) => vec![key(place)],
        };
        self.fields.iter().enumerate().flat_map(of).collect()
    }

    /// The values, or what is wrong with which field.
    pub fn read(&self, filled: &Filled) -> Result<Value, Vec<(usize, String)>> {
        let (mut values, mut problems) = (Map::new(), Vec::new());
        for (place, field) in self.fields.iter().enumerate() {
            match field.read(place, filled) {
                Ok(Some(value)) => drop(values.insert(field.name.clone(), value)),
                Ok(None) => {}
                Err(why) => problems.push((place, why)),
            }
        }
        if problems.is_empty() { Ok(Value::Object(values)) } else { Err(problems) }
    }
}

impl Kind {
    fn of(about: &Value) -> Result<Self, String> {
        let number = |key: &str| about.get(key).and_then(Value::as_f64);
        let count = |key: &str, or: u64| about.get(key).and_then(Value::as_u64).unwrap_or(or);
        if let Some(choices) = choices(about)? {
            return Ok(Self::One(choices));
        }
        let about = &without_null(about);
        match about.get("type").and_then(Value::as_str).unwrap_or("string") {
            "string" => {
                let max = count("maxLength", LONGEST_TEXT).min(LONGEST_TEXT);
                let input = match about.get("format").and_then(Value::as_str) {
                    Some("email") => TextInput::Email,
                    Some("uri" | "url") => TextInput::Address,
                    Some("date") => TextInput::Date,
                    Some("date-time") => TextInput::Time,
                    Some("textarea" | "markdown") => TextInput::Lines,
                    _ if count("maxLength", 0) > 300 => TextInput::Lines,
                    _ => TextInput::Line,
                };
                Ok(Self::Text { input, min: count("minLength", 0), max })
            }
            kind @ ("number" | "integer") => {
                Ok(Self::Number { is_whole: kind == "integer", min: number("minimum"), max: number("maximum") })
            }
            "boolean" => Ok(Self::Boolean),
            "array" => match about.get("items").map(choices).transpose()?.flatten() {
                Some(choices) => {
                    let (min, max) = (count("minItems", 0), count("maxItems", choices.len() as u64));
                    Ok(Self::Many { choices, min, max })
                }
                None => Err("is a list of something that cannot be chosen from".into()),
            },
            other => Err(format!("is of a kind that no form has: {}", shorten(other, 40))),
        }
    }

    /// Whether all choices are seen at once.
    pub fn has_radios(&self) -> bool {
        matches!(self, Self::One(choices) if choices.len() <= MOST_RADIOS)
    }
}

/// What may be left out is often described as one of two kinds, the other being nothing.
fn without_null(about: &Value) -> Value {
    let is_null = |kind: &Value| kind == "null" || kind.get("type").is_some_and(|kind| kind == "null");
    let mut about = about.clone();
    if let Some(kind) =
        about.get("type").and_then(Value::as_array).and_then(|kinds| kinds.iter().find(|kind| !is_null(kind)))
    {
        about["type"] = kind.clone();
    }
    let either = about.get("anyOf").or_else(|| about.get("oneOf")).and_then(Value::as_array);
    match either.and_then(|kinds| kinds.iter().find(|kind| !is_null(kind))).filter(|kind| kind.is_object()) {
        Some(kind) => kind.clone(),
        None => about,
    }
}

/// `enum` (with `enumNames`), or `oneOf` and `anyOf` with a `const` and a `title` each.
fn choices(about: &Value) -> Result<Option<Vec<Choice>>, String> {
    let list = |key: &str| about.get(key).and_then(Value::as_array);
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let titled = |each: &Value| {
        let value = each.get("const")?.clone();
        let label = each.get("title").and_then(Value::as_str).map_or_else(|| plain(&value), str::to_owned);
        Some(Choice { value, label })
    };
    let found: Option<Vec<Choice>> = match (list("enum"), list("oneOf").or_else(|| list("anyOf"))) {
        (Some(values), _) => {
            let names = list("enumNames");
            let name = |nth: usize| names.and_then(|names| names.get(nth)).and_then(Value::as_str);
            let choice = |(nth, value): (usize, &Value)| Choice {
                value: value.clone(),
                label: name(nth).map_or_else(|| plain(value), str::to_owned),
            };
            Some(values.iter().enumerate().map(choice).collect())
        }
        (None, Some(each)) => each.iter().map(titled).collect(),
        (None, None) => None,
    };
    match found {
        Some(found) if found.is_empty() => Err("has nothing to choose from".into()),
        Some(found) if found.len() > MOST_CHOICES => Err(format!("has more than {MOST_CHOICES} choices")),
        found => Ok(found),
    }
}

impl Field {
    fn read(&self, place: usize, filled: &Filled) -> Result<Option<Value>, String> {
        let text = filled.get(&key(place)).map(|text| text.trim()).filter(|text| !text.is_empty());
        let needed = || match self.is_required {
            true => Err(format!("“{}” is needed.", self.label)),
            false => Ok(None),
        };
        match &self.kind {
            Kind::Text { input, min, max } => match text {
                None => needed(),
                Some(text) => self.text(text, *input, *min, *max).map(Some),
            },
            Kind::Number { is_whole, min, max } => match text {
                None => needed(),
                Some(text) => self.number(text, *is_whole, *min, *max).map(Some),
            },
            Kind::Boolean => Ok(Some(text.is_some().into())),
            Kind::One(choices) => match text {
                None => needed(),
                Some(text) => match text.parse().ok().and_then(|nth: usize| choices.get(nth)) {
                    Some(choice) => Ok(Some(choice.value.clone())),
                    None => Err(format!("“{}” is not one of the choices.", self.label)),
                },
            },
            Kind::Many { choices, min, max } => {
                let is_chosen = |nth: &usize| filled.contains_key(&choice_key(place, *nth));
                let chosen: Vec<Value> =
                    (0..choices.len()).filter(is_chosen).map(|nth| choices[nth].value.clone()).collect();
                let count = chosen.len() as u64;
                match count {
                    0 if !self.is_required => Ok(None),
                    _ if count < (*min).max(self.is_required.into()) => {
                        Err(format!("Choose at least {} of “{}”.", (*min).max(1), self.label))
                    }
                    _ if count > *max => Err(format!("Choose at most {max} of “{}”.", self.label)),
                    _ => Ok(Some(chosen.into())),
                }
            }
        }
    }

    fn text(&self, text: &str, input: TextInput, min: u64, max: u64) -> Result<Value, String> {
        let length = text.chars().count() as u64;
        if length < min || length > max {
            return Err(match length < min {
                true => format!("“{}” has at least {min} characters; this has {length}.", self.label),
                false => format!("“{}” has at most {max} characters; this has {length}.", self.label),
            });
        }
        let is_sound = match input {
            TextInput::Line | TextInput::Lines => true,
            TextInput::Email => text.split_once('@').is_some_and(|(name, host)| {
                !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
            }),
            TextInput::Address => {
                text.split_once("://").is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty())
            }
            TextInput::Date => is_date(text),
            TextInput::Time => text.split_once('T').is_some_and(|(date, time)| is_date(date) && time.len() >= 5),
        };
        let what = match input {
            TextInput::Email => "an e-mail address, like name@example.org",
            TextInput::Address => "an address, like https://example.org",
            TextInput::Date => "a date, like 2026-01-31",
            TextInput::Time => "a date and a time, like 2026-01-31T14:00",
            TextInput::Line | TextInput::Lines => "a text",
        };
        is_sound.then(|| text.into()).ok_or_else(|| format!("“{}” is {what}.", self.label))
    }

    fn number(&self, text: &str, is_whole: bool, min: Option<f64>, max: Option<f64>) -> Result<Value, String> {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let Some(number) = number.filter(|number| !is_whole || number.fract() == 0.0) else {
            let what = if is_whole { "a whole number" } else { "a number" };
            return Err(format!("“{}” is {what}.", self.label));
        };
        match (min, max) {
            (Some(min), _) if number < min => Err(format!("“{}” is at least {min}.", self.label)),
            (_, Some(max)) if number > max => Err(format!("“{}” is at most {max}.", self.label)),
            _ if is_whole && number.abs() < 9e15 => Ok(json!(number as i64)),
            _ => Ok(json!(number)),
        }
    }
}

/// `2026-01-31`, with a month and a day that there are.
fn is_date(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    let &[Some(year), Some(month), Some(day)] = &parts[..] else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    text.len() == 10 && (1..=12).contains(&month) && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(pairs: &[(&str, &str)]) -> Filled {
        pairs.iter().map(|(place, text)| (format!("f{place}"), (*text).to_owned())).collect()
    }

    /// Properties come in the order of their names.
    fn form() -> Form {
        Form::of(&json!({
            "type": "object",
            "properties": {
                "a_text": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 5},
                "b_count": {"type": "integer", "minimum": 1, "maximum": 10},
                "c_sure": {"type": "boolean"},
                "d_since": {"type": "string", "format": "date"},
                "e_one": {"enum": ["x", "y"], "enumNames": ["Ex", "Why"]},
                "f_many": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"anyOf": [
                    {"const": 1, "title": "One"}, {"const": 2, "title": "Two"}, {"const": 3, "title": "Three"}]}},
            },
            "required": ["a_text", "f_many"],
        }))
        .unwrap()
    }

    #[test]
    fn what_is_filled_in_becomes_values() {
        let read = form().read(&filled(&[
            ("0", " Anna "),
            ("1", "3"),
            ("2", "on"),
            ("3", "2024-02-29"),
            ("4", "1"),
            ("5.0", "on"),
            ("5.2", "on"),
        ]));
        let values = json!({"a_text": "Anna", "b_count": 3, "c_sure": true, "d_since": "2024-02-29", "e_one": "y",
                            "f_many": [1, 3]});
        assert_eq!(read, Ok(values));
        let least = form().read(&filled(&[("0", "Bo"), ("5.1", "on")]));
        assert_eq!(form().keys(), ["f0", "f1", "f2", "f3", "f4", "f5.0", "f5.1", "f5.2"]);
        assert_eq!(least, Ok(json!({"a_text": "Bo", "c_sure": false, "f_many": [2]})));
    }

    #[test]
    fn what_is_wrong_is_said_of_its_field() {
        for (wrong, place, told) in [
            (&[("5.0", "on")][..], 0, "“Name” is needed."),
            (&[("0", "x"), ("5.0", "on")], 0, "“Name” has at least 2 characters; this has 1."),
            (&[("0", "abcdef"), ("5.0", "on")], 0, "“Name” has at most 5 characters; this has 6."),
            (&[("0", "Bo"), ("1", "2.5"), ("5.0", "on")], 1, "“B count” is a whole number."),
            (&[("0", "Bo"), ("1", "11"), ("5.0", "on")], 1, "“B count” is at most 10."),
            (&[("0", "Bo"), ("3", "2023-02-29"), ("5.0", "on")], 3, "“D since” is a date, like 2026-01-31."),
            (&[("0", "Bo"), ("4", "7"), ("5.0", "on")], 4, "“E one” is not one of the choices."),
            (&[("0", "Bo")], 5, "Choose at least 1 of “F many”."),
            (&[("0", "Bo"), ("5.0", "on"), ("5.1", "on"), ("5.2", "on")], 5, "Choose at most 2 of “F many”."),
        ] {
            assert_eq!(form().read(&filled(wrong)), Err(vec![(place, told.to_owned())]));
        }
    }

    #[test]
    fn what_may_be_nothing_is_asked_for_as_what_else_it_may_be() {
        let form = Form::of(&json!({"properties": {"a": {"type": ["integer", "null"]},
                                                   "b": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}}))
        .unwrap();
        assert!(matches!(form.fields[0].kind, Kind::Number { is_whole: true, .. }));
        assert_eq!(form.fields[1].kind, Kind::Boolean);
    }

    #[test]
    fn what_no_form_can_ask_for_is_refused() {
        for (schema, told) in [
            (json!({}), "no properties"),
            (json!({"properties": {"a": {"type": "object"}}}), "“a” is of a kind that no form has"),
            (json!({"properties": {"a": {"type": "array", "items": {"type": "string"}}}}), "cannot be chosen from"),
            (json!({"properties": {"a": {"enum": []}}}), "nothing to choose from"),
        ] {
            let why = Form::of(&schema).unwrap_err();
            assert!(why.contains(told), "{why}");
        }
    }
}
