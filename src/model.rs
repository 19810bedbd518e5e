//! Plain data and the fold: what a conversation is, and how events make it.
//!
//! Nothing here does I/O or knows the other rooms, so the server, the page it renders, the live page in the browser and
//! the tests all run this same code. Read in this order:

/// A run as a band of coloured time.
pub mod activity;
/// What holds for the whole conversation: title, notes, plan.
pub mod arrangements;
/// What a call asks of a person, and what the person answers.
pub mod ask;
/// The whole: `Conversation::apply` is the fold.
pub mod conversation;
/// One fact, as it stands in the log and on the wire.
pub mod event;
/// A form, made from a JSON Schema.
pub mod form;
/// Who is who: conversations, runs, messages and calls.
pub mod ids;
/// The research desk's nouns: bills, executive actions, and what a search for them finds.
pub mod legislation;
/// Markdown as plain data.
pub mod markdown;
/// What is shown and sent to the model.
pub mod message;
/// What a tool says about itself while it runs.
pub mod metadata;
/// How somebody wants it.
pub mod preferences;
/// What a person may be told when something went wrong.
pub mod problem;
/// What one user message sets off.
pub mod run;
/// A tool call in plain words: title, stage line, progress, preview.
pub mod summary;
/// Points in time, as they travel.
pub mod time;
/// One execution of one tool, folded from its events.
pub mod tool_call;
/// The closed vocabularies: statuses, stages, kinds of error.
pub mod words;

#[cfg(test)]
mod fold_tests;

pub use arrangements::{Arrangements, Brief, FollowUp, Todo, TodoStatus};
pub use conversation::{Applied, Conversation, Entry, Joined, Seq, Stretch, Touch, Turn};
pub use event::Event;
pub use ids::{BriefId, CallId, ConversationId, MediaId, MessageId, RunId};
pub use legislation::Bill;
pub use message::Message;
pub use metadata::Metadata;
pub use preferences::Preferences;
pub use problem::{Problem, ProblemKind};
pub use run::Run;
pub use time::Timestamp;
pub use tool_call::ToolCall;
pub use words::{CallStatus, ErrorKind, Executor, Family, Role, RunStatus, Stage};
