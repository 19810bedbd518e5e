//! A page for what is not there, or cannot be shown now.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;

use super::frame::Frame;
use crate::model::{Problem, ProblemKind};

#[component]
pub fn NotFound() -> impl IntoView {
    view! { <Trouble problem=Problem::new(ProblemKind::NotFound, "There is nothing at this address.") /> }
}

/// Says what is wrong, and leads on.
#[component]
pub fn Trouble(problem: Problem) -> impl IntoView {
    let title = match problem.kind {
        ProblemKind::NotFound => "Not found",
        ProblemKind::InvalidInput | ProblemKind::TooLarge | ProblemKind::Unavailable | ProblemKind::Internal => {
            "Something went wrong"
        }
    };
    let may_pass = match problem.kind {
        ProblemKind::NotFound | ProblemKind::InvalidInput | ProblemKind::TooLarge => false,
        ProblemKind::Unavailable | ProblemKind::Internal => true,
    };
    view! {
        <Title text=title />
        <Frame title>
            <div class="hello">
                <div>
                    <h2 class="hello__title">{problem.message}</h2>
                    // A new request for the same address, past the router.
                    {may_pass.then(|| view! { <p class="hello__lede"><a class="btn" href="" rel="external">"Try again"</a></p> })}
                    <p class="hello__lede">
                        "Your conversations are in the list, and "<A href="/">"a new one"</A>" is a question away."
                    </p>
                </div>
            </div>
        </Frame>
    }
}
