//! Calls for models that can only write text: they write `###:{"toolName":"search","parameters":{…}}` into it. The
//! marker is never shown, and the text around it is shown as it comes.

/// A JSON object, as it is being written.
mod object;
/// A call whose end has not come yet.
mod open;
/// What a model is told about tools.
mod prompt;
#[cfg(test)]
mod tests;

use self::open::{Open, Progress};
pub use self::prompt::{retold, rewritten};
use super::{
    drafts::Drafts,
    piece::{Piece, say},
};

/// How many spaces may be between the marker and its object.
const MOST_SPACE: usize = 16;

/// Tells calls from text, letter by letter, so that it does not matter how the text is cut.
#[derive(Clone, Debug, Default)]
pub struct MarkerParser {
    state: State,
    /// What may be the beginning of a marker.
    held: String,
    /// What is shown with the next piece.
    text: String,
    /// A broken call is not shown either. Its text is over at the end of the line.
    is_skipping: bool,
    drafts: Drafts,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Text,
    /// So many `#` in a row.
    Hashes(usize),
    /// Too many `#` for a marker.
    Heading,
    /// After `###:`.
    Colon,
    Call(Box<Open>),
}

impl MarkerParser {
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        text.chars().for_each(|letter| self.read(letter, &mut pieces));
        if let State::Call(open) = &mut self.state {
            open.flush(&mut self.drafts, &mut pieces);
        }
        self.flush(&mut pieces);
        pieces
    }

    /// The answer is over: a call that is not complete is broken, and half a marker is text.
    pub fn end(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if let State::Call(open) = std::mem::take(&mut self.state) {
            open.give_up("The answer ended before this call was complete.", &mut self.drafts, &mut pieces);
        }
        self.release();
        self.flush(&mut pieces);
        pieces
    }

    fn read(&mut self, letter: char, pieces: &mut Vec<Piece>) {
        match &mut self.state {
            State::Call(open) => {
                let progress = open.read(letter, &mut self.drafts, pieces);
                self.go_on(progress, letter, pieces);
            }
            State::Colon if letter == '{' => self.open(pieces),
            State::Colon if letter.is_whitespace() && self.held.chars().count() < 4 + MOST_SPACE => {
                self.held.push(letter)
            }
            State::Hashes(3) if letter == ':' => {
                self.held.push(letter);
                self.state = State::Colon;
            }
            State::Hashes(count) if letter == '#' && *count < 3 => {
                *count += 1;
                self.held.push(letter);
            }
            State::Hashes(3) | State::Heading if letter == '#' => {
                self.release();
                self.show(letter);
                self.state = State::Heading;
            }
            State::Text | State::Colon if letter == '#' => {
                self.release();
                self.held.push(letter);
                self.state = State::Hashes(1);
            }
            State::Text | State::Hashes(_) | State::Heading | State::Colon => {
                self.release();
                self.show(letter);
                self.state = State::Text;
            }
        }
    }

    fn open(&mut self, pieces: &mut Vec<Piece>) {
        self.held.clear();
        self.is_skipping = false;
        self.flush(pieces);
        let mut open = Box::new(Open::new(self.drafts.begin()));
        open.read('{', &mut self.drafts, pieces);
        self.state = State::Call(open);
    }

    fn go_on(&mut self, progress: Progress, letter: char, pieces: &mut Vec<Piece>) {
        match progress {
            Progress::Inside => {}
            Progress::Complete => self.state = State::Text,
            Progress::Broken { since_line_end } => {
                self.state = State::Text;
                // If the line had ended already, what is on the next one is text.
                self.is_skipping = since_line_end.is_none() && letter != '\n';
                self.text.push_str(&since_line_end.unwrap_or_default());
                self.read(letter, pieces);
            }
        }
    }

    /// What was held back is text.
    fn release(&mut self) {
        let held = std::mem::take(&mut self.held);
        held.chars().for_each(|letter| self.show(letter));
    }

    fn show(&mut self, letter: char) {
        self.is_skipping &= letter != '\n';
        if !self.is_skipping {
            self.text.push(letter);
        }
    }

    fn flush(&mut self, pieces: &mut Vec<Piece>) {
        say(&std::mem::take(&mut self.text), pieces);
    }
}
