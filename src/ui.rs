//! Views: rendered on the server, alive in the browser. Read in the order they nest:

/// What runs, what ran, and when.
mod activity;
/// What goes on, for those who hear it.
mod announcer;
/// Routes.
mod app;
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
mod conversation_page;
/// A button that copies.
mod copy;
/// What comes before the turns that a page has.
mod earlier;
/// `/c/{id}/before/{turn}`: older turns by themselves.
mod earlier_page;
/// The end of the page.
mod follow;
/// What stands around every page: the list of conversations, the top bar.
mod frame;
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
/// Anything else.
mod not_found;
/// All of what a call has returned or printed.
mod part_page;
/// Who is asked, and with which prompt.
mod picker;
/// The agent's plan.
mod plan;
/// A question that waits.
mod queued;
/// Links to a card.
mod reveal;
/// `/settings`.
mod settings_page;
/// What pages have in common.
mod shared;
/// The document around the app, which is only rendered, never hydrated.
mod shell;
/// The list of conversations.
mod sidebar;
/// `/`: ask a first question.
mod start_page;
/// What stands in a `<textarea>`.
mod text_area;
/// One tool call: its card, whole.
mod tool_card;
/// Questions and what came of them.
mod transcript;

/// What time it is, for what ticks.
pub mod clock;
/// The conversation that a page shows: the plain fold, and who is woken by what.
pub mod live;

pub use app::App;
pub use shell::{Assets, shell};
