//! A message of the system, also when the page is not in sight.

use leptos::prelude::window;
use serde_json::{Value, json};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

use super::BrowserTool;

pub const TOOL: BrowserTool = BrowserTool {
    name: "notify_me",
    description: "Shows the person a notification of their system, also when they look elsewhere.",
    parameters: || {
        json!({"type": "object", "required": ["title"], "additionalProperties": false,
               "properties": {
                   "title": {"type": "string", "description": "A few words."},
                   "body": {"type": "string", "description": "A sentence more, if need be."}}})
    },
    // On some phones there are none.
    exists: || js_sys::Reflect::has(&window(), &"Notification".into()).unwrap_or(false),
    // Whoever has not been asked by the browser yet is asked with a click.
    asks: || Notification::permission() == NotificationPermission::Default,
    question: "Show a notification? Your browser asks you to allow it.",
    label: "Allow and show",
    run: |args| {
        let text = |key: &str| args.get(key).and_then(Value::as_str).map(str::to_owned);
        let (title, body) = (text("title").unwrap_or_default(), text("body"));
        let asking = Notification::request_permission();
        Box::pin(async move {
            let unable = "This browser shows no notifications.";
            JsFuture::from(asking.map_err(|_| unable)?).await.map_err(|_| unable)?;
            if Notification::permission() != NotificationPermission::Granted {
                return Err("The person does not allow notifications in this browser.".into());
            }
            let options = NotificationOptions::new();
            if let Some(body) = &body {
                options.set_body(body);
            }
            Notification::new_with_options(&title, &options).map_err(|_| unable)?;
            Ok(json!({"is_shown": true}))
        })
    },
};
