//! Files that somebody chooses, drops or pastes: sent to the server at once, one by one.

use wasm_bindgen::JsCast;
pub use web_sys::File;
use web_sys::{ClipboardEvent, DragEvent, Event, FileList, FormData, HtmlElement, HtmlInputElement};

use super::ask;
use crate::{
    api::LARGEST_FILE,
    model::{Problem, ProblemKind, message::Media, summary::bytes},
};

/// What was chosen in a field. The field is empty again afterwards, so that the same file can be chosen twice.
pub fn chosen(event: &Event) -> Vec<File> {
    let field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    field.map(|field| held(&field)).unwrap_or_default()
}

/// What a field holds. It is empty afterwards.
pub fn held(field: &HtmlElement) -> Vec<File> {
    let Some(field) = field.dyn_ref::<HtmlInputElement>() else { return Vec::new() };
    let files = listed(field.files());
    field.set_value("");
    files
}

/// What was pasted, if it was files; text is pasted as text.
pub fn pasted(event: &Event) -> Vec<File> {
    let pasted = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
    let files = listed(pasted.and_then(|data| data.files()));
    if !files.is_empty() {
        event.prevent_default();
    }
    files
}

pub fn dropped(event: &Event) -> Vec<File> {
    let dropped = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    let files = listed(dropped.and_then(|data| data.files()));
    if !files.is_empty() {
        event.prevent_default();
    }
    files
}

/// A browser opens what is dropped on it, unless it is told that somebody takes it.
pub fn take_over(event: &Event) {
    let types = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer).map(|data| data.types());
    if types.is_some_and(|types| types.iter().any(|kind| kind == "Files")) {
        event.prevent_default();
    }
}

fn listed(files: Option<FileList>) -> Vec<File> {
    files.map(|files| (0..files.length()).filter_map(|nth| files.item(nth)).collect()).unwrap_or_default()
}

/// Sends a file, and tells what the server knows it by.
pub async fn upload(file: File) -> Result<Media, Problem> {
    let name = file.name();
    if file.size() > LARGEST_FILE as f64 {
        let told = format!("“{name}” is too large: a file has at most {}.", bytes(LARGEST_FILE as u64));
        return Err(Problem::new(ProblemKind::TooLarge, told));
    }
    let unreachable = || {
        let told = format!("“{name}” could not be sent. Is the server there? Try again.");
        Problem::new(ProblemKind::Unavailable, told)
    };
    let form = FormData::new().map_err(|_| unreachable())?;
    form.append_with_blob_and_filename("file", &file, &name).map_err(|_| unreachable())?;
    // What the server says about it is told as it is; that it could not be asked is told with the file's name.
    let own = |problem: Problem| if problem.kind == ProblemKind::Unavailable { unreachable() } else { problem };
    let answer = ask::post_body("/api/attach", &form).await.map_err(own)?;
    let mut taken: Vec<Media> = serde_json::from_str(&answer).map_err(|_| unreachable())?;
    taken.pop().ok_or_else(unreachable)
}
