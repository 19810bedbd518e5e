//! One tool call: its card, whole. A `<details>`, so that it opens without JavaScript; below it, indented, its children.

use leptos::prelude::*;

use super::{
    clock::Clock,
    copy::copy_button,
    live::Live,
    send_results::send_or_discard,
    view::{Element, View, code, details, div, each, footer, lazy, own, p, said, span, when},
};
use crate::{
    browser::{self, dom},
    model::{CallId, CallStatus, Executor, RunStatus, ToolCall},
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
    again::again, answered::answered, arguments::arguments, ask::asking, cancel::cancel, failure::failure,
    header::header, here::here, output::output, results::results, surgery::surgery, timeline::timeline,
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

    /// Whether it is one of those whose results wait until somebody has looked: those of the last step.
    fn waits_for_look(self) -> bool {
        let (run, step) = self.read(|call| (call.run_id.clone(), call.message_id.clone()));
        let Some(run) = run.filter(|run| self.live.run(run, |run| run.status == RunStatus::Waiting) == Some(true))
        else {
            return false;
        };
        let last = self.live.peek(|known| {
            let entries = known.turn_of_run(&run)?.entries.iter().rev();
            entries.filter_map(|entry| known.call_of(entry)).find(|call| call.repeats.is_none())?.message_id.clone()
        });
        step.is_some() && step == last
    }

    fn children(self) -> Vec<CallId> {
        self.id.with_value(|id| self.live.children(id))
    }
}

/// With the cards of what it has called.
pub fn tool_card(id: CallId) -> Element {
    let dom_id = id.to_string();
    let card = Card::new(id);
    // A person's choice holds; until there is one, the card opens by itself when it has bad news or needs somebody.
    let choice = RwSignal::new(None::<bool>);
    let is_open = move || choice.get().unwrap_or_else(|| card.read(|call| call.status.opens_itself()));
    let kept_as = move || format!("card.{}", card.id.get_value());
    let on_toggle = move |event: dom::Event| {
        if let Some(is) = dom::is_open(&event).filter(|is| *is != untrack(is_open)) {
            choice.set(Some(is));
            browser::page::remember(&kept_as(), Some(if is { "open" } else { "closed" }));
        }
    };
    let on_made = move |element: dom::HtmlElement| {
        // A card that is new, and not one of a page that is only read, tells when it is seen.
        if card.was_watched {
            browser::receipts::watch(&element);
        }
        // What was opened or closed here before the page was loaded again.
        if let Some(was) = browser::page::recall(&kept_as()) {
            choice.set(Some(was == "open"));
        }
    };
    let face = details("card")
        .attr("id", dom_id.clone())
        .attr("data-call-id", dom_id)
        .live("data-status", move || card.read(|call| call.status.as_str()))
        .live_flag("data-live", move || card.read(|call| call.status.is_running()))
        .live_flag("open", is_open)
        .on("toggle", on_toggle)
        .made(on_made)
        .with(header(card))
        // What the server sends can be opened without a script. In a page, what nobody opens is not made.
        .with(lazy(is_open, move || body(card)));
    div("tree").with(own(|| face)).with(children(card))
}

fn body(card: Card) -> Element {
    let is = |is: fn(&ToolCall) -> bool| move || card.read(is);
    div("card__body")
        .with(asking(card))
        .with(when(is(waits_in_page), move || here(card)))
        .with(when(is(|call| call.status == CallStatus::Failed), move || failure(card)))
        .with(when(is(|call| call.shown_result().is_some_and(|result| !result.is_error)), move || results(card)))
        .with(when(
            move || card.waits_for_look(),
            || {
                let told = span("muted").with("The agent has not got this step's results yet.");
                div("card__cancel").with(told).with(send_or_discard())
            },
        ))
        .with(when(is(|call| !call.args_json.is_empty()), move || arguments(card)))
        .with(when(is(|call| !call.output.is_empty()), move || output(card)))
        .with(answered(card))
        .with(timeline(card))
        .with(when(is(|call| call.is_known() && !call.status.is_ended()), move || cancel(card)))
        .with(when(is(|call| call.status.is_ended() && call.args().is_some()), move || surgery(card)))
        .with(when(is(ToolCall::is_cached), move || again(card)))
        .with(when(is(|call| call.is_left_out), || {
            p("sec muted").with("Left out: the agent does not get to see this result.")
        }))
        .with(foot(card))
}

fn foot(card: Card) -> Element {
    footer("card__foot")
        .with(code("").with(said(move || card.read(|call| call.tool_name.clone()))))
        .with(span("").with(said(move || card.read(ToolCall::origin))))
        .with(code("").with(card.id.with_value(ToString::to_string)))
        .with(copy_button("Copy call id", move || card.id.get_value().to_string()))
}

/// For a click, and not for an answer.
fn waits_in_page(call: &ToolCall) -> bool {
    call.executor == Executor::Client && call.status == CallStatus::AwaitingInput && call.open_question().is_none()
}

fn children(card: Card) -> View {
    let has_any = move || card.id.with_value(|id| card.live.has_children(id));
    when(has_any, move || div("tree__children").with(each(move || card.children(), |id| tool_card(id.clone()))))
}
