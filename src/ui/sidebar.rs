//! The list of conversations: by day, with what is worth knowing about each, and a way to find one.

use std::time::Duration;

use leptos::{either::Either, ev, html, prelude::*};
use leptos_router::components::A;

use super::{icon::Icon, shared::Shared};
use crate::{
    api::{List, Listed, Mark},
    browser,
    model::Timestamp,
};

/// While something goes on anywhere, the list looks this often.
const PULSE: Duration = Duration::from_secs(2);
const SLOW_PULSE: Duration = Duration::from_secs(15);

#[component]
pub fn Sidebar(
    /// What is shown now is called.
    title: Signal<String>,
) -> impl IntoView {
    let Shared { query, listed, .. } = expect_context();
    // What is called something else is called so in the list.
    Effect::new(move |before: Option<String>| {
        let title = title.get();
        if before.is_some_and(|before| before != title) {
            listed.refetch();
        }
        title
    });
    let pulse = Memo::new(move |_| {
        let has = |list: &List, mark: Mark| list.conversations.iter().any(|each| each.mark == mark);
        let beats = |list: &List| match (has(list, Mark::Running), has(list, Mark::Waiting)) {
            (true, _) => Some(PULSE),
            // Somebody may answer elsewhere.
            (false, true) => Some(SLOW_PULSE),
            (false, false) => None,
        };
        listed.read().as_ref().and_then(|list| list.as_ref().ok().and_then(beats))
    });
    Effect::new(move || {
        if let Some(pulse) = pulse.get() {
            let pulse = browser::clock::every(pulse, move || listed.refetch());
            on_cleanup(move || drop(pulse));
        }
    });
    Effect::new(move || {
        let looking = browser::page::on_look(move || listed.refetch());
        on_cleanup(move || drop(looking));
    });
    view! {
        <nav class="sidebar" id="sidebar" popover="auto" aria-label="Conversations">
            <div class="sidebar__top">
                <A href="/" attr:class="brand">
                    <Icon name="brand" />
                    "Vitrine"
                </A>
                <button
                    class="icon-btn only-mobile"
                    type="button"
                    popovertarget="sidebar"
                    popovertargetaction="hide"
                    aria-label="Close menu"
                >
                    <Icon name="x" />
                </button>
            </div>
            <div class="sidebar__actions">
                <A href="/" attr:class="btn btn--block">
                    <Icon name="plus" />
                    "New chat"
                </A>
                <Search query />
            </div>
            <div class="convs">
                <Transition>
                    {move || Suspend::new(async move {
                        match listed.await {
                            Ok(list) => Either::Left(view! { <Days list query=query.get_untracked() /> }),
                            Err(problem) => Either::Right(view! { <p class="convs__none">{problem.message}</p> }),
                        }
                    })}
                </Transition>
            </div>
            <div class="sidebar__foot">
                <A href="/settings" attr:class="navlink">
                    <Icon name="gear" />
                    "Settings"
                </A>
                <button class="navlink" type="button" id="shortcuts-button" popovertarget="shortcuts">
                    <Icon name="braces" />
                    "Keyboard shortcuts"
                    <kbd class="navlink__end">"?"</kbd>
                </button>
            </div>
        </nav>
        <Shortcuts />
    }
}

/// What keys do.
#[component]
fn Shortcuts() -> impl IntoView {
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
    let line = |(keys, what): (&'static str, &'static str)| {
        view! {
            <dt>
                <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
        }
    };
    view! {
        <section class="menu shortcuts" id="shortcuts" popover="auto" aria-label="Keyboard shortcuts">
            <h2 class="menu__head">"Keyboard shortcuts"</h2>
            <dl class="kv">{KEYS.map(line).collect_view()}</dl>
        </section>
    }
}

/// A real form, which finds without a script; with one, it finds while one types.
#[component]
fn Search(query: RwSignal<String>) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let find = move |_| {
        if let Some(field) = field.get_untracked() {
            query.set(field.value());
        }
    };
    let stay = move |event: ev::SubmitEvent| event.prevent_default();
    view! {
        <form class="search" role="search" method="get" on:submit=stay>
            <Icon name="search" />
            <input
                node_ref=field
                type="search"
                name="q"
                id="search"
                value=query.get_untracked()
                placeholder="Search"
                aria-label="Search conversations"
                aria-keyshortcuts="Control+K"
                autocomplete="off"
                on:input=find
            />
        </form>
    }
}

#[component]
fn Days(list: List, query: String) -> impl IntoView {
    // Days are the server's until the browser says where it is.
    let offset = RwSignal::new(0_i64);
    Effect::new(move || offset.set(browser::clock::offset_ms()));
    let is_search = !query.trim().is_empty();
    if list.conversations.is_empty() {
        let told = if is_search { "Nothing was found." } else { "Your questions will be kept here." };
        return Either::Left(view! { <p class="convs__none">{told}</p> });
    }
    let list = StoredValue::new(list);
    Either::Right(move || {
        let offset = offset.get();
        list.with_value(|list| {
            let groups = list.conversations.chunk_by(|one, other| {
                day_name(one.updated_at, list.now, offset) == day_name(other.updated_at, list.now, offset)
            });
            let group = |group: &[Listed]| {
                view! {
                    <h2>{day_name(group[0].updated_at, list.now, offset)}</h2>
                    <ul>{group.iter().cloned().map(|each| view! { <Line each /> }).collect_view()}</ul>
                }
            };
            groups.map(group).collect_view()
        })
    })
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

#[component]
fn Line(each: Listed) -> impl IntoView {
    let Listed { id, title, mark, excerpt, .. } = each;
    let mark = match mark {
        Mark::None => None,
        Mark::Running => Some(("s-in_progress", "in_progress", "running")),
        Mark::Waiting => Some(("s-awaiting", "awaiting_input", "waits for you")),
        Mark::Failed => Some(("s-failed", "failed", "failed")),
    };
    let mark = mark.map(|(icon, status, word)| {
        let is_running = status == "in_progress";
        view! {
            <Icon name=icon class="glyph" attr:data-status=status attr:data-spin=is_running.then_some("") />
            <span class="sr-only">{word}</span>
        }
    });
    view! {
        <li>
            <A href=format!("/c/{id}") attr:class="conv">
                <span class="conv__text">
                    <span class="truncate">{title}</span>
                    {excerpt.map(|excerpt| view! { <small class="truncate">{marked(&excerpt)}</small> })}
                </span>
                {mark}
            </A>
        </li>
    }
}

/// What was found stands out.
fn marked(excerpt: &str) -> impl IntoView + use<> {
    let parts = excerpt.split_inclusive(['\u{1}', '\u{2}']).map(|part| {
        let (text, is_found) = match part.strip_suffix('\u{2}') {
            Some(text) => (text, true),
            None => (part.trim_end_matches('\u{1}'), false),
        };
        let text = text.to_owned();
        if is_found {
            Either::Left(view! { <mark>{text}</mark> })
        } else {
            Either::Right(view! { <span>{text}</span> })
        }
    });
    parts.collect_view()
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
