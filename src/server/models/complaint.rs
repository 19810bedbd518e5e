//! What a provider complains about: its words, in whichever form they come, made fit to be shown. Keys are never shown.

use serde_json::Value;

/// What is quoted of a provider's words.
const LONGEST_QUOTE: usize = 200;
const HIDDEN: &str = "[…]";
/// What keys of well-known providers begin with.
const KEYS_BEGIN: [&str; 14] =
    ["sk-", "sk_", "pk-", "pk_", "rk_", "gsk_", "xai-", "hf_", "ghp_", "r8_", "aiza", "nvapi-", "akia", "eyj"];
/// Words after which a key may follow.
const KEY_WORDS: [&str; 8] = ["key", "api-key", "x-api-key", "apikey", "api_key", "token", "secret", "authorization"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaint {
    /// What identifies the problem for programs, the most telling first.
    pub codes: Vec<String>,
    /// For people. It may be empty.
    pub message: String,
}

/// Finds the complaint in an error body or an error event.
pub fn find(body: &Value) -> Complaint {
    let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
    let message = text(&error["metadata"]["raw"]).map(|raw| inner(&raw));
    let message =
        message.or_else(|| text(error)).or_else(|| text(&error["message"])).or_else(|| text(&error["detail"]));
    let message = message.or_else(|| text(&body["message"])).or_else(|| text(&body["detail"]));
    let places = [&error["code"], &error["type"], &error["status"], &body["code"], &body["type"]];
    let mut codes: Vec<String> = Vec::new();
    for code in places.into_iter().filter_map(code) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    Complaint { codes, message: message.unwrap_or_default() }
}

/// Those who pass on requests quote the whole answer of the one behind them.
fn inner(raw: &str) -> String {
    let message = serde_json::from_str(raw).ok().map(|body: Value| find(&body).message);
    message.filter(|message| !message.is_empty()).unwrap_or_else(|| raw.to_owned())
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn code(value: &Value) -> Option<String> {
    match value {
        // That it is an error is known.
        Value::String(code) if code.is_empty() || code == "error" => None,
        Value::String(code) => Some(code.chars().take(64).collect()),
        Value::Number(code) => Some(code.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Somebody else's words in one line, without anything that looks like a key, and not too many of them.
pub fn quote(text: &str) -> String {
    // Far more than is shown, and little enough to be looked at letter by letter.
    let most = text.char_indices().nth(LONGEST_QUOTE * 20).map_or(text.len(), |(end, _)| end);
    let line = text[..most].split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let clean = hide_keys(&line.collect::<Vec<_>>().join(" "));
    match clean.char_indices().nth(LONGEST_QUOTE) {
        Some(_) => clean.chars().take(LONGEST_QUOTE - 1).chain(['…']).collect(),
        None => clean,
    }
}

fn hide_keys(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut before = Before::default();
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(is_between).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let gap = after.find(|c| !is_between(c)).unwrap_or(after.len());
        let (between, next) = after.split_at(gap);
        shown.push_str(if looks_like_key(word) || before.announces(word) { HIDDEN } else { word });
        shown.push_str(between);
        before.pass(word, between);
        rest = next;
    }
    shown
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || "\"'`“”‘’,;:=?&()[]{}<>/|\\".contains(c)
}

/// What came before a word.
#[derive(Default)]
struct Before {
    words_since_key: Option<usize>,
    /// A colon or an equals sign came after a word such as `key`.
    is_told: bool,
    is_bearer: bool,
}

impl Before {
    /// Whether the word is where a key would be, as in `Incorrect API key provided: my-key`.
    fn announces(&self, word: &str) -> bool {
        self.is_bearer || self.is_told && word.contains(|c: char| c.is_ascii_digit() || "*-_".contains(c))
    }

    fn pass(&mut self, word: &str, between: &str) {
        let word = word.to_lowercase();
        self.is_bearer = matches!(word.as_str(), "bearer" | "basic");
        self.words_since_key = match KEY_WORDS.contains(&word.as_str()) {
            true => Some(0),
            false => self.words_since_key.map(|words| words + 1).filter(|words| *words <= 2),
        };
        self.is_told = self.words_since_key.is_some() && between.contains([':', '=']);
    }
}

fn looks_like_key(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '!']);
    let lower = word.to_lowercase();
    let begins = word.len() >= 8 && KEYS_BEGIN.iter().any(|beginning| lower.starts_with(beginning));
    // Words in between, as in names of models, make it no key.
    let is_random = |part: &str, least: usize, is: &[fn(&char) -> bool]| {
        part.len() >= least && is.iter().all(|is| part.chars().any(|c| is(&c)))
    };
    let has_random =
        word.split(['-', '_', '.']).any(|part| is_random(part, 20, &[char::is_ascii_digit, char::is_ascii_alphabetic]));
    let all_sorts: [fn(&char) -> bool; 3] = [char::is_ascii_digit, char::is_ascii_lowercase, char::is_ascii_uppercase];
    let is_key = has_random || is_random(word, 32, &all_sorts);
    begins || is_key || word.contains("***")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hidden_and_the_rest_is_not() {
        for (said, shown) in [
            (
                "Incorrect API key provided: sk-inval*****-key. See https://x.com/keys.",
                "Incorrect API key provided: […] See https://x.com/keys.",
            ),
            ("Your api key: ****-key is invalid", "Your api key: […] is invalid"),
            ("Incorrect API key provided: my-key-1", "Incorrect API key provided: […]"),
            ("Authorization: Bearer abc was refused", "Authorization: Bearer […] was refused"),
            ("https://host/v1?key=AIzaSyD-1234567&alt=sse", "https://host/v1?key=[…]&alt=sse"),
            (r#"{"x-api-key":"abc123"}"#, r#"{"x-api-key":"[…]"}"#),
            ("token 0123456789abcdef0123456789abcdef!", "token […]"),
            ("tools.0.custom.input_schema.type: Field required", "tools.0.custom.input_schema.type: Field required"),
            ("model 'gpt-4o-mini-nonexistent-rig-test'", "model 'gpt-4o-mini-nonexistent-rig-test'"),
            ("with Ab3-dE5_fG7hI9jK1lM3nO5pQ7rS9tU1 it", "with […] it"),
            ("Missing API key: please set one", "Missing API key: please set one"),
            ("The model `gpt-5.2-proo` does not exist", "The model `gpt-5.2-proo` does not exist"),
            ("risk-free and ask-me", "risk-free and ask-me"),
            (" two\n lines\t", "two lines"),
        ] {
            assert_eq!(quote(said), shown);
        }
    }

    #[test]
    fn a_quote_is_short() {
        assert_eq!(quote(&"ä".repeat(200)), "ä".repeat(200));
        let long = quote(&"word ".repeat(100_000));
        assert!(long.chars().count() == 200 && long.ends_with('…'), "{long}");
    }

    #[test]
    fn the_one_behind_is_quoted() {
        let raw = r#"{"error":{"message":"Too many requests","type":"limit"}}"#;
        let body =
            serde_json::json!({"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": raw}}});
        assert_eq!(find(&body), Complaint { codes: vec!["429".to_owned()], message: "Too many requests".to_owned() });
    }
}
