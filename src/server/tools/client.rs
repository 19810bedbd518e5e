//! Tools of whoever asks: they are sent along with a question, run where that came from, and their results are posted back.
//! Here they only wait.

use std::{future::Future, pin::Pin, time::Duration};

use serde_json::{Value, json};

use super::{About, AnyTool, Done, Effect, Policy, Registry, Reporter, Run, ToolError};
use crate::model::{Executor, Family, Metadata, ask::Approval, message::ClientTool, summary::display_name};

/// What one question may bring along.
const MOST: usize = 64;
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 4_000;
const LARGEST_SCHEMA: usize = 32 * 1024;

/// How long a result is waited for. Waiting again after a restart is no second call.
const POLICY: Policy = Policy {
    effect: Effect::Idempotent,
    is_destructive: false,
    deadline: Duration::from_secs(120),
    retries: 3,
    pause: Duration::ZERO,
    fresh_for: Duration::ZERO,
};

/// The same where a person has to do something.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

struct Elsewhere {
    /// The tab that asked, where it is one of ours.
    tab: Option<String>,
    asks: bool,
}

impl AnyTool for Elsewhere {
    fn announce(&self, _: &Value) -> Result<Metadata, ToolError> {
        Ok(Metadata { message: Some("Waiting for the page that asked".into()), ..Metadata::default() })
    }

    fn approval(&self, _: &Value, about: &About) -> Result<Approval, ToolError> {
        Ok(Approval { lede: format!("Run “{}”?", about.title), ..Approval::default() })
    }

    fn edition(&self) -> Pin<Box<dyn Future<Output = String> + Send + '_>> {
        Box::pin(async { String::new() })
    }

    fn run<'a>(&'a self, _: Value, reporter: &'a Reporter) -> Run<'a, Done<Value>> {
        Box::pin(async move {
            let output = match &self.tab {
                Some(tab) => reporter.run_in_page(tab, self.asks).await?,
                None => reporter.posted().await?,
            };
            let message = Some("Done where it was asked".into());
            Ok(Done { output, metadata: Metadata { message, ..Metadata::default() } })
        })
    }
}

impl Registry {
    /// These tools and those of whoever asks. A name of ours stays ours.
    pub fn with_clients(&self, tools: &[ClientTool], tab: Option<&str>) -> Self {
        let mut registry = self.clone();
        for tool in tools.iter().filter(|tool| self.get(&tool.name).is_err()) {
            let title = display_name(&tool.name);
            let about = About {
                name: tool.name.clone(),
                short_title: title.clone(),
                title,
                family: Family::Generic,
                description: tool.description.clone(),
                input_schema: if tool.parameters.is_null() {
                    json!({"type": "object"})
                } else {
                    tool.parameters.clone()
                },
                output_schema: Value::Bool(true),
                executor: Executor::Client,
                examples: &[],
                policy: if tool.asks { Policy { deadline: PATIENCE, ..POLICY } } else { POLICY },
                // It runs where the person is, who sees it happen; the browser asks where that is not enough.
                asks: false,
                server: String::new(),
                version: 1,
            };
            registry.insert(about, Elsewhere { tab: tab.map(str::to_owned), asks: tool.asks });
        }
        registry
    }

    /// Reads the tools that come with a question, and says what is wrong with them.
    pub fn read_clients(&self, json: &str) -> Result<Vec<ClientTool>, String> {
        const HOW: &str =
            "client_tools is a JSON list of objects with name, description and parameters (a JSON Schema)";
        let tools: Vec<ClientTool> = serde_json::from_str(json).map_err(|error| format!("{HOW}: {error}."))?;
        if tools.len() > MOST {
            return Err(format!("At most {MOST} tools can come with a question; these are {}.", tools.len()));
        }
        for (nth, tool) in tools.iter().enumerate() {
            let ClientTool { name, description, parameters, asks: _ } = tool;
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
                return Err(format!("Tool {} needs a name of 1 to {LONGEST_NAME} letters, digits, _ and -.", nth + 1));
            }
            if self.get(name).is_ok() {
                return Err(format!("There is a tool “{name}” on the server already; call yours something else."));
            }
            if tools[..nth].iter().any(|other| other.name == *name) {
                return Err(format!("There are two tools named “{name}”."));
            }
            if description.chars().count() > LONGEST_DESCRIPTION {
                return Err(format!("The description of “{name}” is longer than {LONGEST_DESCRIPTION} characters."));
            }
            let is_object = parameters.is_null() || parameters.get("type").is_none_or(|kind| kind == "object");
            if !(parameters.is_null() || parameters.is_object()) || !is_object {
                return Err(format!("The parameters of “{name}” are no JSON Schema of an object."));
            }
            if parameters.to_string().len() > LARGEST_SCHEMA {
                return Err(format!("The parameters of “{name}” are too large."));
            }
        }
        Ok(tools)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{corpus::Corpus, tools};

    #[tokio::test]
    async fn what_comes_with_a_question_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let tools = tools::registry(&Corpus::open(&folder.path().join("corpus.db")).await.unwrap());
        let mut deep = json!({"type": "object"});
        for _ in 0..200 {
            deep = json!({"properties": {"a": deep}});
        }
        for (given, problem) in [
            (json!({"name": "x"}), "is a JSON list"),
            (json!([{"name": "a b"}]), "Tool 1 needs a name"),
            (json!([{"name": "search_bills"}]), "on the server already"),
            (json!([{"name": "a"}, {"name": "a"}]), "two tools named “a”"),
            (json!([{"name": "a", "parameters": "none"}]), "no JSON Schema"),
            (json!([{"name": "a", "parameters": {"type": "string"}}]), "no JSON Schema"),
            (json!([{"name": "a", "parameters": deep}]), "recursion limit"),
            (json!([{"name": "a", "parameters": {"title": "x".repeat(40_000)}}]), "too large"),
            (json!([{"name": "a", "description": "x".repeat(5_000)}]), "longer than"),
            (Value::Array(vec![json!({"name": "a"}); 65]), "At most 64"),
        ] {
            let told = tools.read_clients(&given.to_string()).unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
        let given =
            json!([{"name": "get_local_time", "description": "What time it is.", "parameters": {"type": "object"}}]);
        let read = tools.read_clients(&given.to_string()).unwrap();
        let both = tools.with_clients(&read, None);
        assert_eq!(both.get("get_local_time").unwrap().about.executor, Executor::Client);
        assert!(both.get("search_bills").is_ok() && tools.get("get_local_time").is_err());
    }
}
