//! The wire format, as data: each line must come back exactly as it went in.

use super::*;

fn check(json: &str) {
    let event: Event = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    assert_ne!(event, Event::Unknown, "{json}");
    let before: Value = serde_json::from_str(json).unwrap();
    let written = serde_json::to_string(&event).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), before, "{json} became {written}");
    assert_eq!(before["type"], event.type_name());
}

#[test]
fn every_type_of_the_wire_comes_back_as_it_was() {
    for json in [
        // Seed 0's own events, without what came later.
        r#"{"type":"tool_call","data":{"id":"search_001","tool_name":"search_bills","status":"starting","stage":"preparing_search","metadata":{"query":"healthcare legislation","iteration":1,"max_iterations":20},"timestamp":"2025-01-15T10:30:00Z"}}"#,
        r#"{"type":"tool_call","data":{"id":"search_001","tool_name":"","status":"in_progress","stage":"executing_query","metadata":{"filters_applied":["status:active","chamber:both"]},"timestamp":"2025-01-15T10:30:01Z"}}"#,
        // With everything.
        r#"{"type":"tool_call","data":{"id":"c","tool_name":"t","status":"failed","stage":"finalizing","metadata":{"query":"q","iteration":2,"max_iterations":20,"filters_applied":[],"results_found":0,"total_results":28,"final_query":"f","context_type":"sponsors","options_found":12,"content_id":"119-hr-1","content_type":"executive_action","error_message":"e","retry_count":2,"max_retries":3,"progress":0.5,"message":"m","cache_age_ms":9},"timestamp":"2025-01-15T10:30:00.250Z","run_id":"r","parent_id":"p","attempt":2,"executor":"client","title":"T","error_kind":"timeout"}}"#,
        r#"{"type":"tools_call_update","data":{"message_id":"m","index":0,"tool_call_id":"c","function_name":"search_bills"}}"#,
        r#"{"type":"tools_call_update","data":{"message_id":"m","index":1,"tool_call_id":"c","function_args":"{\"query\": \"he"}}"#,
        r#"{"type":"tool_output","data":{"tool_call_id":"c","chunk":"line\n"}}"#,
        r#"{"type":"tool_result","data":{"tool_call_id":"c","result":{"bills":[1,null,"x"]},"is_error":false,"duration_ms":250,"cached":true}}"#,
        r#"{"type":"tools_aggregate","data":{"message_id":"m","tool_calls":[{"id":"c","name":"t","args":{"a":1},"args_summary":"a: 1"}],"tool_results":[{"tool_call_id":"c","result":"ok","is_error":false,"duration_ms":1,"cached":false}]}}"#,
        r#"{"type":"text_delta","data":{"message_id":"m","delta":"Hel"}}"#,
        r#"{"type":"reasoning_delta","data":{"message_id":"m","delta":"hm"}}"#,
        r#"{"type":"message","data":{"id":"msg_001","role":"assistant","content":"","timestamp":"2026-01-16T10:05:00Z","metadata":{"tool_calls":[{"id":"call_abc123","name":"SearchEntities","args_summary":"query: \"dbplus\", types: program"}]}}}"#,
        r#"{"type":"message","data":{"id":"t","role":"tool","content":"Found 3","timestamp":"2026-01-16T10:05:00Z","metadata":{"tool_call_id":"c","tool_name":"S","tool_result":{"n":3},"tool_error":"e","tool_duration_ms":250}}}"#,
        r#"{"type":"message","data":{"id":"s","role":"status","content":"Agent stopped: steps_limit","timestamp":"2026-01-16T10:05:00Z","metadata":{"status_type":"continuation","continuation":{"should_continue":false,"stop_reason":"steps_limit","resolved_by":"StepsLimit"}}}}"#,
        r#"{"type":"message","data":{"id":"u","role":"user","content":"hi","timestamp":"2026-01-16T10:05:00Z"}}"#,
        r#"{"type":"agent.status","data":{"run_id":"r","status":"failed","error_message":"no"}}"#,
        r#"{"type":"agent.step.completed","data":{"run_id":"r","step":1,"duration_ms":12,"usage":{"input_tokens":5,"output_tokens":6}}}"#,
        r#"{"type":"agent.continuation","data":{"run_id":"r","should_continue":false,"stop_reason":"steps_limit","resolved_by":"StepsLimit","evaluations":[{"resolver":"StepsLimit"}]}}"#,
        r#"{"type":"usage","data":{"run_id":"r","input_tokens":5,"output_tokens":6}}"#,
    ] {
        check(json);
    }
}

#[test]
fn order_of_type_and_data_does_not_matter() {
    let event = Event::decode(r#"{"data":{"message_id":"m","delta":"x"},"v":2,"type":"text_delta"}"#);
    assert!(matches!(event, Event::TextDelta(Delta { delta, .. }) if delta == "x"));
}

#[test]
fn what_is_not_known_is_skipped() {
    for json in [
        r#"{"type":"tool_dance","data":{"steps":[1,2,{"three":3}]}}"#,
        r#"{"type":"tool_dance"}"#,
        r#"{"data":{},"type":"tool_dance"}"#,
        r#"{"type":"tool_call","data":{"id":"c","status":"levitating"}}"#,
        r#"{"type":"tool_call","data":{}}"#,
        "{}",
        "[]",
        "",
        "null",
        r#"{"type":3,"data":{}}"#,
    ] {
        assert_eq!(Event::decode(json), Event::Unknown, "{json}");
    }
    // What may be left out may also be of a newer vocabulary, or null: the ending still is one.
    let newer = r#"{"type":"tool_call","data":{"id":"c","status":"completed","stage":"ranking","executor":"moon","error_kind":null,"metadata":{"context_type":"moods","query":"q"},"timestamp":null}}"#;
    let Event::ToolCall(event) = Event::decode(newer) else { panic!("an ending was lost") };
    assert_eq!((event.status, event.stage, event.metadata.query.as_deref()), (CallStatus::Completed, None, Some("q")));
    let no_metadata = r#"{"type":"tool_call","data":{"id":"c","status":"failed","metadata":null}}"#;
    assert!(matches!(Event::decode(no_metadata), Event::ToolCall(_)));

    let event = Event::decode(r#"{"type":"tool_output","data":{"tool_call_id":"c","chunk":"x","colour":"red"}}"#);
    assert!(matches!(event, Event::ToolOutput(_)));
}

#[test]
fn of_several_the_odd_one_is_left_out() {
    let usage = r#"{"type":"usage","data":{"run_id":"r","input_tokens":5}}"#;
    let odd = r#"{"type":"usage","data":{"run_id":7}}"#;
    let read = Event::decode_all(&format!("[{usage},{odd},{usage}]"));
    assert_eq!(read, [Event::decode(usage), Event::Unknown, Event::decode(usage)]);
    assert_eq!(Event::decode_all(&format!("[{usage}]")), [Event::decode(usage)]);
    assert!(Event::decode_all("nonsense").is_empty());
}
