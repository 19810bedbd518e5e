//! What is asked of a model, whoever it is. Each API has its own body for it.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub model: String,
    /// What holds for the whole conversation. It may be empty.
    pub system: String,
    pub messages: Vec<Said>,
    /// Where what is to be answered now begins among them.
    pub turn_at: usize,
    pub tools: Vec<ToolSpec>,
    /// What the answer may have at most.
    pub max_tokens: Option<u32>,
    pub temperature: Option<f64>,
}

/// What stands behind the result of a call whose arguments a person has changed.
pub const ARGS_CHANGED: &str = "\n(The person changed the arguments before allowing this.)";

#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    User {
        text: String,
        /// The text of attached files.
        files: Vec<Attached>,
        images: Vec<Image>,
    },
    Assistant {
        text: String,
        calls: Vec<Made>,
        /// What the API wants back as it was: see [`super::piece::Piece::Keep`].
        kept: Vec<Value>,
    },
    Result {
        call_id: String,
        name: String,
        content: String,
        is_error: bool,
    },
}

/// A file that came with a question, as far as it is text.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub media_type: String,
    pub base64: String,
}

/// A call the model made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    pub id: String,
    pub name: String,
    pub args: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
}

impl Image {
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}

/// The same request for whoever takes nothing but text and images: attached files stand below the question, fenced, so that
/// where they begin and end cannot be mistaken.
pub fn with_files_in_text(mut request: Request) -> Request {
    for said in &mut request.messages {
        let Said::User { text, files, .. } = said else { continue };
        for Attached { name, text: file } in files.drain(..) {
            let longest =
                file.lines().map(|line| line.trim_start().chars().take_while(|c| *c == '`').count()).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            text.push_str(&format!("\n\nAttached file “{name}”:\n{fence}\n{}\n{fence}", file.trim_end()));
        }
    }
    request
}

impl ToolSpec {
    /// The schema of its input as APIs take it: an object that names its properties, without what only validators need.
    pub fn schema(&self) -> Value {
        let Value::Object(mut schema) = self.input_schema.clone() else {
            return json!({"type": "object", "properties": {}});
        };
        schema.remove("$schema");
        schema.remove("title");
        let kind = schema.entry("type").or_insert_with(|| "object".into());
        if kind == "object" {
            schema.entry("properties").or_insert_with(|| json!({}));
        }
        schema.into()
    }
}

/// The parts of `kept` that this API knows. A conversation may have been with another one before.
pub fn kept_of<'a>(kept: &'a [Value], types: &[&str]) -> impl Iterator<Item = &'a Value> {
    kept.iter().filter(move |one| one["type"].as_str().is_some_and(|of| types.contains(&of)))
}

/// A conversation in which everything happens, for the tests of all bodies.
#[cfg(test)]
pub fn example() -> Request {
    let made = |id: &str, query: &str| Made { id: id.into(), name: "search".into(), args: json!({"query": query}) };
    let result = |id: &str, content: &str, is_error| Said::Result {
        call_id: id.into(),
        name: "search".into(),
        content: content.into(),
        is_error,
    };
    let image = Image { media_type: "image/png".into(), base64: "aGk=".into() };
    Request {
        model: "m-1".into(),
        system: "Be brief.".into(),
        messages: vec![
            Said::User { text: "What is this?".into(), files: vec![], images: vec![image] },
            Said::Assistant {
                text: "I will look.".into(),
                calls: vec![made("a", "water"), made("b", "air")],
                kept: vec![
                    json!({"type": "thinking", "thinking": "Hm.", "signature": "s1"}),
                    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e1"}),
                    json!({"type": "reasoning_content", "reasoning_content": "Hm."}),
                ],
            },
            result("a", "Nothing found.", false),
            result("b", "No network.", true),
            Said::User { text: "And now?".into(), files: vec![], images: vec![] },
            Said::Assistant { text: "A picture.".into(), calls: vec![], kept: vec![] },
            Said::User { text: "Thanks.".into(), files: vec![], images: vec![] },
        ],
        turn_at: 0,
        tools: vec![ToolSpec {
            name: "search".into(),
            description: "Searches.".into(),
            input_schema: json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": "Search",
                "type": "object",
                "properties": {"query": {"title": "Query", "type": "string"}},
                "required": ["query"],
            }),
        }],
        max_tokens: Some(100),
        temperature: Some(0.5),
    }
}

/// A conversation in which hardly anything is said.
#[cfg(test)]
pub fn smallest() -> Request {
    Request {
        model: "m-1".into(),
        system: String::new(),
        messages: vec![
            Said::User { text: "Hi".into(), files: vec![], images: vec![] },
            Said::Assistant {
                text: String::new(),
                calls: vec![],
                kept: vec![json!({"type": "reasoning", "id": "rs_1"})],
            },
        ],
        turn_at: 0,
        tools: vec![],
        max_tokens: None,
        temperature: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_below_the_question_in_a_fence_that_holds() {
        let file = |name: &str, text: &str| Attached { name: name.into(), text: text.into() };
        let files = vec![file("a.csv", "x,y\n1,2\n"), file("b.md", "# T\n````rust\nfn f() {}\n````\n")];
        let asked = Said::User { text: "What is this?".into(), files, images: vec![] };
        let request = with_files_in_text(Request { messages: vec![asked], ..smallest() });
        let Said::User { text, files, .. } = &request.messages[0] else { panic!("another message") };
        assert!(files.is_empty());
        assert_eq!(
            text,
            "What is this?\n\nAttached file “a.csv”:\n```\nx,y\n1,2\n```\n\n\
             Attached file “b.md”:\n`````\n# T\n````rust\nfn f() {}\n````\n`````"
        );
    }

    #[test]
    fn schemas_lose_what_apis_do_not_take() {
        let schema = |input_schema| ToolSpec { name: "t".into(), description: "d".into(), input_schema }.schema();
        let properties = json!({"title": {"title": "A title", "type": "string"}});
        assert_eq!(
            schema(json!({"$schema": "s", "title": "T", "type": "object", "properties": properties})),
            json!({"type": "object", "properties": properties}),
            "only at the top"
        );
        let empty = json!({"type": "object", "properties": {}});
        assert_eq!(schema(json!({"type": "object"})), empty);
        assert_eq!(schema(json!({"title": "Nothing"})), empty);
        assert_eq!(schema(json!(true)), empty);
    }
}
