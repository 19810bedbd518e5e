//! Files that go with the next question: a button, and a chip for each.

use leptos::{prelude::*, task::spawn_local};

use super::{
    icon::icon,
    view::{Element, View, button, each, input, label, li, said, small, span, ul, when},
};
use crate::{
    browser::attach,
    model::{Problem, message::Media, summary::bytes},
};

/// The files of one composer.
#[derive(Clone, Copy)]
pub struct Files {
    all: RwSignal<Vec<Attached>>,
    next: StoredValue<usize>,
    sent: StoredValue<Vec<usize>>,
}

#[derive(Clone, Hash)]
struct Attached {
    key: usize,
    name: String,
    /// None while it is on its way.
    taken: RwSignal<Option<Result<Media, Problem>>>,
}

impl Files {
    pub fn new() -> Self {
        Self { all: RwSignal::new(Vec::new()), next: StoredValue::new(0), sent: StoredValue::default() }
    }

    /// Sends files to the server.
    pub fn add(self, files: Vec<attach::File>) {
        for file in files {
            let key = self.next.get_value();
            self.next.set_value(key + 1);
            let taken = RwSignal::new(None);
            self.all.update(|all| all.push(Attached { key, name: file.name(), taken }));
            spawn_local(async move {
                let sent = attach::upload(file).await;
                // The page may have gone meanwhile.
                taken.try_set(Some(sent));
            });
        }
    }

    fn remove(self, key: usize) {
        self.all.update(|all| all.retain(|attached| attached.key != key));
    }

    /// A question is being sent, with those that have arrived.
    pub fn send(self) {
        let has_arrived = |attached: &&Attached| matches!(attached.taken.get_untracked(), Some(Ok(_)));
        let sent = self.all.with_untracked(|all| all.iter().filter(has_arrived).map(|each| each.key).collect());
        self.sent.set_value(sent);
    }

    /// Those that went with the question are gone; what did not arrive stays, and says why.
    pub fn clear(self) {
        let sent = self.sent.get_value();
        self.all.update(|all| all.retain(|attached| !sent.contains(&attached.key)));
    }

    pub fn are_on_their_way(self) -> bool {
        self.all.read().iter().any(|attached| attached.taken.read().is_none())
    }

    /// What the form sends: the ids of those that have arrived.
    fn ids(self) -> String {
        let all = self.all.read();
        let arrived = all.iter().filter_map(|attached| match &*attached.taken.read() {
            Some(Ok(media)) => Some(media.id.to_string()),
            Some(Err(_)) | None => None,
        });
        arrived.collect::<Vec<_>>().join(",")
    }
}

/// The chips, above the text.
pub fn attached_files(files: Files) -> View {
    let ids = input("").attr("type", "hidden").attr("name", "media").value(move || files.ids());
    let chips = when(
        move || !files.all.read().is_empty(),
        move || {
            let chips = each(move || files.all.get(), move |attached| chip(files, attached));
            ul("composer__files").attr("aria-label", "Attached files").with(chips)
        },
    );
    [View::from(ids), chips].into()
}

fn chip(files: Files, attached: &Attached) -> Element {
    let Attached { key, name, taken } = attached.clone();
    let state = move || match &*taken.read() {
        None => "Sending…".to_owned(),
        Some(Ok(media)) => bytes(media.bytes),
        Some(Err(problem)) => problem.message.clone(),
    };
    let is_failed = move || matches!(&*taken.read(), Some(Err(_)));
    let remove = button("icon-btn icon-btn--sm")
        .attr("type", "button")
        .attr("aria-label", format!("Remove {name}"))
        .on("click", move |_| files.remove(key))
        .with(icon("x"));
    li("file")
        .live_flag("data-failed", is_failed)
        .with(icon("doc"))
        .with(span("file__name").with(name))
        .with(small("").live("role", move || is_failed().then_some("alert")).with(said(state)))
        .with(remove)
}

/// The button. Without a script, what is chosen goes with the form.
pub fn attach_button(files: Files) -> Element {
    let field = input("")
        .attr("type", "file")
        .attr("name", "file")
        .flag("multiple", true)
        .attr("aria-label", "Attach files")
        .on("change", move |event| files.add(attach::chosen(&event)))
        // What was chosen before the page was alive.
        .made(move |element| files.add(attach::held(&element)));
    label("icon-btn attach")
        .attr("title", "Attach files: text, Markdown, CSV, PDF, images")
        .with(icon("clip"))
        .with(field)
}
