//! `search_executive_actions`: full-text search over executive orders, proclamations and the like.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Done, Reporter, Tool, ToolError,
    filters::{action_kind, date, invalid, order, page},
    refine::{Refined, Shelf},
};
use crate::{
    model::{
        Family, Metadata,
        legislation::{ActionsFound, ExecutiveAction, action_number},
        summary::shorten,
    },
    server::{
        Error,
        corpus::{ActionFilters, Corpus, Match, Order, spelling::Words, words},
    },
};

pub struct SearchExecutiveActions(pub Corpus);

/// Searches what US presidents have signed and the Federal Register has printed: executive orders, proclamations,
/// memoranda. A search that finds too little is widened step by step. Returns the best matches, or the newest ones when
/// there are only filters.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Input {
    /// Words of the title or the text, or a number such as "EO 14110". May be left out when there is a filter.
    query: String,
    /// executive_order, proclamation, memorandum, determination or notice.
    kind: Option<String>,
    /// A part of the president's name.
    president: Option<String>,
    /// Signed on this day or later: 2025-03-01.
    from: Option<String>,
    /// Signed on this day or earlier.
    to: Option<String>,
    /// "newest" or "oldest" first. The best matches come first if not given.
    sort: Option<String>,
    /// How many to return at most: 10 if not given, 100 at most.
    limit: Option<u64>,
    /// How many to skip, to read on.
    offset: Option<u64>,
}

struct Actions<'a> {
    corpus: &'a Corpus,
    filters: ActionFilters,
    order: Order,
}

impl Shelf for Actions<'_> {
    type Item = ExecutiveAction;

    const TELLING: &'static str = "title notes president";

    fn key(action: &ExecutiveAction) -> String {
        action.document_number.clone()
    }

    async fn search(&self, query: &Match, limit: u64) -> Result<Vec<ExecutiveAction>, Error> {
        self.corpus.search_executive_actions(query, &self.filters, self.order, limit, 0).await
    }

    async fn count(&self, query: &Match) -> Result<u64, Error> {
        self.corpus.count_executive_actions(query, &self.filters).await
    }

    fn is_ranked(&self) -> bool {
        self.order == Order::Best
    }

    fn sort(&self, actions: &mut [ExecutiveAction]) {
        let date = |action: &ExecutiveAction| {
            if action.signed.is_empty() { action.published.clone() } else { action.signed.clone() }
        };
        match self.order {
            Order::Best => {}
            Order::Newest => actions.sort_by_key(|action| std::cmp::Reverse(date(action))),
            Order::Oldest => actions.sort_by_key(date),
        }
    }

    async fn known(&self, query: &Match) -> Result<u64, Error> {
        self.corpus.count_executive_actions(query, &ActionFilters::default()).await
    }

    async fn word_like(&self, word: &str) -> Result<Option<String>, Error> {
        self.corpus.word_like(Words::ExecutiveActions, word).await
    }

    /// Executive actions have no subjects.
    async fn subjects(&self, _: &ExecutiveAction) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

impl Tool for SearchExecutiveActions {
    type Input = Input;
    type Output = ActionsFound;

    const NAME: &'static str = "search_executive_actions";
    const TITLE: &'static str = "Search executive actions";
    const SHORT_TITLE: &'static str = "Executive actions";
    const FAMILY: Family = Family::ExecutiveSearch;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"query": "artificial intelligence"}"#, r#"{"president": "Biden", "from": "2023", "to": "2023"}"#];

    fn announce(&self, input: &Input) -> Metadata {
        Metadata { query: Some(shorten(input.query.trim(), 200)), iteration: Some(1), ..Metadata::default() }
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<ActionsFound>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let (filters, told) = self.filters(&input).await?;
        let (limit, offset) = page(input.limit, input.offset);
        let words: Vec<String> = words(&input.query).into_iter().filter(|word| !is_kind(word)).collect();
        let order = order(input.sort.as_deref())?;
        let shelf = Actions { corpus: &corpus, filters, order };
        let mut refined = Refined::new(&shelf, reporter, &told, limit.saturating_add(offset));
        let numbered = match action_number::find(&input.query) {
            Some((kind, number)) => {
                let filters = ActionFilters { kind: shelf.filters.kind.or(kind), ..shelf.filters.clone() };
                corpus.executive_actions_numbered(&number, &filters).await?
            }
            None => Vec::new(),
        };
        if !numbered.is_empty() {
            let title = numbered[0].citation_for_people();
            let found = numbered.len() as u64;
            refined.take(&title, without_text(numbered), found).await?;
            refined.stopped = "This is what was asked for by its number.".into();
        } else if !words.is_empty() {
            refined.search(&input.query, &words).await?;
        } else if told.is_empty() && order == Order::Best && input.query.trim().is_empty() {
            return Err(invalid(
                "There is no word to search for. Name a topic, a number, a president or a date.".into(),
            ));
        } else {
            let (actions, total) =
                corpus.list_executive_actions(&shelf.filters, order, limit.saturating_add(offset), 0).await?;
            refined.take(&told.join(", "), actions, total).await?;
            refined.stopped = match order {
                Order::Best | Order::Newest => "All that fit, the newest first.".into(),
                Order::Oldest => "All that fit, the oldest first.".into(),
            };
        }
        let metadata = refined.metadata();
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let output = ActionsFound {
            query: input.query,
            total_results: refined.total,
            matched: Some(refined.matched),
            stored: Some(corpus.stored_executive_actions(shelf.filters.kind).await?),
            offset,
            executive_actions: refined.items.into_iter().skip(skipped).collect(),
            looks: refined.looks,
            stopped: refined.stopped,
            filters: told,
        };
        Ok(Done { output, metadata })
    }
}

impl SearchExecutiveActions {
    async fn filters(&self, input: &Input) -> Result<(ActionFilters, Vec<String>), ToolError> {
        let filters = ActionFilters {
            kind: action_kind(input.kind.as_deref())?,
            president: input.president.clone().filter(|name| !name.trim().is_empty()),
            from: date("from", input.from.as_deref())?,
            to: date("to", input.to.as_deref())?,
        };
        if let Some(name) = &filters.president {
            let known = self.0.presidents().await?;
            let fits = |president: &str| {
                let president = president.to_lowercase();
                name.to_lowercase().split_whitespace().all(|word| president.contains(word))
            };
            if !known.iter().any(|(president, _)| fits(president)) {
                let names = known.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
                return Err(invalid(format!("There is nothing here by a president “{name}”. There are: {names}.")));
            }
        }
        let told = [
            filters.kind.map(|kind| format!("kind:{}", kind.as_str())),
            filters.president.as_ref().map(|name| format!("president:{name}")),
            (filters.from.is_some() || filters.to.is_some()).then(|| "date_range:applied".into()),
        ];
        Ok((filters, told.into_iter().flatten().collect()))
    }
}

/// Words that say what kind of document it is, which every one of them is.
fn is_kind(word: &str) -> bool {
    matches!(
        word,
        "executive" | "order" | "orders" | "action" | "actions" | "eo" | "signed" | "issued" | "number" | "no"
    )
}

/// Their text is for their own page.
fn without_text(actions: Vec<ExecutiveAction>) -> Vec<ExecutiveAction> {
    actions.into_iter().map(|action| ExecutiveAction { text: String::new(), ..action }).collect()
}
