//! What a model is told before the conversation: its preset, the day, the notes that the person has pinned, its plan.

use super::presets::Preset;
use crate::model::{Arrangements, Timestamp, TodoStatus};

pub fn system(preset: &Preset, arranged: &Arrangements, now: Timestamp) -> String {
    let mut told = preset.text.clone();
    // By the day, so that what providers remember of a prompt holds for a while.
    told.push_str(&format!("\n\nToday is {}.", &now.to_string()[..10]));
    if !arranged.briefs.is_empty() {
        told.push_str("\n\n# Notes from the person, for every question\n");
        for brief in &arranged.briefs {
            told.push_str(&format!("\n- {}", brief.text.replace('\n', "\n  ")));
        }
    }
    if !arranged.todos.is_empty() {
        told.push_str("\n\n# Your plan so far\n");
        for todo in &arranged.todos {
            let mark = match todo.status {
                TodoStatus::Pending => "[ ]",
                TodoStatus::InProgress => "[~]",
                TodoStatus::Completed => "[x]",
            };
            told.push_str(&format!("\n- {mark} {}", todo.text));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Brief, Todo};

    #[test]
    fn a_model_is_told_all_that_was_arranged() {
        let preset = Preset { title: "T".into(), description: String::new(), tools: None, text: "Be brief.".into() };
        let now: Timestamp = serde_json::from_str("\"2026-11-16T10:00:00Z\"").unwrap();
        assert_eq!(system(&preset, &Arrangements::default(), now), "Be brief.\n\nToday is 2026-11-16.");
        let todo = |text: &str, status| Todo { text: text.into(), status };
        let arranged = Arrangements {
            briefs: vec![Brief { id: "a".into(), text: "Only the Senate\nand only this year".into() }],
            todos: vec![todo("Look", TodoStatus::Completed), todo("Write", TodoStatus::Pending)],
            ..Arrangements::default()
        };
        let told = system(&preset, &arranged, now);
        assert!(told.contains("\n- Only the Senate\n  and only this year\n"), "{told}");
        assert!(told.ends_with("\n- [x] Look\n- [ ] Write"), "{told}");
    }
}
