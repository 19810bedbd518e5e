//! The agent's plan: a checklist that fills up.

use leptos::prelude::*;

use super::{
    icon::{drawing, icon},
    live::Live,
    view::{Element, View, details, li, progress, said, span, summary, switch, ul, when},
};
use crate::model::{Todo, TodoStatus};

/// Above the composer, where it is seen wherever one reads: a line, and the list for those who open it.
pub fn plan_bar() -> View {
    let live: Live = expect_context();
    let todos = Memo::new(move |_| live.arrangements(|arranged| arranged.todos.clone()));
    let done = Memo::new(move |_| live.arrangements(crate::model::Arrangements::progress));
    let current = move || {
        let doing = |todo: &&Todo| todo.status == TodoStatus::InProgress;
        todos.with(|todos| todos.iter().find(doing).map(|todo| todo.text.clone())).unwrap_or_default()
    };
    let counted = move || {
        let (done, all) = done.get();
        format!("{done} of {all} done")
    };
    when(
        move || todos.with(|todos| !todos.is_empty()),
        move || {
            let bar = progress("bar")
                .attr("aria-label", "Plan")
                .live("max", move || done.get().1.to_string())
                .live("value", move || done.get().0.to_string());
            let line = summary("")
                .with(icon("check"))
                .with(span("plan__title").with("Plan"))
                .with(span("plan__now truncate").with(said(current)))
                .with(span("plan__count").with(said(counted)))
                .with(bar);
            details("plan").with(line).with(switch(move || todos.get(), |todos| checklist(todos)))
        },
    )
}

pub fn checklist(todos: &[Todo]) -> Element {
    let item = |todo: &Todo| {
        let (icon, status, word) = match todo.status {
            TodoStatus::Pending => ("s-queued", "queued", "To do: "),
            TodoStatus::InProgress => ("s-in_progress", "in_progress", "Doing: "),
            TodoStatus::Completed => ("s-completed", "completed", "Done: "),
        };
        li("")
            .attr("data-todo", todo.status.as_str())
            .with(drawing("glyph", icon).attr("data-status", status))
            .with(span("sr-only").with(word))
            .with(span("").with(todo.text.clone()))
    };
    ul("checklist").all(todos.iter().map(item))
}
