//! `/c/{id}/calls/{call}/{what}`: all of what a call has returned or printed, a part at a time.

use super::{
    icon::drawing,
    view::{Element, a, code, div, nav, pre, span},
};
use crate::{
    api,
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

/// With its title.
pub fn part_page(part: api::Part, id: &str, call: &str, what: &str) -> (String, Element) {
    let title = format!("{}: {what}", part.title);
    let size = format!("{} in all · part {} of {}", summary::bytes(part.bytes), part.part, part.parts);
    let back =
        a("btn btn--sm").attr("href", format!("/c/{}#{}", segment(id), segment(call))).with("Back to the conversation");
    let download = a("btn btn--sm part__end")
        .attr("href", file_address(id, call, what))
        .flag("download", true)
        .with(drawing("icon icon--sm", "download"))
        .with("Download");
    let to = |part: u32, told: &'static str| a("btn btn--sm").attr("href", format!("?part={part}")).with(told);
    let parts = nav("part__bar")
        .attr("aria-label", "Parts")
        .with((part.part > 1).then(|| to(part.part - 1, "Previous part")))
        .with((part.part < part.parts).then(|| to(part.part + 1, "Next part")))
        .with(code("muted part__hash").with(format!("SHA-256 {}", part.sha256)));
    let text = pre("code part__text").attr("tabindex", "0").with(code("").with(part.text));
    let bar = div("part__bar").with(back).with(span("muted").with(size)).with(download);
    (title, div("part").with(bar).with(text).with(parts))
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_id_is_one_segment() {
        assert_eq!(super::segment("call_0-9"), "call_0-9");
        assert_eq!(super::segment("../a b?ü"), "%2E%2E%2Fa%20b%3F%C3%BC");
    }
}
