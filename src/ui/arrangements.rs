//! What a person arranges for a conversation: when results go to the agent, and notes that it always gets.

use leptos::{form::ActionForm, prelude::*};

use super::{icon::Icon, live::Live};
use crate::{
    api::{DeleteConversation, PinBrief, RemoveBrief, RenameConversation, SetFollowUp},
    model::{Brief, FollowUp},
};

/// What the open conversation is called now.
#[derive(Clone, Copy)]
pub struct ShownTitle(pub Signal<String>);

/// A button and what it opens. Both work without a script.
#[component]
pub fn ArrangementsMenu() -> impl IntoView {
    let live: Live = expect_context();
    let count = Memo::new(move |_| live.arrangements(|arranged| arranged.briefs.len()));
    view! {
        <button class="btn btn--quiet btn--sm topbar__menu" type="button" popovertarget="arrangements">
            <Icon name="sliders" />
            <span class="lbl">"Notes and settings"</span>
            <span class="muted">{move || Some(count.get()).filter(|count| *count > 0)}</span>
        </button>
        <section class="menu menu--wide" id="arrangements" popover="auto" aria-label="Notes and settings">
            <Notes />
            <FollowUps />
            <TitleAndEnd />
        </section>
    }
}

/// What the conversation is called, and a way to be rid of it.
#[component]
fn TitleAndEnd() -> impl IntoView {
    let live: Live = expect_context();
    let title: Signal<String> = expect_context::<ShownTitle>().0;
    let (rename, delete) = (ServerAction::<RenameConversation>::new(), ServerAction::<DeleteConversation>::new());
    let problem = move || {
        let (renamed, deleted) = (rename.value().get(), delete.value().get());
        renamed.and_then(Result::err).or_else(|| deleted.and_then(Result::err))
    };
    let id = live.id();
    view! {
        <hr />
        <ActionForm action=rename attr:class="rename">
            <input type="hidden" name="conversation_id" value=id.to_string() />
            <label>
                <span class="menu__head">"Title"</span>
                <input class="textarea" name="title" value=title.get_untracked() prop:value=title required maxlength="120" />
            </label>
            <button class="btn btn--sm">"Rename"</button>
        </ActionForm>
        {move || problem().map(|problem| view! { <p class="composer__problem" role="alert">{problem.message}</p> })}
        <hr />
        <ActionForm action=delete>
            <input type="hidden" name="conversation_id" value=id.to_string() />
            <button class="btn btn--sm btn--danger">"Delete this conversation"</button>
        </ActionForm>
    }
}

#[component]
fn Notes() -> impl IntoView {
    let live: Live = expect_context();
    let (pin, remove) = (ServerAction::<PinBrief>::new(), ServerAction::<RemoveBrief>::new());
    let field = NodeRef::<leptos::html::Textarea>::new();
    Effect::new(move || {
        if let (Some(Ok(())), Some(field)) = (pin.value().get(), field.get_untracked()) {
            field.set_value("");
        }
    });
    let problem = move || {
        let failed = |outcome: Option<Result<(), crate::model::Problem>>| outcome.and_then(Result::err);
        failed(pin.value().get()).or_else(|| failed(remove.value().get()))
    };
    let id = live.id().to_string();
    view! {
        <h2 class="menu__head">"Notes for the agent"</h2>
        <p class="menu__hint">"The model gets these with every question of this conversation."</p>
        <ul class="notes">
            <For each=move || live.arrangements(|arranged| arranged.briefs.clone()) key=|brief| brief.id.clone() let:brief>
                <Note brief remove />
            </For>
        </ul>
        <ActionForm action=pin attr:class="notes__new">
            <input type="hidden" name="conversation_id" value=id />
            <textarea node_ref=field class="textarea" name="note" rows="2" required aria-label="New note" placeholder="Only bills of this Congress, please"></textarea>
            {move || problem().map(|problem| view! { <p class="composer__problem" role="alert">{problem.message}</p> })}
            <button class="btn btn--sm">"Pin note"</button>
        </ActionForm>
    }
}

#[component]
fn Note(brief: Brief, remove: ServerAction<RemoveBrief>) -> impl IntoView {
    let live: Live = expect_context();
    view! {
        <li>
            <span>{brief.text}</span>
            <ActionForm action=remove>
                <input type="hidden" name="conversation_id" value=live.id().to_string() />
                <input type="hidden" name="brief_id" value=brief.id.to_string() />
                <button class="icon-btn icon-btn--sm" aria-label="Remove note" title="Remove note">
                    <Icon name="x" />
                </button>
            </ActionForm>
        </li>
    }
}

#[component]
fn FollowUps() -> impl IntoView {
    let live: Live = expect_context();
    let set = ServerAction::<SetFollowUp>::new();
    let chosen = Memo::new(move |_| live.arrangements(|arranged| arranged.follow_up));
    let form = NodeRef::<leptos::html::Form>::new();
    let submit = move |_| {
        if let Some(form) = form.get_untracked() {
            let _ = form.request_submit();
        }
    };
    let option = move |follow_up: FollowUp| {
        let about = match follow_up {
            FollowUp::AtOnce => "The agent goes on by itself.",
            FollowUp::AfterConfirmation => "You read the results, then send or discard them.",
            FollowUp::WithNextMessage => "The agent stops, and gets the results with what you say next.",
        };
        let is_chosen = move || chosen.get() == follow_up;
        view! {
            <label class="menu__item check">
                <input
                    type="radio"
                    name="follow_up"
                    value=follow_up.as_str()
                    checked=untrack(is_chosen)
                    prop:checked=is_chosen
                    on:change=submit
                />
                <span>
                    {follow_up.label()} <small>{about}</small>
                </span>
            </label>
        }
    };
    view! {
        <hr />
        <ActionForm node_ref=form action=set>
            <fieldset>
                <legend class="menu__head">"Results go to the agent"</legend>
                <input type="hidden" name="conversation_id" value=live.id().to_string() />
                {FollowUp::ALL.iter().map(|follow_up| option(*follow_up)).collect_view()}
            </fieldset>
            <noscript>
                <button class="btn btn--sm">"Save"</button>
            </noscript>
        </ActionForm>
    }
}
