//! The calls of one answer, while the model is still writing them. The same rules hold for every API: a call is told as
//! soon as it has a name, and may start only when its arguments are certain to be complete.

use serde_json::{Value, json};

use super::piece::{Finish, Piece};

/// What the arguments of one call may have.
pub const LARGEST: usize = 1024 * 1024;
/// How many calls one answer may make. Further ones are ignored.
pub const MOST: usize = 128;
/// What a name or an id may have.
const LONGEST_NAME: usize = 256;

#[derive(Clone, Debug, Default)]
pub struct Drafts {
    drafts: Vec<Draft>,
    named: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Which call of the answer it is, as soon as it has a name.
    nth: Option<usize>,
    pub id: String,
    pub name: String,
    pub arguments: String,
    /// It is ready or broken, and nothing changes that.
    is_settled: bool,
}

/// What it means that there are no arguments at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// They may still come.
    Waits,
    /// The call needs none.
    IsEmpty,
}

impl Draft {
    /// Whether its arguments are an object to which nothing can be added.
    pub fn is_complete(&self) -> bool {
        self.is_settled || !self.arguments.trim().is_empty() && object(&self.arguments).is_ok()
    }
}

impl Drafts {
    /// Where a further call is, unless there are too many.
    pub fn begin(&mut self) -> Option<usize> {
        (self.drafts.len() < MOST).then(|| {
            self.drafts.push(Draft::default());
            self.drafts.len() - 1
        })
    }

    pub fn get(&self, at: usize) -> Option<&Draft> {
        self.drafts.get(at)
    }

    pub fn find(&self, id: &str) -> Option<usize> {
        self.drafts.iter().rposition(|draft| draft.id == id)
    }

    /// Whether any call was made.
    pub const fn has_any(&self) -> bool {
        self.named > 0
    }

    /// Gives a call its id, unless it has one.
    pub fn identify(&mut self, at: usize, id: &str) {
        if let Some(draft) = self.drafts.get_mut(at).filter(|draft| draft.id.is_empty()) {
            short(id).clone_into(&mut draft.id);
        }
    }

    /// Gives a call its name, unless it has one, and so tells it.
    pub fn name(&mut self, at: usize, name: &str, pieces: &mut Vec<Piece>) {
        let nth = self.named;
        let is_taken = self.get(at).is_some_and(|one| {
            self.drafts
                .iter()
                .enumerate()
                .any(|(other, draft)| other != at && draft.nth.is_some() && draft.id == one.id)
        });
        let Some(draft) = self.drafts.get_mut(at) else { return };
        if name.is_empty() || draft.nth.is_some() {
            return;
        }
        short(name).clone_into(&mut draft.name);
        draft.nth = Some(nth);
        self.named += 1;
        // Results are told apart by these ids.
        let id = if draft.id.is_empty() || is_taken { format!("call_{nth}") } else { draft.id.clone() };
        pieces.push(Piece::Call { nth, id, name: draft.name.clone() });
        if !draft.arguments.is_empty() {
            pieces.push(Piece::Arguments { nth, chunk: draft.arguments.clone() });
        }
    }

    /// Adds to the arguments.
    pub fn write(&mut self, at: usize, chunk: &str, pieces: &mut Vec<Piece>) {
        let Some(draft) = self.drafts.get_mut(at).filter(|draft| !draft.is_settled) else { return };
        // Some repeat the whole call at the end.
        if chunk.is_empty() || chunk == draft.arguments && draft.is_complete() {
            return;
        }
        if draft.arguments.len() + chunk.len() > LARGEST {
            draft.arguments = String::new();
            let why = format!("The arguments of this call are larger than {} MiB.", LARGEST / 1024 / 1024);
            return draft.give_up(why, pieces);
        }
        draft.arguments.push_str(chunk);
        if let Some(nth) = draft.nth {
            pieces.push(Piece::Arguments { nth, chunk: chunk.to_owned() });
        }
    }

    /// The arguments as a whole, of which some may have come before. What came last holds.
    pub fn replace(&mut self, at: usize, whole: &str, pieces: &mut Vec<Piece>) {
        let Some(draft) = self.drafts.get_mut(at).filter(|draft| !draft.is_settled) else { return };
        match whole.strip_prefix(draft.arguments.as_str()) {
            Some(rest) => self.write(at, rest, pieces),
            None if whole.len() <= LARGEST => whole.clone_into(&mut draft.arguments),
            None => {}
        }
    }

    /// Says that a call may start, if its arguments are an object.
    pub fn settle(&mut self, at: usize, blank: Blank, pieces: &mut Vec<Piece>) {
        let Some(draft) = self.drafts.get_mut(at).filter(|draft| !draft.is_settled) else { return };
        let Some(nth) = draft.nth else { return };
        if draft.arguments.trim().is_empty() && blank == Blank::Waits {
            return;
        }
        if let Ok(args) = object(&draft.arguments) {
            draft.is_settled = true;
            pieces.push(Piece::Ready { nth, args });
        }
    }

    pub fn settle_all(&mut self, blank: Blank, pieces: &mut Vec<Piece>) {
        (0..self.drafts.len()).for_each(|at| self.settle(at, blank, pieces));
    }

    /// A call that cannot start, and why.
    pub fn give_up(&mut self, at: usize, why: String, pieces: &mut Vec<Piece>) {
        if let Some(draft) = self.drafts.get_mut(at).filter(|draft| !draft.is_settled) {
            draft.give_up(why, pieces);
        }
    }

    /// The answer is over: a call that is complete may start, all others are broken.
    pub fn finish(&mut self, finish: &Finish, pieces: &mut Vec<Piece>) {
        self.settle_all(Blank::Waits, pieces);
        for draft in self.drafts.iter_mut().filter(|draft| !draft.is_settled) {
            draft.give_up(why_broken(&draft.arguments, finish), pieces);
        }
    }
}

impl Draft {
    fn give_up(&mut self, why: String, pieces: &mut Vec<Piece>) {
        self.is_settled = true;
        if let Some(nth) = self.nth {
            pieces.push(Piece::Broken { nth, why });
        }
    }
}

/// What is wrong with arguments, for people and for models.
#[derive(Debug)]
enum Wrong {
    Cut,
    NotJson(String),
    NotObject,
}

/// The arguments, if they are an object. Nothing at all counts as an empty one, and so does `null`.
fn object(text: &str) -> Result<Value, Wrong> {
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_str(text) {
        Ok(Value::Null) => Ok(json!({})),
        Ok(args @ Value::Object(_)) => Ok(args),
        Ok(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => Err(Wrong::NotObject),
        Err(error) if error.is_eof() => Err(Wrong::Cut),
        Err(error) => Err(Wrong::NotJson(error.to_string())),
    }
}

fn why_broken(arguments: &str, finish: &Finish) -> String {
    match (object(arguments), finish) {
        (Err(Wrong::NotJson(error)), _) => format!("The arguments of this call are not valid JSON: {error}."),
        (Err(Wrong::NotObject), _) => "The arguments of this call must be a JSON object.".to_owned(),
        (_, Finish::Length) => {
            "The answer reached its largest length before the arguments of this call were complete.".to_owned()
        }
        (_, Finish::Cut) => "The connection was lost before the arguments of this call were complete.".to_owned(),
        (_, Finish::Failed(_)) => "The answer failed before the arguments of this call were complete.".to_owned(),
        (_, Finish::Stop | Finish::Calls | Finish::Refusal | Finish::Filtered) => {
            "The answer ended before the arguments of this call were complete.".to_owned()
        }
    }
}

fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_NAME)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(drafts: &mut Drafts, arguments: &str, pieces: &mut Vec<Piece>) -> usize {
        let at = drafts.begin().unwrap();
        drafts.name(at, "search", pieces);
        drafts.write(at, arguments, pieces);
        at
    }

    #[test]
    fn a_call_starts_only_with_an_object() {
        for (arguments, finish, expected) in [
            ("{\"a\":1}", Finish::Calls, Ok(json!({"a": 1}))),
            ("{\"a\":1}", Finish::Cut, Ok(json!({"a": 1}))),
            ("null", Finish::Calls, Ok(json!({}))),
            ("{\"a\":", Finish::Length, Err("largest length")),
            ("{\"a\":", Finish::Cut, Err("connection was lost")),
            ("", Finish::Cut, Err("connection was lost")),
            ("{\"a\":", Finish::Stop, Err("answer ended")),
            ("[1]", Finish::Calls, Err("must be a JSON object")),
            ("{a:1}", Finish::Calls, Err("not valid JSON")),
        ] {
            let (mut drafts, mut pieces) = (Drafts::default(), Vec::new());
            call(&mut drafts, arguments, &mut pieces);
            drafts.finish(&finish, &mut pieces);
            match (pieces.last(), expected) {
                (Some(Piece::Ready { args, .. }), Ok(expected)) => assert_eq!(*args, expected),
                (Some(Piece::Broken { why, .. }), Err(expected)) => assert!(why.contains(expected), "{why}"),
                (other, expected) => panic!("{arguments}: {other:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn what_is_far_too_large_is_broken_and_forgotten() {
        let (mut drafts, mut pieces) = (Drafts::default(), Vec::new());
        let at = call(&mut drafts, "{\"text\":\"", &mut pieces);
        let chunk = "x".repeat(100_000);
        (0..50).for_each(|_| drafts.write(at, &chunk, &mut pieces));
        drafts.write(at, "\"}", &mut pieces);
        drafts.finish(&Finish::Calls, &mut pieces);
        let broken: Vec<_> = pieces.iter().filter(|piece| matches!(piece, Piece::Broken { .. })).collect();
        assert_eq!(
            broken,
            [&Piece::Broken { nth: 0, why: "The arguments of this call are larger than 1 MiB.".into() }]
        );
        assert!(drafts.get(at).unwrap().arguments.is_empty());
    }

    #[test]
    fn there_are_only_so_many_calls() {
        let mut drafts = Drafts::default();
        assert_eq!((0..500).filter_map(|_| drafts.begin()).count(), MOST);
    }

    #[test]
    fn a_call_without_a_name_is_never_told_and_its_number_is_not_used() {
        let (mut drafts, mut pieces) = (Drafts::default(), Vec::new());
        let nameless = drafts.begin().unwrap();
        drafts.write(nameless, "{}", &mut pieces);
        call(&mut drafts, "{}", &mut pieces);
        drafts.finish(&Finish::Calls, &mut pieces);
        assert_eq!(pieces.len(), 3);
        assert!(matches!(&pieces[0], Piece::Call { nth: 0, id, .. } if id == "call_0"));
    }

    #[test]
    fn the_same_id_is_not_given_twice() {
        let (mut drafts, mut pieces) = (Drafts::default(), Vec::new());
        for _ in 0..2 {
            let at = drafts.begin().unwrap();
            drafts.identify(at, "same");
            drafts.name(at, "search", &mut pieces);
        }
        let ids: Vec<_> =
            pieces.iter().map(|piece| if let Piece::Call { id, .. } = piece { id.as_str() } else { "" }).collect();
        assert_eq!(ids, ["same", "call_1"]);
    }
}
