//! Who is asked: a choice beside the composer, where there is one.

use leptos::prelude::*;

use crate::api::list_models;

/// Part of a form. Nothing is shown where there is only one model.
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
                (models.len() > 1)
                    .then(|| {
                        let chosen = last.get_untracked().unwrap_or_else(|| models[0].name.clone());
                        view! {
                            <label class="picker">
                                <span class="sr-only">"Model"</span>
                                <select name="model">
                                    {models
                                        .into_iter()
                                        .map(|model| {
                                            let is_chosen = model.name == chosen;
                                            view! {
                                                <option value=model.name selected=is_chosen>
                                                    {model.label}
                                                </option>
                                            }
                                        })
                                        .collect_view()}
                                </select>
                            </label>
                        }
                    })
            })}
        </Transition>
    }
}
