//! How somebody wants it: kept in their browser, as a cookie, so that a page has it before it is shown.

use leptos::prelude::*;
use server_fn::codec::GetUrl;

use crate::model::{Preferences, Problem};

#[server(prefix = "/api", endpoint = "load_preferences", input = GetUrl)]
pub async fn load_preferences() -> Result<Preferences, Problem> {
    Ok(crate::server::preferences::of_request())
}

/// Keeps them for a year. A browser is sent back to where they are.
#[server(prefix = "/api", endpoint = "save_preferences")]
pub async fn save_preferences(
    theme: Option<String>,
    density: Option<String>,
    model: Option<String>,
    follow_up: Option<String>,
) -> Result<(), Problem> {
    let words = [("theme", theme), ("density", density), ("model", model), ("follow_up", follow_up)];
    crate::server::preferences::save(&crate::server::app()?, &words)?;
    leptos_axum::redirect("/settings?saved");
    Ok(())
}
