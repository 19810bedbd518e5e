//! A form made from a JSON Schema. Without a script browsers check what they can and the server checks all of it; with one,
//! the same code checks it here first, and says what is wrong beside the field.

use leptos::prelude::*;
use serde_json::Value;

use super::{own_trouble, which};
use crate::{
    browser::{self, dom::Event},
    model::{
        ask::Inquiry,
        form::{Choice, Field, Form, Kind, TextInput, choice_key, key},
    },
    ui::{
        sending::Sending,
        tool_card::Card,
        view::{
            Element, View, button, div, fieldset, input, label, legend, option, p, section, select, span, switch,
            textarea,
        },
    },
};

/// What is wrong with which field.
type Problems = RwSignal<Vec<(usize, String)>>;

pub fn inquired(card: Card, nth: u32, inquiry: Inquiry) -> Element {
    let answer = Sending::to("/api/answer_call");
    let is_sending = move || answer.is_pending().then_some("true");
    let Inquiry { message, schema, server } = inquiry;
    let asks = server.map(|server| format!("{server} asks:"));
    let (form, why_not) = match Form::of(&schema) {
        Ok(form) => (form, None),
        Err(why) => (Form { fields: Vec::new() }, Some(format!("This cannot be asked here: {why}."))),
    };
    let problems = Problems::default();
    let known = form.clone();
    let check = move |event: &Event| {
        if browser::form::is_sent_by(event, "skip") {
            return true;
        }
        let read = known.read(&browser::form::filled(event, &known.keys()));
        let is_right = read.is_ok();
        problems.set(read.err().unwrap_or_default());
        is_right
    };
    let fields = form.fields.into_iter().enumerate().map(|(place, field)| asked(card, place, field, problems));
    let send = button("btn btn--primary").live("aria-disabled", is_sending).with("Send answer");
    let skip = button("btn btn--quiet")
        .attr("name", "skip")
        .attr("value", "1")
        .flag("formnovalidate", true)
        .live("aria-disabled", is_sending)
        .with("Skip");
    let form = answer
        .form_if("ask__form", check)
        .with(which(card, nth))
        .all(fields)
        .with(own_trouble(card, answer))
        .with(div("actions").with(send).with(skip));
    section("ask")
        .attr("aria-label", "Question")
        .with(asks.map(|asks| p("ask__why").with(asks)))
        .with(p("ask__lede").with(message))
        .with(why_not.map(|why| p("composer__problem").with(why)))
        .with(form)
}

fn asked(card: Card, place: usize, field: Field, problems: Problems) -> Element {
    let Field { label, hint, is_required, default, kind, .. } = field;
    let name = format!("fields[{}]", key(place));
    let around = Around {
        id: format!("{}-field-{place}", card.id.get_value()),
        label,
        is_optional: !is_required,
        hint,
        place,
        problems,
    };
    let (id, described) = (around.id.clone(), around.described());
    let text = default.as_ref().and_then(Value::as_str).map(str::to_owned);
    let has_radios = kind.has_radios();
    match kind {
        Kind::Boolean => {
            let is_on = default == Some(Value::Bool(true));
            let field = tick("checkbox", name, "on".into(), is_on).attr("aria-describedby", described);
            around.check(field)
        }
        Kind::One(choices) if has_radios => {
            let pick = |(nth, Choice { value, label }): (usize, Choice)| {
                let is_on = default.as_ref() == Some(&value);
                (tick("radio", name.clone(), nth.to_string(), is_on).flag("required", is_required), label)
            };
            around.picks(choices.into_iter().enumerate().map(pick))
        }
        Kind::Many { choices, .. } => {
            let are_on = default.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
            let pick = |(nth, Choice { value, label }): (usize, Choice)| {
                let is_on = are_on.contains(&value);
                (tick("checkbox", format!("fields[{}]", choice_key(place, nth)), "on".into(), is_on), label)
            };
            around.picks(choices.into_iter().enumerate().map(pick))
        }
        Kind::One(choices) => {
            let one = |(nth, Choice { value, label }): (usize, Choice)| {
                let is_on = default.as_ref() == Some(&value);
                option("").attr("value", nth.to_string()).flag("selected", is_on).with(label)
            };
            let field = select("textarea")
                .attr("id", id)
                .attr("name", name)
                .flag("required", is_required)
                .attr("aria-describedby", described)
                .with(option("").attr("value", "").with("Choose"))
                .all(choices.into_iter().enumerate().map(one));
            around.line(field)
        }
        Kind::Text { input: TextInput::Lines, min, max } => {
            let field = textarea("textarea")
                .attr("id", id)
                .attr("name", name)
                .attr("rows", "3")
                .flag("required", is_required)
                .attr("minlength", (min > 0).then(|| min.to_string()))
                .attr("maxlength", max.to_string())
                .attr("aria-describedby", described)
                .with(text);
            around.line(field)
        }
        Kind::Text { input: what, min, max } => {
            let kind = match what {
                TextInput::Line | TextInput::Lines => "text",
                TextInput::Email => "email",
                TextInput::Address => "url",
                TextInput::Date => "date",
                TextInput::Time => "datetime-local",
            };
            let is_text = kind == "text";
            let field = input("textarea")
                .attr("id", id)
                .attr("name", name)
                .attr("type", kind)
                .attr("value", text)
                .flag("required", is_required)
                .attr("minlength", (is_text && min > 0).then(|| min.to_string()))
                .attr("maxlength", is_text.then(|| max.to_string()))
                .attr("aria-describedby", described);
            around.line(field)
        }
        Kind::Number { is_whole, min, max } => {
            let field = input("textarea")
                .attr("id", id)
                .attr("name", name)
                .attr("type", "number")
                .attr("value", default.map(|value| value.to_string()))
                .attr("step", if is_whole { "1" } else { "any" })
                .attr("min", min.map(|min| min.to_string()))
                .attr("max", max.map(|max| max.to_string()))
                .flag("required", is_required)
                .attr("aria-describedby", described);
            around.line(field)
        }
    }
}

/// Something that is on or off.
fn tick(kind: &'static str, name: String, value: String, is_on: bool) -> Element {
    input("").attr("type", kind).attr("name", name).attr("value", value).flag("checked", is_on)
}

/// What stands around a field: what it is called, what it is for, what is wrong with it.
struct Around {
    id: String,
    label: String,
    is_optional: bool,
    hint: Option<String>,
    place: usize,
    problems: Problems,
}

impl Around {
    fn described(&self) -> Option<String> {
        self.hint.as_ref().map(|_| format!("{}-hint", self.id))
    }

    /// Something to write or to choose, in one field.
    fn line(self, field: Element) -> Element {
        let below = self.below();
        let name = label("field__label").attr("for", self.id).with(self.label).with(self.is_optional.then(optional));
        div("field").with(name).with(field).with(below)
    }

    /// Yes or no.
    fn check(self, field: Element) -> Element {
        let below = self.below();
        div("field").with(label("check").with(field).with(span("").with(self.label))).with(below)
    }

    /// Things to choose from, all of them seen.
    fn picks(self, picks: impl Iterator<Item = (Element, String)>) -> Element {
        let below = self.below();
        let pick = |(field, told): (Element, String)| label("pick").with(field).with(span("").with(told));
        let name = legend("field__label").with(self.label).with(self.is_optional.then(optional));
        fieldset("field").with(name).with(div("picks").all(picks.map(pick))).with(below)
    }

    fn below(&self) -> View {
        let (place, problems) = (self.place, self.problems);
        let hint = self.hint.clone().map(|hint| span("field__hint").attr("id", self.described()).with(hint));
        let told = move || problems.read().iter().find(|(at, _)| *at == place).map(|(_, told)| told.clone());
        let problem = switch(told, |told| {
            let told = told.clone();
            told.map(|told| span("field__problem").attr("role", "alert").with(told))
        });
        [View::from(hint), problem].into()
    }
}

fn optional() -> Element {
    span("field__req").with("Optional")
}
