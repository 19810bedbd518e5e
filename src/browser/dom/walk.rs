//! From node to node, along with the view that they were written from.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node, Text};

/// What was found instead.
#[derive(Debug)]
pub struct Mismatch(JsValue);

impl Mismatch {
    pub fn tell(&self) {
        web_sys::console::error_2(&"The page is not what was expected here:".into(), &self.0);
    }
}

pub struct Walk {
    at: At,
    is_after_text: bool,
}

enum At {
    Inside(Node),
    After(Node),
}

impl Walk {
    pub fn inside(parent: &Node) -> Self {
        Self { at: At::Inside(parent.clone()), is_after_text: false }
    }

    fn next(&self) -> Option<Node> {
        match &self.at {
            At::Inside(parent) => parent.first_child(),
            At::After(node) => node.next_sibling(),
        }
    }

    fn pass(&mut self, node: &Node) {
        self.at = At::After(node.clone());
        self.is_after_text = false;
    }

    fn mismatch(&self, expected: &str) -> Mismatch {
        let found = js_sys::Array::of3(&expected.into(), &"not".into(), &self.next().into());
        Mismatch(found.into())
    }

    /// What was passed last.
    pub fn last(&self) -> Result<Node, Mismatch> {
        match &self.at {
            At::After(node) => Ok(node.clone()),
            At::Inside(_) => Err(self.mismatch("a node")),
        }
    }

    pub fn element(&mut self, tag: &str) -> Result<Element, Mismatch> {
        self.element_if_any().ok_or_else(|| self.mismatch(tag))
    }

    pub fn element_if_any(&mut self) -> Option<Element> {
        let element = self.next()?.dyn_into::<Element>().ok()?;
        self.pass(&element);
        Some(element)
    }

    /// A place between things.
    pub fn seam(&mut self) -> Result<Node, Mismatch> {
        let seam = self.next().filter(|node| node.node_type() == Node::COMMENT_NODE);
        let seam = seam.ok_or_else(|| self.mismatch("a seam"))?;
        self.pass(&seam);
        Ok(seam)
    }

    /// Passes a text that does not change.
    pub fn text(&mut self, text: &str) -> Result<(), Mismatch> {
        if text.is_empty() {
            return Ok(());
        }
        if self.is_after_text {
            self.seam()?;
        }
        let is_text = |node: &Node| node.node_type() == Node::TEXT_NODE;
        let mut passed = self.next().filter(is_text).ok_or_else(|| self.mismatch(text))?;
        // Browsers cut a long one in pieces.
        const LONGEST: usize = 65_536;
        while let Some(more) = passed.next_sibling().filter(|node| text.len() >= LONGEST && is_text(node)) {
            passed = more;
        }
        self.pass(&passed);
        self.is_after_text = true;
        Ok(())
    }

    /// A text that changes. What is empty has no node yet.
    pub fn said(&mut self) -> Result<Text, Mismatch> {
        if self.is_after_text {
            self.seam()?;
        }
        let found = self.next().and_then(|node| node.dyn_into::<Text>().ok());
        let Some(text) = found else {
            let seam = self.seam()?;
            let text = Text::new().map_err(Mismatch)?;
            if let Some(parent) = seam.parent_node() {
                let _ = parent.insert_before(&text, Some(&seam));
            }
            return Ok(text);
        };
        // Browsers cut a long one in pieces.
        while let Some(more) = text.next_sibling().and_then(|node| node.dyn_into::<Text>().ok()) {
            let _ = text.append_data(&more.data());
            more.remove();
        }
        self.pass(&text);
        self.seam()?;
        Ok(text)
    }
}
