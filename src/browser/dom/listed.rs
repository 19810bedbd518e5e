//! A list of things in a page. What stays is left alone, what is new is made, what is gone is taken away.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use leptos::prelude::{Owner, RenderEffect};
use web_sys::Node;

use super::{Content, Placed, place};
use crate::ui::view::Listing;

/// It has an effect of its own, because looking at a list costs more than looking at a word.
pub struct Listed {
    _effect: RenderEffect<()>,
    _list: Rc<RefCell<List>>,
}

struct List {
    /// Where it ends.
    seam: Node,
    listing: Box<dyn Listing>,
    items: Vec<(u64, Placed)>,
}

impl Listed {
    pub fn new(seam: Node, listing: Box<dyn Listing>, items: Vec<(u64, Placed)>, owner: &Owner) -> Self {
        let list = Rc::new(RefCell::new(List { seam, listing, items }));
        let (looking, owner_then) = (Rc::downgrade(&list), owner.clone().downgrade());
        let look = move |_| {
            if let (Some(list), Some(owner)) = (looking.upgrade(), owner_then.upgrade()) {
                list.borrow_mut().look(&owner);
            }
        };
        Self { _effect: owner.with(|| RenderEffect::new(look)), _list: list }
    }
}

impl List {
    fn look(&mut self, owner: &Owner) {
        let mut keys = self.listing.look();
        if keys.iter().eq(self.items.iter().map(|(key, _)| key)) {
            return;
        }
        // What is listed twice is shown once, where it comes first.
        let mut place_of = HashMap::new();
        let mut places = Vec::new();
        for (nth, key) in keys.iter().enumerate() {
            if !place_of.contains_key(key) {
                place_of.insert(*key, places.len());
                places.push(nth);
            }
        }
        keys = places.iter().map(|nth| keys[*nth]).collect();
        let mut known: HashMap<u64, Placed> = HashMap::new();
        let mut is_in_order = true;
        let mut last = None;
        for (key, placed) in std::mem::take(&mut self.items) {
            match place_of.get(&key) {
                Some(place) => {
                    is_in_order &= last < Some(*place);
                    last = Some(*place);
                    known.insert(key, placed);
                }
                None => placed.remove(),
            }
        }
        // From the end on, each before the one after it, neighbours that are new together.
        let mut next = self.seam.clone();
        let mut items = Vec::with_capacity(keys.len());
        let mut at = keys.len();
        while at > 0 {
            at -= 1;
            if let Some(placed) = known.remove(&keys[at]) {
                if !is_in_order {
                    placed.move_before(&next);
                }
                next = placed.first.clone();
                items.push((keys[at], placed));
                continue;
            }
            let end = at + 1;
            while at > 0 && !known.contains_key(&keys[at - 1]) {
                at -= 1;
            }
            let make = |nth: usize| owner.with(|| Content::make(|| self.listing.make(places[nth])));
            let made = place((at..end).map(make).collect(), &next);
            if let Some(first) = made.first() {
                next = first.first.clone();
            }
            items.extend((at..end).rev().map(|nth| keys[nth]).zip(made.into_iter().rev()));
        }
        items.reverse();
        self.items = items;
    }
}
