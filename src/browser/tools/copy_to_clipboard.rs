//! Puts a text where it can be pasted.

use leptos::prelude::window;
use serde_json::{Value, json};
use wasm_bindgen_futures::JsFuture;

use super::BrowserTool;

pub const TOOL: BrowserTool = BrowserTool {
    name: "copy_to_clipboard",
    description: "Copies a text to the person's clipboard. The person clicks to allow it.",
    parameters: || {
        json!({"type": "object", "required": ["text"], "additionalProperties": false,
               "properties": {"text": {"type": "string", "description": "What to copy."}}})
    },
    // Only on pages that came safely.
    exists: || {
        js_sys::Reflect::get(&window().navigator(), &"clipboard".into()).is_ok_and(|found| !found.is_undefined())
    },
    asks: || true,
    question: "Copy this text to your clipboard?",
    label: "Copy",
    run: |args| {
        let text = args.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
        // Now: later the browser would not take the click for this.
        let copying = window().navigator().clipboard().write_text(&text);
        Box::pin(async move {
            JsFuture::from(copying).await.map_err(|_| "The browser did not allow copying.")?;
            Ok(json!({"copied_characters": text.chars().count()}))
        })
    },
};
