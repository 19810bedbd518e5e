//! Views: written by the server, alive in the browser. Read in the order they nest:

/// What stands in a page, as plain data.
pub mod view;

/// What runs, what ran, and when.
mod activity;
/// What goes on, for those who hear it.
mod announcer;
/// What a person arranges for a conversation.
mod arrangements;
/// Files that go with the next question.
mod attachments;
/// The calls of one step.
mod call_group;
/// What this page can do for the agent.
mod client_tools;
/// Where a person writes.
mod composer;
/// "Reconnecting…"
mod connection;
/// `/c/{id}`: one conversation.
pub mod conversation_page;
/// A button that copies.
mod copy;
/// The document around a page.
pub mod document;
/// What comes before the turns that a page has.
mod earlier;
/// `/c/{id}/before/{turn}`: older turns by themselves.
pub mod earlier_page;
/// Something that opens and closes.
mod folding;
/// The end of the page.
mod follow;
/// What stands around every page: the list of conversations, the top bar.
pub mod frame;
/// What was allowed for longer.
mod grants;
/// One drawing out of the set.
mod icon;
/// What a model wrote, as it is meant.
mod markdown;
/// One message.
mod message;
/// Long things in pieces, and only those that are near.
mod near;
/// What is not there, or cannot be shown.
pub mod not_found;
/// Every page there is.
pub mod page;
/// All of what a call has returned or printed.
pub mod part_page;
/// Who is asked, with which prompt and which tools.
pub mod picker;
/// The agent's plan.
mod plan;
/// A question that waits.
mod queued;
/// Links to a card.
mod reveal;
/// How the run of a turn stands.
mod run_line;
/// Results that wait for a look.
mod send_results;
/// A form that is sent to a server function.
pub mod sending;
/// `/settings`.
pub mod settings_page;
/// The list of conversations.
pub mod sidebar;
/// `/`: ask a first question.
pub mod start_page;
/// One tool call: its card, whole.
mod tool_card;
/// Questions and what came of them.
mod transcript;

/// What time it is, for what ticks.
pub mod clock;
/// The conversation that a page shows: the plain fold, and who is woken by what.
pub mod live;
