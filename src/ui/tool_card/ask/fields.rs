//! A form made from a JSON Schema. Browsers check what they can by themselves; the server checks all of it.

use leptos::{form::ActionForm, prelude::*};
use serde_json::Value;

use super::{Trouble, Which};
use crate::{
    api::AnswerCall,
    model::{
        ask::Inquiry,
        form::{Choice, Field, Form, Kind, TextInput},
    },
    ui::{text_area::inside, tool_card::Card},
};

#[component]
pub fn Inquired(card: Card, nth: u32, inquiry: Inquiry) -> impl IntoView {
    let answer = ServerAction::<AnswerCall>::new();
    let problem = Signal::derive(move || answer.value().get().and_then(Result::err));
    let is_sending = move || answer.pending().get().then_some("true");
    let Inquiry { message, schema, server } = inquiry;
    let asks = server.map(|server| format!("{server} asks:"));
    let fields = match Form::of(&schema) {
        Ok(form) => form
            .fields
            .into_iter()
            .enumerate()
            .map(|(place, field)| view! { <Asked card place field /> })
            .collect_view()
            .into_any(),
        Err(why) => {
            view! { <p class="composer__problem">{format!("This cannot be asked here: {why}.")}</p> }.into_any()
        }
    };
    view! {
        <section class="ask" aria-label="Question">
            {asks.map(|asks| view! { <p class="ask__why">{asks}</p> })}
            <p class="ask__lede">{message}</p>
            <ActionForm action=answer attr:class="ask__form">
                <Which card nth />
                {fields}
                <Trouble card problem />
                <div class="actions">
                    <button class="btn btn--primary" aria-disabled=is_sending>
                        "Send answer"
                    </button>
                    <button class="btn btn--quiet" name="skip" value="1" formnovalidate aria-disabled=is_sending>
                        "Skip"
                    </button>
                </div>
            </ActionForm>
        </section>
    }
}

#[component]
fn Asked(card: Card, place: usize, field: Field) -> impl IntoView {
    let Field { label, hint, is_required, default, kind, .. } = field;
    let name = format!("fields[{place}]");
    let id = format!("{}-field-{place}", card.id.get_value());
    let described = hint.as_ref().map(|_| format!("{id}-hint"));
    let optional =
        (!is_required && !matches!(kind, Kind::Boolean)).then(|| view! { <span class="field__req">"Optional"</span> });
    let hint = hint.map(|hint| view! { <span class="field__hint" id=format!("{id}-hint")>{hint}</span> });
    let has_radios = kind.has_radios();
    match kind {
        Kind::Boolean => {
            let is_on = default.and_then(|value| value.as_bool()).unwrap_or(false);
            view! {
                <div class="field">
                    <label class="check">
                        <input type="checkbox" name=name value="on" checked=is_on aria-describedby=described />
                        <span>{label}</span>
                    </label>
                    {hint}
                </div>
            }
            .into_any()
        }
        Kind::One(choices) if has_radios => {
            let each = |(nth, choice): (usize, Choice)| {
                let is_on = default.as_ref() == Some(&choice.value);
                view! {
                    <label class="pick">
                        <input type="radio" name=name.clone() value=nth.to_string() checked=is_on required=is_required />
                        <span>{choice.label}</span>
                    </label>
                }
            };
            view! {
                <fieldset class="field">
                    <legend class="field__label">{label} {optional}</legend>
                    {hint}
                    <div class="picks">{choices.into_iter().enumerate().map(each).collect_view()}</div>
                </fieldset>
            }
            .into_any()
        }
        Kind::Many { choices, .. } => {
            let is_default =
                |value: &Value| default.as_ref().and_then(Value::as_array).is_some_and(|all| all.contains(value));
            let each = |(nth, choice): (usize, Choice)| {
                let is_on = is_default(&choice.value);
                view! {
                    <label class="pick">
                        <input type="checkbox" name=format!("fields[{place}.{nth}]") value="on" checked=is_on />
                        <span>{choice.label}</span>
                    </label>
                }
            };
            view! {
                <fieldset class="field">
                    <legend class="field__label">{label} {optional}</legend>
                    {hint}
                    <div class="picks">{choices.into_iter().enumerate().map(each).collect_view()}</div>
                </fieldset>
            }
            .into_any()
        }
        Kind::One(choices) => {
            let each = |(nth, choice): (usize, Choice)| {
                let is_on = default.as_ref() == Some(&choice.value);
                view! {
                    <option value=nth.to_string() selected=is_on>
                        {choice.label}
                    </option>
                }
            };
            view! {
                <div class="field">
                    <label class="field__label" for=id.clone()>{label} {optional}</label>
                    <select class="textarea" id=id name=name required=is_required aria-describedby=described>
                        <option value="">"Choose"</option>
                        {choices.into_iter().enumerate().map(each).collect_view()}
                    </select>
                    {hint}
                </div>
            }
            .into_any()
        }
        Kind::Text { input: TextInput::Lines, min, max } => {
            let text = default.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
            view! {
                <div class="field">
                    <label class="field__label" for=id.clone()>{label} {optional}</label>
                    <textarea
                        class="textarea"
                        id=id
                        name=name
                        rows="3"
                        required=is_required
                        minlength=(min > 0).then(|| min.to_string())
                        maxlength=max.to_string()
                        aria-describedby=described
                    >
                        {inside(&text)}
                    </textarea>
                    {hint}
                </div>
            }
            .into_any()
        }
        Kind::Text { input, min, max } => {
            let kind = match input {
                TextInput::Line | TextInput::Lines => "text",
                TextInput::Email => "email",
                TextInput::Address => "url",
                TextInput::Date => "date",
                TextInput::Time => "datetime-local",
            };
            let is_text = kind == "text";
            let text = default.and_then(|value| value.as_str().map(str::to_owned));
            view! {
                <div class="field">
                    <label class="field__label" for=id.clone()>{label} {optional}</label>
                    <input
                        class="textarea"
                        id=id
                        name=name
                        type=kind
                        value=text
                        required=is_required
                        minlength=(is_text && min > 0).then(|| min.to_string())
                        maxlength=is_text.then(|| max.to_string())
                        aria-describedby=described
                    />
                    {hint}
                </div>
            }
            .into_any()
        }
        Kind::Number { is_whole, min, max } => {
            let number = default.map(|value| value.to_string());
            view! {
                <div class="field">
                    <label class="field__label" for=id.clone()>{label} {optional}</label>
                    <input
                        class="textarea"
                        id=id
                        name=name
                        type="number"
                        value=number
                        step=if is_whole { "1" } else { "any" }
                        min=min.map(|min| min.to_string())
                        max=max.map(|max| max.to_string())
                        required=is_required
                        aria-describedby=described
                    />
                    {hint}
                </div>
            }
            .into_any()
        }
    }
}
