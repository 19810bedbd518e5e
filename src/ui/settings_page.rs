//! `/settings`: how somebody wants it, in every conversation that has not said otherwise. Plain forms: the page comes again, as
//! it is wanted.

use leptos::prelude::use_context;

use super::{
    grants::grants,
    icon::icon,
    sending::Told,
    view::{Element, button, div, fieldset, form, h2, input, label, legend, option, p, section, select, span},
};
use crate::{
    api::{GrantInfo, ModelInfo, ReceiptsInfo},
    model::{
        FollowUp, Preferences,
        preferences::{Density, Theme},
    },
};

/// All that it shows.
pub struct Settings {
    pub preferences: Preferences,
    pub models: Vec<ModelInfo>,
    pub grants: Vec<GrantInfo>,
    pub receipts: ReceiptsInfo,
    pub is_saved: bool,
}

pub fn settings_page(settings: Settings) -> Element {
    let Settings { preferences, models, grants: allowed, receipts: seen, is_saved } = settings;
    div("settings").with(choices(&preferences, &models, is_saved)).with(grants(allowed)).with(receipts(&seen))
}

fn choices(preferences: &Preferences, models: &[ModelInfo], is_saved: bool) -> Element {
    const SAVE: &str = "/api/save_preferences";
    let Preferences { theme, density, model, follow_up } = preferences;
    let wrong = use_context::<Told>().filter(|told| told.path == SAVE).map(|told| told.problem.message);
    let outcome = match wrong {
        Some(told) => Some(p("composer__problem").attr("role", "alert").with(told)),
        None => is_saved.then(|| p("muted").attr("role", "status").with("Saved.")),
    };
    let each_model = |info: &ModelInfo| {
        let is_chosen = Some(&info.name) == model.as_ref();
        option("").attr("value", info.name.clone()).flag("selected", is_chosen).with(info.label.clone())
    };
    let first = select("textarea")
        .attr("name", "model")
        .with(option("").attr("value", "").with("As configured"))
        .all(models.iter().map(each_model));
    let themes = Theme::ALL.iter().map(|each| radio("theme", each.as_str(), each.label(), each == theme));
    let densities = Density::ALL.iter().map(|each| radio("density", each.as_str(), each.label(), each == density));
    let policies = FollowUp::ALL.iter().map(|each| radio("follow_up", each.as_str(), each.label(), each == follow_up));
    let follow_ups = legend("").with("In new conversations, results go to the agent");
    form("settings__form")
        .attr("method", "post")
        .attr("action", SAVE)
        .with(fieldset("").with(legend("").with("Theme")).all(themes))
        .with(fieldset("").with(legend("").with("Density")).all(densities))
        .with(label("settings__field").with(span("").with("Model that is asked first")).with(first))
        .with(fieldset("").with(follow_ups).all(policies))
        .with(button("btn btn--primary").with(icon("check")).with("Save"))
        .with(outcome)
}

/// How quickly cards are there.
fn receipts(receipts: &ReceiptsInfo) -> Element {
    let ReceiptsInfo { count, p50_ms, p99_ms } = receipts;
    let told = match (p50_ms, p99_ms) {
        (Some(p50), Some(p99)) => {
            format!(
                "Your cards appear after {p50} ms, p99 {p99} ms. Measured on {count} cards since the server started."
            )
        }
        _ => "No card has been seen since the server started.".into(),
    };
    section("settings__receipts").with(h2("").with("How quickly cards are there")).with(p("muted").with(told))
}

fn radio(name: &'static str, value: &'static str, told: &'static str, is_chosen: bool) -> Element {
    let field = input("").attr("type", "radio").attr("name", name).attr("value", value).flag("checked", is_chosen);
    label("menu__item check").with(field).with(span("").with(told))
}
