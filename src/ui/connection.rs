//! "Reconnecting…": a small line, only while it is true.

use leptos::prelude::*;

use super::{
    icon::drawing,
    view::{Element, View, div, p, switch},
};
use crate::browser::event_stream::Connection;

pub fn connection_line(connection: RwSignal<Connection>) -> Element {
    let line = switch(
        move || connection.get(),
        |connection| match connection {
            Connection::Live => View::Nothing,
            Connection::Reconnecting => p("connection__line")
                .with(drawing("glyph", "s-retrying").attr("data-status", "retrying").flag("data-spin", true))
                .with("Reconnecting…")
                .into(),
            Connection::Gone => p("connection__line")
                .with("This conversation is not on the server any more. What you see is what it was.")
                .into(),
        },
    );
    div("connection").attr("role", "status").with(line)
}
