//! One tool call: its card, whole. A `<details>`, so that it opens without JavaScript; below it, indented, its children.

use leptos::{html, prelude::*};

use super::{clock::Clock, copy::CopyButton, live::Live, near::FirstLook};
use crate::{
    browser,
    model::{CallId, CallStatus, Executor, ToolCall},
};

/// A result that was found before.
mod again;
/// What a person has said to it.
mod answered;
/// What it was called with.
mod arguments;
/// What it asks of a person.
mod ask;
/// A way to stop it.
mod cancel;
/// What went wrong, and what to do.
mod failure;
/// Icon, title, stage line, badge, time, progress.
mod header;
/// Where it runs in a page, and waits for a click.
mod here;
/// What the tool printed.
mod output;
/// What came of it.
mod results;
/// What can be done about it afterwards.
mod surgery;
/// Every event of the call, with its time.
mod timeline;
/// Where all of it can be read.
mod whole;

use self::{
    again::Again, answered::Answered, arguments::Arguments, ask::Asking, cancel::Cancel, failure::Failure,
    header::Header, here::Here, output::Output, results::Results, surgery::Surgery, timeline::Timeline,
};

/// One card's window to the fold. Reading through it subscribes to this call and nothing else.
#[derive(Clone, Copy)]
pub struct Card {
    live: Live,
    clock: Clock,
    id: StoredValue<CallId>,
    /// Whether it was under way when its card was made.
    was_watched: bool,
}

impl Card {
    fn new(id: CallId) -> Self {
        let live: Live = expect_context();
        let was_watched = untrack(|| live.call(&id, |call| !call.status.is_ended())).unwrap_or(false);
        Self { live, clock: expect_context(), id: StoredValue::new(id), was_watched }
    }

    fn read<T: Default>(self, read: impl FnOnce(&ToolCall) -> T) -> T {
        self.id.with_value(|id| self.live.call(id, read)).unwrap_or_default()
    }

    /// How long the call takes by now. Whoever asks is asked again with every tick.
    fn running_time(self) -> Option<String> {
        let now = self.clock.now();
        self.read(|call| call.duration(now))
    }

    /// What is unusual about that.
    fn unusual(self) -> Option<String> {
        let now = self.clock.now();
        self.read(|call| call.usual(now))
    }

    fn children(self) -> Vec<CallId> {
        self.id.with_value(|id| self.live.children(id))
    }
}

#[component]
pub fn ToolCard(id: CallId) -> impl IntoView {
    let dom_id = id.to_string();
    let card = Card::new(id);
    // A person's choice holds; until there is one, the card opens by itself when it has bad news or needs somebody.
    let choice = RwSignal::new(None::<bool>);
    let is_open = Memo::new(move |_| choice.get().unwrap_or_else(|| card.read(|call| call.status.opens_itself())));
    let details = NodeRef::<html::Details>::new();
    let kept_as = move || format!("card.{}", card.id.get_value());
    let on_toggle = move |_| {
        if let Some(is) =
            details.get_untracked().map(|details| details.open()).filter(|is| *is != is_open.get_untracked())
        {
            choice.set(Some(is));
            browser::page::remember(&kept_as(), Some(if is { "open" } else { "closed" }));
        }
    };
    // A card that is new, and not one of a page that is only read, tells when it is seen.
    let is_new = card.was_watched;
    Effect::new(move || {
        if let Some(element) = details.get().filter(|_| is_new) {
            browser::receipts::shown(card.id.get_value(), element.into());
        }
    });
    // What was opened or closed here before the page was loaded again.
    Effect::new(move || {
        if let Some(was) = browser::page::recall(&kept_as()) {
            choice.set(Some(was == "open"));
        }
    });
    let status = move || card.read(|call| call.status.as_str());
    // What the server sends can be opened without a script. Later, what nobody opens is not made.
    let is_first_look = card.id.with_value(|id| FirstLook::has_call(card.live, id));
    let has_body = Memo::new(move |had: Option<&bool>| is_first_look || had == Some(&true) || is_open.get());
    // Boxed in parts: a card that holds cards would be a type without end, and the others a very long one.
    view! {
        <div class="tree">
            <details
                class="card"
                id=dom_id.clone()
                data-call-id=dom_id
                data-status=status
                data-live=move || card.read(|call| call.status.is_running().then_some(""))
                node_ref=details
                open=move || is_open.get()
                on:toggle=on_toggle
            >
                {view! { <Header card /> }.into_any()}
                {view! { <Show when=move || has_body.get()><Body card /></Show> }.into_any()}
            </details>
            {view! { <Children card /> }.into_any()}
        </div>
    }
}

#[component]
fn Body(card: Card) -> impl IntoView {
    view! {
        <div class="card__body">
            <Asking card />
            <Show when=move || card.read(waits_in_page)>
                <Here card />
            </Show>
            <Show when=move || card.read(|call| call.status == CallStatus::Failed)>
                <Failure card />
            </Show>
            <Show when=move || card.read(|call| call.shown_result().is_some_and(|result| !result.is_error))>
                <Results card />
            </Show>
            <Show when=move || card.read(|call| !call.args_json.is_empty())>
                <Arguments card />
            </Show>
            <Show when=move || card.read(|call| !call.output.is_empty())>
                <Output card />
            </Show>
            <Answered card />
            <Timeline card />
            <Show when=move || card.read(|call| call.is_known() && !call.status.is_ended())>
                <Cancel card />
            </Show>
            <Show when=move || card.read(|call| call.status.is_ended() && call.args().is_some())>
                <Surgery card />
            </Show>
            <Show when=move || card.read(|call| call.is_cached())>
                <Again card />
            </Show>
            <Show when=move || card.read(|call| call.is_left_out)>
                <p class="sec muted">"Left out: the agent does not get to see this result."</p>
            </Show>
            <footer class="card__foot">
                <code>{move || card.read(|call| call.tool_name.clone())}</code>
                <span>{move || card.read(|call| call.origin())}</span>
                <code>{move || card.read(|call| call.id.to_string())}</code>
                <CopyButton label="Copy call id" text=move || card.id.get_value().to_string() />
            </footer>
        </div>
    }
}

/// For a click, and not for an answer.
fn waits_in_page(call: &ToolCall) -> bool {
    call.executor == Executor::Client && call.status == CallStatus::AwaitingInput && call.open_question().is_none()
}

#[component]
fn Children(card: Card) -> impl IntoView {
    view! {
        <Show when=move || !card.children().is_empty()>
            <div class="tree__children">
                <For each=move || card.children() key=CallId::clone let:id>
                    {view! { <ToolCard id /> }}
                </For>
            </div>
        </Show>
    }
}
