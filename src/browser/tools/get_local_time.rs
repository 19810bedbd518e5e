//! What time it is where the person is.

use serde_json::json;

use super::BrowserTool;

pub const TOOL: BrowserTool = BrowserTool {
    name: "get_local_time",
    description: "Tells the date, the time and the time zone where the person is.",
    parameters: || json!({"type": "object", "properties": {}, "additionalProperties": false}),
    exists: || true,
    asks: || false,
    question: "",
    label: "",
    run: |_| {
        Box::pin(async {
            let now = js_sys::Date::new_0();
            let text = now.to_locale_string("en-GB", &js_sys::Object::new());
            let zone =
                js_sys::Reflect::get(&js_sys::Intl::DateTimeFormat::default().resolved_options(), &"timeZone".into());
            Ok(json!({
                "local": text.as_string(),
                "utc": now.to_iso_string().as_string(),
                "time_zone": zone.ok().and_then(|zone| zone.as_string()),
                "minutes_from_utc": -now.get_timezone_offset(),
            }))
        })
    },
};
