//! What one can choose from, each with a bar as long as its count.

use leptos::prelude::*;

use crate::model::{
    legislation::{Choice, Options, plain::member},
    words::ContextType,
};

#[component]
pub fn Choices(found: Options) -> impl IntoView {
    let Options { context_type, total, options } = found;
    let (shown, most) = (options.len() as u64, options.iter().map(|each| each.bills).max().unwrap_or(1));
    view! {
        <ul class="choices">
            {options.into_iter().map(|choice| view! { <Line choice context_type most /> }).collect_view()}
        </ul>
        {(shown < total)
            .then(|| view! { <p class="results__note">{format!("Showing {shown} of {total}.")}</p> })}
    }
}

#[component]
fn Line(choice: Choice, context_type: ContextType, most: u64) -> impl IntoView {
    let (name, place) = match context_type {
        ContextType::Sponsors => member(&choice.name),
        ContextType::Topics | ContextType::Statuses => (choice.name, String::new()),
    };
    // Geometry is in attributes, because a strict policy allows no style.
    let width = format!("{}%", choice.bills * 100 / most.max(1));
    view! {
        <li>
            <span class="choices__name">{name} <small>{place}</small></span>
            <svg class="choices__bar" aria-hidden="true">
                <rect width=width height="100%" rx="2"></rect>
            </svg>
            <span class="choices__count">{choice.bills}</span>
        </li>
    }
}
