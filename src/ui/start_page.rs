//! `/`: ask a first question. The list beside it has those asked before.

use leptos::{ev, form::ActionForm, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::{client_tools::ClientTools, composer::Composer, frame::Frame, icon::Icon};
use crate::{
    api::{NewConversation, RestoreConversation, list_models},
    model::ConversationId,
};

const EXAMPLES: [&str; 4] = [
    "Which bills are about veterans?",
    "What became of the HALT Fentanyl Act?",
    "Research artificial intelligence",
    "Compare H.R. 27 with S. 331",
];

#[component]
pub fn StartPage() -> impl IntoView {
    let begin = ServerAction::<NewConversation>::new();
    Effect::new(|| crate::browser::keys::listen(|_| ()));
    let begin_once = move |event: ev::MouseEvent| {
        if begin.pending().get_untracked() {
            event.prevent_default();
        }
    };
    view! {
        <Title text="" />
        <Frame title="New chat">
            <Deleted />
            <div class="hello">
                <div>
                    <h2 class="hello__title">"Ask about US legislation."<br />" Watch every step of the answer."</h2>
                    <p class="hello__lede">
                        "Vitrine is an AI chat you host yourself. Each search it makes shows up as a live card you can open and check."
                    </p>
                </div>
                <ActionForm action=begin attr:class="asks">
                    <ClientTools />
                    {EXAMPLES
                        .map(|question| {
                            view! {
                                <button name="text" value=question on:click=begin_once>
                                    <span>{question}</span>
                                    <Icon name="send" />
                                </button>
                            }
                        })
                        .collect_view()}
                </ActionForm>
                <WhoAnswers />
            </div>
            <div class="dock">
                <div class="dock__in">
                    <ActionForm action=begin attr:class="composer" attr:enctype="multipart/form-data">
                        <Composer
                            placeholder="Ask about bills, executive orders, topics or sponsors"
                            outcome=move || begin.value().get().map(|outcome| outcome.map(drop))
                            is_sending=begin.pending()
                        />
                    </ActionForm>
                </div>
            </div>
        </Frame>
    }
}

/// What was just deleted can be brought back.
#[component]
fn Deleted() -> impl IntoView {
    let (query, restore) = (use_query_map(), ServerAction::<RestoreConversation>::new());
    let deleted = move || query.read().get("deleted").filter(|id| id.parse::<ConversationId>().is_ok());
    let problem = move || restore.value().get().and_then(Result::err);
    move || {
        deleted().map(|id| {
            view! {
                <div class="status-line undo" role="status">
                    <span>{move || problem().map_or("The conversation is deleted.".into(), |problem| problem.message)}</span>
                    <ActionForm action=restore attr:class="status-line__end">
                        <input type="hidden" name="conversation_id" value=id />
                        <button class="btn btn--sm">"Undo"</button>
                    </ActionForm>
                </div>
            }
        })
    }
}

/// Who is asked when nobody chooses.
#[component]
fn WhoAnswers() -> impl IntoView {
    let models = Resource::new_blocking(|| (), |()| list_models());
    let notice = |name: String, about: &'static str| {
        view! {
            <div class="notice">
                <Icon name="cpu" />
                <p>
                    <strong>{name}</strong>
                    <span>{about}</span>
                </p>
            </div>
        }
    };
    view! {
        <Transition>
            {move || Suspend::new(async move {
                match models.await.unwrap_or_default().into_iter().next() {
                    Some(model) if !model.is_embedded => {
                        notice(
                            format!("{} is answering. ", model.label),
                            "What you ask, and what the tools find, is sent to this model. The choice is beside the field below.",
                        )
                    }
                    _ => {
                        notice(
                            "The embedded offline agent is answering. ".into(),
                            "It runs inside Vitrine, needs no network, and searches the real bills and executive orders that ship with it.",
                        )
                    }
                }
            })}
        </Transition>
    }
}
