//! What this page can do for the agent, sent along with a question. Without a script a page can do nothing, and says so by
//! saying nothing; with one, `browser::tools` fills this in.

use super::view::{View, hidden, many};

/// Two fields of a form.
pub fn client_tools() -> View {
    many([hidden("client_tools", ""), hidden("tab", "")])
}
