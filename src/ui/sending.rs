//! A form that is sent to a server function: by the browser itself where there is no script, and without leaving the page
//! where there is one.

use leptos::{prelude::*, task::spawn_local};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::view::{Element, View, form, p, span, switch};
use crate::{
    browser::{ask, dom::Event},
    model::Problem,
};

/// What a form that was sent without a script is told, on the page that it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The address that it was sent to.
    pub path: String,
    pub problem: Problem,
    /// What was filled in.
    pub fields: Vec<(String, String)>,
}

/// What is sent to one address, and what came of it.
#[derive(Clone, Copy)]
pub struct Sending {
    to: &'static str,
    is_pending: RwSignal<bool>,
    /// As JSON.
    outcome: RwSignal<Option<Result<String, Problem>>>,
    taken: RwSignal<u32>,
}

impl Sending {
    /// To `/api/…`.
    pub fn to(to: &'static str) -> Self {
        let told = use_context::<Told>().filter(|told| told.path == to);
        let outcome = RwSignal::new(told.map(|told| Err(told.problem)));
        Self { to, is_pending: RwSignal::new(false), outcome, taken: RwSignal::new(0) }
    }

    /// A form that does it.
    pub fn form(self, class: &'static str) -> Element {
        self.form_if(class, |_| true)
    }

    /// The same, for what is looked at before.
    pub fn form_if(self, class: &'static str, may: impl Fn(&Event) -> bool + 'static) -> Element {
        let submit = move |event: Event| {
            event.prevent_default();
            if !self.is_pending.get_untracked() && may(&event) {
                self.post(ask::fields_of(&event));
            }
        };
        form(class).attr("method", "post").attr("action", self.to).on("submit", submit)
    }

    /// Sends without a form.
    pub fn send(self, fields: &[(&str, &str)]) {
        self.post(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
    }

    fn post(self, fields: Vec<(String, String)>) {
        self.is_pending.set(true);
        spawn_local(async move {
            let outcome = ask::post(self.to, &fields).await;
            let is_taken = outcome.is_ok();
            // What it belongs to may have gone meanwhile.
            if self.outcome.try_set(Some(outcome)).is_none() {
                self.is_pending.set(false);
                self.taken.update(|taken| *taken += u32::from(is_taken));
            }
        });
    }

    pub fn is_pending(self) -> bool {
        self.is_pending.get()
    }

    pub fn problem(self) -> Option<Problem> {
        self.outcome.with(|outcome| outcome.as_ref()?.as_ref().err().cloned())
    }

    /// What was wrong with the last one, if it is about this.
    pub fn problem_about(self, what: &str) -> Option<Problem> {
        self.problem().filter(|problem| problem.is_about(what))
    }

    /// How often it was taken.
    pub fn times_taken(self) -> u32 {
        self.taken.get()
    }

    /// What was answered.
    pub fn answer<T: DeserializeOwned>(self) -> Option<T> {
        self.outcome.with(|outcome| serde_json::from_str(outcome.as_ref()?.as_ref().ok()?).ok())
    }
}

/// What went wrong, said at once.
pub fn trouble(problem: impl Fn() -> Option<Problem> + 'static) -> View {
    switch(problem, |problem| {
        let told = problem.as_ref().map(|problem| problem.message.clone());
        told.map(|told| p("composer__problem").attr("role", "alert").with(told))
    })
}

/// The same, in a line with others.
pub fn quiet_trouble(problem: impl Fn() -> Option<Problem> + 'static) -> Element {
    let told = super::view::said(move || problem().map(|problem| problem.message).unwrap_or_default());
    span("muted").attr("role", "status").with(told)
}
