//! What only a browser can do: the only home of `web_sys`. It compiles on the server too, where nobody calls it: views
//! use it from effects and handlers alone.

/// Asks the server.
pub mod ask;
/// Files that somebody chooses, drops or pastes.
pub mod attach;
/// Ticks, and the time of day where the person is.
pub mod clock;
/// What keys do in the composer.
pub mod composer;
/// Views in a page.
pub mod dom;
/// The conversation's events, as they happen.
pub mod event_stream;
/// What somebody has filled in.
pub mod form;
/// One batch of work per frame, the first piece of it at once.
mod frames;
/// Keys that work anywhere.
pub mod keys;
/// What is near to what somebody sees.
pub mod near;
/// The document as a whole.
pub mod page;
/// When cards have become visible.
pub mod receipts;
/// Tools that run in this page.
pub mod tools;
