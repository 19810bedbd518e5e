//! The document around the app, which is only rendered, never hydrated.

use std::sync::Arc;

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

use super::App;
use crate::model::Preferences;

/// Where the built files are.
#[derive(Clone, Debug)]
pub struct Assets {
    pub script: Arc<str>,
    pub program: Arc<str>,
    pub style: Arc<str>,
}

/// All icons, once per page: cards refer to them by name.
const ICONS: &str = include_str!("../../public/icons.svg");

pub fn shell() -> impl IntoView {
    let Preferences { theme, density, .. } = use_context().unwrap_or_default();
    let Assets { script, program, style } = expect_context();
    let options: LeptosOptions = expect_context();
    let start = format!(
        "import start, {{ hydrate }} from {script:?}; start({{ module_or_path: {program:?} }}).then(() => hydrate());"
    );
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme.as_str() data-density=density.as_str()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
                <meta name="color-scheme" content="light dark" />
                <link rel="stylesheet" href=style.to_string() />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="modulepreload" href=script.to_string() />
                <link rel="preload" href=program.to_string() r#as="fetch" r#type="application/wasm" crossorigin="" />
                <script type="module" nonce=use_nonce()>
                    {start}
                </script>
                // Nothing, except under `cargo leptos watch`.
                <AutoReload options />
                <MetaTags />
            </head>
            <body>
                <App />
                // After the app: hydration begins with the body's first node.
                <div hidden inner_html=ICONS></div>
            </body>
        </html>
    }
}
