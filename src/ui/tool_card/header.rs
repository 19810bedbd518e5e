//! Icon, title, stage line, badge, time, progress. The title stays; only what is below and beside it changes.

use leptos::prelude::*;

use super::Card;
use crate::{
    model::{CallStatus, Family},
    ui::icon::{Icon, status_glyph},
};

#[component]
pub fn Header(card: Card) -> impl IntoView {
    let icon = move || match card.read(|call| Some(call.family())).unwrap_or(Family::Generic) {
        Family::BillSearch => "search",
        Family::ExecutiveSearch => "landmark",
        Family::Context => "users",
        Family::Details => "doc",
        Family::Generic => "braces",
    };
    view! {
        <summary class="card__head">
            <span class="card__icon">
                <Icon name=Signal::derive(icon) />
            </span>
            <span class="card__text">
                <span class="card__title">
                    <span>{move || card.read(|call| call.title.clone())}</span>
                    <span class="card__args">{move || card.read(|call| call.subject())}</span>
                </span>
                <span class="card__stage">
                    {move || card.read(|call| call.stage_line())} <Usual card />
                </span>
            </span>
            <Badge card />
            <Duration card />
            <Icon name="chev" class="icon icon--sm chev" />
            <Progress card />
        </summary>
    }
}

#[component]
fn Badge(card: Card) -> impl IntoView {
    let status = Memo::new(move |_| card.read(|call| Some(call.status)).unwrap_or(CallStatus::Queued));
    view! {
        <span class="card__badges">
            <Show when=move || card.read(|call| call.is_cached())>
                <span class="badge" data-status="queued" title="Same call, same arguments: answered from cache">
                    <Icon name="bolt" class="icon glyph" />
                    <span class="badge__t">{move || card.read(|call| call.cached_label())}</span>
                </span>
            </Show>
            <span class="badge" data-status=move || status.get().as_str()>
                <svg class="glyph" aria-hidden="true" data-spin=move || spins(status.get()).then_some("")>
                    <use href=move || format!("#i-s-{}", status_glyph(status.get()))></use>
                </svg>
                <span class="badge__t">{move || status.get().label()}</span>
            </span>
        </span>
    }
}

#[component]
fn Duration(card: Card) -> impl IntoView {
    // Only a call that runs asks the clock, so only its text is written ten times a second.
    let text = move || {
        let (is_under_way, standing) = card.read(|call| (call.is_under_way(), call.duration(Default::default())));
        if is_under_way { card.running_time() } else { standing }
    };
    view! { <span class="card__dur">{text}</span> }
}

/// How long such a call usually takes, where that is worth knowing.
#[component]
fn Usual(card: Card) -> impl IntoView {
    let text = Memo::new(move |_| match card.read(|call| call.is_under_way() && call.metadata.p50_ms.is_some()) {
        true => card.unusual(),
        false => None,
    });
    view! { <span class="card__usual">{move || text.get()}</span> }
}

#[component]
fn Progress(card: Card) -> impl IntoView {
    let is_shown = move || card.read(|call| call.status.is_running());
    let percent = move || card.read(|call| call.progress()).map(|progress| (progress * 100.0).round().to_string());
    view! {
        <Show when=is_shown>
            <progress
                class="card__progress bar"
                max="100"
                value=percent
                data-status=move || card.read(|call| call.status.as_str())
                aria-label=move || format!("{} progress", card.read(|call| call.title.clone()))
            ></progress>
        </Show>
    }
}

const fn spins(status: CallStatus) -> bool {
    match status {
        CallStatus::InProgress | CallStatus::Retrying => true,
        CallStatus::Queued
        | CallStatus::AwaitingApproval
        | CallStatus::AwaitingInput
        | CallStatus::Starting
        | CallStatus::Completed
        | CallStatus::Failed
        | CallStatus::Cancelled
        | CallStatus::Denied => false,
    }
}
