//! The closed vocabularies of the wire. Each is listed once, with its word; matches over them are exhaustive, so that
//! a new word cannot be forgotten anywhere.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A word of one of the vocabularies.
pub trait Word: Sized {
    fn from_word(word: &str) -> Option<Self>;
}

/// Reads a word that may be left out. One from a newer vocabulary counts as left out: what else its event says still
/// holds.
pub fn known<'de, D: Deserializer<'de>, W: Word>(deserializer: D) -> Result<Option<W>, D::Error> {
    let word = Option::<std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    Ok(word.and_then(|word| W::from_word(&word)))
}

/// Reads something that may be left out or `null`.
pub fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl Word for $name {
            fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.as_str() == word)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($word,)+] })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::from_word(&word).ok_or_else(|| de::Error::unknown_variant(&word, &[$($word,)+]))
            }
        }
    };
}

pub(in crate::model) use words;

words!(
    /// Where a tool call stands in its life. The last four end it.
    CallStatus {
        Queued = "queued",
        AwaitingApproval = "awaiting_approval",
        AwaitingInput = "awaiting_input",
        Starting = "starting",
        InProgress = "in_progress",
        Retrying = "retrying",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
        Denied = "denied",
    }
);

words!(
    /// What a running tool is busy with.
    Stage {
        PreparingSearch = "preparing_search",
        ExecutingQuery = "executing_query",
        ProcessingResults = "processing_results",
        RefiningSearch = "refining_search",
        Finalizing = "finalizing",
    }
);

words!(
    /// Why a call failed. Outcomes are typed, never read out of a text.
    ErrorKind {
        ToolError = "tool_error",
        InvalidArguments = "invalid_arguments",
        UnknownTool = "unknown_tool",
        Timeout = "timeout",
        Transport = "transport",
        InvalidOutput = "invalid_output",
        Interrupted = "interrupted",
        TooLarge = "too_large",
    }
);

words!(RunStatus {
    Running = "running",
    Waiting = "waiting",
    Completed = "completed",
    Failed = "failed",
    Cancelled = "cancelled",
});

words!(
    /// Where a tool runs.
    Executor {
        Server = "server",
        Client = "client",
    }
);

words!(
    /// Tools that are spoken of in the same words, and share an icon.
    Family {
        BillSearch = "bill_search",
        ExecutiveSearch = "executive_search",
        Context = "context",
        Details = "details",
        Generic = "generic",
    }
);

words!(Role {
    User = "user",
    Assistant = "assistant",
    Tool = "tool",
    Status = "status",
});

words!(StatusType {
    Thinking = "thinking",
    ToolCall = "tool_call",
    ToolResult = "tool_result",
    Error = "error",
    Info = "info",
    Continuation = "continuation",
});

words!(
    /// What a context discovery tool lists.
    ContextType {
        Sponsors = "sponsors",
        Topics = "topics",
        Statuses = "statuses",
    }
);

words!(
    /// What a details tool fetches.
    ContentType {
        Bill = "bill",
        ExecutiveAction = "executive_action",
    }
);

impl CallStatus {
    pub const fn is_ended(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::Cancelled | Self::Denied => true,
            Self::Queued
            | Self::AwaitingApproval
            | Self::AwaitingInput
            | Self::Starting
            | Self::InProgress
            | Self::Retrying => false,
        }
    }

    /// Time passes for the tool itself, so its clock ticks.
    pub const fn is_running(self) -> bool {
        match self {
            Self::Starting | Self::InProgress | Self::Retrying => true,
            Self::Queued
            | Self::AwaitingApproval
            | Self::AwaitingInput
            | Self::Completed
            | Self::Failed
            | Self::Cancelled
            | Self::Denied => false,
        }
    }

    /// Where a call may go from here within one attempt. Staying is not going: every status may repeat.
    pub const fn next(self) -> &'static [Self] {
        use CallStatus as S;
        match self {
            S::Queued => &[
                S::AwaitingApproval,
                S::AwaitingInput,
                S::Starting,
                S::InProgress,
                S::Retrying,
                S::Completed,
                S::Failed,
                S::Cancelled,
                S::Denied,
            ],
            // Once it is allowed, it may still have to wait for its turn.
            S::AwaitingApproval => &[
                S::Queued,
                S::AwaitingInput,
                S::Starting,
                S::InProgress,
                S::Retrying,
                S::Completed,
                S::Failed,
                S::Cancelled,
                S::Denied,
            ],
            // A tool may ask for input before it starts, and again while it runs.
            S::AwaitingInput | S::Retrying => &[
                S::AwaitingInput,
                S::Starting,
                S::InProgress,
                S::Retrying,
                S::Completed,
                S::Failed,
                S::Cancelled,
                S::Denied,
            ],
            S::Starting => {
                &[S::AwaitingInput, S::InProgress, S::Retrying, S::Completed, S::Failed, S::Cancelled, S::Denied]
            }
            S::InProgress => &[S::AwaitingInput, S::Retrying, S::Completed, S::Failed, S::Cancelled, S::Denied],
            S::Completed | S::Failed | S::Cancelled | S::Denied => &[],
        }
    }

    pub fn may_become(self, next: Self) -> bool {
        self.next().contains(&next)
    }

    /// A card that needs a person, or has bad news, opens by itself.
    pub const fn opens_itself(self) -> bool {
        match self {
            Self::Failed | Self::AwaitingApproval | Self::AwaitingInput => true,
            Self::Queued
            | Self::Starting
            | Self::InProgress
            | Self::Retrying
            | Self::Completed
            | Self::Cancelled
            | Self::Denied => false,
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Queued => "Queued",
            Self::AwaitingApproval => "Needs approval",
            Self::AwaitingInput => "Needs an answer",
            Self::Starting => "Starting",
            Self::InProgress => "In progress",
            Self::Retrying => "Retrying",
            Self::Completed => "Completed",
            Self::Failed => "Failed",
            Self::Cancelled => "Cancelled",
            Self::Denied => "Denied",
        }
    }
}

impl Stage {
    /// "It failed while …"
    pub const fn doing(self, family: Family) -> &'static str {
        match (self, family.searches()) {
            (Self::PreparingSearch, true) => "preparing the search",
            (Self::PreparingSearch, false) => "preparing",
            (Self::ExecutingQuery, true) => "executing the query",
            (Self::ExecutingQuery, false) => "running",
            (Self::ProcessingResults, _) => "processing the results",
            (Self::RefiningSearch, true) => "refining the search",
            (Self::RefiningSearch, false) => "trying another way",
            (Self::Finalizing, _) => "finalizing",
        }
    }

    /// Its name in a timeline.
    pub const fn label(self, family: Family) -> &'static str {
        match (self, family.searches()) {
            (Self::PreparingSearch, true) => "Preparing search",
            (Self::PreparingSearch, false) => "Preparing",
            (Self::ExecutingQuery, true) => "Executing query",
            (Self::ExecutingQuery, false) => "Running",
            (Self::ProcessingResults, _) => "Processing results",
            (Self::RefiningSearch, true) => "Refining search",
            (Self::RefiningSearch, false) => "Trying another way",
            (Self::Finalizing, _) => "Finalizing",
        }
    }
}

impl Family {
    /// Whether its tools search; the stages' names on the wire are those of a search.
    const fn searches(self) -> bool {
        match self {
            Self::BillSearch | Self::ExecutiveSearch => true,
            Self::Context | Self::Details | Self::Generic => false,
        }
    }
}

impl ErrorKind {
    /// What happened.
    pub const fn what(self) -> &'static str {
        match self {
            Self::ToolError => "The tool could not do what it was asked.",
            Self::InvalidArguments => "The tool was called with arguments that it does not take.",
            Self::UnknownTool => "There is no tool of this name.",
            Self::Timeout => "The tool did not answer in time.",
            Self::Transport => "The tool could not be reached.",
            Self::InvalidOutput => "The tool answered with something that it had not promised.",
            Self::Interrupted => "This call was interrupted before it had ended.",
            Self::TooLarge => "The result was larger than what may be kept.",
        }
    }

    /// What a person can do.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::ToolError => "Ask again in other words.",
            Self::InvalidArguments => "Ask again and name what you are looking for more exactly.",
            Self::UnknownTool => "Ask again without naming a tool, or connect the one that is missing.",
            Self::Timeout => "Ask again, perhaps for less at once.",
            Self::Transport => "Check that the tool's server is running, then ask again.",
            Self::InvalidOutput => "Tell whoever runs the tool; its answer is below.",
            Self::Interrupted => "Ask again if you still need it.",
            Self::TooLarge => "Ask for a smaller part.",
        }
    }
}

impl RunStatus {
    pub const fn is_ended(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::Cancelled => true,
            Self::Running | Self::Waiting => false,
        }
    }
}

#[cfg(test)]
mod tests;
