//! What people read, as data: events in, words out.

use serde_json::json;

use super::*;
use crate::model::{Event, event::ToolCallEvent};

/// Folds `tool_call` events, given as JSON without their common part, into a call.
fn call(tool_name: &str, events: &[Value]) -> ToolCall {
    let mut call = ToolCall::new("c".into());
    call.name(tool_name, None);
    for (seq, event) in (1..).zip(events) {
        let mut data = json!({"id": "c", "timestamp": "2025-01-15T10:30:00Z"});
        data.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let Event::ToolCall(event) = Event::decode(&json!({"type": "tool_call", "data": data}).to_string()) else {
            panic!("not an event: {data}");
        };
        call.apply(seq, &event as &ToolCallEvent);
    }
    call
}

#[track_caller]
fn check(tool_name: &str, events: &[Value], stage_line: &str, progress: Option<f64>, preview: Option<&str>) {
    let call = call(tool_name, events);
    assert_eq!(call.stage_line(), stage_line);
    assert_eq!(call.progress(), progress);
    assert_eq!(call.preview().as_deref(), preview);
}

#[test]
fn a_bill_search_from_start_to_end() {
    let mut events = vec![json!({"status": "starting", "stage": "preparing_search",
        "metadata": {"query": "healthcare", "iteration": 1, "max_iterations": 20}})];
    check("search_bills", &events, "Preparing search… · Query: \"healthcare\" (iteration 1/20)", Some(0.05), None);

    events.push(json!({"status": "in_progress", "stage": "executing_query"}));
    check("search_bills", &events, "Searching bills… · Query: \"healthcare\" (iteration 1/20)", Some(0.05), None);

    let nothing_yet = json!({"status": "in_progress", "stage": "processing_results", "metadata": {"results_found": 0}});
    check("search_bills", &[nothing_yet], "Processing results… · Found no results", None, Some("No bills found"));

    events.push(json!({"status": "in_progress", "stage": "processing_results",
        "metadata": {"iteration": 2, "results_found": 15, "total_results": 15}}));
    let line = "Processing results… · Query: \"healthcare\" (iteration 2/20) · Found 15 results";
    check("search_bills", &events, line, Some(0.1), Some("15 bills found"));

    events
        .push(json!({"status": "completed", "stage": "finalizing", "metadata": {"iteration": 3, "total_results": 28}}));
    check("search_bills", &events, "28 bills found · 3 iterations", Some(1.0), Some("28 bills found"));
}

#[test]
fn nothing_found_is_said_and_one_is_not_many() {
    let found = |n: u64| [json!({"status": "completed", "metadata": {"total_results": n}})];
    check("search_bills", &found(0), "No bills found", Some(1.0), Some("No bills found"));
    check(
        "search_executive_actions",
        &found(1),
        "1 executive action found",
        Some(1.0),
        Some("1 executive action found"),
    );
    check("anything_else", &found(2), "2 results", Some(1.0), Some("2 results"));
}

#[test]
fn context_and_details() {
    let sponsors = json!({"status": "in_progress", "metadata": {"context_type": "sponsors"}});
    check("get_available_sponsors", &[sponsors], "Looking up sponsors…", None, None);
    let found = json!({"status": "completed", "metadata": {"context_type": "statuses", "options_found": 1}});
    check("get_available_statuses", &[found], "1 status available", Some(1.0), Some("1 status available"));
    let bill = json!({"status": "in_progress", "metadata": {"content_type": "bill", "content_id": "119-hr-1"}});
    check("get_bill_details", &[bill], "Loading bill 119-hr-1…", None, Some("Loaded bill 119-hr-1"));
}

#[test]
fn tools_that_nobody_has_heard_of() {
    check("weather", &[], "Waiting for the tool call to complete…", None, None);
    check("weather", &[json!({"status": "queued"})], "Waiting for its turn", None, None);
    check("weather", &[json!({"status": "starting"})], "Running…", None, None);
    let half = json!({"status": "in_progress", "metadata": {"progress": 0.5, "message": "Asking the sky"}});
    check("weather", &[half], "Asking the sky", Some(0.5), None);
    check("weather", &[json!({"status": "completed"})], "Done", Some(1.0), None);
    let odd = json!({"status": "in_progress", "metadata": {"iteration": 3, "max_iterations": 0, "progress": 7.5}});
    check("weather", &[odd], "Running… · iteration 3/0", Some(1.0), None);
}

#[test]
fn endings_and_pauses() {
    let retrying =
        json!({"status": "retrying", "metadata": {"retry_count": 2, "max_retries": 3, "error_message": "busy"}});
    check("weather", &[json!({"status": "starting"}), retrying], "Retrying (2/3) · busy", None, None);
    let failed = json!({"status": "failed", "stage": "executing_query", "error_kind": "timeout"});
    check("weather", &[failed], "Failed while running", None, None);
    check("weather", &[json!({"status": "awaiting_approval"})], "Waiting for your approval", None, None);
    check("weather", &[json!({"status": "denied"})], "Denied by you, so it did not run", None, None);
}

#[test]
fn arguments_of_any_kind() {
    for (args, expected) in [
        (json!({"query": "dbplus", "types": ["program"]}), "query: \"dbplus\", types: program"),
        (json!({"congress": 119, "law": true, "note": null}), "congress: 119, law: yes"),
        (json!({"ids": [1, 2, 3, 4, 5]}), "ids: 1, 2, 3 and 2 more"),
        (json!({"filter": {"a": 1, "b": 2}, "none": []}), "filter: 2 fields, none: none"),
        (json!({"todos": [{"text": "a"}, {"text": "b"}]}), "todos: 2 items"),
        (json!({"text": "line one\nline two"}), "text: \"line one line two\""),
        (json!({}), ""),
        (json!(null), ""),
        (json!("just text"), "\"just text\""),
        (json!([true, {"a": 1}]), "yes, 1 field"),
        (json!(4.5), "4.5"),
    ] {
        assert_eq!(args_summary(&args), expected);
    }
    let long = args_summary(&json!({"a": "ä".repeat(500), "b": "b".repeat(500), "c": "c".repeat(500)}));
    assert_eq!(long.chars().count(), 161, "{long}");
}

#[test]
fn names_become_titles() {
    for (name, title) in [
        ("search_bills", "Search bills"),
        ("SearchEntities", "Search entities"),
        ("github__list-issues", "List issues"),
        ("getHTTPPage", "Get httppage"),
        ("__", "Tool call"),
        ("", "Tool call"),
    ] {
        assert_eq!(display_name(name), title, "{name}");
    }
}

#[test]
fn durations() {
    for (millis, text) in [
        (0, "0 ms"),
        (99, "99 ms"),
        (100, "0.1 s"),
        (4_260, "4.2 s"),
        (59_999, "59.9 s"),
        (125_000, "2 min 5 s"),
        (3_840_000, "1 h 4 min"),
    ] {
        assert_eq!(duration(millis), text);
    }
}
