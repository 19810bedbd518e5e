//! The body of a request to `/v1/responses`.

use serde_json::{Value, json};

use super::super::request::{Image, Made, Request, Said, ToolSpec, kept_of};

pub fn body(request: &Request) -> Value {
    let mut body = json!({
        "model": request.model,
        "input": request.messages.iter().flat_map(items).collect::<Vec<_>>(),
        "stream": true,
        // Nothing is kept there. So reasoning must come along, which it does only encrypted.
        "store": false,
        "include": ["reasoning.encrypted_content"],
    });
    if !request.system.is_empty() {
        body["instructions"] = request.system.as_str().into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(most) = request.max_tokens {
        body["max_output_tokens"] = most.into();
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

fn items(said: &Said) -> Vec<Value> {
    match said {
        Said::User { text, images, .. } => {
            let text = text_part("input_text", text);
            let parts: Vec<Value> = text.into_iter().chain(images.iter().map(image)).collect();
            vec![json!({"type": "message", "role": "user", "content": parts})]
        }
        Said::Assistant { text, calls, kept } => {
            let text = text_part("output_text", text);
            let text = text.map(|part| json!({"type": "message", "role": "assistant", "content": [part]}));
            let said: Vec<Value> = text.into_iter().chain(calls.iter().map(call)).collect();
            // Reasoning is refused if nothing follows it.
            if said.is_empty() { said } else { kept_of(kept, &["reasoning"]).cloned().chain(said).collect() }
        }
        Said::Result { call_id, content, is_error, .. } => {
            // There is no field that says so.
            let output = if *is_error { format!("Error: {content}") } else { content.clone() };
            vec![json!({"type": "function_call_output", "call_id": call_id, "output": output})]
        }
    }
}

fn text_part(kind: &str, text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"type": kind, "text": text}))
}

fn call(made: &Made) -> Value {
    json!({"type": "function_call", "call_id": made.id, "name": made.name, "arguments": made.args.to_string()})
}

fn image(image: &Image) -> Value {
    json!({"type": "input_image", "image_url": image.data_url()})
}

/// Unless it is told not to, this API is strict, and refuses schemas in which something may be left out.
fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema(),
        "strict": false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::request::{example, smallest};
    use super::*;

    #[test]
    fn everything_that_was_said_is_in_the_body() {
        let call = |id: &str, arguments: &str| {
            let name = "search";
            json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments})
        };
        let user =
            |text: &str| json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]});
        let expected = json!({
            "model": "m-1",
            "instructions": "Be brief.",
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "max_output_tokens": 100,
            "temperature": 0.5,
            "input": [
                {"type": "message", "role": "user", "content": [
                    {"type": "input_text", "text": "What is this?"},
                    {"type": "input_image", "image_url": "data:image/png;base64,aGk="},
                ]},
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e1"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I will look."}]},
                call("a", r#"{"query":"water"}"#),
                call("b", r#"{"query":"air"}"#),
                {"type": "function_call_output", "call_id": "a", "output": "Nothing found."},
                {"type": "function_call_output", "call_id": "b", "output": "Error: No network."},
                user("And now?"),
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A picture."}]},
                user("Thanks."),
            ],
            "tools": [{
                "type": "function",
                "name": "search",
                "description": "Searches.",
                "strict": false,
                "parameters": {
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
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}],
        });
        assert_eq!(body(&smallest()), expected);
    }
}
