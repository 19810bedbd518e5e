//! Some models write their reasoning into the text, between `<think>` and `</think>` at its very beginning.

use super::piece::{Piece, reason, say};

const OPENS: &str = "<think>";
const CLOSES: &str = "</think>";
/// How much empty space may come before the tag.
const MOST_SPACE: usize = 1024;

/// Tells the reasoning from the text. It holds back only what may be part of a tag.
#[derive(Clone, Debug, Default)]
pub struct Think {
    state: State,
    held: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Beginning,
    Inside,
    /// After the closing tag: the empty space between reasoning and text belongs to neither.
    Gap,
    Text,
}

impl Think {
    pub fn push(&mut self, text: &str, pieces: &mut Vec<Piece>) {
        if self.state == State::Text {
            return say(text, pieces);
        }
        self.held.push_str(text);
        while self.step(pieces) {}
    }

    /// Something else comes, or nothing more does: what was held back was no tag.
    pub fn flush(&mut self, pieces: &mut Vec<Piece>) {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Beginning if !held.is_empty() => self.state = State::Text,
            State::Inside => return reason(&held, pieces),
            State::Beginning | State::Gap | State::Text => {}
        }
        say(&held, pieces);
    }

    /// Goes on with what is held, and says whether there is more to do.
    fn step(&mut self, pieces: &mut Vec<Piece>) -> bool {
        let before = self.state;
        match self.state {
            State::Beginning => self.begin(),
            State::Inside => self.go_on(pieces),
            State::Gap => {
                self.held = self.held.trim_start().to_owned();
                if !self.held.is_empty() {
                    self.state = State::Text;
                }
            }
            State::Text => say(&std::mem::take(&mut self.held), pieces),
        }
        self.state != before
    }

    fn begin(&mut self) {
        let trimmed = self.held.trim_start();
        if let Some(rest) = trimmed.strip_prefix(OPENS) {
            (self.held, self.state) = (rest.to_owned(), State::Inside);
        } else if !OPENS.starts_with(trimmed) || self.held.len() > MOST_SPACE {
            self.state = State::Text;
        }
    }

    fn go_on(&mut self, pieces: &mut Vec<Piece>) {
        if let Some((before, after)) = self.held.split_once(CLOSES) {
            reason(before, pieces);
            (self.held, self.state) = (after.to_owned(), State::Gap);
            return;
        }
        let may_close = |from: &usize| CLOSES.starts_with(&self.held[*from..]);
        let from = self.held.char_indices().map(|(at, _)| at).find(may_close).unwrap_or(self.held.len());
        reason(&self.held[..from], pieces);
        self.held.drain(..from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&str]) -> (String, String) {
        let (mut think, mut pieces) = (Think::default(), Vec::new());
        chunks.iter().for_each(|chunk| think.push(chunk, &mut pieces));
        think.flush(&mut pieces);
        let (mut reasoning, mut text) = (String::new(), String::new());
        for piece in pieces {
            match piece {
                Piece::Reasoning(chunk) => reasoning.push_str(&chunk),
                Piece::Text(chunk) => text.push_str(&chunk),
                other => panic!("{other:?}"),
            }
        }
        (reasoning, text)
    }

    #[test]
    fn only_what_begins_with_the_tag_is_reasoning() {
        for (whole, reasoning, text) in [
            ("<think>Hm, 2 < 3.</think>\n\nYes.", "Hm, 2 < 3.", "Yes."),
            ("\n<think>\nÜber</thin</think>Ja", "\nÜber</thin", "Ja"),
            ("No tag <think>here</think>", "", "No tag <think>here</think>"),
            ("<thin ice>", "", "<thin ice>"),
            ("<thi", "", "<thi"),
            ("  text", "", "  text"),
            ("<think>never closed</th", "never closed</th", ""),
            ("<think></think><think>x</think>", "", "<think>x</think>"),
            ("", "", ""),
        ] {
            let expected = (reasoning.to_owned(), text.to_owned());
            for (cut, _) in whole.char_indices() {
                assert_eq!(split(&[&whole[..cut], &whole[cut..]]), expected, "{whole:?} cut at {cut}");
            }
            let letters: Vec<String> = whole.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            assert_eq!(split(&letters), expected, "{whole:?} letter by letter");
        }
    }

    #[test]
    fn reasoning_does_not_wait_for_its_end() {
        let (mut think, mut pieces) = (Think::default(), Vec::new());
        think.push("<think>Let me see</", &mut pieces);
        assert_eq!(pieces, [Piece::Reasoning("Let me see".to_owned())]);
    }
}
