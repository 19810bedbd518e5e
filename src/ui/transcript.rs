//! Questions and what came of them, turn by turn.

use leptos::{either::Either, form::ActionForm, html, prelude::*};

use super::{
    call_group::CallGroup,
    earlier::Earlier,
    icon::Icon,
    live::Live,
    message::MessageView,
    near::{FirstLook, Nearness},
    queued::Queued,
    reveal::Wanted,
};
use crate::{
    api::{Branch, DiscardResults, SendMessage, SendResults},
    model::{Entry, Run, RunStatus, run::Step, summary},
};

#[component]
pub fn Transcript(
    /// Something was asked on this page, and is shown on top, with room below it for the answer.
    has_asked: Signal<bool>,
) -> impl IntoView {
    let live: Live = expect_context();
    // Where the stretches begin that came one after another, the newest turns first.
    let begins = Memo::new(move |before: Option<&Vec<usize>>| {
        let first = live.first_turn();
        let mut begins = before.cloned().unwrap_or_default();
        // All that was there is forgotten.
        if begins.first().is_some_and(|begin| *begin > live.turn_count()) {
            begins.clear();
        }
        match begins.last() {
            Some(&last) if last == first => {}
            Some(&last) if last > first => begins.push(first),
            _ => begins = vec![first],
        }
        begins
    });
    view! {
        <div class="thread" id="transcript" data-asked=move || has_asked.get().then_some("")>
            <BranchOf />
            <Earlier />
            <Further begins nth=0 />
            <For each=move || begins.read()[0]..live.turn_count() key=|turn| *turn let:turn>
                <TurnView turn />
            </For>
        </div>
    }
}

/// Where the conversation comes from, if it is the branch of another.
#[component]
fn BranchOf() -> impl IntoView {
    let live: Live = expect_context();
    let of = Memo::new(move |_| live.arrangements(|arranged| arranged.branch_of));
    move || {
        of.get().map(|of| {
            view! {
                <p class="branched">
                    "This goes on from " <a href=format!("/c/{of}")>"another conversation"</a>"."
                </p>
            }
        })
    }
}

/// The stretches after this one, each with the next before it. They are nested, not listed, because what comes before
/// a list would move everything in it, and with it whoever reads there.
#[component]
fn Further(begins: Memo<Vec<usize>>, nth: usize) -> impl IntoView {
    let is_there = Memo::new(move |_| begins.read().len() > nth + 1);
    let turns = move || begins.with_untracked(|begins| Some(*begins.get(nth + 1)?..*begins.get(nth)?)).unwrap_or(0..0);
    view! {
        <Show when=move || is_there.get()>
            {view! { <Further begins nth=nth + 1 /> }.into_any()}
            {turns().map(|turn| view! { <TurnView turn /> }).collect_view()}
        </Show>
    }
}

#[component]
fn TurnView(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let is_done =
        move || live.run_of(turn).and_then(|run| live.run(&run, |run| run.status.is_ended())).unwrap_or(false);
    let article = NodeRef::<html::Article>::new();
    // What comes now is looked at now; what is put before everything is looked at when somebody gets there.
    let is_newest = FirstLook::has_turn(turn) || untrack(|| turn + 1 == live.turn_count());
    let nearness = Nearness::of(article, is_newest, untrack(|| about_px(&live.entries(turn))));
    Wanted::on(move |wanted| wanted.turn == turn, nearness);
    view! {
        <article
            class="turn"
            aria-label=format!("Turn {}", turn + 1)
            data-done=move || is_done().then_some("")
            node_ref=article
        >
            <Show when=move || nearness.get()>
                <For each=move || beginnings(live.entries(turn)) key=Entry::clone let:entry>
                    {match entry {
                        Entry::Message(id) => Either::Left(view! { <MessageView id /> }),
                        Entry::Call(first) => Either::Right(view! { <CallGroup turn first /> }),
                    }}
                </For>
                <RunLine turn />
            </Show>
        </article>
    }
}

/// How high a turn may be that nobody has seen yet.
fn about_px(entries: &[Entry]) -> f64 {
    let high = |entry: &Entry| match entry {
        Entry::Message(_) => 110.0,
        Entry::Call(_) => 52.0,
    };
    40.0 + entries.iter().map(high).sum::<f64>()
}

/// Calls that follow each other are one group; it is known by its first.
fn beginnings(entries: Vec<Entry>) -> Vec<Entry> {
    let mut after_call = false;
    let mut begins = |entry: &Entry| {
        let is_call = matches!(entry, Entry::Call(_));
        !(std::mem::replace(&mut after_call, is_call) && is_call)
    };
    entries.into_iter().filter(|entry| begins(entry)).collect()
}

/// How the run of a turn stands: waiting, at work, over, or failed.
#[component]
fn RunLine(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let go_on = ServerAction::<SendMessage>::new();
    let (send, discard) = (ServerAction::<SendResults>::new(), ServerAction::<DiscardResults>::new());
    let state = Memo::new(move |_| match live.run_of(turn) {
        Some(run) => match live.run(&run, RunState::of) {
            Some(RunState::Working) if live.is_held(turn) => Some(RunState::Held),
            state => state,
        },
        None => (turn > 0 && live.is_busy()).then_some(RunState::Queued),
    });
    // What went wrong while somebody watches is said at once; what went wrong long ago is only there.
    let is_watched = untrack(|| !matches!(state.get(), Some(RunState::Failed(..))));
    // What was said later has gone on already.
    let is_older = move || (turn + 1 < live.turn_count()).then_some("");
    move || match state.get()? {
        RunState::Queued => Some(view! { <Queued turn /> }.into_any()),
        RunState::Working => Some(
            view! {
                <div class="status-line status-line--live">
                    <Icon name="s-in_progress" class="glyph" attr:data-status="in_progress" attr:data-spin="" />
                    <span>"Working"</span>
                </div>
            }
            .into_any(),
        ),
        RunState::Held => Some(
            view! {
                <p class="status-line status-line--live">
                    <Icon name="s-awaiting" class="glyph" attr:data-status="awaiting_input" />
                    <span>"Waiting for you"</span>
                </p>
            }
            .into_any(),
        ),
        RunState::Over(line) => Some(view! { <Ended turn line /> }.into_any()),
        RunState::Waiting => Some(
            view! {
                <div class="status-line status-line--need" data-status="awaiting_input">
                    <Icon name="s-awaiting" class="glyph" />
                    <span>"The agent waits until you have looked at these results."</span>
                    <span class="status-line__end">
                        <ActionForm action=discard>
                            <input type="hidden" name="conversation_id" value=live.id().to_string() />
                            <button class="btn btn--quiet btn--sm">"Discard"</button>
                        </ActionForm>
                        <ActionForm action=send>
                            <input type="hidden" name="conversation_id" value=live.id().to_string() />
                            <button class="btn btn--sm btn--primary">"Send to the agent"</button>
                        </ActionForm>
                    </span>
                </div>
            }
            .into_any(),
        ),
        RunState::Stopped(reason, line) => Some(
            view! {
                <Ended turn line />
                <div class="status-line">
                    <span>{format!("Agent stopped: {reason}")}</span>
                    <ActionForm action=go_on attr:class="status-line__end" attr:hidden=is_older>
                        <input type="hidden" name="conversation_id" value=live.id().to_string() />
                        <input type="hidden" name="text" value="Continue" />
                        <input type="hidden" name="model" value=live.last_model().unwrap_or_default() />
                        <input type="hidden" name="prompt_path" value=live.last_preset().unwrap_or_default() />
                        <button class="btn btn--sm">"Continue"</button>
                    </ActionForm>
                </div>
            }
            .into_any(),
        ),
        RunState::Failed(what, line) => Some(
            view! {
                <Ended turn line />
                <p class="status-line status-line--failed" data-status="failed" role=is_watched.then_some("alert")>
                    <Icon name="s-failed" class="glyph" />
                    <span>{what}</span>
                </p>
            }
            .into_any(),
        ),
    }
}

/// How an answer ended, and, for those who want to know, step by step and why.
#[component]
fn Ended(turn: usize, line: String) -> impl IntoView {
    let live: Live = expect_context();
    let run = untrack(|| live.run_of(turn).and_then(|run| live.run(&run, Run::clone)));
    let trace = run.map(|run| {
        let step = |step: &Step| {
            let tokens = step.usage.input_tokens + step.usage.output_tokens;
            let tokens = if tokens > 0 { format!(" · {tokens} tokens") } else { String::new() };
            let line = format!("Step {} · {}{tokens}", step.step, summary::duration(step.duration_ms));
            view! { <li>{line}</li> }
        };
        let said = |said: &serde_json::Value| {
            let word = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
            let says = match said["says"].as_str() {
                Some("continue") => "go on",
                Some("stop") => "stop",
                _ => "no opinion",
            };
            view! {
                <li>
                    <b>{word("resolver")}</b>
                    <span>{format!(": {says} ({})", word("why"))}</span>
                </li>
            }
        };
        let decided = run.continuation.as_ref().map(|decided| {
            let reason = match decided.stop_reason.as_str() {
                "" => "it went on".to_owned(),
                reason => reason.to_owned(),
            };
            view! {
                <p>{format!("Ended by {}: {reason}", decided.resolved_by)}</p>
                <ul>{decided.evaluations.iter().map(said).collect_view()}</ul>
            }
        });
        view! {
            <div class="trace">
                <ul>{run.steps.iter().map(step).collect_view()}</ul>
                {decided}
                <BranchFrom turn />
            </div>
        }
    });
    view! {
        <details class="meta">
            <summary>{line}</summary>
            {trace}
        </details>
    }
}

/// A conversation that goes on from here, and leaves this one as it is.
#[component]
fn BranchFrom(turn: usize) -> impl IntoView {
    let live: Live = expect_context();
    let branch = ServerAction::<Branch>::new();
    let problem = move || branch.value().get().and_then(Result::err).map(|problem| problem.message);
    view! {
        <ActionForm action=branch attr:class="trace__act">
            <input type="hidden" name="conversation_id" value=live.id().to_string() />
            <input type="hidden" name="turn" value=turn.to_string() />
            <button class="btn btn--quiet btn--sm">"Branch from here"</button>
            <span class="muted" role="status">
                {problem}
            </span>
        </ActionForm>
    }
}

#[derive(Clone, PartialEq)]
enum RunState {
    Queued,
    Working,
    /// Until somebody answers.
    Held,
    /// For somebody to look at the results.
    Waiting,
    Over(String),
    /// By a limit: it could go on.
    Stopped(String, String),
    Failed(String, String),
}

impl RunState {
    fn of(run: &Run) -> Self {
        match run.status {
            RunStatus::Running => Self::Working,
            RunStatus::Waiting => Self::Waiting,
            RunStatus::Completed => match run.continuation.as_ref().map(|decided| decided.stop_reason.as_str()) {
                Some(reason @ ("steps_limit" | "token_budget")) => {
                    Self::Stopped(reason.to_owned(), finished("Assistant", run))
                }
                Some("with_next_message") => {
                    Self::Over(format!("{} · the results go along with your next message", finished("Assistant", run)))
                }
                Some("discarded") => Self::Over(format!("{} · results discarded", finished("Assistant", run))),
                _ => Self::Over(finished("Assistant", run)),
            },
            RunStatus::Cancelled => {
                let what = run.error_message.as_ref().map(|what| format!(" · {what}")).unwrap_or_default();
                Self::Over(format!("{}{what}", finished("Stopped by you", run)))
            }
            RunStatus::Failed => {
                let what = run.error_message.clone().unwrap_or_else(|| "This answer failed.".into());
                Self::Failed(what, finished("Failed", run))
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
