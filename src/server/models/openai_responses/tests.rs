//! What is kept, and what no recorded answer shows.

use serde_json::{Value, json};

use super::{super::sse::Event, *};

fn event(data: &Value) -> Event {
    Event { name: data["type"].as_str().unwrap_or_default().to_owned(), data: data.to_string() }
}

fn decode(events: &[Value]) -> (Vec<Piece>, Ending) {
    let mut decoder = ResponsesDecoder::default();
    let mut pieces: Vec<Piece> = events.iter().flat_map(|data| decoder.push(&event(data))).collect();
    let (left, ending) = decoder.end();
    pieces.extend(left);
    (pieces, ending)
}

fn call(status: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": "fc", "call_id": "c", "name": "a", "status": status, "arguments": arguments})
}

fn item(kind: &str, index: u64, item: &Value) -> Value {
    json!({"type": format!("response.output_item.{kind}"), "output_index": index, "item": item})
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
}

fn ready(pieces: &[Piece]) -> Vec<&Value> {
    pieces.iter().filter_map(|piece| if let Piece::Ready { args, .. } = piece { Some(args) } else { None }).collect()
}

#[test]
fn reasoning_is_kept_as_it_was() {
    let reasoning = json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "abc"});
    let (pieces, _) = decode(&[item("added", 0, &json!({"type": "reasoning"})), item("done", 0, &reasoning)]);
    assert_eq!(pieces, [Piece::Keep(reasoning)]);
}

#[test]
fn what_is_told_only_when_it_is_complete_is_heard() {
    let message = json!({"type": "message", "content": [{"type": "output_text", "text": "Hello"}]});
    let text = Piece::Text("Hello".to_owned());
    let (pieces, ending) =
        decode(&[item("done", 0, &message), item("done", 1, &call("completed", "{\"x\":1}")), completed(&json!([]))]);
    assert_eq!((&pieces[0], ready(&pieces), ending.finish), (&text, vec![&json!({"x": 1})], Finish::Calls));
    // Or even only at the very end.
    let (pieces, ending) = decode(&[completed(&json!([message, call("completed", "")]))]);
    assert_eq!((&pieces[0], ready(&pieces), ending.finish), (&text, vec![&json!({})], Finish::Calls));
    // And not twice.
    let delta = json!({"type": "response.output_text.delta", "delta": "Hello"});
    let (pieces, _) = decode(&[
        item("added", 0, &json!({"type": "message"})),
        delta,
        item("done", 0, &message),
        completed(&json!([message])),
    ]);
    assert_eq!(pieces, [text]);
}

#[test]
fn a_call_that_was_cut_off_before_its_arguments_does_not_start() {
    let incomplete =
        json!({"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}});
    let done = json!({"type": "response.function_call_arguments.done", "item_id": "fc", "arguments": ""});
    let (pieces, ending) = decode(&[
        item("added", 0, &call("in_progress", "")),
        done,
        item("done", 0, &call("incomplete", "")),
        incomplete,
    ]);
    assert!(matches!(pieces[..], [Piece::Call { .. }, Piece::Broken { .. }]), "{pieces:?}");
    assert_eq!(ending, Ending { finish: Finish::Length, said: Some("incomplete".to_owned()) });
}

#[test]
fn ids_that_change_do_no_harm() {
    let kind = "response.function_call_arguments.delta";
    let delta = |id: &str, delta: &str| json!({"type": kind, "item_id": id, "output_index": 3, "delta": delta});
    let (pieces, _) = decode(&[
        item("added", 3, &call("in_progress", "")),
        delta("other", "{\"x\":"),
        delta("third", "1}"),
        completed(&json!([])),
    ]);
    assert_eq!(ready(&pieces), [&json!({"x": 1})]);
}

#[test]
fn every_ending_has_a_word() {
    let response = |kind: &str, response: &Value| json!({"type": kind, "response": response});
    let failed = json!({"status": "failed", "error": {"code": "server_error", "message": "Oops"}});
    let filtered = json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}});
    for (events, word) in [
        (vec![], "cut"),
        (vec![completed(&json!([]))], "stop"),
        (vec![response("response.incomplete", &json!({}))], "length"),
        (vec![response("response.incomplete", &filtered)], "content_filter"),
        (vec![response("response.failed", &failed)], "error"),
        (vec![json!({"type": "error", "code": "rate_limit_exceeded", "message": "Slow down"})], "error"),
        (vec![json!({"type": "response.refusal.delta", "delta": "No."}), completed(&json!([]))], "refusal"),
    ] {
        assert_eq!(decode(&events).1.finish.word(), word, "{events:?}");
    }
    let (_, ending) = decode(&[response("response.failed", &failed)]);
    assert_eq!(ending.finish, Finish::Failed(Failure::new("server_error", "Oops")));
}

#[test]
fn calls_of_the_api_itself_and_strange_events_are_not_ours() {
    let (pieces, _) = decode(&[
        item("added", 0, &json!({"type": "web_search_call", "id": "w"})),
        item("done", 0, &json!({"type": "mcp_call", "name": "x", "arguments": "{}"})),
        json!(["strange"]),
        json!({"type": "response.function_call_arguments.delta", "item_id": "nobody", "delta": "{"}),
        json!({"type": "response.output_item.done"}),
    ]);
    assert_eq!(pieces, []);
}
