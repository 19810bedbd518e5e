//! The built site: which file is the script, the program and the style, and how long a browser may keep them.

use std::path::Path;

use axum::{
    Router,
    http::{HeaderValue, header},
    middleware,
    response::Response,
};
use serde::Deserialize;
use tower_http::services::ServeDir;

use super::Error;
use crate::ui::document::Assets;

/// What the build wrote about itself. Names that carry a hash of their contents never change their meaning.
#[derive(Deserialize)]
struct Manifest {
    hashed: bool,
    script: String,
    program: String,
    style: String,
}

#[derive(Clone)]
pub struct Site {
    pub assets: Assets,
    is_hashed: bool,
}

impl Site {
    /// Reads the build's manifest. Without one, the files have their plain names, as `cargo leptos` writes them.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let manifest = match std::fs::read(folder.join("assets.json")) {
            Ok(json) => serde_json::from_slice(&json)?,
            Err(_) => Manifest {
                hashed: false,
                script: "vitrine.js".into(),
                program: "vitrine.wasm".into(),
                style: "vitrine.css".into(),
            },
        };
        if !folder.join("pkg").join(&manifest.script).exists() {
            tracing::warn!(
                folder = %folder.display(),
                "no built site here: pages will have neither style nor life. Give its place with --site",
            );
        }
        let path = |name: String| format!("/pkg/{name}").into();
        let assets =
            Assets { script: path(manifest.script), program: path(manifest.program), style: path(manifest.style) };
        Ok(Self { assets, is_hashed: manifest.hashed })
    }

    /// The built files, compressed ones first.
    pub fn routes<S: Clone + Send + Sync + 'static>(&self, folder: &Path) -> Router<S> {
        let caching = if self.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
        let files = ServeDir::new(folder.join("pkg")).precompressed_br().precompressed_gzip();
        Router::new().nest_service("/pkg", files).layer(middleware::map_response(
            move |mut response: Response| async move {
                if response.status().is_success() {
                    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
                }
                response
            },
        ))
    }
}
