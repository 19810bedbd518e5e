//! A tool call in plain words. The title is the tool's display name and never changes; the line below it tells the
//! stage. One good generic wording serves tools that nobody here has heard of.

use serde_json::Value;

use super::{
    Metadata, Timestamp, ToolCall,
    words::{CallStatus, ContentType, ContextType, Executor, Family, Stage},
};

impl Family {
    /// For a tool that has not said it.
    pub fn of(tool_name: &str) -> Self {
        match tool_name {
            "search_bills" => Self::BillSearch,
            "search_executive_actions" => Self::ExecutiveSearch,
            "get_bill_details" | "get_executive_action_details" => Self::Details,
            name if name.starts_with("get_available_") => Self::Context,
            _ => Self::Generic,
        }
    }
}

impl ToolCall {
    pub fn family(&self) -> Family {
        self.family.unwrap_or_else(|| Family::of(&self.tool_name))
    }

    /// What this call is about, beside its title: the query as it was asked, or else its arguments.
    pub fn subject(&self) -> String {
        let args = self.args();
        match args.as_ref().and_then(|args| args.get("query")).and_then(Value::as_str) {
            Some(query) => format!("“{}”", shorten(query, 80)),
            None => args.as_ref().map(args_summary).unwrap_or_default(),
        }
    }

    /// "built in · attempt 2 · found 4 min ago": where it ran, how often it was tried, how old its result is.
    pub fn origin(&self) -> String {
        let place = match self.executor {
            Executor::Server => "runs on the server",
            Executor::Client => "runs where it was asked",
        };
        let attempt = (self.attempt > 1).then(|| format!("attempt {}", self.attempt));
        let age =
            self.metadata.cache_age_ms.filter(|_| self.is_cached()).map(|age| format!("found {} ago", duration(age)));
        [Some(place.to_owned()), attempt, age].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// The line below the title.
    pub fn stage_line(&self) -> String {
        let metadata = &self.metadata;
        let parts = match self.status {
            CallStatus::Queued if self.is_being_written() => vec!["Waiting for the tool call to complete…".into()],
            CallStatus::Queued => vec![metadata.message.clone().unwrap_or_else(|| "Waiting for its turn".into())],
            CallStatus::AwaitingApproval => vec!["Waiting for your approval".into()],
            CallStatus::AwaitingInput => match (self.executor, &metadata.message) {
                (Executor::Client, Some(message)) => vec![message.clone()],
                (Executor::Client | Executor::Server, _) => vec!["Waiting for your answer".into()],
            },
            CallStatus::Starting | CallStatus::InProgress => {
                let mut parts = vec![self.doing()];
                parts.extend(searched(metadata));
                parts.extend(metadata.results_found.map(|n| format!("Found {}", count(n, "result").to_lowercase())));
                parts
            }
            CallStatus::Retrying => {
                let mut parts = vec![match (metadata.retry_count, metadata.max_retries) {
                    (Some(count), Some(max)) => format!("Retrying ({count}/{max})"),
                    (Some(count), None) => format!("Retrying ({count})"),
                    (None, _) => "Retrying".into(),
                }];
                parts.extend(metadata.error_message.as_deref().map(|why| shorten(why, 120)));
                parts
            }
            CallStatus::Completed => {
                let mut parts =
                    vec![self.preview().or_else(|| metadata.message.clone()).unwrap_or_else(|| "Done".into())];
                parts.extend(metadata.iteration.filter(|&n| n > 1).map(|n| count(n.into(), "iteration")));
                parts
            }
            CallStatus::Failed => vec![match self.stage {
                Some(stage) if !matches!(stage, Stage::Finalizing) => {
                    format!("Failed while {}", stage.doing(self.family()))
                }
                _ => "Failed".into(),
            }],
            CallStatus::Cancelled => vec!["Cancelled".into()],
            CallStatus::Denied => match self.denial() {
                Some(why) => vec!["Denied by you".into(), shorten(why, 120)],
                None => vec!["Denied by you, so it did not run".into()],
            },
        };
        parts.join(" · ")
    }

    /// Whether its arguments are still on their way.
    fn is_being_written(&self) -> bool {
        self.timeline.is_empty() || self.message_id.is_some() && self.args().is_none()
    }

    /// What is going on, in the words of the tool's family.
    fn doing(&self) -> String {
        let stage = self.stage.unwrap_or(Stage::PreparingSearch);
        let metadata = &self.metadata;
        match (self.family(), stage) {
            (Family::BillSearch | Family::ExecutiveSearch, Stage::PreparingSearch) => "Preparing search…".into(),
            (Family::BillSearch, Stage::ExecutingQuery) => "Searching bills…".into(),
            (Family::ExecutiveSearch, Stage::ExecutingQuery) => "Searching executive actions…".into(),
            (Family::BillSearch | Family::ExecutiveSearch, Stage::ProcessingResults) => "Processing results…".into(),
            (Family::BillSearch | Family::ExecutiveSearch, Stage::RefiningSearch) => "Refining search…".into(),
            (Family::BillSearch | Family::ExecutiveSearch, Stage::Finalizing) => "Search complete".into(),
            (Family::Context, _) => match metadata.context_type {
                Some(context) => format!("Looking up {}…", context.as_str()),
                None => "Looking up what there is…".into(),
            },
            (Family::Details, _) => match &metadata.content_id {
                Some(id) => format!("Loading {} {}…", content_noun(metadata.content_type), shorten(id, 40)),
                None => "Loading details…".into(),
            },
            (Family::Generic, _) => metadata.message.clone().unwrap_or_else(|| "Running…".into()),
        }
    }

    /// From 0 to 1, where the call says enough to tell.
    pub fn progress(&self) -> Option<f64> {
        if self.status == CallStatus::Completed {
            return Some(1.0);
        }
        let metadata = &self.metadata;
        let of_iterations = match (metadata.iteration, metadata.max_iterations) {
            (Some(n), Some(max)) if max > 0 => Some(f64::from(n) / f64::from(max)),
            _ => None,
        };
        metadata.progress.or(of_iterations).filter(|p| p.is_finite()).map(|p| p.clamp(0.0, 1.0))
    }

    /// What was found, in a few words: "28 bills found", "12 sponsors available".
    pub fn preview(&self) -> Option<String> {
        let metadata = &self.metadata;
        if let (Some(n), Some(context)) = (metadata.options_found, metadata.context_type) {
            return Some(format!("{} available", count_of(n, context_noun(context))));
        }
        if let (Some(id), Family::Details) = (&metadata.content_id, self.family()) {
            return Some(format!("Loaded {} {}", content_noun(metadata.content_type), shorten(id, 40)));
        }
        let found = metadata.total_results.or(metadata.results_found)?;
        Some(match self.family() {
            Family::BillSearch => format!("{} found", count(found, "bill")),
            Family::ExecutiveSearch => format!("{} found", count(found, "executive action")),
            Family::Context | Family::Details | Family::Generic => count(found, "result"),
        })
    }

    /// How old a result is that was used again: `Cached · 2 min`.
    pub fn cached_label(&self) -> String {
        match self.metadata.cache_age_ms.unwrap_or(0) / 1000 {
            0 => "Cached".into(),
            seconds @ 1..60 => format!("Cached · {seconds} s"),
            seconds @ 60..3600 => format!("Cached · {} min", seconds / 60),
            seconds => format!("Cached · {} h", seconds / 3600),
        }
    }

    /// How long such a call usually takes, for one that takes its time.
    pub fn usual(&self, now: Timestamp) -> Option<String> {
        const WORTH_KNOWING: u64 = 1000;
        let (p50, p95) = (self.metadata.p50_ms?, self.metadata.p95_ms?);
        let takes = self.duration_ms(now).filter(|_| self.is_under_way())?;
        if takes > p95.max(WORTH_KNOWING) {
            return Some(format!(" · longer than usual ({})", duration(p50)));
        }
        (p50 >= WORTH_KNOWING).then(|| format!(" · usually {}", duration(p50)))
    }

    /// `4.2 s`, or nothing before the call starts.
    pub fn duration(&self, now: Timestamp) -> Option<String> {
        self.duration_ms(now).map(duration)
    }
}

/// How long, for people: `12 ms`, `0.3 s`, `12.0 s`, `2 min 5 s`, `1 h 4 min`.
pub fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0 if millis < 100 => format!("{millis} ms"),
        0..60 => format!("{seconds}.{} s", millis % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// How much, for people: `12 bytes`, `4 KB`, `9.5 MB`.
pub fn bytes(bytes: u64) -> String {
    const KB: u64 = 1024;
    const MB: u64 = 1024 * KB;
    match bytes {
        0..KB => format!("{bytes} bytes"),
        KB..MB => format!("{} KB", bytes / KB),
        _ if bytes % MB < MB / 10 => format!("{} MB", bytes / MB),
        _ => format!("{}.{} MB", bytes / MB, bytes % MB * 10 / MB),
    }
}

/// Any arguments in one line for people: `query: "dbplus", types: program`.
pub fn args_summary(args: &Value) -> String {
    let line = match args {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| format!("{name}: {}", summary_of(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Null => String::new(),
        other => summary_of(other),
    };
    shorten(&line, 160)
}

fn summary_of(value: &Value) -> String {
    const SHOWN: usize = 3;
    match value {
        Value::String(text) => format!("\"{}\"", shorten(text, 60)),
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
            count(items.len() as u64, "item")
        }
        Value::Array(items) => {
            let mut line = items.iter().take(SHOWN).map(|item| match item {
                Value::String(text) => shorten(text, 60),
                other => summary_of(other),
            });
            let shown = line.by_ref().collect::<Vec<_>>().join(", ");
            match items.len() {
                0 => "none".into(),
                n if n > SHOWN => format!("{shown} and {} more", n - SHOWN),
                _ => shown,
            }
        }
        Value::Object(fields) => count(fields.len() as u64, "field"),
        Value::Null => "nothing".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) => number.to_string(),
    }
}

/// `search_bills`, `SearchBills` and `server__search-bills` are all "Search bills".
pub fn display_name(tool_name: &str) -> String {
    let own_name = tool_name.rsplit("__").find(|part| !part.is_empty()).unwrap_or(tool_name);
    let mut words = String::new();
    let mut after_lower = false;
    for letter in own_name.chars() {
        let is_break = matches!(letter, '_' | '-' | '.' | ' ' | '/');
        if (is_break || after_lower && letter.is_uppercase()) && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        after_lower = letter.is_lowercase();
        match (is_break, words.is_empty()) {
            (true, _) => {}
            (false, true) => words.extend(letter.to_uppercase()),
            (false, false) => words.extend(letter.to_lowercase()),
        }
    }
    if words.trim().is_empty() { "Tool call".into() } else { shorten(words.trim(), 60) }
}

/// At most `max` characters, on one line, and an ellipsis where something was cut.
pub fn shorten(text: &str, max: usize) -> String {
    let mut line = String::new();
    for (n, letter) in text.chars().enumerate() {
        if n == max {
            line.truncate(line.trim_end().len());
            line.push('…');
            break;
        }
        line.push(if letter.is_control() { ' ' } else { letter });
    }
    line
}

fn searched(metadata: &Metadata) -> Option<String> {
    let iteration = match (metadata.iteration, metadata.max_iterations) {
        (Some(n), Some(max)) => Some(format!("iteration {n}/{max}")),
        (Some(n), None) => Some(format!("iteration {n}")),
        (None, _) => None,
    };
    match (&metadata.query, iteration) {
        (Some(query), Some(iteration)) => Some(format!("Query: \"{}\" ({iteration})", shorten(query, 80))),
        (Some(query), None) => Some(format!("Query: \"{}\"", shorten(query, 80))),
        (None, iteration) => iteration,
    }
}

/// `No bills`, `1 bill`, `28 bills`.
/// "No calls", "1 call", "11 calls".
pub fn count(n: u64, noun: &str) -> String {
    match n {
        0 => format!("No {noun}s"),
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

fn count_of(n: u64, (one, many): (&str, &str)) -> String {
    match n {
        0 => format!("No {many}"),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

const fn context_noun(context: ContextType) -> (&'static str, &'static str) {
    match context {
        ContextType::Sponsors => ("sponsor", "sponsors"),
        ContextType::Topics => ("topic", "topics"),
        ContextType::Statuses => ("status", "statuses"),
    }
}

const fn content_noun(content: Option<ContentType>) -> &'static str {
    match content {
        Some(ContentType::Bill) => "bill",
        Some(ContentType::ExecutiveAction) => "executive action",
        None => "content",
    }
}

#[cfg(test)]
mod tests;
