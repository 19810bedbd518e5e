//! Walks through a JSON object letter by letter, and knows at once when something cannot be JSON.

/// How deep lists and objects may be in each other.
const DEEPEST: usize = 100;
/// What a name, a number or a word may have.
const LONGEST: usize = 256;

#[derive(Clone, Debug, Default)]
pub struct Walker {
    /// The lists and objects that are open, the outermost first.
    open: Vec<Container>,
    expects: Expects,
    /// The name in the outermost object that was read last.
    field: String,
    /// A number, or `true`, `false`, `null`.
    word: String,
    /// Inside of what belongs to that name.
    is_in_value: bool,
    is_first_letter: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Container {
    Object,
    List,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Expects {
    #[default]
    Start,
    NameOrEnd,
    Name,
    Colon,
    Value,
    ValueOrEnd,
    CommaOrEnd,
    /// More of a text, which is a name or not.
    Text {
        is_name: bool,
    },
    Escaped {
        is_name: bool,
    },
    Word,
}

/// What a letter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    Other,
    /// Part of what belongs to a name in the outermost object.
    Value,
    /// The same, and the last letter of it, which is a text.
    EndOfText,
    /// The last letter of all.
    End,
}

impl Walker {
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Whether what belongs to a name began with the last letter.
    pub const fn is_first_letter(&self) -> bool {
        self.is_first_letter
    }

    /// Why it cannot be JSON, if it cannot.
    pub fn read(&mut self, letter: char) -> Result<Seen, String> {
        self.is_first_letter = false;
        if self.expects == Expects::Word && !is_of_word(letter) {
            self.end_word()?;
        }
        let was_in_value = self.is_in_value;
        match self.expects {
            Expects::Text { is_name } => return self.read_text(letter, is_name),
            Expects::Escaped { is_name } => {
                if !"\"\\/bfnrtu".contains(letter) {
                    return Err(format!("“\\{letter}” has no meaning in a text"));
                }
                self.expects = Expects::Text { is_name };
                self.remember(letter, is_name)?;
            }
            Expects::Word => self.add_to_word(letter)?,
            _ if matches!(letter, ' ' | '\n' | '\r' | '\t') => {}
            _ => self.read_sign(letter)?,
        }
        Ok(match (self.open.is_empty(), was_in_value || self.is_in_value) {
            (true, _) => Seen::End,
            (false, true) => Seen::Value,
            (false, false) => Seen::Other,
        })
    }

    fn read_text(&mut self, letter: char, is_name: bool) -> Result<Seen, String> {
        let is_outermost = self.open.len() == 1;
        let seen = if self.is_in_value { Seen::Value } else { Seen::Other };
        match letter {
            '"' if is_name => self.expects = Expects::Colon,
            '"' => {
                self.end_value();
                return Ok(if is_outermost { Seen::EndOfText } else { seen });
            }
            '\\' => self.expects = Expects::Escaped { is_name },
            letter if letter < ' ' => {
                return Err("a text has a line break in it, which must be written as \\n".to_owned());
            }
            _ => {}
        }
        if letter != '"' {
            self.remember(letter, is_name)?;
        }
        Ok(seen)
    }

    /// Names with something escaped in them are none that we look for, so they are kept as they are.
    fn remember(&mut self, letter: char, is_name: bool) -> Result<(), String> {
        if is_name && self.open.len() == 1 {
            self.field.push(letter);
            if self.field.len() > LONGEST {
                return Err("a name is far too long".to_owned());
            }
        }
        Ok(())
    }

    fn read_sign(&mut self, letter: char) -> Result<(), String> {
        match (self.expects, letter) {
            (Expects::Start | Expects::Value | Expects::ValueOrEnd, '{') => self.begin(Container::Object)?,
            (Expects::Value | Expects::ValueOrEnd, '[') => self.begin(Container::List)?,
            (Expects::NameOrEnd, '}') => self.end(Container::Object)?,
            (Expects::ValueOrEnd, ']') => self.end(Container::List)?,
            (Expects::CommaOrEnd, '}') => self.end(Container::Object)?,
            (Expects::CommaOrEnd, ']') => self.end(Container::List)?,
            (Expects::CommaOrEnd, ',') => {
                let is_object = self.open.last() == Some(&Container::Object);
                self.expects = if is_object { Expects::Name } else { Expects::Value };
            }
            (Expects::NameOrEnd | Expects::Name, '"') => {
                if self.open.len() == 1 {
                    self.field.clear();
                }
                self.expects = Expects::Text { is_name: true };
            }
            (Expects::Colon, ':') => self.expects = Expects::Value,
            (Expects::Value | Expects::ValueOrEnd, '"') => {
                self.begin_value();
                self.expects = Expects::Text { is_name: false };
            }
            (Expects::Value | Expects::ValueOrEnd, letter) if is_of_word(letter) => {
                self.begin_value();
                self.expects = Expects::Word;
                self.add_to_word(letter)?;
            }
            (_, letter) => return Err(format!("“{letter}” is not expected where it is")),
        }
        Ok(())
    }

    fn begin(&mut self, container: Container) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        self.begin_value();
        self.open.push(container);
        self.expects = if container == Container::Object { Expects::NameOrEnd } else { Expects::ValueOrEnd };
        Ok(())
    }

    fn end(&mut self, container: Container) -> Result<(), String> {
        if self.open.pop() != Some(container) {
            return Err("its brackets do not match".to_owned());
        }
        self.end_value();
        Ok(())
    }

    fn begin_value(&mut self) {
        if self.open.len() == 1 {
            (self.is_in_value, self.is_first_letter) = (true, true);
        }
    }

    fn end_value(&mut self) {
        self.expects = Expects::CommaOrEnd;
        if self.open.len() == 1 {
            self.is_in_value = false;
        }
    }

    fn add_to_word(&mut self, letter: char) -> Result<(), String> {
        self.word.push(letter);
        if self.word.len() > LONGEST { Err("a number is far too long".to_owned()) } else { Ok(()) }
    }

    fn end_word(&mut self) -> Result<(), String> {
        let word = std::mem::take(&mut self.word);
        self.end_value();
        match serde_json::from_str::<serde_json::Value>(&word) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("“{word}” is not expected where it is")),
        }
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "+-.".contains(letter)
}
