//! Vitrine: an AI chat that shows its work. A person asks, an agent answers with tools, and every tool call is a live
//! card.
//!
//! There are four rooms, and each line of code knows in which one it lives. A question travels one way through them:
//! composer → api → agent → tool → reporter → event log → stream → browser → fold → card. In reading order:

/// Server functions: what a page or a program can ask. Shared; their bodies run on the server.
pub mod api;
/// What only a browser can do.
pub mod browser;
/// Plain data and the fold. Shared by all; does no I/O.
pub mod model;
/// What only the server can do.
#[cfg(feature = "ssr")]
pub mod server;
/// Views, in the order they nest. Written on the server, alive in the browser.
pub mod ui;

/// What tests share.
#[cfg(test)]
mod testing;
/// The rules of this house, checked.
#[cfg(test)]
mod tidy;

/// Wakes up the page that the server has written.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn wake() {
    console_error_panic_hook::set_once();
    // Only once: there is nobody before us.
    let _ = any_spawner::Executor::init_wasm_bindgen();
    ui::page::wake();
}
