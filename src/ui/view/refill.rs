//! A form that was refused where there is no script is written with what was filled in, so that nothing of it is lost.

use super::{Attr, Element, View};

pub struct Refill {
    /// The address that it was sent to.
    path: String,
    fields: Vec<(String, String)>,
    /// This form is being written.
    is_inside: bool,
    /// What can be chosen from is being written: its name.
    choosing: Option<String>,
}

impl Refill {
    pub const fn new(path: String, fields: Vec<(String, String)>) -> Self {
        Self { path, fields, is_inside: false, choosing: None }
    }

    /// An element begins. Tells what it says otherwise than it would have: its attributes, and what stands in it.
    pub fn enter(&mut self, element: &Element) -> Instead {
        match element.tag {
            "form" if self.is_it(element) => self.is_inside = true,
            "details" if !self.is_inside && self.has_it(element) => return Instead::flag("open", true),
            _ => {}
        }
        if !self.is_inside {
            return Instead::default();
        }
        let said = |name: &str| attr(element, name).unwrap_or_default();
        let is_sent = |value: &str| self.fields.iter().any(|(name, sent)| *name == said("name") && sent == value);
        match element.tag {
            "input" if matches!(&*said("type"), "checkbox" | "radio") => {
                Instead::flag("checked", is_sent(&said("value")))
            }
            "input" if matches!(&*said("type"), "hidden" | "file" | "submit") => Instead::default(),
            "input" => Instead { value: self.value(&said("name")), ..Instead::default() },
            "textarea" => Instead { text: self.value(&said("name")), ..Instead::default() },
            "select" => {
                self.choosing = self.value(&said("name"));
                Instead::default()
            }
            "option" => match &self.choosing {
                Some(chosen) => Instead::flag("selected", *chosen == said("value")),
                None => Instead::default(),
            },
            _ => Instead::default(),
        }
    }

    pub fn leave(&mut self, element: &Element) {
        match element.tag {
            "form" => self.is_inside = false,
            "select" => self.choosing = None,
            _ => {}
        }
    }

    fn value(&self, name: &str) -> Option<String> {
        self.fields.iter().find(|(each, _)| each == name).map(|(_, value)| value.clone())
    }

    /// Several forms may lead to the same address; what they send unseen tells them apart.
    fn is_it(&self, form: &Element) -> bool {
        let names: Vec<String> = fields(form).filter_map(|field| attr(field, "name")).collect();
        let is_same = |field: &Element| match (attr(field, "name"), attr(field, "value")) {
            (Some(name), Some(value))
                if matches!(&*name, "conversation_id" | "call_id" | "nth" | "message_id" | "id") =>
            {
                self.value(&name).is_none_or(|sent| sent == value)
            }
            _ => true,
        };
        let has_all = || {
            let unseen = ["client_tools", "tab", "media", "decision", "skip", "tools[]", "file"];
            let mut sent = self.fields.iter().map(|(name, _)| name.as_str()).filter(|name| !unseen.contains(name));
            sent.all(|name| name.starts_with("fields[") || names.iter().any(|each| each == name))
        };
        attr(form, "action").is_some_and(|to| to == self.path) && fields(form).all(is_same) && has_all()
    }

    fn has_it(&self, element: &Element) -> bool {
        elements(element).any(|inside| inside.tag == "form" && self.is_it(inside) || self.has_it(inside))
    }
}

/// What an element says otherwise.
#[derive(Default)]
pub struct Instead {
    /// An attribute that is there or not.
    pub flag: Option<(&'static str, bool)>,
    pub value: Option<String>,
    /// What stands in it.
    pub text: Option<String>,
}

impl Instead {
    fn flag(name: &'static str, is: bool) -> Self {
        Self { flag: Some((name, is)), ..Self::default() }
    }

    /// Whether it has a say in this attribute.
    pub fn has(&self, name: &str) -> bool {
        self.flag.is_some_and(|(each, _)| each == name) || self.value.is_some() && name == "value"
    }
}

fn attr(element: &Element, name: &str) -> Option<String> {
    element.attrs.iter().find(|(each, _)| *each == name).and_then(|(_, attr)| match attr {
        Attr::Is(value) => Some(value.to_string()),
        Attr::Live(_) | Attr::Value(_) | Attr::Checked(_) => None,
    })
}

fn elements(element: &Element) -> impl Iterator<Item = &Element> {
    element.inside.iter().filter_map(|view| match view {
        View::Element(element) => Some(&**element),
        _ => None,
    })
}

/// All fields in it, as far as they do not come and go.
fn fields(element: &Element) -> Box<dyn Iterator<Item = &Element> + '_> {
    Box::new(elements(element).flat_map(|inside| std::iter::once(inside).chain(fields(inside))))
}
