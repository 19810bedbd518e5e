//! A part of a call, as one delta brings it. Almost everything in it may be missing.

use std::borrow::Cow;

use serde_json::Value;

pub struct Fragment<'a> {
    pub index: Option<u64>,
    /// Empty, if there is none.
    pub id: &'a str,
    /// Empty, if there is none.
    pub name: &'a str,
    pub arguments: Cow<'a, str>,
}

impl<'a> Fragment<'a> {
    pub fn of(call: &'a Value) -> Self {
        let function = Self::of_function(&call["function"]);
        Self { index: call["index"].as_u64(), id: call["id"].as_str().unwrap_or_default(), ..function }
    }

    /// What calls looked like before there could be several.
    pub fn of_function(function: &'a Value) -> Self {
        let arguments = match &function["arguments"] {
            Value::Null => Cow::Borrowed(""),
            Value::String(text) => Cow::Borrowed(text.as_str()),
            // Some send the object itself instead of its text.
            value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Cow::Owned(value.to_string())
            }
        };
        Self { index: None, id: "", name: function["name"].as_str().unwrap_or_default(), arguments }
    }
}
