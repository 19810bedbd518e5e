//! A question that waits while a run goes on: it can still be changed or withdrawn.

use leptos::{form::ActionForm, prelude::*};

use super::{icon::Icon, live::Live, text_area::inside};
use crate::{
    api::{EditQueued, LONGEST_MESSAGE, WithdrawQueued},
    model::{Entry, Message, MessageId},
};

#[component]
pub fn Queued(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let (edit, withdraw) = (ServerAction::<EditQueued>::new(), ServerAction::<WithdrawQueued>::new());
    let asked = Memo::new(move |_| {
        let id: MessageId = live.entries(turn).iter().find_map(|entry| match entry {
            Entry::Message(id) => Some(id.clone()),
            Entry::Call(_) => None,
        })?;
        let text = live.message(&id, |message: &Message| message.content.clone())?;
        Some((id, text))
    });
    let problem = move || {
        let failed = edit.value().get().and_then(Result::err);
        failed.or_else(|| withdraw.value().get().and_then(Result::err)).map(|problem| problem.message)
    };
    let id = live.id();
    let message = move || asked.get().map(|(id, _)| id.to_string()).unwrap_or_default();
    let text = move || asked.get().map(|(_, text)| text).unwrap_or_default();
    view! {
        <div class="status-line status-line--live queued">
            <Icon name="s-queued" class="glyph" attr:data-status="queued" />
            <span>"Queued: goes in before the agent's next step"</span>
            <span class="status-line__end">
                <ActionForm action=withdraw>
                    <input type="hidden" name="conversation_id" value=id.to_string() />
                    <input type="hidden" name="message_id" value=message />
                    <button class="btn btn--quiet btn--sm" disabled=move || withdraw.pending().get()>"Withdraw"</button>
                </ActionForm>
            </span>
            <details class="raw queued__edit">
                <summary>"Edit"</summary>
                <ActionForm action=edit attr:class="ask__form">
                    <input type="hidden" name="conversation_id" value=id.to_string() />
                    <input type="hidden" name="message_id" value=message />
                    <textarea
                        class="textarea"
                        name="question"
                        rows="2"
                        required
                        maxlength=LONGEST_MESSAGE.to_string()
                        aria-label="Question"
                        prop:value=text
                    >
                        {inside(&untrack(text))}
                    </textarea>
                    <div class="actions">
                        <button class="btn btn--sm">"Save"</button>
                    </div>
                </ActionForm>
            </details>
            {move || problem().map(|told| view! { <p class="composer__problem" role="alert">{told}</p> })}
        </div>
    }
}
