//! Every event of the call: stage, status, what it said, and when.

use leptos::prelude::*;

use super::Card;
use crate::model::{Family, Metadata, tool_call::Moment};

#[component]
pub fn Timeline(card: Card) -> impl IntoView {
    let moments = move || card.read(|call| 0..call.timeline.len());
    view! {
        <section class="sec">
            <div class="sec__head">
                <h3>"Timeline"</h3>
            </div>
            <ol class="timeline">
                <For each=moments key=|n| *n let:n>
                    // What has happened does not change: each entry is read once.
                    {untrack(|| card.read(|call| call.timeline.get(n).cloned())).map(|moment| view! { <Entry card moment /> })}
                </For>
            </ol>
        </section>
    }
}

#[component]
fn Entry(card: Card, moment: Moment) -> impl IntoView {
    let at = moment.at;
    let family = untrack(|| card.read(|call| Some(call.family()))).unwrap_or(Family::Generic);
    view! {
        <li class="tl" data-status=moment.status.as_str() data-seq=moment.seq.to_string()>
            <div>
                <div class="tl__what">
                    {moment.stage.map(|stage| view! { <span class="tl__stage">{stage.label(family)}</span> })}
                    <span class="badge badge--outline" data-status=moment.status.as_str()>
                        {moment.status.label()}
                    </span>
                </div>
                <p class="tl__meta">{facts(&moment.metadata).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view()}</p>
            </div>
            <time class="tl__time" datetime=at.to_string()>
                {move || card.clock.local(at)}
            </time>
        </li>
    }
}

/// What an event said, each thing in a few words.
fn facts(metadata: &Metadata) -> Vec<String> {
    let Metadata {
        query,
        iteration,
        results_found,
        total_results,
        filters_applied,
        final_query,
        error_message,
        message,
        ..
    } = metadata;
    [
        query.as_ref().map(|query| format!("Query: \"{query}\"")),
        iteration.map(|n| format!("Iteration: {n}")),
        results_found.map(|n| format!("Results: {n}")),
        total_results.map(|n| format!("In all: {n}")),
        filters_applied.as_ref().filter(|all| !all.is_empty()).map(|all| format!("Filters: {}", all.join(", "))),
        final_query.as_ref().map(|query| format!("Final query: \"{query}\"")),
        error_message.clone(),
        message.clone(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
