//! What a model that can only write text is told about tools.

use std::fmt::Write as _;

use super::super::request::{Made, Request, Said, ToolSpec};

/// The same request for a model that can only write text: its tools are described, its calls are text, and what came of
/// them is told.
pub fn rewritten(request: Request) -> Request {
    let described = prompt(&request.tools);
    let system = [request.system.as_str(), &described].join("\n\n").trim_end().to_owned();
    Request { system, ..in_words(request, marked) }
}

/// The same request for a model that has nothing to call: what was called before is told.
pub fn retold(request: Request) -> Request {
    in_words(request, |call| format!("(I called {} with {}.)", call.name, call.args))
}

/// Messages of one side that follow each other become one: some models insist on turns.
fn in_words(request: Request, written: fn(&Made) -> String) -> Request {
    let mut messages: Vec<Said> = Vec::new();
    for said in request.messages {
        match (said, messages.last_mut()) {
            (Said::Assistant { text, calls, .. }, last) => {
                let text = calls.iter().map(written).fold(text, |text, call| format!("{text}\n{call}"));
                let text = text.trim_start().to_owned();
                match last {
                    Some(Said::Assistant { text: before, .. }) => before.push_str(&format!("\n\n{text}")),
                    _ => messages.push(Said::Assistant { text, calls: Vec::new(), kept: Vec::new() }),
                }
            }
            (Said::Result { name, content, is_error, .. }, last) => {
                let failed = if is_error { " (it failed)" } else { "" };
                let told = format!("Result of {name}{failed}:\n{content}");
                match last {
                    Some(Said::User { text, .. }) => text.push_str(&format!("\n\n{told}")),
                    _ => messages.push(Said::User { text: told, files: Vec::new(), images: Vec::new() }),
                }
            }
            (Said::User { text, files, images }, Some(Said::User { text: before, files: fs, images: is })) => {
                before.push_str(&format!("\n\n{text}"));
                fs.extend(files);
                is.extend(images);
            }
            (said @ Said::User { .. }, _) => messages.push(said),
        }
    }
    Request { messages, tools: Vec::new(), ..request }
}

/// In the order in which the prompt shows it: a name first, so that a card is there early.
fn marked(call: &Made) -> String {
    format!("###:{{\"toolName\":{},\"parameters\":{}}}", serde_json::Value::from(call.name.as_str()), call.args)
}

/// Part of the system prompt. Empty, if there are no tools.
pub(super) fn prompt(tools: &[ToolSpec]) -> String {
    let Some(first) = tools.first() else { return String::new() };
    let mut prompt =
        String::from("You can use tools. These are the tools, and what each of them takes as parameters:\n");
    for tool in tools {
        let description = tool.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(prompt, "\n- {}: {description}\n  Parameters, as a JSON schema: {}\n", tool.name, tool.schema());
    }
    let _ = write!(
        prompt,
        r####"
To use a tool, write a line of exactly this form, with one JSON object directly after the marker ###: and nothing else:

###:{{"toolName":"{name}","parameters":{example}}}

- Write valid JSON on one line, with double quotes. Leave out parameters that you do not need.
- You may write several such lines in one answer. The tools then run side by side.
- After them, end your answer, and wait. Do not make up results.
- The results come back as messages that begin with "Result of <tool>:", for example "Result of {name}:". Then go on.
- People do not see these lines. Use the marker for nothing else.
"####,
        name = first.name,
        example = example(first),
    );
    prompt
}

/// Parameters such as the tool takes.
fn example(tool: &ToolSpec) -> String {
    let schema = tool.schema();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let fields = required.iter().map(|name| {
        let value = match schema["properties"][name]["type"].as_str() {
            Some("integer" | "number") => "1",
            Some("boolean") => "true",
            Some("array") => "[]",
            Some("object") => "{}",
            Some(_) | None => "\"…\"",
        };
        format!("{}:{value}", serde_json::Value::from(*name))
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::super::super::{piece::Piece, request::example};
    use super::{super::MarkerParser, *};
    use serde_json::json;

    #[test]
    fn the_example_is_a_call() {
        let tools = example().tools;
        let prompt = prompt(&tools);
        assert!(prompt.contains("- search: Searches.") && prompt.contains("Result of search:"), "{prompt}");
        assert!(!prompt.contains("$schema"));
        let mut parser = MarkerParser::default();
        let mut pieces = parser.push(&prompt);
        pieces.extend(parser.end());
        let ready: Vec<_> =
            pieces.iter().filter(|piece| matches!(piece, Piece::Ready { .. } | Piece::Broken { .. })).collect();
        assert_eq!(ready, [&Piece::Ready { nth: 0, args: json!({"query": "…"}) }]);
    }

    #[test]
    fn without_tools_nothing_is_said() {
        assert_eq!(prompt(&[]), "");
    }
}
