//! A file of the person's choice: they choose it, and only it is read.

use js_sys::{Function, Promise};
use leptos::prelude::document;
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, HtmlInputElement};

use super::BrowserTool;

/// What is read of a file.
const MOST: f64 = 100_000.0;

pub const TOOL: BrowserTool = BrowserTool {
    name: "pick_file",
    description: "Asks the person to choose a text file, and reads it (at most 100 KB of it).",
    parameters: || {
        json!({"type": "object", "additionalProperties": false,
               "properties": {"accept": {"type": "string", "description": "Which kinds, for example .csv,text/plain"}}})
    },
    exists: || true,
    asks: || true,
    question: "Choose a file for the agent to read?",
    label: "Choose a file",
    run: |args| {
        let accept = args.get("accept").and_then(Value::as_str).unwrap_or_default().to_owned();
        let chosen = choose(&accept);
        Box::pin(async move {
            let unable = || "The browser could not open the file.".to_owned();
            let file = JsFuture::from(chosen.map_err(|_| unable())?).await.map_err(|_| unable())?;
            let Ok(file) = file.dyn_into::<File>() else {
                return Ok(json!({"is_skipped": true, "note": "The person chose no file."}));
            };
            let part = file.slice_with_f64_and_f64(0.0, MOST).map_err(|_| unable())?;
            let text = JsFuture::from(part.text()).await.map_err(|_| unable())?.as_string().unwrap_or_default();
            let is_cut = file.size() > MOST;
            Ok(
                json!({"name": file.name(), "media_type": file.type_(), "bytes": file.size() as u64, "text": text, "is_cut": is_cut}),
            )
        })
    },
};

/// The file, or nothing if the person closes the dialogue.
fn choose(accept: &str) -> Result<Promise, JsValue> {
    let input = document().create_element("input")?.unchecked_into::<HtmlInputElement>();
    input.set_type("file");
    input.set_accept(accept);
    let promise = Promise::new(&mut |resolve: Function, _: Function| {
        let (chosen, field) = (resolve.clone(), input.clone());
        let on_change = Closure::once_into_js(move || {
            let file = field.files().and_then(|files| files.get(0));
            let _ = chosen.call1(&JsValue::NULL, &file.map_or(JsValue::NULL, JsValue::from));
        });
        let on_cancel = Closure::once_into_js(move || drop(resolve.call1(&JsValue::NULL, &JsValue::NULL)));
        let _ = input.add_event_listener_with_callback("change", on_change.unchecked_ref());
        let _ = input.add_event_listener_with_callback("cancel", on_cancel.unchecked_ref());
    });
    input.click();
    Ok(promise)
}
