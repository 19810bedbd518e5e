//! "Reconnecting…": a small line, only while it is true.

use leptos::prelude::*;

use super::icon::Icon;
use crate::browser::event_stream::Connection;

#[component]
pub fn ConnectionLine(connection: RwSignal<Connection>) -> impl IntoView {
    view! {
        <div class="connection" role="status">
            {move || match connection.get() {
                Connection::Live => None,
                Connection::Reconnecting => {
                    Some(
                        view! {
                            <p class="connection__line">
                                <Icon name="s-retrying" class="glyph" attr:data-status="retrying" attr:data-spin="" />
                                "Reconnecting…"
                            </p>
                        }
                            .into_any(),
                    )
                }
                Connection::Gone => {
                    Some(
                        view! {
                            <p class="connection__line">
                                "This conversation is not on the server any more. What you see is what it was."
                            </p>
                        }
                            .into_any(),
                    )
                }
            }}
        </div>
    }
}
