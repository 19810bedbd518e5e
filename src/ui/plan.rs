//! The agent's plan: a checklist that fills up.

use leptos::prelude::*;

use super::{icon::Icon, live::Live};
use crate::model::{Todo, TodoStatus};

/// Above the composer, where it is seen wherever one reads: a line, and the list for those who open it.
#[component]
pub fn PlanBar() -> impl IntoView {
    let live: Live = expect_context();
    let todos = Memo::new(move |_| live.arrangements(|arranged| arranged.todos.clone()));
    let progress = Memo::new(move |_| live.arrangements(crate::model::Arrangements::progress));
    let current =
        move || todos.read().iter().find(|todo| todo.status == TodoStatus::InProgress).map(|t| t.text.clone());
    view! {
        <Show when=move || !todos.read().is_empty()>
            <details class="plan">
                <summary>
                    <Icon name="check" />
                    <span class="plan__title">"Plan"</span>
                    <span class="plan__now truncate">{move || current().unwrap_or_default()}</span>
                    <span class="plan__count">
                        {move || {
                            let (done, all) = progress.get();
                            format!("{done} of {all} done")
                        }}
                    </span>
                    <progress
                        class="bar"
                        aria-label="Plan"
                        max=move || progress.get().1.to_string()
                        value=move || progress.get().0.to_string()
                    ></progress>
                </summary>
                {move || view! { <Checklist todos=todos.get() /> }}
            </details>
        </Show>
    }
}

#[component]
pub fn Checklist(todos: Vec<Todo>) -> impl IntoView {
    let item = |todo: Todo| {
        let (icon, status, word) = match todo.status {
            TodoStatus::Pending => ("s-queued", "queued", "To do: "),
            TodoStatus::InProgress => ("s-in_progress", "in_progress", "Doing: "),
            TodoStatus::Completed => ("s-completed", "completed", "Done: "),
        };
        view! {
            <li data-todo=todo.status.as_str()>
                <Icon name=icon class="glyph" attr:data-status=status />
                <span class="sr-only">{word}</span>
                <span>{todo.text}</span>
            </li>
        }
    };
    view! { <ul class="checklist">{todos.into_iter().map(item).collect_view()}</ul> }
}
