//! `/c/{id}/calls/{call}/{what}`: all of what a call has returned or printed, a part at a time.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{
    components::A,
    hooks::{use_params_map, use_query_map},
};

use super::{frame::Frame, icon::Icon, not_found::Trouble};
use crate::{
    api::{self, load_part},
    model::{CallId, ConversationId, summary},
};

/// Where all of it can be read.
pub fn address(conversation: ConversationId, call: &CallId, what: &str) -> String {
    format!("/c/{conversation}/calls/{}/{what}", segment(call.as_str()))
}

/// Where all of it can be had as a file.
pub fn file_address(conversation: &str, call: &str, what: &str) -> String {
    format!("/api/conversations/{}/calls/{}/{}", segment(conversation), segment(call), segment(what))
}

/// A model may call its calls anything; in an address it is one segment.
fn segment(text: &str) -> String {
    text.bytes().fold(String::new(), |mut segment, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => segment.push(char::from(byte)),
            _ => segment.push_str(&format!("%{byte:02X}")),
        }
        segment
    })
}

#[component]
pub fn PartPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let asked = Memo::new(move |_| {
        let param = |name| params.read().get(name).unwrap_or_default();
        let part = query.read().get("part").and_then(|part| part.parse::<u32>().ok());
        (param("id"), param("call"), param("what"), part)
    });
    let part = Resource::new_blocking(move || asked.get(), |(id, call, what, part)| load_part(id, call, what, part));
    view! {
        <Transition>
            {move || Suspend::new(async move {
                match part.await {
                    Ok(part) => {
                        let (id, call, what, _) = asked.get_untracked();
                        view! { <Shown part id call what /> }.into_any()
                    }
                    Err(problem) => view! { <Trouble problem /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Shown(part: api::Part, id: String, call: String, what: String) -> impl IntoView {
    let title = format!("{}: {what}", part.title);
    let size = format!("{} in all · part {} of {}", summary::bytes(part.bytes), part.part, part.parts);
    let back = format!("/c/{}#{}", segment(&id), segment(&call));
    let file = file_address(&id, &call, &what);
    let (first, last) = (part.part == 1, part.part == part.parts);
    view! {
        <Title text=title.clone() />
        <Frame title=title>
            <div class="part">
                <div class="part__bar">
                    // Past the router, which would look for the card before the page has it.
                    <a class="btn btn--sm" href=back rel="external">
                        "Back to the conversation"
                    </a>
                    <span class="muted">{size}</span>
                    <a class="btn btn--sm part__end" href=file download="" rel="external">
                        <Icon name="download" class="icon icon--sm" />
                        "Download"
                    </a>
                </div>
                <pre class="code part__text" tabindex="0"><code>{part.text}</code></pre>
                <nav class="part__bar" aria-label="Parts">
                    {(!first).then(|| view! { <A href=format!("?part={}", part.part - 1) attr:class="btn btn--sm">"Previous part"</A> })}
                    {(!last).then(|| view! { <A href=format!("?part={}", part.part + 1) attr:class="btn btn--sm">"Next part"</A> })}
                    <code class="muted part__hash">{format!("SHA-256 {}", part.sha256)}</code>
                </nav>
            </div>
        </Frame>
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_id_is_one_segment() {
        assert_eq!(super::segment("call_0-9"), "call_0-9");
        assert_eq!(super::segment("../a b?ü"), "%2E%2E%2Fa%20b%3F%C3%BC");
    }
}
