//! A page for what is not there, or cannot be shown now: says what is wrong, and leads on.

use super::view::{Element, a, div, h2, p};
use crate::model::{Problem, ProblemKind};

pub fn trouble_page(problem: &Problem) -> (&'static str, Element) {
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
    let again = may_pass.then(|| p("hello__lede").with(a("btn").attr("href", "").with("Try again")));
    let on = p("hello__lede")
        .with("Your conversations are in the list, and ")
        .with(a("").attr("href", "/").with("a new one"))
        .with(" is a question away.");
    let told = h2("hello__title").with(problem.message.clone());
    (title, div("hello").with(div("").with(told).with(again).with(on)))
}
