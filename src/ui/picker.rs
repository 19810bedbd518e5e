//! Choices beside the composer: who is asked, and with which prompt. Parts of a form; nothing is shown where there is
//! nothing to choose.

use leptos::prelude::*;

use crate::api::{list_models, list_presets};

#[component]
pub fn ModelPicker(
    /// The one that was asked last.
    #[prop(into, optional)]
    last: Signal<Option<String>>,
) -> impl IntoView {
    let models = Resource::new(|| (), |()| list_models());
    view! {
        <Transition>
            {move || Suspend::new(async move {
                let models = models.await.unwrap_or_default();
                let options = models.into_iter().map(|model| (model.name, model.label, String::new())).collect();
                choice("model", "Model", options, last.get_untracked())
            })}
        </Transition>
    }
}

/// Prompts are for models that read them: the embedded agent does not.
#[component]
pub fn PresetPicker(
    /// The one that was used last.
    #[prop(into, optional)]
    last: Signal<Option<String>>,
) -> impl IntoView {
    let offered = Resource::new(
        || (),
        |()| async {
            let has_models = list_models().await.unwrap_or_default().iter().any(|model| !model.is_embedded);
            if has_models { list_presets().await.unwrap_or_default() } else { Vec::new() }
        },
    );
    view! {
        <Transition>
            {move || Suspend::new(async move {
                let presets = offered.await.into_iter();
                let options = presets.map(|preset| (preset.path, preset.title, preset.description)).collect();
                choice("prompt_path", "Prompt preset", options, last.get_untracked())
            })}
        </Transition>
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
