//! Choices beside the composer: who is asked, and with which prompt. Parts of a form; nothing is shown where there is
//! nothing to choose.

use leptos::prelude::*;

use super::{icon::Icon, shared::Shared};
use crate::api::ToolName;

#[component]
pub fn ModelPicker(
    /// The one that was asked last.
    #[prop(into, optional)]
    last: Signal<Option<String>>,
) -> impl IntoView {
    let Shared { models, .. } = expect_context();
    view! {
        <Transition>
            {move || Suspend::new(async move {
                let models = models.await;
                let options = models.into_iter().map(|model| (model.name, model.label, String::new())).collect();
                choice("model", "Model", options, last.get_untracked())
            })}
        </Transition>
    }
}

#[component]
pub fn PresetPicker(
    /// The one that was used last.
    #[prop(into, optional)]
    last: Signal<Option<String>>,
) -> impl IntoView {
    let Shared { presets, .. } = expect_context();
    view! {
        <Transition>
            {move || Suspend::new(async move {
                let presets = presets.await.into_iter();
                let options = presets.map(|preset| (preset.path, preset.title, preset.description)).collect();
                choice("prompt_path", "Prompt preset", options, last.get_untracked())
            })}
        </Transition>
    }
}

/// Which tools the agent may use. All, unless somebody says otherwise.
#[component]
pub fn ToolsMenu(
    /// Those that the last question did without.
    off: Vec<String>,
) -> impl IntoView {
    let Shared { tools, .. } = expect_context();
    let off = StoredValue::new(off);
    view! {
        <button class="icon-btn" type="button" popovertarget="tools-menu" title="Tools" aria-label="Tools">
            <Icon name="layers" />
        </button>
        <fieldset class="menu tools-menu" id="tools-menu" popover="auto">
            <legend class="menu__head">"The agent may use"</legend>
            <Transition>
                {move || Suspend::new(async move {
                    let line = |tool: ToolName| {
                        let is_on = off.with_value(|off| !off.contains(&tool.name));
                        view! {
                            <li>
                                <label class="menu__item">
                                    <input type="checkbox" name="tools[]" value=tool.name checked=is_on />
                                    <span>{tool.title}</span>
                                </label>
                            </li>
                        }
                    };
                    let tools = tools.await;
                    // A form that names no tool at all would say nothing about them.
                    let none = (!tools.is_empty()).then(|| view! { <input type="hidden" name="tools[]" value="" /> });
                    view! {
                        {none}
                        <ul>{tools.into_iter().map(line).collect_view()}</ul>
                    }
                })}
            </Transition>
        </fieldset>
    }
}

/// Value, label and explanation of each option; the first is the default.
fn choice(
    name: &'static str,
    label: &'static str,
    options: Vec<(String, String, String)>,
    last: Option<String>,
) -> Option<impl IntoView> {
    let is_there = |value: &String| options.iter().any(|(known, ..)| known == value);
    let first = options.first()?.0.clone();
    let chosen = last.filter(is_there).unwrap_or(first);
    (options.len() > 1).then(|| {
        let options = options.into_iter().map(|(value, label, title)| {
            let is_chosen = value == chosen;
            view! {
                <option value=value title=title selected=is_chosen>
                    {label}
                </option>
            }
        });
        view! {
            <label class="picker">
                <span class="sr-only">{label}</span>
                <select name=name>{options.collect_view()}</select>
            </label>
        }
    })
}
