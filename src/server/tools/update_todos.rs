//! `update_todos`: the agent's plan, shown as a list that fills up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Done, Effect, Policy, Reporter, Tool, ToolError};
use crate::model::{ErrorKind, Family, Metadata, Todo, TodoStatus};

pub struct UpdateTodos;

const MOST: usize = 50;
const LONGEST: usize = 200;

/// Keeps your plan for this conversation, which the person sees as a checklist. Give all of it every time: it replaces the
/// plan before. Mark what you are at as in_progress, and what is done as completed as soon as it is.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// The whole plan, in order.
    todos: Vec<Todo>,
}

/// The plan as it stands now.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    todos: Vec<Todo>,
    completed: usize,
}

/// A plan that people can read, or what is wrong with it.
pub fn checked(mut todos: Vec<Todo>) -> Result<Vec<Todo>, String> {
    if todos.len() > MOST {
        return Err(format!("A plan has at most {MOST} things; this has {}.", todos.len()));
    }
    for todo in &mut todos {
        todo.text = todo.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if todo.text.is_empty() || todo.text.chars().count() > LONGEST {
            return Err(format!("Each thing on the plan has a text of 1 to {LONGEST} characters."));
        }
    }
    Ok(todos)
}

impl Tool for UpdateTodos {
    type Input = Input;
    type Output = Output;

    const NAME: &'static str = "update_todos";
    const TITLE: &'static str = "Plan";
    const SHORT_TITLE: &'static str = "Plan";
    const FAMILY: Family = Family::Generic;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"todos": [{"text": "Search bills", "status": "completed"}, {"text": "Compare them", "status": "in_progress"}]}"#,
    ];
    const POLICY: Policy = Policy { effect: Effect::Idempotent, ..Policy::LOOKUP };
    /// The plan is the agent's own.
    const ASKS: bool = false;

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<Output>, ToolError> {
        let todos = checked(input.todos).map_err(|why| ToolError::new(ErrorKind::InvalidArguments, why))?;
        reporter.plan(&todos).await?;
        let completed = todos.iter().filter(|todo| todo.status == TodoStatus::Completed).count();
        let message = Some(format!("{completed} of {} done", todos.len()));
        Ok(Done { output: Output { todos, completed }, metadata: Metadata { message, ..Metadata::default() } })
    }
}
