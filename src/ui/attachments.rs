//! Files that go with the next question: a button, and a chip for each.

use leptos::{html, prelude::*, task::spawn_local};

use super::icon::Icon;
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

#[derive(Clone)]
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
#[component]
pub fn AttachedFiles(files: Files) -> impl IntoView {
    let has_any = Memo::new(move |_| !files.all.read().is_empty());
    view! {
        <input type="hidden" name="media" prop:value=move || files.ids() />
        <Show when=move || has_any.get()>
            <ul class="composer__files" aria-label="Attached files">
                <For each=move || files.all.get() key=|attached| attached.key let:attached>
                    <Chip files attached />
                </For>
            </ul>
        </Show>
    }
}

#[component]
fn Chip(files: Files, attached: Attached) -> impl IntoView {
    let Attached { key, name, taken } = attached;
    let state = move || match &*taken.read() {
        None => "Sending…".to_owned(),
        Some(Ok(media)) => bytes(media.bytes),
        Some(Err(problem)) => problem.message.clone(),
    };
    let is_failed = move || matches!(&*taken.read(), Some(Err(_)));
    view! {
        <li class="file" data-failed=move || is_failed().then_some("")>
            <Icon name="doc" />
            <span class="file__name">{name.clone()}</span>
            <small role=move || is_failed().then_some("alert")>{state}</small>
            <button
                class="icon-btn icon-btn--sm"
                type="button"
                aria-label=format!("Remove {name}")
                on:click=move |_| files.remove(key)
            >
                <Icon name="x" />
            </button>
        </li>
    }
}

/// The button. Without a script, what is chosen goes with the form.
#[component]
pub fn AttachButton(files: Files) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    // What was chosen before the page was alive.
    Effect::new(move || {
        if let Some(field) = field.get() {
            files.add(attach::held(&field));
        }
    });
    view! {
        <label class="icon-btn attach" title="Attach files: text, Markdown, CSV, PDF, images">
            <Icon name="clip" />
            <input
                node_ref=field
                type="file"
                name="file"
                multiple
                aria-label="Attach files"
                on:change=move |event| files.add(attach::chosen(&event))
            />
        </label>
    }
}
