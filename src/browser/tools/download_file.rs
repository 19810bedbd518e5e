//! Saves a text as a file.

use js_sys::Array;
use leptos::prelude::document;
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlElement, Url};

use super::BrowserTool;

pub const TOOL: BrowserTool = BrowserTool {
    name: "download_file",
    description: "Offers the person a file with this text to save. The person clicks to have it.",
    parameters: || {
        json!({"type": "object", "required": ["name", "text"], "additionalProperties": false,
               "properties": {
                   "name": {"type": "string", "description": "The file's name, for example bills.csv."},
                   "text": {"type": "string", "description": "What is in it."},
                   "media_type": {"type": "string", "description": "For example text/csv; text/plain if nothing is said."}}})
    },
    exists: || true,
    asks: || true,
    question: "Save this as a file?",
    label: "Download",
    run: |args| {
        let text = |key: &str| args.get(key).and_then(Value::as_str).map(str::to_owned);
        let (content, media_type) = (text("text").unwrap_or_default(), text("media_type"));
        // A name, and no path.
        let name = text("name").unwrap_or_default().replace(['/', '\\'], "_");
        let name = if name.trim().is_empty() { "file.txt".to_owned() } else { name };
        let saved = save(&name, &content, &media_type.unwrap_or_else(|| "text/plain".into()));
        Box::pin(async move {
            saved.map_err(|_| "The browser did not save the file.")?;
            Ok(json!({"name": name, "bytes": content.len()}))
        })
    },
};

fn save(name: &str, text: &str, media_type: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts: Array = Array::new();
    parts.push(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link = document().create_element("a")?.unchecked_into::<HtmlElement>();
    link.set_attribute("href", &address)?;
    link.set_attribute("download", name)?;
    link.click();
    Url::revoke_object_url(&address)
}
