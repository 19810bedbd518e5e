//! What somebody wants done, not found: a note to keep, a search that asks first, and what only the person's own page can do.

use serde_json::{Map, Value, json};

use super::{
    Found, Said,
    asked::Asked,
    plan::{Next, Plan},
    report,
};
use crate::{
    model::summary::{bytes, shorten},
    server::tools::{Tool, ask_user::AskUser, pin_note::PinNote, search_bills::SearchBills},
};

pub enum Errand {
    Pin(String),
    GuidedSearch,
    /// A tool of the page, with what it takes.
    InPage(&'static str, Value),
}

/// What the tools of a page are called, and what asks for them.
const PAGE_TOOLS: [(&str, &[&str]); 6] = [
    (
        "get_local_time",
        &["what time is it", "what is the time", "what's the time", "what day is it", "what is the date"],
    ),
    ("get_page_location", &["which page is this", "what page am i on", "which page am i on", "what is this page"]),
    ("copy_to_clipboard", &["copy that", "copy it", "copy this", "copy the answer", "copy your answer"]),
    (
        "download_file",
        &["download that", "download it", "download the answer", "save that as a file", "save it as a file"],
    ),
    ("notify_me", &["notify me", "send me a notification", "show me a notification"]),
    (
        "pick_file",
        &["read a file of mine", "let me choose a file", "let me pick a file", "pick a file", "choose a file"],
    ),
];

const NOTES: [&str; 6] =
    ["pin a note that", "pin a note", "pin the note", "remember that", "make a note that", "note that"];

const GUIDED: [&str; 6] = [
    "help me find a bill",
    "help me find bills",
    "help me search",
    "ask me what i am looking for",
    "guide me",
    "i do not know what to search for",
];

impl Errand {
    pub fn of(question: &str, before: &[Said]) -> Option<Self> {
        let words = question.trim().trim_end_matches(['.', '!', '?']).to_lowercase();
        let begins = |with: &str| {
            let rest = words.strip_prefix(with)?;
            let is_word = rest.is_empty() || rest.starts_with([' ', ':', ',']);
            is_word.then(|| rest.trim_matches([' ', ':', ',']).len())
        };
        if let Some(left) = NOTES.iter().find_map(|with| begins(with)).filter(|left| *left > 0) {
            let text = question.trim().trim_end_matches(['.', '!', '?']);
            // As it was written, not as it was read.
            let start = text.char_indices().map(|(at, _)| at).find(|at| text[*at..].to_lowercase().len() <= left);
            return start.map(|start| Self::Pin(text[start..].to_owned()));
        }
        if GUIDED.iter().any(|with| begins(with).is_some()) {
            return Some(Self::GuidedSearch);
        }
        let (tool, _) = PAGE_TOOLS.into_iter().find(|(_, ways)| ways.iter().any(|way| begins(way).is_some()))?;
        let last = before.iter().rev().find_map(|said| match said {
            Said::Assistant { text, .. } if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        });
        let args = match tool {
            "copy_to_clipboard" => json!({"text": last?}),
            "download_file" => json!({"name": "answer.md", "text": last?, "media_type": "text/markdown"}),
            "notify_me" => json!({"title": "Vitrine", "body": "You asked to be notified."}),
            _ => json!({}),
        };
        Some(Self::InPage(tool, args))
    }

    /// What is still to be done, or what to say.
    pub fn next(&self, asked: &Asked, found: &[Found<'_>], is_offered: impl Fn(&str) -> bool) -> Next {
        let call = |tool: &'static str, args: Value| Next::Calls(vec![Plan { tool, args }]);
        match (self, found) {
            (Self::Pin(text), []) => call(PinNote::NAME, json!({ "text": text })),
            (Self::Pin(_), [made, ..]) => Next::Text(pinned(made)),
            (Self::GuidedSearch, []) => call(AskUser::NAME, inquiry()),
            (Self::GuidedSearch, [answer]) => match search(&answer.result) {
                Some(args) => call(SearchBills::NAME, args),
                None => Next::Text(
                    "You skipped the question, so there is nothing to search for. Ask about any topic, for example \
                     “bills about veterans”."
                        .into(),
                ),
            },
            (Self::GuidedSearch, [_, searched @ ..]) => Next::Text(report::report(asked, searched)),
            (Self::InPage(tool, _), []) if !is_offered(tool) => Next::Text(
                "That is something only your own page can do for me, and this one cannot: it runs without JavaScript, or \
                 the tool is switched off."
                    .into(),
            ),
            (Self::InPage(tool, args), []) => call(tool, args.clone()),
            (Self::InPage(tool, _), [made, ..]) => Next::Text(done(tool, made)),
        }
    }
}

/// What a search can be narrowed by, asked in a form.
fn inquiry() -> Value {
    json!({
        "question": "What kind of bill are you looking for?",
        "schema": {
            "type": "object",
            "properties": {
                "topic": {"type": "string", "title": "What is it about?", "minLength": 2, "maxLength": 120},
                "chamber": {"title": "Chamber", "enum": ["house", "senate"], "enumNames": ["House", "Senate"]},
                "congress": {"type": "integer", "title": "Congress", "description": "119 is this one.", "minimum": 93, "maximum": 130},
                "since": {"type": "string", "format": "date", "title": "Introduced since"},
                "only_laws": {"type": "boolean", "title": "Only what became law"},
            },
            "required": ["topic"],
        },
    })
}

/// The search that an answer asks for. Nothing, if there is none.
fn search(result: &Value) -> Option<Value> {
    let answer = result["answer"].as_object()?;
    let mut args = Map::new();
    args.insert("query".into(), answer.get("topic")?.clone());
    for (from, to) in [("chamber", "chamber"), ("congress", "congress"), ("since", "from")] {
        args.extend(answer.get(from).map(|value| (to.to_owned(), value.clone())));
    }
    if answer.get("only_laws") == Some(&Value::Bool(true)) {
        args.insert("status".into(), "became_law".into());
    }
    Some(args.into())
}

fn pinned(made: &Found<'_>) -> String {
    match made.result["text"].as_str() {
        Some(text) if !made.is_error => format!(
            "Pinned to this conversation: “{}” ([note](#{})). A model gets it with every question; you find it under \
             “Notes and settings”.",
            shorten(text, 200),
            made.call_id
        ),
        _ => format!("Nothing was pinned ([why](#{})).", made.call_id),
    }
}

/// What came of something that ran in the page.
fn done(tool: &str, made: &Found<'_>) -> String {
    let (result, card) = (&made.result, format!("[in your browser](#{})", made.call_id));
    let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
    if made.is_error {
        return format!("That did not work {card}: {}", result.as_str().unwrap_or("there was no answer."));
    }
    if result["is_skipped"] == true {
        return format!("Skipped {card}, so nothing was done.");
    }
    match tool {
        "get_local_time" => {
            format!("It is {} where you are ({}), says the clock {card}.", text("local"), text("time_zone"))
        }
        "get_page_location" => format!("You are at `{}`, “{}” {card}.", text("path"), text("title")),
        "copy_to_clipboard" => format!("Copied {card}. Paste it wherever you like."),
        "download_file" => format!("Saved as “{}” {card}.", text("name")),
        "notify_me" => format!("Shown {card}."),
        _ => {
            let size = bytes(result["bytes"].as_u64().unwrap_or(0));
            let begins = shorten(&text("text"), 300);
            format!("Read “{}” ({size}) {card}. It begins:\n\n```\n{begins}\n```", text("name"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errands_are_told_from_questions() {
        let answer = Said::Assistant { text: "Three bills.".into(), calls: Vec::new(), kept: Vec::new() };
        let of = |question: &str| match Errand::of(question, std::slice::from_ref(&answer)) {
            Some(Errand::Pin(text)) => format!("pin {text}"),
            Some(Errand::GuidedSearch) => "guided".into(),
            Some(Errand::InPage(tool, args)) => format!("{tool} {args}"),
            None => "none".into(),
        };
        for (question, errand) in [
            ("Remember that I only want House bills.", "pin I only want House bills"),
            ("pin a note: Only water", "pin Only water"),
            ("Pin a note", "none"),
            ("note that", "none"),
            ("notes about water", "none"),
            ("Help me find a bill", "guided"),
            ("What time is it?", "get_local_time {}"),
            ("Copy that", r#"copy_to_clipboard {"text":"Three bills."}"#),
            ("copy thatcher", "none"),
            ("bills about copying", "none"),
            ("Pick a file", "pick_file {}"),
        ] {
            assert_eq!(of(question), errand, "{question}");
        }
        assert!(Errand::of("copy that", &[]).is_none(), "there is nothing to copy yet");
    }

    #[test]
    fn what_is_filled_in_becomes_a_search() {
        let answer = json!({"is_answered": true, "answer": {"topic": "water", "chamber": "house", "congress": 119,
                            "since": "2025-01-01", "only_laws": true}});
        let args = json!({"query": "water", "chamber": "house", "congress": 119, "from": "2025-01-01",
                          "status": "became_law"});
        assert_eq!(search(&answer), Some(args));
        assert_eq!(search(&json!({"is_answered": false, "answer": null})), None);
    }
}
