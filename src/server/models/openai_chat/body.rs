//! The body of a request to `/chat/completions`.

use serde_json::{Map, Value, json};

use super::super::request::{Image, Made, Request, Said, ToolSpec, kept_of};

/// OpenAI itself wants the limit under another name than everybody else knows.
pub fn body(request: &Request, is_openai: bool) -> Value {
    let system = Some(&request.system).filter(|system| !system.is_empty());
    let system = system.map(|system| json!({"role": "system", "content": system}));
    let messages: Vec<Value> = system.into_iter().chain(request.messages.iter().filter_map(message)).collect();
    let mut body = json!({
        "model": request.model,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(most) = request.max_tokens {
        body[if is_openai { "max_completion_tokens" } else { "max_tokens" }] = most.into();
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

fn message(said: &Said) -> Option<Value> {
    match said {
        Said::User { text, images, .. } if images.is_empty() => Some(json!({"role": "user", "content": text})),
        Said::User { text, images, .. } => {
            let text = Some(text).filter(|text| !text.is_empty()).map(|text| json!({"type": "text", "text": text}));
            let parts: Vec<Value> = text.into_iter().chain(images.iter().map(image)).collect();
            Some(json!({"role": "user", "content": parts}))
        }
        Said::Assistant { text, calls, kept } => assistant(text, calls, kept),
        Said::Result { call_id, content, is_error, .. } => {
            // There is no field that says so.
            let content = if *is_error { format!("Error: {content}") } else { content.clone() };
            Some(json!({"role": "tool", "tool_call_id": call_id, "content": content}))
        }
    }
}

/// Nothing, if nothing was said: an empty message is refused.
fn assistant(text: &str, calls: &[Made], kept: &[Value]) -> Option<Value> {
    if text.is_empty() && calls.is_empty() {
        return None;
    }
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    message.insert("content".to_owned(), if text.is_empty() { Value::Null } else { text.into() });
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    for kept in kept_of(kept, &["reasoning_content"]) {
        message.insert("reasoning_content".to_owned(), kept["reasoning_content"].clone());
    }
    Some(message.into())
}

fn call(made: &Made) -> Value {
    let function = json!({"name": made.name, "arguments": made.args.to_string()});
    json!({"id": made.id, "type": "function", "function": function})
}

fn image(image: &Image) -> Value {
    json!({"type": "image_url", "image_url": {"url": image.data_url()}})
}

fn tool(tool: &ToolSpec) -> Value {
    let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.schema()});
    json!({"type": "function", "function": function})
}

#[cfg(test)]
mod tests {
    use super::super::super::request::{example, smallest};
    use super::*;

    #[test]
    fn everything_that_was_said_is_in_the_body() {
        let call = |id: &str, arguments: &str| {
            let function = json!({"name": "search", "arguments": arguments});
            json!({"id": id, "type": "function", "function": function})
        };
        let expected = json!({
            "model": "m-1",
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 100,
            "temperature": 0.5,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "text", "text": "What is this?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
                ]},
                {
                    "role": "assistant",
                    "content": "I will look.",
                    "tool_calls": [call("a", r#"{"query":"water"}"#), call("b", r#"{"query":"air"}"#)],
                    "reasoning_content": "Hm.",
                },
                {"role": "tool", "tool_call_id": "a", "content": "Nothing found."},
                {"role": "tool", "tool_call_id": "b", "content": "Error: No network."},
                {"role": "user", "content": "And now?"},
                {"role": "assistant", "content": "A picture."},
                {"role": "user", "content": "Thanks."},
            ],
            "tools": [{"type": "function", "function": {
                "name": "search",
                "description": "Searches.",
                "parameters": {
                    "type": "object",
                    "properties": {"query": {"title": "Query", "type": "string"}},
                    "required": ["query"],
                },
            }}],
        });
        assert_eq!(body(&example(), false), expected);
        let openai = body(&example(), true);
        assert_eq!((&openai["max_tokens"], &openai["max_completion_tokens"]), (&Value::Null, &100.into()));
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        let expected = json!({
            "model": "m-1",
            "stream": true,
            "stream_options": {"include_usage": true},
            "messages": [{"role": "user", "content": "Hi"}],
        });
        assert_eq!(body(&smallest(), false), expected);
    }
}
