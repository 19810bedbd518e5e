//! A call that is being written into the text.

use super::super::{
    drafts::{Blank, Drafts, LARGEST},
    piece::Piece,
};
use super::object::{Seen, Walker};

const NAMES: [&str; 3] = ["toolName", "tool", "name"];
const ARGUMENTS: [&str; 3] = ["parameters", "arguments", "args"];
const FORM: &str = r####"Write it as ###:{"toolName":"…","parameters":{…}}"####;

#[derive(Clone, Debug, Default)]
pub struct Open {
    walker: Walker,
    /// Nothing, if there are too many calls. It is read nevertheless, so that it is not shown.
    at: Option<usize>,
    /// The text of its name, with its quotes.
    name: String,
    is_named: bool,
    /// Arguments that are on their way out.
    chunk: String,
    arguments: Arguments,
    letters: usize,
    /// The empty space since the last line ended, if there was nothing else.
    since_line_end: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Arguments {
    #[default]
    Missing,
    Object,
    /// Some write them as a text that contains the object.
    Quoted(String),
    Complete,
}

/// What a letter did.
pub enum Progress {
    Inside,
    Complete,
    /// The letter was not part of it.
    Broken {
        since_line_end: Option<String>,
    },
}

impl Open {
    pub fn new(at: Option<usize>) -> Self {
        Self { at, ..Self::default() }
    }

    pub fn read(&mut self, letter: char, drafts: &mut Drafts, pieces: &mut Vec<Piece>) -> Progress {
        self.letters += 1;
        let seen = match self.walker.read(letter) {
            // Twice as much: letters outside of the arguments count, too.
            Ok(_) if self.letters > 2 * LARGEST => return self.break_off("it is far too long", drafts, pieces),
            Ok(seen) => seen,
            Err(why) => return self.break_off(&why, drafts, pieces),
        };
        match (letter, &mut self.since_line_end) {
            ('\n', since) => *since = Some("\n".to_owned()),
            (space, Some(since)) if space.is_whitespace() => since.push(space),
            (_, since) => *since = None,
        }
        match seen {
            Seen::Other => {}
            Seen::Value => self.hear(letter, false, drafts, pieces),
            Seen::EndOfText => self.hear(letter, true, drafts, pieces),
            Seen::End => {
                self.complete(drafts, pieces);
                return Progress::Complete;
            }
        }
        Progress::Inside
    }

    /// A letter of what belongs to a name.
    fn hear(&mut self, letter: char, is_end_of_text: bool, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        let field = self.walker.field();
        let is_first = self.walker.is_first_letter();
        if NAMES.contains(&field) && !self.is_named {
            if is_first {
                self.name.clear();
            }
            self.name.push(letter);
            if is_end_of_text {
                self.tell(drafts, pieces);
            }
        } else if ARGUMENTS.contains(&field) {
            self.hear_argument(letter, is_first, is_end_of_text, drafts, pieces);
        }
    }

    fn hear_argument(
        &mut self,
        letter: char,
        is_first: bool,
        is_end: bool,
        drafts: &mut Drafts,
        pieces: &mut Vec<Piece>,
    ) {
        if is_first {
            self.arguments = match (&self.arguments, letter) {
                (Arguments::Missing, '"') => Arguments::Quoted(String::new()),
                (Arguments::Missing, _) => Arguments::Object,
                // The first counts.
                (_, _) => Arguments::Complete,
            };
        }
        match &mut self.arguments {
            Arguments::Object => self.chunk.push(letter),
            Arguments::Quoted(text) => {
                text.push(letter);
                if is_end {
                    self.chunk = serde_json::from_str(text).unwrap_or_default();
                    self.arguments = Arguments::Complete;
                    self.flush(drafts, pieces);
                }
            }
            Arguments::Missing | Arguments::Complete => {}
        }
    }

    /// Its name is known: the call is told.
    fn tell(&mut self, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        let name: String = serde_json::from_str(&self.name).unwrap_or_default();
        self.is_named = !name.trim().is_empty();
        if let Some(at) = self.at.filter(|_| self.is_named) {
            drafts.name(at, name.trim(), pieces);
        }
    }

    /// Passes on what there is of the arguments.
    pub fn flush(&mut self, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        let chunk = std::mem::take(&mut self.chunk);
        if let Some(at) = self.at {
            drafts.write(at, &chunk, pieces);
        }
    }

    fn complete(&mut self, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        if !self.is_named {
            return self.fail(&format!("The call does not say which tool it is for. {FORM}."), drafts, pieces);
        }
        self.flush(drafts, pieces);
        if let Some(at) = self.at {
            drafts.settle(at, Blank::IsEmpty, pieces);
        }
        self.fail(&format!("The parameters of the call are no JSON object. {FORM}."), drafts, pieces);
    }

    pub fn give_up(mut self, why: &str, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        self.fail(why, drafts, pieces);
    }

    fn break_off(&mut self, why: &str, drafts: &mut Drafts, pieces: &mut Vec<Piece>) -> Progress {
        self.fail(&format!("The call is not valid JSON: {why}. {FORM}."), drafts, pieces);
        Progress::Broken { since_line_end: self.since_line_end.take() }
    }

    /// It is broken, unless it is ready.
    fn fail(&mut self, why: &str, drafts: &mut Drafts, pieces: &mut Vec<Piece>) {
        self.flush(drafts, pieces);
        if let Some(at) = self.at {
            if !self.is_named {
                drafts.name(at, "unknown", pieces);
            }
            drafts.give_up(at, why.to_owned(), pieces);
        }
    }
}
