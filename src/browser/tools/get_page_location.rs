//! Which page is open. Not where the person is: that is nobody's business.

use leptos::prelude::{document, window};
use serde_json::json;

use super::BrowserTool;

pub const TOOL: BrowserTool = BrowserTool {
    name: "get_page_location",
    description: "Tells the address and the title of the page that the person has open here.",
    parameters: || json!({"type": "object", "properties": {}, "additionalProperties": false}),
    exists: || true,
    asks: || false,
    question: "",
    label: "",
    run: |_| {
        Box::pin(async {
            let location = window().location();
            Ok(json!({
                "address": location.href().ok(),
                "path": location.pathname().ok(),
                "title": document().title(),
            }))
        })
    },
};
