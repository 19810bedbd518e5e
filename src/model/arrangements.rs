//! What holds for the whole conversation beside what is said in it: its title, when results go to the model, the notes
//! that a person has pinned to it, and the agent's plan.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    BriefId, ConversationId,
    event::ConversationUpdated,
    words::{Word, words},
};

words!(
    /// When the results of a step go back to the model.
    #[derive(Default)]
    FollowUp {
        /// As soon as they are there.
        #[default]
        AtOnce = "at_once",
        /// When the person has looked at them and says so.
        AfterConfirmation = "after_confirmation",
        /// Together with what the person says next.
        WithNextMessage = "with_next_message",
    }
);

words!(
    /// How far a thing on the agent's plan is.
    TodoStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
    }
);

/// One thing that the agent means to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Todo {
    /// What is to be done, in a few words.
    pub text: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// A note for the agent, on every question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    pub id: BriefId,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrangements {
    /// The newest one, if there was another after the first question.
    pub title: Option<String>,
    pub follow_up: FollowUp,
    pub briefs: Vec<Brief>,
    pub todos: Vec<Todo>,
    /// The conversation that this one goes on from.
    #[serde(default)]
    pub branch_of: Option<ConversationId>,
}

impl FollowUp {
    /// For people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::AtOnce => "At once",
            Self::AfterConfirmation => "After I have looked",
            Self::WithNextMessage => "With my next message",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::from_word(word)
    }
}

impl Arrangements {
    pub(super) fn update(&mut self, updated: &ConversationUpdated) {
        if let Some(title) = &updated.title {
            self.title = Some(title.clone());
        }
        self.follow_up = updated.follow_up.unwrap_or(self.follow_up);
        self.branch_of = updated.branch_of.or(self.branch_of);
    }

    /// Pins a note, changes it, or takes it away.
    pub(super) fn note(&mut self, id: &BriefId, text: Option<&str>) {
        let known = self.briefs.iter().position(|brief| brief.id == *id);
        match (known, text) {
            (Some(place), Some(text)) => text.clone_into(&mut self.briefs[place].text),
            (Some(place), None) => drop(self.briefs.remove(place)),
            (None, Some(text)) => self.briefs.push(Brief { id: id.clone(), text: text.to_owned() }),
            (None, None) => {}
        }
    }

    /// How many things of the plan are done, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.todos.iter().filter(|todo| todo.status == TodoStatus::Completed).count(), self.todos.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_change_and_go() {
        let mut arranged = Arrangements::default();
        for (id, text) in
            [("a", Some("one")), ("b", Some("two")), ("a", Some("three")), ("x", None), ("b", None), ("b", None)]
        {
            arranged.note(&id.into(), text);
        }
        assert_eq!(arranged.briefs, [Brief { id: "a".into(), text: "three".into() }]);
    }

    #[test]
    fn what_an_update_leaves_out_stays() {
        let mut arranged = Arrangements::default();
        let title = |title: &str| ConversationUpdated { title: Some(title.into()), ..ConversationUpdated::default() };
        arranged.update(&title("Water"));
        arranged.update(&ConversationUpdated {
            follow_up: Some(FollowUp::WithNextMessage),
            ..ConversationUpdated::default()
        });
        assert_eq!(arranged.title.as_deref(), Some("Water"));
        arranged.update(&title("Air"));
        assert_eq!((arranged.title.as_deref(), arranged.follow_up), (Some("Air"), FollowUp::WithNextMessage));
    }
}
