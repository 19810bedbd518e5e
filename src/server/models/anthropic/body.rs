//! The body of a request to `/v1/messages`.

use serde_json::{Value, json};

use super::super::request::{Image, Made, Request, Said, ToolSpec, kept_of};

/// There must be one.
const USUAL_MAX_TOKENS: u32 = 8192;

pub fn body(request: &Request) -> Value {
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_tokens.unwrap_or(USUAL_MAX_TOKENS),
        "messages": messages(&request.messages),
        "stream": true,
    });
    if !request.system.is_empty() {
        body["system"] = request.system.as_str().into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

/// Both sides take turns: what one of them says in a row is one message. So all results of a step are in the message
/// that directly follows the calls, as they must be.
fn messages(said: &[Said]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for said in said {
        let (role, blocks) = blocks(said);
        match turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, all)) if *last == role => all.extend(blocks),
            Some(_) | None => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn blocks(said: &Said) -> (&'static str, Vec<Value>) {
    match said {
        Said::User { text: words, images, .. } => ("user", images.iter().map(image).chain(text(words)).collect()),
        Said::Assistant { text: words, calls, kept } => {
            let kept = kept_of(kept, &["thinking", "redacted_thinking"]).cloned();
            let said: Vec<Value> = text(words).into_iter().chain(calls.iter().map(call)).collect();
            // Thinking alone is no message.
            ("assistant", if said.is_empty() { said } else { kept.chain(said).collect() })
        }
        Said::Result { call_id, content, is_error, .. } => {
            let mut result = json!({"type": "tool_result", "tool_use_id": call_id, "content": content});
            if *is_error {
                result["is_error"] = true.into();
            }
            ("user", vec![result])
        }
    }
}

/// Text that is empty, or only empty space, is refused.
fn text(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn call(made: &Made) -> Value {
    json!({"type": "tool_use", "id": made.id, "name": made.name, "input": made.args})
}

fn image(image: &Image) -> Value {
    let source = json!({"type": "base64", "media_type": image.media_type, "data": image.base64});
    json!({"type": "image", "source": source})
}

fn tool(tool: &ToolSpec) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema()})
}

#[cfg(test)]
mod tests {
    use super::super::super::request::{example, smallest};
    use super::*;

    #[test]
    fn everything_that_was_said_is_in_the_body() {
        let expected = json!({
            "model": "m-1",
            "system": "Be brief.",
            "stream": true,
            "max_tokens": 100,
            "temperature": 0.5,
            "messages": [
                {"role": "user", "content": [
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
                    {"type": "text", "text": "What is this?"},
                ]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "s1"},
                    {"type": "text", "text": "I will look."},
                    {"type": "tool_use", "id": "a", "name": "search", "input": {"query": "water"}},
                    {"type": "tool_use", "id": "b", "name": "search", "input": {"query": "air"}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "Nothing found."},
                    {"type": "tool_result", "tool_use_id": "b", "content": "No network.", "is_error": true},
                    {"type": "text", "text": "And now?"},
                ]},
                {"role": "assistant", "content": [{"type": "text", "text": "A picture."}]},
                {"role": "user", "content": [{"type": "text", "text": "Thanks."}]},
            ],
            "tools": [{
                "name": "search",
                "description": "Searches.",
                "input_schema": {
                    "type": "object",
                    "properties": {"query": {"title": "Query", "type": "string"}},
                    "required": ["query"],
                },
            }],
        });
        assert_eq!(body(&example()), expected);
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        let expected = json!({
            "model": "m-1",
            "stream": true,
            "max_tokens": 8192,
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        });
        assert_eq!(body(&smallest()), expected);
    }
}
