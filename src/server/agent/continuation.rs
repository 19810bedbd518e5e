//! Whether a run goes on after a step. Small resolvers are asked one after the other; the first that has something to say
//! decides, and the event tells what all of them said.

use serde_json::{Value, json};

use crate::{
    model::{FollowUp, RunId, run::Continuation},
    server::models::{Finish, Model},
};

/// What is known after a step.
pub struct After<'a> {
    pub model: &'a Model,
    pub finish: &'a Finish,
    /// Steps so far, this one included.
    pub steps: u32,
    /// Tokens so far.
    pub tokens: u64,
    /// Calls that this step has made.
    pub calls: usize,
    pub is_cancelled: bool,
    /// When results go to the model.
    pub follow_up: FollowUp,
}

enum Opinion {
    Stop {
        reason: &'static str,
        why: String,
    },
    Continue {
        why: String,
    },
    /// It is not about what this one looks at.
    Nothing {
        why: String,
    },
}

type Resolver = (&'static str, fn(&After<'_>) -> Opinion);

/// In the order in which they are asked.
const RESOLVERS: [Resolver; 6] = [
    ("Cancelled", cancelled),
    ("Failed", failed),
    ("WaitingForPerson", waiting),
    ("NoMoreCalls", no_more_calls),
    ("StepsLimit", steps_limit),
    ("TokenBudget", token_budget),
];

fn cancelled(after: &After<'_>) -> Opinion {
    match after.is_cancelled {
        true => Opinion::Stop { reason: "cancelled", why: "somebody stopped it".into() },
        false => Opinion::Nothing { why: "nobody stopped it".into() },
    }
}

fn failed(after: &After<'_>) -> Opinion {
    match after.finish {
        Finish::Failed(failure) => Opinion::Stop { reason: "error", why: failure.message.clone() },
        Finish::Cut => Opinion::Stop { reason: "cut", why: "the model's answer broke off".into() },
        Finish::Length => Opinion::Stop { reason: "length", why: "the answer reached the model's limit".into() },
        Finish::Refusal => Opinion::Stop { reason: "refusal", why: "the model declined to answer".into() },
        Finish::Filtered => Opinion::Stop { reason: "content_filter", why: "the provider held the answer back".into() },
        Finish::Stop | Finish::Calls => Opinion::Nothing { why: "the model came to its end".into() },
    }
}

fn waiting(after: &After<'_>) -> Opinion {
    match (after.calls, after.follow_up) {
        (0, _) => Opinion::Nothing { why: "there are no results to look at".into() },
        (_, FollowUp::AtOnce) => Opinion::Nothing { why: "results go to the model at once".into() },
        (_, FollowUp::AfterConfirmation) => {
            Opinion::Stop { reason: "waiting", why: "the person looks at the results first".into() }
        }
        (_, FollowUp::WithNextMessage) => Opinion::Stop {
            reason: "with_next_message",
            why: "the results go to the model with what the person says next".into(),
        },
    }
}

fn no_more_calls(after: &After<'_>) -> Opinion {
    match after.calls {
        0 => Opinion::Stop { reason: "completed", why: "the model called nothing more".into() },
        calls => Opinion::Nothing { why: format!("{calls} calls have results that the model has not seen") },
    }
}

fn steps_limit(after: &After<'_>) -> Opinion {
    let (steps, most) = (after.steps, after.model.max_steps);
    match steps >= most {
        true => Opinion::Stop { reason: "steps_limit", why: format!("{steps} of {most} steps are done") },
        false => Opinion::Continue { why: format!("{steps} of {most} steps are done") },
    }
}

fn token_budget(after: &After<'_>) -> Opinion {
    match after.model.token_budget {
        Some(budget) if after.tokens >= budget => {
            Opinion::Stop { reason: "token_budget", why: format!("{} of {budget} tokens are used", after.tokens) }
        }
        Some(budget) => Opinion::Continue { why: format!("{} of {budget} tokens are used", after.tokens) },
        None => Opinion::Nothing { why: "there is no budget".into() },
    }
}

/// What becomes of the run. Whoever wants to stop it is heard first.
pub fn decide(run: &RunId, after: &After<'_>) -> Continuation {
    let opinions: Vec<(&str, Opinion)> = RESOLVERS.iter().map(|(name, resolver)| (*name, resolver(after))).collect();
    let stops = opinions.iter().find_map(|(name, opinion)| match opinion {
        Opinion::Stop { reason, .. } => Some((*name, *reason)),
        Opinion::Continue { .. } | Opinion::Nothing { .. } => None,
    });
    let goes_on = opinions.iter().find(|(_, opinion)| matches!(opinion, Opinion::Continue { .. }));
    let (resolved_by, stop_reason) = stops.unwrap_or_else(|| (goes_on.map_or("StepsLimit", |(name, _)| *name), ""));
    Continuation {
        run_id: run.clone(),
        should_continue: stops.is_none(),
        stop_reason: stop_reason.to_owned(),
        resolved_by: resolved_by.to_owned(),
        evaluations: opinions.iter().map(|(name, opinion)| told(name, opinion)).collect(),
    }
}

fn told(resolver: &str, opinion: &Opinion) -> Value {
    match opinion {
        Opinion::Stop { reason, why } => json!({"resolver": resolver, "says": "stop", "reason": reason, "why": why}),
        Opinion::Continue { why } => json!({"resolver": resolver, "says": "continue", "why": why}),
        Opinion::Nothing { why } => json!({"resolver": resolver, "says": "nothing", "why": why}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::models::{Failure, settings};

    #[test]
    fn the_first_that_stops_decides_and_all_are_told() {
        let (models, _) = settings::read(None, &|_| None).unwrap();
        let mut model = models[0].clone();
        (model.max_steps, model.token_budget) = (3, Some(100));
        let failure = Finish::Failed(Failure { code: "500".into(), message: "it broke".into() });
        let calm = |finish| After {
            model: &model,
            finish,
            steps: 1,
            tokens: 10,
            calls: 1,
            is_cancelled: false,
            follow_up: FollowUp::AtOnce,
        };
        for (after, reason, by) in [
            (calm(&Finish::Calls), "", "StepsLimit"),
            (After { calls: 0, ..calm(&Finish::Stop) }, "completed", "NoMoreCalls"),
            (After { steps: 3, ..calm(&Finish::Calls) }, "steps_limit", "StepsLimit"),
            (After { tokens: 100, ..calm(&Finish::Calls) }, "token_budget", "TokenBudget"),
            (After { is_cancelled: true, ..calm(&failure) }, "cancelled", "Cancelled"),
            (After { follow_up: FollowUp::AfterConfirmation, ..calm(&Finish::Calls) }, "waiting", "WaitingForPerson"),
            (
                After { follow_up: FollowUp::WithNextMessage, ..calm(&Finish::Calls) },
                "with_next_message",
                "WaitingForPerson",
            ),
            (
                After { follow_up: FollowUp::AfterConfirmation, calls: 0, ..calm(&Finish::Stop) },
                "completed",
                "NoMoreCalls",
            ),
            (calm(&failure), "error", "Failed"),
            (calm(&Finish::Cut), "cut", "Failed"),
            (calm(&Finish::Length), "length", "Failed"),
            (calm(&Finish::Refusal), "refusal", "Failed"),
        ] {
            let decided = decide(&"r".into(), &after);
            assert_eq!((decided.stop_reason.as_str(), decided.resolved_by.as_str()), (reason, by));
            assert_eq!((decided.should_continue, decided.evaluations.len()), (reason.is_empty(), RESOLVERS.len()));
        }
    }
}
