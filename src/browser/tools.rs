//! Tools that run in this page: what only a browser can do for an agent. They are told to the server with every question,
//! a call comes over the event stream, and what came of it is posted back, once.
//!
//! To add one: a file with a `TOOL`, and its place in `ALL`. What takes something from the person, or leaves something with
//! them, waits for a click: no agent copies, saves or reads anything unseen.

use std::{cell::RefCell, collections::HashSet, future::Future, pin::Pin, time::Duration};

use serde_json::{Value, json};

use super::{ask, page};
use crate::{
    model::{CallId, CallStatus, Executor, Problem, ProblemKind, message::ClientTool},
    ui::live::Live,
};

/// Puts a text where it can be pasted.
mod copy_to_clipboard;
/// Saves a text as a file.
mod download_file;
/// What time it is where the person is.
mod get_local_time;
/// Which page is open.
mod get_page_location;
/// A message of the system, also when the page is not in sight.
mod notify_me;
/// A file of the person's choice.
mod pick_file;

/// How often, and after which pause, a result is posted again.
const MOST_POSTS: u32 = 30;
const PAUSE: Duration = Duration::from_secs(2);

type Running = Pin<Box<dyn Future<Output = Result<Value, String>>>>;

struct BrowserTool {
    name: &'static str,
    description: &'static str,
    /// JSON Schema of its arguments.
    parameters: fn() -> Value,
    /// Whether this browser can do that at all.
    exists: fn() -> bool,
    /// Whether it waits for a click, as things stand.
    asks: fn() -> bool,
    /// What the person is asked then, and what stands on the button.
    question: &'static str,
    label: &'static str,
    run: fn(Value) -> Running,
}

const ALL: [&BrowserTool; 6] = [
    &copy_to_clipboard::TOOL,
    &download_file::TOOL,
    &get_local_time::TOOL,
    &get_page_location::TOOL,
    &notify_me::TOOL,
    &pick_file::TOOL,
];

thread_local! {
    /// What this page has begun.
    static BEGUN: RefCell<HashSet<CallId>> = RefCell::default();
    /// This load of the page.
    static LOAD: String = name();
}

fn find(tool: &str) -> Option<&'static BrowserTool> {
    ALL.into_iter().find(|each| each.name == tool)
}

/// Says in every form that asks something what this page can do.
pub fn offer() {
    page::fill("client_tools", &offered());
    page::fill("tab", &tab());
}

/// All of them, as a question carries them.
fn offered() -> String {
    let able = ALL.into_iter().filter(|tool| (tool.exists)());
    let tools = able.map(|tool| ClientTool {
        name: tool.name.into(),
        description: tool.description.into(),
        parameters: (tool.parameters)(),
        asks: (tool.asks)(),
    });
    serde_json::to_string(&tools.collect::<Vec<_>>()).unwrap_or_default()
}

pub fn question(tool: &str) -> &'static str {
    find(tool).map_or("", |tool| tool.question)
}

pub fn label(tool: &str) -> &'static str {
    find(tool).map_or("", |tool| tool.label)
}

/// This tab, over reloads.
pub fn tab() -> String {
    const KEPT: &str = "tab";
    page::recall(KEPT).unwrap_or_else(|| {
        let tab = name();
        page::remember(KEPT, Some(&tab));
        tab
    })
}

/// This load of the page in it.
pub fn load() -> String {
    LOAD.with(String::clone)
}

fn name() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// Runs a call that was given to this page, unless it waits for a click.
pub fn consider(live: Live, call: &CallId) {
    let is_wanted = live.peek(|known| {
        let call = known.call(call)?;
        let is_here = call.executor == Executor::Client && call.tab.as_deref() == Some(&tab());
        Some(is_here && call.status == CallStatus::InProgress)
    });
    if is_wanted == Some(true) {
        begin(live, call.clone());
    }
}

/// Everything that was given to this page before it was loaded again.
pub fn consider_all(live: Live) {
    let open: Vec<CallId> =
        live.peek(|known| known.calls().filter(|call| !call.status.is_ended()).map(|call| call.id.clone()).collect());
    open.iter().for_each(|call| consider(live, call));
}

/// Somebody clicked. What needs a click needs it now, so nobody else is asked first.
pub fn run_by_hand(live: Live, call: CallId) {
    let Some((tool, args)) = about(live, &call) else { return };
    // Twice clicked is once meant.
    if !BEGUN.with_borrow_mut(|begun| begun.insert(call.clone())) {
        return;
    }
    let running = (tool.run)(args);
    leptos::task::spawn_local(async move {
        if may_begin(live, &call).await {
            let ended = running.await;
            post(live, call, ended, MOST_POSTS);
        }
    });
}

/// The person does not want it, and that is an answer, too.
pub fn skip(live: Live, call: CallId) {
    let skipped = json!({"is_skipped": true, "note": "The person skipped this."});
    post(live, call, Ok(skipped), MOST_POSTS);
}

fn about(live: Live, call: &CallId) -> Option<(&'static BrowserTool, Value)> {
    live.peek(|known| {
        let call = known.call(call)?;
        Some((find(&call.tool_name)?, call.args().unwrap_or_default()))
    })
}

fn begin(live: Live, call: CallId) {
    let Some((tool, args)) = about(live, &call) else { return };
    if !BEGUN.with_borrow_mut(|begun| begun.insert(call.clone())) {
        return;
    }
    leptos::task::spawn_local(async move {
        if may_begin(live, &call).await {
            let ended = (tool.run)(args).await;
            post(live, call, ended, MOST_POSTS);
        }
    });
}

/// Of all pages, one begins.
async fn may_begin(live: Live, call: &CallId) -> bool {
    let fields = [("call_id", call.to_string()), ("tab", tab()), ("load", load())];
    let begun = tell(live, "/api/begin_call", &fields).await;
    if begun.is_err() {
        // Nobody has said no, so it can be given to this page again.
        BEGUN.with_borrow_mut(|begun| begun.remove(call));
    }
    begun.is_ok_and(|answer| answer == "true")
}

async fn tell(live: Live, path: &str, fields: &[(&str, String)]) -> Result<String, Problem> {
    let mut all = vec![("conversation_id".to_owned(), live.id().to_string())];
    all.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    ask::post(path, &all).await
}

/// Posts what came of it, and again if the server could not be reached. Who comes too late has nothing to mend.
fn post(live: Live, call: CallId, ended: Result<Value, String>, tries: u32) {
    leptos::task::spawn_local(async move {
        let (result, is_error) = match &ended {
            Ok(value) => (value.to_string(), false),
            Err(why) => (Value::String(why.clone()).to_string(), true),
        };
        let fields = [("call_id", call.to_string()), ("result", result), ("is_error", is_error.to_string())];
        let posted = tell(live, "/api/post_result", &fields).await;
        let is_lost = posted.is_err_and(|problem| problem.kind == ProblemKind::Unavailable);
        if is_lost && tries > 0 {
            leptos::prelude::set_timeout(move || post(live, call, ended, tries - 1), PAUSE);
        }
    });
}
