//! Which models there are: from `vitrine.toml`, and from the environment for those who have just one. What a file says
//! that we do not know is an error, because a typing mistake would otherwise be silence.

use std::{collections::BTreeMap, fmt, path::Path};

use serde::Deserialize;

use super::{Model, Protocol, Remote, Source, ToolMode};

/// A key. It is used, and never shown.
#[derive(Clone, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

/// The file, as people write it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    default_model: Option<String>,
    #[serde(rename = "models")]
    models: Vec<Entry>,
    tools: Tools,
}

/// Which tools ask a person first.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tools {
    /// Although they only read.
    pub ask: Vec<String>,
    /// These do not, although they change something.
    pub trust: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    label: Option<String>,
    #[serde(default)]
    protocol: Protocol,
    base_url: Option<String>,
    /// What the other side calls it. Ours, if nothing is said.
    model: Option<String>,
    key: Option<Secret>,
    /// The variable that has the key.
    key_env: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Secret>,
    #[serde(default)]
    tools: ToolMode,
    max_tokens: Option<u32>,
    temperature: Option<f64>,
    #[serde(default = "most_steps")]
    max_steps: u32,
    token_budget: Option<u64>,
    #[serde(default)]
    vision: bool,
    /// Whether it is asked once for a title of the conversation.
    #[serde(default = "yes")]
    titles: bool,
    #[serde(default = "silence")]
    silence_s: u64,
}

pub const fn most_steps() -> u32 {
    12
}

const fn yes() -> bool {
    true
}

const fn silence() -> u64 {
    120
}

/// Reads a variable: the process's own, or a test's.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The models in the order of their choice, and the name of the one that answers when nobody chose.
pub fn read(file: Option<&Path>, environment: Environment<'_>) -> Result<(Vec<Model>, String), String> {
    read_with(file, |written| parse(written, environment))
}

/// Which tools ask.
pub fn tools(file: Option<&Path>) -> Result<Tools, String> {
    read_with(file, |written| Ok(parse_file(written)?.tools))
}

fn read_with<T>(file: Option<&Path>, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<T, String> {
    let written = match file {
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?,
        None => String::new(),
    };
    let place = file.map_or_else(String::new, |path| format!("{}: ", path.display()));
    parse(&written).map_err(|problem| format!("{place}{problem}"))
}

fn parse_file(written: &str) -> Result<File, String> {
    toml::from_str(written).map_err(|error| told(&error, written))
}

fn parse(written: &str, environment: Environment<'_>) -> Result<(Vec<Model>, String), String> {
    let file = parse_file(written)?;
    let mut models = vec![Model::embedded()];
    models.extend(from_environment(environment)?);
    for entry in file.models {
        let model = entry.into_model(environment)?;
        if models.iter().any(|known| known.name == model.name) {
            return Err(format!("there are two models named “{}”; give each a name of its own", model.name));
        }
        models.push(model);
    }
    // Whoever configures a model wants it to answer.
    let first = models.get(1).unwrap_or(&models[0]).name.clone();
    let default = file.default_model.unwrap_or(first);
    if !models.iter().any(|model| model.name == default) {
        let names = models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(format!("default_model is “{default}”, and there is no such model. There are: {names}"));
    }
    Ok((models, default))
}

/// What is wrong, and in which line. The line itself may hold a key.
fn told(error: &toml::de::Error, written: &str) -> String {
    let line = error.span().map(|span| written[..span.start.min(written.len())].lines().count().max(1));
    match line {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_owned(),
    }
}

/// Two variables are enough: where it is, and what it is called.
fn from_environment(environment: Environment<'_>) -> Result<Option<Model>, String> {
    let set = |name: &str| environment(name).filter(|value| !value.trim().is_empty());
    let Some(model) = set("VITRINE_MODEL") else {
        return match set("VITRINE_MODEL_URL") {
            Some(_) => Err("VITRINE_MODEL_URL is set, and VITRINE_MODEL is not: say which model to ask there".into()),
            None => Ok(None),
        };
    };
    let word = |name: &str, fallback: &str| set(name).unwrap_or_else(|| fallback.into());
    let entry = format!(
        "name = {model:?}\nprotocol = {:?}\ntools = {:?}\n",
        word("VITRINE_MODEL_PROTOCOL", "openai_chat"),
        word("VITRINE_MODEL_TOOLS", "native")
    );
    let mut entry: Entry =
        toml::from_str(&entry).map_err(|error| format!("the model in the environment: {}", error.message()))?;
    entry.base_url = set("VITRINE_MODEL_URL");
    entry.key = set("VITRINE_MODEL_KEY").map(Secret);
    entry.into_model(environment).map(Some)
}

impl Entry {
    fn into_model(self, environment: Environment<'_>) -> Result<Model, String> {
        let name = self.name;
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_.:/ @+".contains(letter);
        if name.trim().is_empty() || name.len() > 100 || !name.chars().all(is_plain) || name == Model::EMBEDDED {
            return Err(format!("“{name}” cannot be the name of a model; use letters, digits and - _ . : /"));
        }
        let base_url = self.base_url.unwrap_or_else(|| self.protocol.usual_url().into());
        let url = reqwest::Url::parse(&base_url).map_err(|error| format!("{name}: base_url is no address: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(format!("{name}: base_url must begin with http:// or https:// and name a host"));
        }
        let key = match (self.key, self.key_env) {
            (Some(_), Some(_)) => return Err(format!("{name}: give key or key_env, not both")),
            (Some(Secret(key)), None) => Some(Secret(key.trim().to_owned())),
            (None, Some(variable)) => {
                let key = environment(&variable).filter(|key| !key.trim().is_empty());
                let key = key.ok_or_else(|| format!("{name}: the variable {variable} is not set"))?;
                Some(Secret(key.trim().to_owned()))
            }
            (None, None) => None,
        };
        let remote = Remote {
            protocol: self.protocol,
            base_url: base_url.trim_end_matches('/').to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            model: self.model.unwrap_or_else(|| name.clone()),
            key,
            headers: self.headers,
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            silence: std::time::Duration::from_secs(self.silence_s.max(1)),
            lean: super::lean::Lean::default(),
        };
        Ok(Model {
            label: self.label.unwrap_or_else(|| name.clone()),
            name,
            source: Source::Remote(Box::new(remote)),
            tools: self.tools,
            max_steps: self.max_steps.max(1),
            token_budget: self.token_budget,
            sees: self.vision,
            titles: self.titles,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: &str) -> Option<String> {
        None
    }

    fn names((models, default): &(Vec<Model>, String)) -> (Vec<&str>, &str) {
        (models.iter().map(|model| model.name.as_str()).collect(), default)
    }

    #[test]
    fn without_anything_there_is_the_embedded_agent() {
        assert_eq!(names(&parse("", &none).unwrap()), (vec!["embedded"], "embedded"));
    }

    #[test]
    fn two_variables_are_enough() {
        let environment = |name: &str| match name {
            "VITRINE_MODEL" => Some("llama3.3".to_owned()),
            "VITRINE_MODEL_URL" => Some("http://127.0.0.1:11434/v1/".to_owned()),
            _ => None,
        };
        let read = parse("", &environment).unwrap();
        assert_eq!(names(&read), (vec!["embedded", "llama3.3"], "llama3.3"));
        let Source::Remote(remote) = &read.0[1].source else { panic!("{:?}", read.0[1]) };
        assert_eq!((remote.base_url.as_str(), remote.protocol), ("http://127.0.0.1:11434/v1", Protocol::OpenaiChat));
    }

    #[test]
    fn a_file_has_as_many_as_one_likes_and_keys_stay_secret() {
        let file = r#"
            default_model = "claude"
            [[models]]
            name = "local"
            base_url = "http://127.0.0.1:8080/v1"
            tools = "marker"
            [[models]]
            name = "claude"
            label = "Claude"
            protocol = "anthropic"
            model = "claude-x"
            key_env = "THE_KEY"
            max_steps = 30
        "#;
        let environment = |name: &str| (name == "THE_KEY").then(|| "sk-very-secret".to_owned());
        let read = parse(file, &environment).unwrap();
        assert_eq!(names(&read), (vec!["embedded", "local", "claude"], "claude"));
        assert!(!format!("{read:?}").contains("very-secret"), "a key is never shown");
        assert_eq!((read.0[1].tools, read.0[2].max_steps), (ToolMode::Marker, 30));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (file, says) in [
            ("[[models]]\nname = 'a'\nbase_url = 'ftp://x'", "must begin with http"),
            ("[[models]]\nname = 'a'\nbase_url = 'nonsense'", "base_url is no address"),
            ("[[models]]\nname = 'a'\ncolour = 'red'", "colour"),
            ("[[models]]\nname = 'a'\nprotocol = 'gemini'", "gemini"),
            ("[[models]]\nname = 'a'\n[[models]]\nname = 'a'", "two models named “a”"),
            ("[[models]]\nname = 'embedded'", "cannot be the name"),
            ("[[models]]\nname = 'a'\nkey_env = 'NOT_SET'", "the variable NOT_SET is not set"),
            ("default_model = 'b'", "There are: embedded"),
        ] {
            let problem = parse(file, &none).err().unwrap();
            assert!(problem.contains(says), "{file}: {problem}");
        }
        let half = |name: &str| (name == "VITRINE_MODEL_URL").then(|| "http://x/v1".to_owned());
        assert!(parse("", &half).err().unwrap().contains("VITRINE_MODEL is not"));
    }
}
