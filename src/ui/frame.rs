//! What stands around every page: the list of conversations, the top bar.

use leptos::prelude::*;
use leptos_router::{components::A, hooks::use_location};

use super::icon::Icon;
use crate::api::{Listed, list_conversations};

#[component]
pub fn Frame(
    #[prop(into)] title: Signal<String>,
    /// What can be done here, at the end of the top bar.
    #[prop(optional)]
    actions: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    view! {
        // External for the router, which would scroll there and leave the focus behind.
        <a class="skip-link" href="#main" rel="external">
            "Skip to content"
        </a>
        <div class="app">
            <Sidebar title />
            <main class="main" id="main" tabindex="-1">
                <header class="topbar">
                    <button class="icon-btn only-mobile" type="button" popovertarget="sidebar" aria-label="Open menu">
                        <Icon name="menu" />
                    </button>
                    <h1 class="topbar__title">{move || title.get()}</h1>
                    {actions}
                </header>
                {children()}
            </main>
        </div>
    }
}

#[component]
fn Sidebar(
    /// What is shown now is called.
    title: Signal<String>,
) -> impl IntoView {
    let location = use_location();
    // A conversation that has just begun, or is called something else, belongs into the list.
    let listed = Resource::new(move || (location.pathname.get(), title.get()), |_| list_conversations());
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
            </div>
            <div class="convs">
                <h2>"Conversations"</h2>
                <Transition>
                    {move || Suspend::new(async move {
                        match listed.await {
                            Ok(list) if list.is_empty() => {
                                view! { <p class="convs__none">"Your questions will be kept here."</p> }.into_any()
                            }
                            Ok(list) => list.into_iter().map(|each| view! { <ListedLink each /> }).collect_view().into_any(),
                            Err(problem) => view! { <p class="convs__none">{problem.message}</p> }.into_any(),
                        }
                    })}
                </Transition>
            </div>
        </nav>
    }
}

#[component]
fn ListedLink(each: Listed) -> impl IntoView {
    view! {
        <A href=format!("/c/{}", each.id) attr:class="conv">
            <span class="truncate">{each.title}</span>
        </A>
    }
}
