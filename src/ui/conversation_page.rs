//! `/c/{id}`: one conversation. Written from the fold, then alive: the page follows the log from where it was written.

use leptos::prelude::*;

use super::{
    activity::{activity_buttons, activity_panel},
    announcer::announcer,
    arrangements::{ShownTitle, arrangements_menu},
    clock::Clock,
    composer::composer,
    connection::connection_line,
    earlier::{Older, all_on_paper},
    follow::follow,
    frame::frame,
    live::Live,
    near::FirstLook,
    page::follow_title,
    plan::plan_bar,
    reveal::follow_links,
    sending::Sending,
    sidebar::Conversations,
    transcript::transcript,
    view::{Element, View, div, hidden, said},
};
use crate::{
    api::{Sent, Snapshot},
    browser::{
        self,
        event_stream::{self, EventStream},
        keys::Wish,
    },
    model::{Entry, MessageId},
};

pub fn conversation_page(snapshot: &Snapshot) -> View {
    FirstLook::provide(&snapshot.conversation);
    let live = Live::new(snapshot.conversation.clone());
    let older = Older::new(live);
    provide_context(live);
    provide_context(older);
    provide_context(Clock::new(snapshot.now, move || live.is_busy()));
    all_on_paper();
    follow_links(live, older);
    mark_in_the_list(live);
    stop_on_escape(live);
    let title = follow_its_title(live, snapshot.title.clone());
    let (connection, stream) = (RwSignal::new(event_stream::Connection::default()), StoredValue::new(None));
    Effect::new(move || {
        stream.set_value(Some(event_stream::follow(live.id(), live, connection)));
        on_cleanup(move || drop(stream.try_update_value(Option::take)));
    });
    let send = Sending::to("/api/send_message");
    let dock = div("dock__in")
        .with(follow())
        .with(connection_line(connection))
        .with(plan_bar())
        .with(reply(live, send, stream));
    let inside: [View; 3] =
        [announcer().into(), transcript(move || send.times_taken() > 0).into(), div("dock").with(dock).into()];
    frame(said(move || title.get()), [arrangements_menu(), activity_buttons()], inside, activity_panel())
}

/// What it is called now, wherever that is said.
fn follow_its_title(live: Live, title: String) -> RwSignal<String> {
    let title = RwSignal::new(title);
    provide_context(ShownTitle(title.into()));
    Effect::new(move || {
        if let Some(newest) = live.arrangements(|arranged| arranged.title.clone()) {
            title.set(newest);
        }
    });
    follow_title(move || title.get());
    // What is called something else is called so in the list.
    let listed: Conversations = expect_context();
    Effect::new(move |before: Option<String>| {
        let title = title.get();
        if before.is_some_and(|before| before != title) {
            listed.look_again();
        }
        title
    });
    title
}

/// What begins, waits or ends here is marked so in the list.
fn mark_in_the_list(live: Live) {
    let listed: Conversations = expect_context();
    let standing = Memo::new(move |_| (live.is_running(), live.is_asking()));
    Effect::new(move |before: Option<(bool, bool)>| {
        let now = standing.get();
        if before.is_some_and(|before| before != now) {
            listed.look_again();
        }
        now
    });
}

fn stop_on_escape(live: Live) {
    let stop = Sending::to("/api/cancel_run");
    Effect::new(move || {
        browser::keys::listen(move |Wish::Stop| {
            if untrack(|| live.is_running()) {
                stop.send(&[("conversation_id", &live.id().to_string())]);
            }
        });
    });
}

fn reply(live: Live, send: Sending, stream: StoredValue<Option<EventStream>>) -> Element {
    let sent = move || send.answer::<Sent>();
    Effect::new(move || {
        if let Some(sent) = sent() {
            stream.with_value(|stream| stream.iter().for_each(|stream| stream.expect(sent.seq)));
        }
    });
    // Where the page stood when the question was sent.
    let asked_from = StoredValue::new(0);
    Effect::new(move || {
        if send.is_pending() {
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
    send.form("composer")
        .attr("enctype", "multipart/form-data")
        .with(hidden("conversation_id", live.id().to_string()))
        .with(composer("Ask a follow-up", send))
}

/// After how many seconds a page without a script should look again, if anything goes on there.
pub fn refresh(snapshot: &Snapshot) -> Option<u32> {
    let known = &snapshot.conversation;
    let live = Live::new(known.clone());
    // Whoever fills in a form must not lose it.
    let asks = known.calls().any(|call| call.open_question().is_some());
    // What waits may be being edited.
    let is_queued = live.is_running() && known.waiting().next().is_some();
    (live.is_going_on() && !asks).then_some(if is_queued { 20 } else { 3 })
}
