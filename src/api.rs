//! Server functions: what a page, or any program, can ask of the server. Each has a fixed address under `/api/`, takes
//! form fields, answers JSON, and delegates in a line or two. A form without JavaScript is sent back to its page.

/// Say yes or no to a call, or answer what it asks.
mod answers;
/// When results go on, and notes.
mod arrangements;
/// Stop what is under way.
mod calls;
/// Begin, list and load conversations.
mod conversations;
/// Say something.
mod messages;
/// Who can be asked.
mod models;
/// Read what is too large for a card.
mod parts;
/// How somebody wants it.
mod preferences;
/// What a model can be told about itself.
mod presets;
/// What can go wrong on the way.
mod problem;
/// How long it takes until a card is seen.
mod receipts;
/// Which tools there are.
mod tools;
/// Read what is further up.
mod turns;

pub use answers::{AnswerCall, ApproveCall, GrantInfo, ListGrants, RevokeGrant};
pub use answers::{answer_call, approve_call, list_grants, revoke_grant};
pub use arrangements::{DiscardResults, PinBrief, RemoveBrief, SendResults, SetFollowUp};
pub use arrangements::{discard_results, pin_brief, remove_brief, send_results, set_follow_up};
pub use calls::{BeginCall, CancelCall, CancelRun, LeaveOut, PostResult, RunAgain};
pub use calls::{begin_call, cancel_call, cancel_run, leave_out, post_result, run_again};
pub use conversations::{Begun, Branch, DeleteConversation, List, ListConversations, Listed, LoadConversation, Mark};
pub use conversations::{NewConversation, RenameConversation, RestoreConversation, Snapshot};
pub use conversations::{branch, delete_conversation, list_conversations, load_conversation, new_conversation};
pub use conversations::{rename_conversation, restore_conversation};
pub use messages::{EditQueued, SendMessage, Sent, WithdrawQueued, edit_queued, send_message, withdraw_queued};
pub use models::{ListModels, ModelInfo, list_models};
pub use parts::{LoadPart, Part, load_part};
pub use preferences::{LoadPreferences, SavePreferences, load_preferences, save_preferences};
pub use presets::{ListPresets, PresetInfo, list_presets};
pub use receipts::{LoadReceipts, ReceiptsInfo, ReportReceipts, load_receipts, report_receipts};
pub use tools::{ListToolNames, ListTools, ToolInfo, ToolName, list_tool_names, list_tools};
pub use turns::{FindCall, LoadBefore, LoadExcerpt, find_call, load_before, load_excerpt};

/// The longest message that is taken, in characters.
pub const LONGEST_MESSAGE: usize = 32_000;

/// How many files come with a question, and how large each may be, in bytes.
pub const MOST_FILES: usize = 10;
pub const LARGEST_FILE: usize = 10 * 1024 * 1024;
