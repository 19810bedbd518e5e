//! What a call asks of a person: whether it may run, or what only the person knows. Forms, so that it can be answered
//! without a script.

use leptos::{form::ActionForm, prelude::*};

use super::Card;
use crate::{
    api::ApproveCall,
    browser,
    model::{
        Problem,
        ask::{Approval, Ask, Question, Scope},
    },
    ui::{icon::Icon, text_area::inside},
};

/// Its fields.
mod fields;

use fields::Inquired;

#[component]
pub fn Asking(card: Card) -> impl IntoView {
    let ask = Memo::new(move |_| card.read(|call| call.open_question().cloned()));
    // Whoever answers by keyboard is at the card before the question goes, so it goes a moment later.
    let shown = RwSignal::new(ask.get_untracked());
    Effect::new(move || {
        let now = ask.get();
        if now != shown.get_untracked() {
            let at = format!("[id=\"{}\"]", card.id.get_value());
            browser::near::move_focus(&format!("{at} .ask"), &format!("{at} > summary"));
            shown.set(now);
        }
    });
    move || {
        shown.get().map(|Ask { nth, question, .. }| match question {
            Question::Approval(approval) => view! { <Approve card nth approval /> }.into_any(),
            Question::Form(inquiry) => view! { <Inquired card nth inquiry /> }.into_any(),
        })
    }
}

/// Which question is answered.
#[component]
fn Which(card: Card, nth: u32) -> impl IntoView {
    view! {
        <input type="hidden" name="conversation_id" value=card.live.id().to_string() />
        <input type="hidden" name="call_id" value=card.id.with_value(ToString::to_string) />
        <input type="hidden" name="nth" value=nth.to_string() />
    }
}

/// What went wrong with an answer, on the card that it was given on.
#[component]
pub fn Trouble(card: Card, #[prop(into)] problem: Signal<Option<Problem>>) -> impl IntoView {
    let own = move || problem.get().filter(|problem| card.id.with_value(|id| problem.is_about(id.as_str())));
    move || own().map(|problem| view! { <p class="composer__problem" role="alert">{problem.message}</p> })
}

#[component]
fn Approve(card: Card, nth: u32, approval: Approval) -> impl IntoView {
    let decide = ServerAction::<ApproveCall>::new();
    let problem = Signal::derive(move || decide.value().get().and_then(Result::err));
    // Not really disabled: that would take the focus away.
    let is_sending = move || decide.pending().get().then_some("true");
    let Approval { lede, effects, facts, why_again, subject } = approval;
    let args = untrack(|| card.read(|call| pretty(&call.args_json)));
    let rows = (args.lines().count() + 1).clamp(3, 16).to_string();
    let from = (!subject.server.is_empty()).then(|| format!("From {}", subject.server));
    let facts = from.into_iter().chain(facts).map(|fact| view! { <li>{fact}</li> }).collect_view();
    let scope = |scope: &Scope| {
        view! {
            <label class="pick">
                <input type="radio" name="scope" value=scope.as_str() checked=*scope == Scope::Once />
                <span>{scope.label()}</span>
            </label>
        }
    };
    view! {
        <section class="ask" aria-label="Approval">
            {why_again.map(|why| view! { <p class="ask__why">{why}</p> })}
            <p class="ask__lede">{lede}</p>
            {(!effects.is_empty())
                .then(|| {
                    view! { <ul class="will">{effects.into_iter().map(|effect| view! { <li>{effect}</li> }).collect_view()}</ul> }
                })}
            <ul class="facts">{facts}</ul>
            <ActionForm action=decide attr:class="ask__form">
                <Which card nth />
                <fieldset class="picks">
                    <legend class="sr-only">"For how long"</legend>
                    {Scope::ALL.iter().map(scope).collect_view()}
                </fieldset>
                <div class="actions">
                    <button class="btn btn--primary" name="decision" value="approve" aria-disabled=is_sending>
                        <Icon name="check" class="icon icon--sm" />
                        "Approve"
                    </button>
                    <button class="btn" name="decision" value="deny" aria-disabled=is_sending>
                        "Deny"
                    </button>
                </div>
            </ActionForm>
            <Trouble card problem />
            <details class="raw">
                <summary>"Edit and approve"</summary>
                <ActionForm action=decide attr:class="ask__form">
                    <Which card nth />
                    <label class="field">
                        <span class="field__label">"Exact arguments, as JSON"</span>
                        <textarea class="textarea textarea--code" name="args" rows=rows spellcheck="false">
                            {inside(&args)}
                        </textarea>
                    </label>
                    <div class="actions">
                        <button class="btn" name="decision" value="approve" aria-disabled=is_sending>
                            "Approve as edited"
                        </button>
                        <span class="muted">"What stands here is what runs, this once."</span>
                    </div>
                </ActionForm>
            </details>
            <details class="raw">
                <summary>"Deny with a reason"</summary>
                <ActionForm action=decide attr:class="ask__form">
                    <Which card nth />
                    <label class="field">
                        <span class="field__label">"Why not? The agent is told"</span>
                        <input class="textarea" name="reason" maxlength="1000" required />
                    </label>
                    <div class="actions">
                        <button class="btn" name="decision" value="deny" aria-disabled=is_sending>
                            "Deny"
                        </button>
                    </div>
                </ActionForm>
            </details>
        </section>
    }
}

/// As people write it.
pub fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json).map_or_else(|_| json.to_owned(), |value| format!("{value:#}"))
}
