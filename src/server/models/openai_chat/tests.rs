//! What no recorded answer shows, and somebody does.

use serde_json::{Value, json};

use super::{super::sse::Event, *};

fn event(data: &Value) -> Event {
    Event { name: String::new(), data: data.to_string() }
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn fragments(fragments: &Value) -> Value {
    delta(&json!({"tool_calls": fragments}))
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn decode(chunks: &[Value]) -> (Vec<Piece>, Ending) {
    let mut decoder = ChatDecoder::default();
    let mut pieces: Vec<Piece> = chunks.iter().flat_map(|chunk| decoder.push(&event(chunk))).collect();
    let (left, ending) = decoder.end();
    pieces.extend(left);
    (pieces, ending)
}

/// Names and arguments of the calls that may start.
fn started(pieces: &[Piece]) -> Vec<(String, Value)> {
    let name = |nth: usize| {
        let names =
            pieces.iter().filter_map(|piece| if let Piece::Call { name, .. } = piece { Some(name) } else { None });
        names.into_iter().nth(nth).cloned().unwrap()
    };
    let ready = pieces.iter().filter_map(|piece| match piece {
        Piece::Ready { nth, args } => Some((name(*nth), args.clone())),
        _ => None,
    });
    ready.collect()
}

#[test]
fn fragments_find_their_call() {
    let a = || ("a".to_owned(), json!({"x": 1}));
    let b = || ("b".to_owned(), json!({"x": 2}));
    let whole = |name: &str, x: u64| json!({"name": name, "arguments": format!("{{\"x\":{x}}}")});
    let cases = [
        (
            "neither ids nor indices",
            vec![
                json!([{"function": {"name": "a", "arguments": "{\"x\":"}}]),
                json!([{"function": {"arguments": "1}"}}]),
                json!([{"function": whole("b", 2)}]),
            ],
            vec![a(), b()],
        ),
        (
            "the same index, empty ids",
            vec![
                json!([{"index": 0, "id": "", "function": whole("a", 1)}]),
                json!([{"index": 0, "id": "", "function": whole("b", 2)}]),
            ],
            vec![a(), b()],
        ),
        (
            "the same index and name, no ids",
            vec![json!([{"index": 0, "function": whole("a", 1)}]), json!([{"index": 0, "function": whole("a", 2)}])],
            vec![a(), ("a".to_owned(), json!({"x": 2}))],
        ),
        (
            "the name in every fragment",
            vec![
                json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": "{\"x\""}}]),
                json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": ":1}"}}]),
                json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": ""}}]),
            ],
            vec![a()],
        ),
        (
            "the whole call again",
            vec![
                json!([{"index": 0, "id": "1", "function": whole("a", 1)}]),
                json!([{"index": 0, "id": "1", "function": whole("a", 1)}]),
            ],
            vec![a()],
        ),
        (
            "the id only, then the name",
            vec![
                json!([{"index": 0, "id": "1"}]),
                json!([{"index": 0, "function": {"arguments": "{\"x\":"}}]),
                json!([{"index": 0, "function": {"name": "a", "arguments": "1}"}}]),
            ],
            vec![a()],
        ),
        (
            "the same id for two",
            vec![json!([
                {"index": 0, "id": "1", "function": whole("a", 1)},
                {"index": 1, "id": "1", "function": whole("b", 2)},
            ])],
            vec![a(), b()],
        ),
        ("no name at all", vec![json!([{"index": 0, "id": "1", "function": {"arguments": "{}"}}])], vec![]),
    ];
    for (what, deltas, expected) in cases {
        let chunks: Vec<Value> = deltas.iter().map(fragments).chain([finish("tool_calls")]).collect();
        let (pieces, ending) = decode(&chunks);
        assert_eq!(started(&pieces), expected, "{what}");
        let finish = if expected.is_empty() { Finish::Stop } else { Finish::Calls };
        assert_eq!(ending.finish, finish, "{what}");
    }
}

#[test]
fn a_call_may_start_while_the_next_is_written() {
    let mut decoder = ChatDecoder::default();
    let first = json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": "{\"x\":1}"}}]);
    let second = json!([{"index": 1, "id": "2", "function": {"name": "b", "arguments": ""}}]);
    assert!(started(&decoder.push(&event(&fragments(&first)))).is_empty());
    let pieces = decoder.push(&event(&fragments(&second)));
    assert_eq!(pieces[0], Piece::Ready { nth: 0, args: json!({"x": 1}) });
    assert!(matches!(decoder.end().0[..], [Piece::Broken { nth: 1, .. }]), "nothing is not enough when it was cut");
}

#[test]
fn too_many_calls_are_ignored() {
    let call = |nth: usize| {
        let begins = json!({"name": "a", "arguments": "{"});
        json!([
            {"index": nth, "id": format!("id{nth}"), "function": begins},
            {"index": nth, "function": {"arguments": "}"}},
        ])
    };
    let chunks: Vec<Value> = (0..200).map(|nth| fragments(&call(nth))).chain([finish("tool_calls")]).collect();
    let (pieces, _) = decode(&chunks);
    assert_eq!(started(&pieces).len(), 128);
    assert!(!pieces.iter().any(|piece| matches!(piece, Piece::Broken { .. })));
}

#[test]
fn every_ending_has_a_word() {
    let hello = || delta(&json!({"content": "Hello"}));
    for (chunks, word) in [
        (vec![hello()], "cut"),
        (vec![], "cut"),
        (vec![json!("[DONE]")], "cut"),
        (vec![hello(), finish("stop")], "stop"),
        (vec![hello(), finish("")], "cut"),
        (vec![hello(), finish("eos")], "stop"),
        (vec![hello(), finish("length")], "length"),
        (vec![hello(), finish("content_filter")], "content_filter"),
        (vec![delta(&json!({"refusal": "I cannot."})), finish("stop")], "refusal"),
        (vec![hello(), finish("error")], "error"),
        (vec![hello(), json!({"error": {"message": "Overloaded", "code": 502}})], "error"),
        (vec![hello(), json!({"object": "error", "message": "Oops", "code": 400})], "error"),
    ] {
        let (_, ending) = decode(&chunks);
        assert_eq!(ending.finish.word(), word, "{chunks:?}");
    }
}

#[test]
fn done_after_text_is_a_clean_end() {
    let mut decoder = ChatDecoder::default();
    decoder.push(&event(&delta(&json!({"content": "Hello"}))));
    decoder.push(&Event { name: String::new(), data: "[DONE]".to_owned() });
    assert_eq!(decoder.end().1, Ending { finish: Finish::Stop, said: None });
}

#[test]
fn what_came_as_reasoning_content_is_kept_if_there_are_calls() {
    let call = fragments(&json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": "{}"}}]));
    let thought = delta(&json!({"reasoning_content": "Hm", "reasoning": "Hm"}));
    let (pieces, _) = decode(&[thought.clone(), call.clone(), finish("tool_calls")]);
    assert_eq!(pieces[0], Piece::Reasoning("Hm".to_owned()), "once");
    assert_eq!(pieces.last(), Some(&Piece::Keep(json!({"type": "reasoning_content", "reasoning_content": "Hm"}))));
    let is_kept = |chunks: &[Value]| decode(chunks).0.iter().any(|piece| matches!(piece, Piece::Keep(_)));
    assert!(!is_kept(&[thought, finish("stop")]));
    assert!(!is_kept(&[delta(&json!({"reasoning": "Hm"})), call, finish("tool_calls")]));
}

#[test]
fn thinking_between_tags_is_reasoning() {
    let chunks = ["<th", "ink>Hm", "</think>\n\n", "Yes"].map(|text| delta(&json!({"content": text})));
    let (pieces, _) = decode(&chunks);
    assert_eq!(pieces, [Piece::Reasoning("Hm".to_owned()), Piece::Text("Yes".to_owned())]);
}

#[test]
fn old_and_strange_forms_are_understood() {
    let old = [
        delta(&json!({"function_call": {"name": "a", "arguments": "{\"x\":"}})),
        delta(&json!({"function_call": {"arguments": "1}"}})),
        finish("function_call"),
    ];
    assert_eq!(started(&decode(&old).0), [("a".to_owned(), json!({"x": 1}))]);
    let whole = json!({"choices": [{"message": {"content": "All at once"}, "finish_reason": "stop"}]});
    assert_eq!(decode(&[whole]).0, [Piece::Text("All at once".to_owned())]);
    let strange = [
        json!(1),
        json!([]),
        json!({"choices": {}}),
        json!({"choices": [1]}),
        delta(&json!({"tool_calls": [1, null], "content": 5})),
    ];
    assert_eq!(decode(&strange).0, []);
    let other = json!({"choices": [{"index": 1, "delta": {"content": "Another answer"}}]});
    assert_eq!(decode(&[other]).0, []);
}
