//! What stands around every page: the list of conversations, the top bar.

use super::{
    icon::icon,
    sidebar::sidebar,
    view::{View, a, button, div, h1, header, main, many},
};

/// `actions` is what can be done here, at the end of the top bar; `aside` stands beside the page.
pub fn frame(
    title: impl Into<View>,
    actions: impl Into<View>,
    inside: impl Into<View>,
    aside: impl Into<View>,
) -> View {
    let menu = button("icon-btn only-mobile")
        .attr("id", "menu-button")
        .attr("type", "button")
        .attr("popovertarget", "sidebar")
        .attr("aria-label", "Open menu")
        .with(icon("menu"));
    let top = header("topbar").with(menu).with(h1("topbar__title").with(title)).with(actions);
    let main = main("main").attr("id", "main").attr("tabindex", "-1").with(top).with(inside);
    many([
        a("skip-link").attr("href", "#main").with("Skip to content"),
        div("app").with(sidebar()).with(main).with(aside),
    ])
}
