//! The list of conversations: by day, with what is worth knowing about each, and a way to find one.

use leptos::prelude::*;

use super::{
    icon::{drawing, icon},
    view::{
        Element, View, a, button, dd, div, dl, dt, each, form, h2, input, kbd, lazy, li, many, mark, nav, p, said,
        section, small, span, still, switch, ul,
    },
};
use crate::{
    api::{Listed, Mark},
    browser::{
        self,
        dom::{Event, value_of},
    },
    model::{ConversationId, Timestamp},
};

/// What the list shows, and when it looks again.
mod conversations;

pub use conversations::Conversations;

/// The address of the page.
#[derive(Clone)]
pub struct Here(pub String);

fn is_here(address: &str) -> bool {
    use_context::<Here>().is_some_and(|Here(here)| here == address)
}

pub fn sidebar() -> View {
    let conversations: Conversations = expect_context();
    conversations.keep_looking();
    let nav = nav("sidebar")
        .attr("id", "sidebar")
        .attr("popover", "auto")
        .attr("aria-label", "Conversations")
        .with(still(|| Some(top())))
        .with(div("sidebar__actions").with(still(|| Some(new_chat()))).with(search(conversations)))
        .with(div("convs").with(lazy(move || conversations.is_known(), move || list(conversations))))
        .with(still(|| Some(foot())));
    many([View::from(nav), still(|| Some(shortcuts()))])
}

fn top() -> Element {
    let close = button("icon-btn only-mobile")
        .attr("type", "button")
        .attr("popovertarget", "sidebar")
        .attr("popovertargetaction", "hide")
        .attr("aria-label", "Close menu")
        .with(icon("x"));
    let brand = a("brand").attr("href", "/").with(icon("brand")).with("Vitrine");
    div("sidebar__top").with(brand).with(close)
}

fn new_chat() -> Element {
    a("btn btn--block").attr("href", "/").with(icon("plus")).with("New chat")
}

fn foot() -> Element {
    let settings = a("navlink")
        .attr("href", "/settings")
        .attr("aria-current", is_here("/settings").then_some("page"))
        .with(icon("gear"))
        .with("Settings");
    let keys = button("navlink")
        .attr("type", "button")
        .attr("id", "shortcuts-button")
        .attr("popovertarget", "shortcuts")
        .with(icon("braces"))
        .with("Keyboard shortcuts")
        .with(kbd("navlink__end").with("?"));
    div("sidebar__foot").with(settings).with(keys)
}

/// What keys do.
fn shortcuts() -> Element {
    const KEYS: [(&str, &str); 9] = [
        ("Enter", "Send"),
        ("Shift + Enter", "New line"),
        ("↑", "Bring back what you asked before"),
        ("Esc", "Stop the answer, or close what is open"),
        ("Ctrl + K", "Search conversations"),
        ("/", "To the message field"),
        ("j, k", "To the next card, or the one before"),
        ("Enter, Space", "Open or close a card"),
        ("?", "This list"),
    ];
    let line = |(keys, what): (&'static str, &'static str)| [dt("").with(kbd("").with(keys)), dd("").with(what)];
    section("menu shortcuts")
        .attr("id", "shortcuts")
        .attr("popover", "auto")
        .attr("aria-label", "Keyboard shortcuts")
        .with(h2("menu__head").with("Keyboard shortcuts"))
        .with(dl("kv").all(KEYS.map(line)))
}

/// A real form, which finds without a script; with one, it finds while one types.
fn search(conversations: Conversations) -> Element {
    let field = input("")
        .attr("type", "search")
        .attr("name", "q")
        .attr("id", "search")
        .attr("value", conversations.asked_for())
        .attr("placeholder", "Search")
        .attr("aria-label", "Search conversations")
        .attr("aria-keyshortcuts", "Control+K")
        .attr("autocomplete", "off")
        .on("input", move |event| conversations.find(&value_of(&event)))
        .made(move |element| conversations.find_typed(&element));
    form("search")
        .attr("role", "search")
        .attr("method", "get")
        .on("submit", |event: Event| event.prevent_default())
        .with(icon("search"))
        .with(field)
}

fn list(conversations: Conversations) -> Element {
    // Days are the server's until the browser says where it is.
    let offset = RwSignal::new(0_i64);
    Effect::new(move || offset.set(browser::clock::offset_ms()));
    let groups =
        move || conversations.read(|list| days(&list.conversations, list.now, offset.get())).unwrap_or_default();
    let told = switch(move || conversations.why_empty(), |told| told.clone().map(|told| p("convs__none").with(told)));
    let days = each(
        move || groups().into_iter().map(|(name, _)| name).collect(),
        move |name: &&'static str| {
            let name = *name;
            let own = move || {
                let all = groups().into_iter().find(|(each, _)| *each == name);
                all.map(|(_, own)| own).unwrap_or_default()
            };
            many([h2("").with(name), ul("").with(each(own, move |id| line(conversations, *id)))])
        },
    );
    div("convs__list").with(told).with(days)
}

/// Those of each day, in order.
fn days(all: &[Listed], now: Timestamp, offset: i64) -> Vec<(&'static str, Vec<ConversationId>)> {
    let name = |each: &Listed| day_name(each.updated_at, now, offset);
    let groups = all.chunk_by(|one, other| name(one) == name(other));
    groups.map(|group| (name(&group[0]), group.iter().map(|each| each.id).collect())).collect()
}

/// In what part of the past a time is, for somebody whose clock is ahead of UTC by `offset` milliseconds.
fn day_name(at: Timestamp, now: Timestamp, offset: i64) -> &'static str {
    const DAY: i64 = 86_400_000;
    let day = |at: Timestamp| (at.millis() + offset).div_euclid(DAY);
    match day(now) - day(at) {
        ..=0 => "Today",
        1 => "Yesterday",
        2..=7 => "Previous 7 days",
        8..=30 => "Previous 30 days",
        _ => "Older",
    }
}

fn line(conversations: Conversations, id: ConversationId) -> Element {
    let of = move |read: fn(&Listed) -> Option<String>| conversations.of(id, read).flatten();
    let text = span("conv__text")
        .with(span("truncate").with(said(move || of(|each| Some(each.title.clone())).unwrap_or_default())))
        .with(switch(
            move || of(|each| each.excerpt.clone()),
            |excerpt| excerpt.as_ref().map(|excerpt| small("truncate").with(marked(excerpt))),
        ));
    let mark = switch(move || conversations.of(id, |each| each.mark), |mark| shown_mark((*mark).unwrap_or(Mark::None)));
    let to = format!("/c/{id}");
    let is_here = is_here(&to);
    let link = a("conv").attr("href", to).attr("aria-current", is_here.then_some("page"));
    li("").with(link.with(text).with(mark))
}

fn shown_mark(mark: Mark) -> View {
    let (icon, status, word) = match mark {
        Mark::None => return View::Nothing,
        Mark::Running => ("s-in_progress", "in_progress", "running"),
        Mark::Waiting => ("s-awaiting", "awaiting_input", "waits for you"),
        Mark::Failed => ("s-failed", "failed", "failed"),
    };
    let glyph = drawing("glyph", icon).attr("data-status", status).flag("data-spin", mark == Mark::Running);
    many([glyph, span("sr-only").with(word)])
}

/// What was found stands out.
fn marked(excerpt: &str) -> View {
    let parts = excerpt.split_inclusive(['\u{1}', '\u{2}']).map(|part| match part.strip_suffix('\u{2}') {
        Some(found) => mark("").with(found.to_owned()),
        None => span("").with(part.trim_end_matches('\u{1}').to_owned()),
    });
    many(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_person() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = at("2026-11-16T01:00:00Z");
        let hours = |hours: i64| hours * 3_600_000;
        for (when, offset, name) in [
            ("2026-11-16T00:30:00Z", 0, "Today"),
            ("2026-11-15T23:30:00Z", 0, "Yesterday"),
            ("2026-11-15T23:30:00Z", hours(2), "Today"),
            ("2026-11-15T23:30:00Z", hours(-5), "Today"),
            ("2026-11-10T12:00:00Z", 0, "Previous 7 days"),
            ("2026-10-20T12:00:00Z", 0, "Previous 30 days"),
            ("2025-11-16T12:00:00Z", 0, "Older"),
            ("2027-01-01T12:00:00Z", 0, "Today"),
        ] {
            assert_eq!(day_name(at(when), now, offset), name, "{when} {offset}");
        }
    }
}
