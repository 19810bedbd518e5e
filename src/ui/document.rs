//! The document around a page, which is only written, never woken.

use std::{fmt::Write, sync::Arc};

use super::{
    page::Handed,
    view::{Refill, View, escape, html},
};
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

pub struct Document<'a> {
    pub title: &'a str,
    pub preferences: &'a Preferences,
    pub assets: &'a Assets,
    /// By which a browser knows our own scripts.
    pub nonce: &'a str,
    /// Without a script, a page on which something goes on looks again after so many seconds.
    pub refresh: Option<u32>,
    pub handed: &'a Handed,
}

impl Document<'_> {
    pub fn write(&self, body: View) -> String {
        let Self { preferences, assets, nonce, .. } = self;
        let Assets { script, program, style } = assets;
        let (theme, density) = (preferences.theme.as_str(), preferences.density.as_str());
        let mut title = String::new();
        escape(&shown(self.title), false, &mut title);
        let refresh = self
            .refresh
            .map(|after| format!("<noscript><meta http-equiv=\"refresh\" content=\"{after}\"></noscript>"))
            .unwrap_or_default();
        let told = self.handed.told.clone();
        let refill = told.map(|told| Refill::new(told.path, told.fields));
        // Both files at once, and before the rest of the page has come.
        let start = format!(
            "const program = fetch({program:?}); const {{ default: start, wake }} = await import({script:?}); \
             await start({{ module_or_path: program }}); \
             if (document.readyState === \"loading\") \
             await new Promise((ready) => addEventListener(\"DOMContentLoaded\", ready)); wake();"
        );
        // Nothing in it can end the element.
        let handed = serde_json::to_string(self.handed).unwrap_or_default().replace('<', "\\u003c");
        let mut out = String::with_capacity(64 * 1024);
        let _ = write!(
            out,
            "<!DOCTYPE html><html lang=\"en\" data-theme=\"{theme}\" data-density=\"{density}\"><head>\
             <meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1, interactive-widget=resizes-content\">\
             <meta name=\"color-scheme\" content=\"light dark\">\
             <title>{title}</title>\
             <link rel=\"stylesheet\" href=\"{style}\">\
             <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
             <link rel=\"modulepreload\" href=\"{script}\">\
             <script type=\"module\" async nonce=\"{nonce}\">{start}</script>{refresh}</head><body>{}<div hidden>{ICONS}</div>\
             <script type=\"application/json\" id=\"handed\" nonce=\"{nonce}\">{handed}</script></body></html>",
            html(body, refill)
        );
        out
    }
}

/// A page's title as the browser shows it.
pub fn shown(title: &str) -> String {
    if title.is_empty() { "Vitrine".into() } else { format!("{title} · Vitrine") }
}
