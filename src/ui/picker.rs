//! Choices beside the composer: who is asked, with which prompt, and with which tools. Parts of a form; nothing is shown where
//! there is nothing to choose.

use leptos::prelude::*;

use super::{
    icon::icon,
    view::{Element, View, button, fieldset, hidden, input, label, legend, li, many, option, select, span, still, ul},
};
use crate::api::{ModelInfo, PresetInfo, ToolName};

/// What one can choose from. Only the server knows.
#[derive(Clone)]
pub struct Choices {
    pub models: Vec<ModelInfo>,
    /// Prompts are for models that read them: the embedded agent does not.
    pub presets: Vec<PresetInfo>,
    pub tools: Vec<ToolName>,
}

/// `last`: the one that was asked last.
pub fn model_picker(last: Option<String>) -> View {
    still(move || {
        let Choices { models, .. } = expect_context();
        let options = models.into_iter().map(|model| (model.name, model.label, String::new())).collect();
        choice("model", "Model", options, last)
    })
}

/// `last`: the one that was used last.
pub fn preset_picker(last: Option<String>) -> View {
    still(move || {
        let Choices { presets, .. } = expect_context();
        let options = presets.into_iter().map(|preset| (preset.path, preset.title, preset.description)).collect();
        choice("prompt_path", "Prompt preset", options, last)
    })
}

/// Which tools the agent may use. All, unless somebody says otherwise; `off` are those that the last question did without.
pub fn tools_menu(off: Vec<String>) -> View {
    let open = || {
        button("icon-btn")
            .attr("type", "button")
            .attr("popovertarget", "tools-menu")
            .attr("title", "Tools")
            .attr("aria-label", "Tools")
            .with(icon("layers"))
    };
    many([still(|| Some(open())), still(move || Some(tools(&off)))])
}

fn tools(off: &[String]) -> Element {
    let Choices { tools, .. } = expect_context();
    let line = |tool: ToolName| {
        let is_on = !off.contains(&tool.name);
        let field =
            input("").attr("type", "checkbox").attr("name", "tools[]").attr("value", tool.name).flag("checked", is_on);
        li("").with(label("menu__item").with(field).with(span("").with(tool.title)))
    };
    fieldset("menu tools-menu")
        .attr("id", "tools-menu")
        .attr("popover", "auto")
        .with(legend("menu__head").with("The agent may use"))
        // A form that names no tool at all would say nothing about them.
        .with((!tools.is_empty()).then(|| hidden("tools[]", "")))
        .with(ul("").all(tools.into_iter().map(line)))
}

/// Value, label and explanation of each option; the first is the default.
fn choice(
    name: &'static str,
    told: &'static str,
    options: Vec<(String, String, String)>,
    last: Option<String>,
) -> Option<Element> {
    let is_there = |value: &String| options.iter().any(|(known, ..)| known == value);
    let first = options.first()?.0.clone();
    let chosen = last.filter(is_there).unwrap_or(first);
    (options.len() > 1).then(|| {
        let options = options.into_iter().map(|(value, label, title)| {
            let is_chosen = value == chosen;
            option("").attr("value", value).attr("title", title).flag("selected", is_chosen).with(label)
        });
        label("picker").with(span("sr-only").with(told)).with(select("").attr("name", name).all(options))
    })
}
