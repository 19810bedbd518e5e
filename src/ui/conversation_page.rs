//! `/c/{id}`: one conversation. Rendered from the fold, then alive: the page follows the log from where it was rendered.

use leptos::{form::ActionForm, prelude::*, tachys::view::keyed::keyed};
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use super::{
    activity::{ActivityButtons, ActivityPanel},
    announcer::Announcer,
    arrangements::{ArrangementsMenu, ShownTitle},
    clock::Clock,
    composer::Composer,
    connection::ConnectionLine,
    earlier::{Older, all_on_paper},
    follow::Follow,
    frame::Frame,
    live::Live,
    near::{FirstLook, Settled},
    not_found::Trouble,
    plan::PlanBar,
    reveal::follow_links,
    shared::Shared,
    transcript::Transcript,
};
use crate::{
    api::{CancelRun, SendMessage, Snapshot, load_conversation},
    browser::{
        self,
        event_stream::{self, EventStream},
        keys::Wish,
    },
    model::{ConversationId, Entry, MessageId},
};

#[component]
pub fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let snapshot = Resource::new_blocking(move || id.get(), load_conversation);
    view! {
        <Transition>
            {move || Suspend::new(async move {
                match snapshot.await {
                    // Another conversation is another page: what was typed or opened in one does not follow into it.
                    Ok(snapshot) => keyed([snapshot], |s| s.conversation.id, |_, snapshot| (drop, view! { <Shown snapshot /> })).into_any(),
                    Err(problem) => view! { <Trouble problem /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Shown(snapshot: Snapshot) -> impl IntoView {
    let id = snapshot.conversation.id;
    FirstLook::provide(&snapshot.conversation);
    let live = Live::new(snapshot.conversation);
    let send = ServerAction::<SendMessage>::new();
    let connection = RwSignal::new(event_stream::Connection::default());
    let older = Older::new(live);
    provide_context(live);
    provide_context(older);
    all_on_paper();
    follow_links(live, older);
    provide_context(Clock::new(snapshot.now, move || live.is_busy()));
    // It is read once more when the page has been rendered and everything else of it is gone.
    let title = ArcRwSignal::new(snapshot.title);
    Effect::new({
        let title = title.clone();
        move || {
            if let Some(newest) = live.arrangements(|arranged| arranged.title.clone()) {
                title.set(newest);
            }
        }
    });
    // What begins, waits or ends here is marked so in the list.
    let listed = expect_context::<Shared>().listed;
    let standing = Memo::new(move |_| (live.is_running(), live.is_asking()));
    Effect::new(move |before: Option<(bool, bool)>| {
        let now = standing.get();
        if before.is_some_and(|before| before != now) {
            listed.refetch();
        }
        now
    });
    let stop = ServerAction::<CancelRun>::new();
    Effect::new(move || {
        browser::keys::listen(move |Wish::Stop| {
            if untrack(|| live.is_running()) {
                stop.dispatch(CancelRun { conversation_id: id.to_string() });
            }
        });
    });
    let stream = StoredValue::new(None::<EventStream>);
    Effect::new(move || {
        stream.set_value(Some(event_stream::follow(id, live, connection)));
        on_cleanup(move || drop(stream.try_update_value(Option::take)));
    });
    let shown = title.clone();
    provide_context(ShownTitle(title.clone().into()));
    view! {
        <Title text=move || shown.get() />
        <Frame title actions=view! { <ArrangementsMenu /> <ActivityButtons /> }.into_any() aside=view! { <ActivityPanel /> }.into_any()>
            <Refresh />
            <Announcer />
            <Transcript has_asked=Signal::derive(move || send.version().get() > 0) />
            <div class="dock">
                <div class="dock__in">
                    <Follow />
                    <ConnectionLine connection />
                    <PlanBar />
                    <Reply id send stream />
                </div>
            </div>
        </Frame>
    }
}

/// Without a script, a page on which something goes on looks again by itself.
#[component]
pub fn Refresh() -> impl IntoView {
    let live: Live = expect_context();
    // A browser that runs scripts would take one that it makes itself at its word.
    // And whoever fills in a form must not lose it.
    let asks = live.peek(|known| known.calls().any(|call| call.open_question().is_some()));
    let is_wanted = untrack(|| live.is_going_on()) && !asks && !Settled::is();
    is_wanted.then(|| view! { <noscript><meta http-equiv="refresh" content="3" /></noscript> })
}

#[component]
fn Reply(
    id: ConversationId,
    send: ServerAction<SendMessage>,
    stream: StoredValue<Option<EventStream>>,
) -> impl IntoView {
    let live: Live = expect_context();
    let sent = move || send.value().get().and_then(Result::ok);
    Effect::new(move || {
        if let Some(sent) = sent() {
            stream.with_value(|stream| stream.iter().for_each(|stream| stream.expect(sent.seq)));
        }
    });
    // Where the page stood when the question was sent.
    let asked_from = StoredValue::new(0);
    Effect::new(move || {
        if send.pending().get() {
            asked_from.set_value(browser::page::top());
        }
    });
    // What was just asked here, and not in another tab, comes into view, with room below it for the answer.
    Effect::new(move |shown: Option<Option<MessageId>>| {
        let shown = shown.flatten();
        let Some(asked) = sent().map(|sent| sent.message_id).filter(|asked| shown.as_ref() != Some(asked)) else {
            return shown;
        };
        let turns = live.turn_count();
        if turns == 0 || !live.entries(turns - 1).contains(&Entry::Message(asked.clone())) {
            return shown;
        }
        // Unless somebody has gone up meanwhile.
        if browser::page::top() >= asked_from.get_value() {
            browser::page::show_last("#transcript > .turn");
        }
        Some(asked)
    });
    view! {
        <ActionForm action=send attr:class="composer" attr:enctype="multipart/form-data">
            <input type="hidden" name="conversation_id" value=id.to_string() />
            <Composer
                placeholder="Ask a follow-up"
                outcome=move || send.value().get().map(|outcome| outcome.map(drop))
                is_sending=send.pending()
                last=Signal::stored(live.last_model())
                last_preset=Signal::stored(live.last_preset())
            />
        </ActionForm>
    }
}
