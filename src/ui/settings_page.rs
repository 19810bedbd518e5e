//! `/settings`: how somebody wants it, in every conversation that has not said otherwise.

use leptos::{either::Either, form::ActionForm, prelude::*};
use leptos_meta::Title;

use super::{frame::Frame, grants::Grants, icon::Icon};
use crate::{
    api::{
        ModelInfo, ReceiptsInfo, RevokeGrant, SavePreferences, list_grants, list_models, load_preferences,
        load_receipts,
    },
    browser,
    model::{
        FollowUp, Preferences,
        preferences::{Density, Theme},
    },
};

#[component]
pub fn SettingsPage() -> impl IntoView {
    let revoke = ServerAction::<RevokeGrant>::new();
    let known = Resource::new_blocking(
        move || revoke.version().get(),
        |_| async {
            let preferences = load_preferences().await?;
            Ok::<_, crate::model::Problem>((
                preferences,
                list_models().await?,
                load_receipts().await?,
                list_grants().await?,
            ))
        },
    );
    Effect::new(|| browser::keys::listen(|_| ()));
    view! {
        <Title text="Settings" />
        <Frame title="Settings">
            <div class="settings">
                <Transition>
                    {move || Suspend::new(async move {
                        match known.await {
                            Ok((preferences, models, receipts, grants)) => {
                                Either::Left(view! {
                                    <Form preferences models />
                                    <Grants grants revoke />
                                    <Receipts receipts />
                                })
                            }
                            Err(problem) => Either::Right(view! { <p role="alert">{problem.message}</p> }),
                        }
                    })}
                </Transition>
            </div>
        </Frame>
    }
}

#[component]
fn Form(preferences: Preferences, models: Vec<ModelInfo>) -> impl IntoView {
    let save = ServerAction::<SavePreferences>::new();
    let Preferences { theme, density, model, follow_up } = preferences;
    let sent = StoredValue::new(None::<SavePreferences>);
    Effect::new(move || {
        if let Some(input) = save.input().get() {
            sent.set_value(Some(input));
        }
    });
    // What was saved is seen at once.
    Effect::new(move || {
        if let (Some(Ok(())), Some(saved)) = (save.value().get(), sent.get_value()) {
            browser::page::set_look(saved.theme.as_deref(), saved.density.as_deref());
        }
    });
    let outcome = move || {
        save.value().get().map(|saved| match saved {
            Ok(()) => Either::Left(view! { <p class="muted" role="status">"Saved."</p> }),
            Err(problem) => Either::Right(view! { <p class="composer__problem" role="alert">{problem.message}</p> }),
        })
    };
    let model = model.unwrap_or_default();
    let option = move |info: ModelInfo| {
        let is_chosen = info.name == model;
        view! {
            <option value=info.name selected=is_chosen>
                {info.label}
            </option>
        }
    };
    view! {
        <ActionForm action=save attr:class="settings__form">
            <fieldset>
                <legend>"Theme"</legend>
                {Theme::ALL.iter().map(|each| radio("theme", each.as_str(), each.label(), *each == theme)).collect_view()}
            </fieldset>
            <fieldset>
                <legend>"Density"</legend>
                {Density::ALL.iter().map(|each| radio("density", each.as_str(), each.label(), *each == density)).collect_view()}
            </fieldset>
            <label class="settings__field">
                <span>"Model that is asked first"</span>
                <select name="model" class="textarea">
                    <option value="">"As configured"</option>
                    {models.into_iter().map(option).collect_view()}
                </select>
            </label>
            <fieldset>
                <legend>"In new conversations, results go to the agent"</legend>
                {FollowUp::ALL
                    .iter()
                    .map(|each| radio("follow_up", each.as_str(), each.label(), *each == follow_up))
                    .collect_view()}
            </fieldset>
            <button class="btn btn--primary">
                <Icon name="check" />
                "Save"
            </button>
            {outcome}
        </ActionForm>
    }
}

/// How quickly cards are there.
#[component]
fn Receipts(receipts: ReceiptsInfo) -> impl IntoView {
    let ReceiptsInfo { count, p50_ms, p99_ms } = receipts;
    let told = match (p50_ms, p99_ms) {
        (Some(p50), Some(p99)) => {
            format!(
                "Your cards appear after {p50} ms, p99 {p99} ms. Measured on {count} cards since the server started."
            )
        }
        _ => "No card has been seen since the server started.".into(),
    };
    view! {
        <section class="settings__receipts">
            <h2>"How quickly cards are there"</h2>
            <p class="muted">{told}</p>
        </section>
    }
}

fn radio(name: &'static str, value: &'static str, label: &'static str, is_chosen: bool) -> impl IntoView {
    view! {
        <label class="menu__item check">
            <input type="radio" name=name value=value checked=is_chosen />
            <span>{label}</span>
        </label>
    }
}
