//! Searching step by step. A search that finds too little is widened: other words, other spellings, beginnings of words,
//! fewer words, what the best hits are about. One that finds far too much is narrowed. Every look is told, and what was
//! found first stays first, so that looking further never makes a result worse.

use std::{collections::HashSet, future::Future};

use super::{
    Reporter, ToolError,
    thesaurus::{phrases, synonyms},
};
use crate::{
    model::{Metadata, Stage, legislation::Look},
    server::{
        Error,
        corpus::{Concept, Match},
    },
};
use concepts::{fewer, kept, read_otherwise, these_very_words, unknown_of};

/// What is sought, counted, respelled and made fewer.
mod concepts;

/// Finding fewer than this is a reason to look more widely.
pub const ENOUGH: u64 = 3;

/// Finding more than this is a reason to look more narrowly.
pub const TOO_MANY: u64 = 100;

pub const MOST_LOOKS: u32 = 20;

/// How many are shown that match only a part of what was asked.
const MOST_PARTIAL: u64 = 10;

/// Shorter words begin too many others.
const SHORTEST_PREFIX: usize = 5;

/// What can be searched.
pub trait Shelf: Sync {
    type Item: Send;

    /// Where words say what a thing is about. Elsewhere, in a long summary, they may stand by accident.
    const TELLING: &'static str;

    /// What tells an item from others.
    fn key(item: &Self::Item) -> String;
    fn search(&self, query: &Match, limit: u64) -> impl Future<Output = Result<Vec<Self::Item>, Error>> + Send;
    fn count(&self, query: &Match) -> impl Future<Output = Result<u64, Error>> + Send;
    /// How many have it, whatever the filters: a word that only they keep out is spelled right.
    fn known(&self, query: &Match) -> impl Future<Output = Result<u64, Error>> + Send;
    /// Whether what matches best comes first, and not what is newest.
    fn is_ranked(&self) -> bool {
        true
    }
    /// Puts the newest first, or the oldest, where that is wanted.
    fn sort(&self, _: &mut [Self::Item]) {}
    /// A word that is there, in place of one that is not.
    fn word_like(&self, word: &str) -> impl Future<Output = Result<Option<String>, Error>> + Send;
    /// What an item is about, the most telling first.
    fn subjects(&self, item: &Self::Item) -> impl Future<Output = Result<Vec<String>, Error>> + Send;
}

/// A search under way, and then what came of it.
pub struct Refined<'a, S: Shelf> {
    shelf: &'a S,
    reporter: &'a Reporter,
    filters: &'a [String],
    /// How many items are wanted at most.
    limit: u64,
    pub items: Vec<S::Item>,
    keys: HashSet<String>,
    pub total: u64,
    /// How many match all that was asked, and not only some of its words.
    pub matched: u64,
    pub looks: Vec<Look>,
    /// Why it ended.
    pub stopped: String,
}

impl<'a, S: Shelf> Refined<'a, S> {
    pub fn new(shelf: &'a S, reporter: &'a Reporter, filters: &'a [String], limit: u64) -> Self {
        Self {
            shelf,
            reporter,
            filters,
            limit,
            items: Vec::new(),
            keys: HashSet::new(),
            total: 0,
            matched: 0,
            looks: Vec::new(),
            stopped: String::new(),
        }
    }

    /// Items that are known without a search for words, such as the bill whose number was asked for, or the first of
    /// all that fit the filters; and how many there are in all.
    pub async fn take(&mut self, query: &str, items: Vec<S::Item>, found: u64) -> Result<(), ToolError> {
        self.begin_look(query).await?;
        self.total = self.total.max(found);
        self.matched = self.total;
        self.end_look(query, items, found).await
    }

    pub async fn search(&mut self, text: &str, words: &[String]) -> Result<(), ToolError> {
        let concepts: Vec<Concept> = phrases(words).into_iter().map(Concept::new).collect();
        let found = self.look(&Match::within(S::TELLING, &concepts)).await?;
        self.stopped = if found > TOO_MANY && self.shelf.is_ranked() {
            self.narrow(text, &concepts, found).await?
        } else if self.total < ENOUGH {
            self.widen(concepts).await?
        } else {
            "Enough matched what was asked.".into()
        };
        // What several looks have found is in the order of the looks.
        let matched = usize::try_from(self.matched).unwrap_or(usize::MAX).min(self.items.len());
        self.shelf.sort(&mut self.items[..matched]);
        Ok(())
    }

    /// What stands in the words' own order, or in titles, goes first.
    async fn narrow(&mut self, text: &str, concepts: &[Concept], found: u64) -> Result<String, ToolError> {
        let behind = std::mem::take(&mut self.items);
        self.keys.clear();
        let phrase = (concepts.len() > 1).then(|| Match::phrase(text));
        let mut narrowed = None;
        for way in phrase.into_iter().chain([Match::in_title(concepts)]) {
            let fewer = self.look(&way).await?;
            if fewer >= ENOUGH && fewer < found {
                narrowed = Some(fewer);
                break;
            }
        }
        self.add(behind);
        (self.total, self.matched) = (found, found);
        Ok(match narrowed {
            Some(fewer) => format!("{found} matched; the {fewer} that match most closely come first."),
            None => format!("{found} matched, and nothing narrower sets some of them apart."),
        })
    }

    async fn widen(&mut self, mut concepts: Vec<Concept>) -> Result<String, ToolError> {
        let (asked, direct) = (concepts.clone(), self.items.len());
        for concept in &mut concepts {
            concept.synonyms = synonyms(&concept.word);
        }
        // Words for the same thing are one concept.
        let mut distinct: Vec<Concept> = Vec::new();
        for concept in concepts {
            if !distinct.iter().any(|known| known.synonyms.contains(&concept.word)) {
                distinct.push(concept);
            }
        }
        let mut concepts = distinct;
        if concepts.iter().any(|concept| !concept.synonyms.is_empty()) && self.is_found_by(&concepts).await? {
            return Ok(these_very_words(direct, "words for the same"));
        }
        for concept in &mut concepts {
            concept.is_prefix = concept.word.chars().count() >= SHORTEST_PREFIX;
        }
        if concepts.iter().any(|concept| concept.is_prefix) && self.is_found_by(&concepts).await? {
            return Ok(these_very_words(direct, "words that begin the same"));
        }
        self.look(&Match::anywhere(&asked)).await?;
        if self.total >= ENOUGH {
            return Ok("The words were found, some of them only in summaries.".into());
        }
        self.mend(concepts).await
    }

    /// Other spellings, and then fewer words.
    async fn mend(&mut self, concepts: Vec<Concept>) -> Result<String, ToolError> {
        let (mut counted, direct) = (self.counted(concepts).await?, self.items.len());
        let mut unknown = unknown_of(&counted);
        let mut read_as = String::new();
        if !unknown.is_empty() {
            let respelled = self.respelled(&counted).await?;
            if respelled != counted {
                read_as = read_otherwise(&counted, &respelled);
                if self.is_found_by(&kept(&respelled)).await? {
                    return Ok(read_as.trim().to_owned());
                }
                counted = self.counted(kept(&respelled)).await?;
                unknown = unknown_of(&counted);
            }
            counted.retain(|(known, _)| *known > 0);
        }
        // The commonest word says the least, so it is the first to go.
        counted.sort_by_key(|(known, _)| std::cmp::Reverse(*known));
        let rest = kept(&counted);
        let direct = direct.max(self.items.len());
        let all = (!unknown.is_empty() && !rest.is_empty()).then(|| rest.clone());
        for some in all.into_iter().chain(fewer(&rest)) {
            let query = Match::within(S::TELLING, &some);
            if self.is_at_the_limit() {
                break;
            }
            if self.has_looked(&query) {
                continue;
            }
            self.look_for(&query, MOST_PARTIAL.min(self.limit)).await?;
            self.total = self.items.len() as u64;
            if self.total >= ENOUGH {
                return Ok(match (direct, &unknown[..]) {
                    (0, []) => format!("Nothing has all of these words; these have some of them.{read_as}"),
                    (0, _) => {
                        format!(
                            "Nothing here has “{}”; these have others of the words.{read_as}",
                            unknown.join("” or “")
                        )
                    }
                    (n, _) => format!("Only {n} matched; the others have some of the words.{read_as}"),
                });
            }
        }
        Ok(self.related().await? + &read_as)
    }

    /// How many documents know each of the concepts.
    async fn counted(&self, concepts: Vec<Concept>) -> Result<Vec<(u64, Concept)>, ToolError> {
        let mut counted = Vec::with_capacity(concepts.len());
        for concept in concepts {
            let known = self.shelf.known(&Match::all(std::slice::from_ref(&concept))).await?;
            counted.push((known, concept));
        }
        Ok(counted)
    }

    /// Puts a word that is known in the place of one that is not, where there is one that is nearly the same.
    async fn respelled(&self, counted: &[(u64, Concept)]) -> Result<Vec<(u64, Concept)>, ToolError> {
        let mut respelled = counted.to_vec();
        for (known, concept) in &mut respelled {
            // A word that the thesaurus has is spelled right.
            if *known == 0
                && concept.synonyms.is_empty()
                && let Some(word) = self.shelf.word_like(&concept.word).await?
            {
                *concept = Concept { is_prefix: true, ..Concept::new(word) };
            }
        }
        Ok(respelled)
    }

    /// What else there is on the subjects of the best hits.
    async fn related(&mut self) -> Result<String, ToolError> {
        let subjects = match self.items.first() {
            Some(best) => self.shelf.subjects(best).await?,
            None => Vec::new(),
        };
        let direct = self.items.len();
        for subject in subjects.iter().take(2) {
            if self.total >= ENOUGH || self.is_at_the_limit() {
                break;
            }
            let limit = ENOUGH.saturating_sub(self.total);
            self.look_for(&Match::subject(subject), limit.min(self.limit)).await?;
            self.total = self.items.len() as u64;
        }
        Ok(match (direct, self.items.len() > direct) {
            (0, _) => "Nothing here has these words, or words like them.".into(),
            (_, true) => format!("Only {direct} matched; the others share a subject with the best of them."),
            (_, false) => "Nothing wider is left to try.".into(),
        })
    }

    async fn is_found_by(&mut self, concepts: &[Concept]) -> Result<bool, ToolError> {
        let query = Match::within(S::TELLING, concepts);
        if self.has_looked(&query) || self.is_at_the_limit() {
            return Ok(false);
        }
        self.look(&query).await?;
        Ok(self.total >= ENOUGH)
    }

    fn has_looked(&self, query: &Match) -> bool {
        self.looks.iter().any(|look| look.query == query.shown())
    }

    fn is_at_the_limit(&self) -> bool {
        self.looks.len() >= MOST_LOOKS as usize
    }

    async fn look(&mut self, query: &Match) -> Result<u64, ToolError> {
        let found = self.look_for(query, self.limit).await?;
        self.total = self.total.max(found).max(self.items.len() as u64);
        self.matched = self.total;
        Ok(found)
    }

    async fn look_for(&mut self, query: &Match, limit: u64) -> Result<u64, ToolError> {
        self.begin_look(query.shown()).await?;
        let found = self.shelf.count(query).await?;
        let items = if found == 0 { Vec::new() } else { self.shelf.search(query, limit).await? };
        self.end_look(query.shown(), items, found).await?;
        Ok(found)
    }

    async fn begin_look(&self, query: &str) -> Result<(), ToolError> {
        let n = u32::try_from(self.looks.len()).unwrap_or(MOST_LOOKS) + 1;
        let metadata = Metadata {
            query: Some(query.to_owned()),
            iteration: Some(n),
            max_iterations: Some(MOST_LOOKS),
            filters_applied: (!self.filters.is_empty()).then(|| self.filters.to_vec()),
            ..Metadata::default()
        };
        if n > 1 {
            let so_far = Metadata { total_results: Some(self.total), ..metadata.clone() };
            self.reporter.stage(Stage::RefiningSearch, so_far).await?;
        }
        self.reporter.stage(Stage::ExecutingQuery, metadata).await
    }

    async fn end_look(&mut self, query: &str, items: Vec<S::Item>, found: u64) -> Result<(), ToolError> {
        let added = self.add(items);
        self.looks.push(Look { query: query.to_owned(), found, added });
        let total = self.total.max(self.items.len() as u64);
        let metadata = Metadata { results_found: Some(found), total_results: Some(total), ..Metadata::default() };
        self.reporter.stage(Stage::ProcessingResults, metadata).await
    }

    /// Appends what is not there yet, up to what is wanted.
    fn add(&mut self, items: Vec<S::Item>) -> u64 {
        let before = self.items.len();
        for item in items {
            if (self.items.len() as u64) < self.limit && self.keys.insert(S::key(&item)) {
                self.items.push(item);
            }
        }
        (self.items.len() - before) as u64
    }

    /// What the last event says: how it was found, and how much.
    pub fn metadata(&self) -> Metadata {
        Metadata {
            iteration: u32::try_from(self.looks.len()).ok(),
            total_results: Some(self.total),
            final_query: self.looks.last().map(|look| look.query.clone()),
            message: Some(self.stopped.clone()),
            ..Metadata::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 150 things that all match, of which three match as a phrase.
    struct Many;

    impl Shelf for Many {
        type Item = u64;
        const TELLING: &'static str = "title";

        fn key(item: &u64) -> String {
            item.to_string()
        }

        async fn search(&self, query: &Match, limit: u64) -> Result<Vec<u64>, Error> {
            Ok(if query.shown().starts_with('“') { vec![50, 60, 70] } else { (0..150.min(limit)).collect() })
        }

        async fn count(&self, query: &Match) -> Result<u64, Error> {
            Ok(if query.shown().starts_with('“') { 3 } else { 150 })
        }

        async fn known(&self, query: &Match) -> Result<u64, Error> {
            self.count(query).await
        }

        async fn word_like(&self, _: &str) -> Result<Option<String>, Error> {
            Ok(None)
        }

        async fn subjects(&self, _: &u64) -> Result<Vec<String>, Error> {
            Ok(Vec::new())
        }
    }

    #[tokio::test]
    async fn far_too_much_is_narrowed_and_nothing_is_lost() {
        let (reporter, _) = Reporter::recording(crate::server::tools::Registry::default());
        let mut refined = Refined::new(&Many, &reporter, &[], 10);
        refined.search("rural roads", &["rural".into(), "roads".into()]).await.unwrap();
        assert_eq!(refined.items, [50, 60, 70, 0, 1, 2, 3, 4, 5, 6], "the closest first, then the rest as it was");
        assert_eq!((refined.total, refined.looks.len()), (150, 2));
        assert!(refined.stopped.contains("the 3 that match most closely"), "{}", refined.stopped);
    }
}
