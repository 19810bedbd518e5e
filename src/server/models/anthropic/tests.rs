//! What is kept, what is counted, and what no recorded answer shows.

use serde_json::{Value, json};

use super::{super::sse::Event, *};

fn event(data: &Value) -> Event {
    Event { name: data["type"].as_str().unwrap_or_default().to_owned(), data: data.to_string() }
}

fn start(index: u64, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn stopped(reason: &str) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason}})
}

fn decode(events: &[Value]) -> (Vec<Piece>, Ending) {
    let mut decoder = AnthropicDecoder::default();
    let mut pieces: Vec<Piece> = events.iter().flat_map(|data| decoder.push(&event(data))).collect();
    let (left, ending) = decoder.end();
    pieces.extend(left);
    (pieces, ending)
}

#[test]
fn thinking_is_kept_as_it_was() {
    let signed = json!({"type": "thinking", "thinking": "Let me see", "signature": "abc"});
    let redacted = json!({"type": "redacted_thinking", "data": "xyz"});
    let (pieces, _) = decode(&[
        start(0, &json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, &json!({"type": "thinking_delta", "thinking": "Let me"})),
        delta(0, &json!({"type": "thinking_delta", "thinking": " see"})),
        delta(0, &json!({"type": "signature_delta", "signature": "abc"})),
        stop(0),
        start(1, &redacted),
        stop(1),
        start(2, &json!({"type": "thinking", "thinking": "unsigned"})),
        stop(2),
        start(3, &json!({"type": "thinking", "thinking": "cut off", "signature": "s"})),
    ]);
    let kept: Vec<&Value> =
        pieces.iter().filter_map(|piece| if let Piece::Keep(kept) = piece { Some(kept) } else { None }).collect();
    assert_eq!(kept, [&signed, &redacted]);
}

#[test]
fn a_call_starts_at_the_end_of_its_block() {
    let mut decoder = AnthropicDecoder::default();
    let call = |name: &str, input: &Value| json!({"type": "tool_use", "id": "t", "name": name, "input": input});
    decoder.push(&event(&start(0, &call("a", &json!({})))));
    decoder.push(&event(&delta(0, &json!({"type": "input_json_delta", "partial_json": "{\"x\":1}"}))));
    assert_eq!(decoder.push(&event(&stop(0))), [Piece::Ready { nth: 0, args: json!({"x": 1}) }]);
    // Some send the whole input with the beginning.
    decoder.push(&event(&start(1, &call("b", &json!({"y": 2})))));
    let chunk = Piece::Arguments { nth: 1, chunk: "{\"y\":2}".to_owned() };
    assert_eq!(decoder.push(&event(&stop(1))), [chunk, Piece::Ready { nth: 1, args: json!({"y": 2}) }]);
    decoder.push(&event(&start(2, &call("c", &json!({})))));
    let (left, ending) = decoder.end();
    assert!(matches!(left[..], [Piece::Broken { nth: 2, .. }]), "{left:?}");
    assert_eq!(ending.finish, Finish::Cut);
}

#[test]
fn what_comes_from_the_cache_is_counted_too() {
    let usage = json!({
        "input_tokens": 5,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 300,
        "output_tokens": 1,
    });
    let (pieces, _) = decode(&[
        json!({"type": "message_start", "message": {"id": "m", "usage": usage}}),
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 9}}),
    ]);
    let usage = |output_tokens| Piece::Usage { input_tokens: 325, output_tokens };
    assert_eq!(pieces, [usage(1), usage(9)]);
}

#[test]
fn every_ending_has_a_word() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    for (events, word) in [
        (vec![], "cut"),
        (vec![stopped("end_turn")], "stop"),
        (vec![json!({"type": "message_stop"})], "stop"),
        (vec![stopped("stop_sequence")], "stop"),
        (vec![stopped("pause_turn")], "stop"),
        (vec![stopped("max_tokens")], "length"),
        (vec![stopped("refusal")], "refusal"),
        (vec![error, stopped("end_turn")], "error"),
    ] {
        assert_eq!(decode(&events).1.finish.word(), word, "{events:?}");
    }
}

#[test]
fn strange_events_do_no_harm() {
    let (pieces, _) = decode(&[
        json!(1),
        json!({"type": "new_thing", "index": -1}),
        start(0, &json!(null)),
        delta(7, &json!({"type": "input_json_delta", "partial_json": "{}"})),
        delta(8, &json!({"type": "text_delta", "text": "Without a beginning"})),
        stop(9),
    ]);
    assert_eq!(pieces, [Piece::Text("Without a beginning".to_owned())]);
}
