//! What a person arranges for a conversation: when results go to the agent, and notes that it always gets.

use leptos::prelude::*;

use super::{
    icon::icon,
    live::Live,
    sending::{Sending, trouble},
    view::{
        Element, View, button, each, fieldset, h2, hidden, hr, input, label, legend, li, noscript, p, said, section,
        small, span, switch, textarea, ul,
    },
};
use crate::model::{BriefId, FollowUp};

/// What the open conversation is called now.
#[derive(Clone, Copy)]
pub struct ShownTitle(pub Signal<String>);

/// A button and what it opens. Both work without a script.
pub fn arrangements_menu() -> View {
    let live: Live = expect_context();
    let count = Memo::new(move |_| live.arrangements(|arranged| arranged.briefs.len()));
    let told =
        said(move || Some(count.get()).filter(|count| *count > 0).map(|count| count.to_string()).unwrap_or_default());
    let opener = button("btn btn--quiet btn--sm topbar__menu")
        .attr("type", "button")
        .attr("popovertarget", "arrangements")
        .with(icon("sliders"))
        .with(span("lbl").with("Notes and settings"))
        .with(span("muted").with(told));
    let menu = section("menu menu--wide")
        .attr("id", "arrangements")
        .attr("popover", "auto")
        .attr("aria-label", "Notes and settings")
        .with(notes(live))
        .with(follow_ups(live))
        .with(title_and_end(live));
    [opener, menu].into()
}

/// What the conversation is called, and a way to be rid of it.
fn title_and_end(live: Live) -> View {
    let title: Signal<String> = expect_context::<ShownTitle>().0;
    let (rename, delete) = (Sending::to("/api/rename_conversation"), Sending::to("/api/delete_conversation"));
    let which = || hidden("conversation_id", live.id().to_string());
    let field = input("textarea")
        .attr("name", "title")
        .value(move || title.get())
        .flag("required", true)
        .attr("maxlength", "120");
    let renaming = rename
        .form("rename")
        .with(which())
        .with(label("").with(span("menu__head").with("Title")).with(field))
        .with(button("btn btn--sm").with("Rename"));
    let deleting =
        delete.form("").with(which()).with(button("btn btn--sm btn--danger").with("Delete this conversation"));
    let problem = trouble(move || rename.problem().or_else(|| delete.problem()));
    [View::from(hr("")), renaming.into(), problem, hr("").into(), deleting.into()].into()
}

fn notes(live: Live) -> View {
    let (pin, remove) = (Sending::to("/api/pin_brief"), Sending::to("/api/remove_brief"));
    let all = move || {
        live.arrangements(|arranged| {
            arranged.briefs.iter().map(|brief| (brief.id.clone(), brief.text.clone())).collect::<Vec<_>>()
        })
    };
    // A note that was taken leaves an empty field for the next one.
    let field = switch(
        move || pin.times_taken(),
        |_| {
            textarea("textarea")
                .attr("name", "note")
                .attr("rows", "2")
                .flag("required", true)
                .attr("aria-label", "New note")
                .attr("placeholder", "Only bills of this Congress, please")
        },
    );
    let pinning = pin
        .form("notes__new")
        .with(hidden("conversation_id", live.id().to_string()))
        .with(field)
        .with(trouble(move || pin.problem().or_else(|| remove.problem())))
        .with(button("btn btn--sm").with("Pin note"));
    [
        h2("menu__head").with("Notes for the agent"),
        p("menu__hint").with("The model gets these with every question of this conversation."),
        ul("notes").with(each(all, move |(id, text)| note(live, id, text, remove))),
        pinning,
    ]
    .into()
}

fn note(live: Live, id: &BriefId, text: &str, remove: Sending) -> Element {
    let away = button("icon-btn icon-btn--sm").attr("aria-label", "Remove note").attr("title", "Remove note");
    let removing = remove
        .form("")
        .with(hidden("conversation_id", live.id().to_string()))
        .with(hidden("brief_id", id.to_string()))
        .with(away.with(icon("x")));
    li("").with(span("").with(text.to_owned())).with(removing)
}

fn follow_ups(live: Live) -> View {
    let set = Sending::to("/api/set_follow_up");
    let chosen = Memo::new(move |_| live.arrangements(|arranged| arranged.follow_up));
    let choice = move |follow_up: FollowUp| {
        let about = match follow_up {
            FollowUp::AtOnce => "The agent goes on by itself.",
            FollowUp::AfterConfirmation => "You read the results, then send or discard them.",
            FollowUp::WithNextMessage => "The agent stops, and gets the results with what you say next.",
        };
        let field = input("")
            .attr("type", "radio")
            .attr("name", "follow_up")
            .attr("value", follow_up.as_str())
            .checked(move || chosen.get() == follow_up)
            .on("change", move |_| {
                set.send(&[("conversation_id", &live.id().to_string()), ("follow_up", follow_up.as_str())]);
            });
        label("menu__item check").with(field).with(span("").with(follow_up.label()).with(small("").with(about)))
    };
    let choices = fieldset("")
        .with(legend("menu__head").with("Results go to the agent"))
        .with(hidden("conversation_id", live.id().to_string()))
        .all(FollowUp::ALL.iter().map(|follow_up| choice(*follow_up)));
    let save = noscript("").with(button("btn btn--sm").with("Save"));
    [hr(""), set.form("").with(choices).with(save)].into()
}
