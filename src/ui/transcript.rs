//! Questions and what came of them, turn by turn.

use leptos::{either::Either, form::ActionForm, prelude::*};

use super::{icon::Icon, live::Live, message::MessageView, tool_card::ToolCard};
use crate::{
    api::{CancelRun, SendMessage},
    model::{Entry, Run, RunStatus, summary},
};

#[component]
pub fn Transcript(
    /// Something was asked on this page, and is shown on top, with room below it for the answer.
    has_asked: Signal<bool>,
) -> impl IntoView {
    let live: Live = expect_context();
    view! {
        <div class="thread" id="transcript" data-asked=move || has_asked.get().then_some("")>
            <For each=move || 0..live.turn_count() key=|turn| *turn let:turn>
                <TurnView turn />
            </For>
        </div>
    }
}

#[component]
fn TurnView(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let is_done =
        move || live.run_of(turn).and_then(|run| live.run(&run, |run| run.status.is_ended())).unwrap_or(false);
    view! {
        <article class="turn" aria-label=format!("Turn {}", turn + 1) data-done=move || is_done().then_some("")>
            <For each=move || live.entries(turn) key=Entry::clone let:entry>
                {match entry {
                    Entry::Message(id) => Either::Left(view! { <MessageView id /> }),
                    Entry::Call(id) => Either::Right(view! { <ToolCard id /> }),
                }}
            </For>
            <RunLine turn />
        </article>
    }
}

/// How the run of a turn stands: waiting, at work, over, or failed.
#[component]
fn RunLine(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let (stop, go_on) = (ServerAction::<CancelRun>::new(), ServerAction::<SendMessage>::new());
    let state = Memo::new(move |_| match live.run_of(turn) {
        Some(run) => live.run(&run, RunState::of),
        None => (turn > 0 && live.is_busy()).then_some(RunState::Queued),
    });
    move || match state.get()? {
        RunState::Queued => Some(
            view! {
                <p class="status-line status-line--live">
                    <Icon name="s-queued" class="glyph" attr:data-status="queued" />
                    <span>"Waiting for the answer above"</span>
                </p>
            }
            .into_any(),
        ),
        RunState::Working => Some(
            view! {
                <div class="status-line status-line--live">
                    <Icon name="s-in_progress" class="glyph" attr:data-status="in_progress" attr:data-spin="" />
                    <span>"Working"</span>
                    <ActionForm action=stop attr:class="status-line__end">
                        <input type="hidden" name="conversation_id" value=live.id().to_string() />
                        <button class="btn btn--quiet btn--sm">"Stop"</button>
                    </ActionForm>
                </div>
            }
            .into_any(),
        ),
        RunState::Over(line) => Some(view! { <p class="meta">{line}</p> }.into_any()),
        RunState::Stopped(reason, line) => Some(
            view! {
                <p class="meta">{line}</p>
                <div class="status-line">
                    <span>{format!("Agent stopped: {reason}")}</span>
                    <ActionForm action=go_on attr:class="status-line__end">
                        <input type="hidden" name="conversation_id" value=live.id().to_string() />
                        <input type="hidden" name="text" value="Continue" />
                        <input type="hidden" name="model" value=live.last_model().unwrap_or_default() />
                        <button class="btn btn--sm">"Continue"</button>
                    </ActionForm>
                </div>
            }
            .into_any(),
        ),
        RunState::Failed(what) => Some(
            view! {
                <p class="status-line status-line--failed" data-status="failed" role="alert">
                    <Icon name="s-failed" class="glyph" />
                    <span>{what}</span>
                </p>
            }
            .into_any(),
        ),
    }
}

#[derive(Clone, PartialEq)]
enum RunState {
    Queued,
    Working,
    Over(String),
    /// By a limit: it could go on.
    Stopped(String, String),
    Failed(String),
}

impl RunState {
    fn of(run: &Run) -> Self {
        match run.status {
            RunStatus::Running | RunStatus::Waiting => Self::Working,
            RunStatus::Completed => match run.continuation.as_ref().map(|decided| decided.stop_reason.as_str()) {
                Some(reason @ ("steps_limit" | "token_budget")) => {
                    Self::Stopped(reason.to_owned(), finished("Assistant", run))
                }
                _ => Self::Over(finished("Assistant", run)),
            },
            RunStatus::Cancelled => Self::Over(finished("Stopped", run)),
            RunStatus::Failed => {
                Self::Failed(run.error_message.clone().unwrap_or_else(|| "This answer failed.".into()))
            }
        }
    }
}

/// "Assistant · 1.2 s · 650 tokens"
fn finished(who: &str, run: &Run) -> String {
    let usage = run.usage();
    let mut line = format!("{who} · {}", summary::duration(run.duration_ms()));
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    if tokens > 0 {
        line.push_str(&format!(" · {tokens} tokens"));
    }
    line
}
