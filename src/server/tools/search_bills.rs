//! `search_bills`: full-text search over bills, by words and by filters.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Done, Reporter, Tool, ToolError,
    filters::{Said, bill_filters, invalid, order, page},
    refine::{Refined, Shelf},
};
use crate::{
    model::{
        Bill, Family, Metadata,
        legislation::{BillNumber, BillsFound},
        summary::shorten,
    },
    server::{
        Error,
        corpus::{BillFilters, Corpus, Match, Order, spelling::Words, words},
    },
};

pub struct SearchBills(pub Corpus);

/// Searches US bills and resolutions by words, by number and by filters. A search that finds too little is widened step
/// by step, one that finds far too much is narrowed. Returns the best matches with sponsor, status and dates.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Input {
    /// Words of titles, subjects, summaries or sponsors, or a bill's number such as "H.R. 1". May be left out when there
    /// is a filter.
    query: String,
    /// The number of the congress, such as 119.
    congress: Option<u32>,
    /// "house" or "senate": where it was introduced.
    chamber: Option<String>,
    /// hr, s, hjres, sjres, hconres, sconres, hres or sres.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// introduced, in_committee, reported, passed_house, passed_senate, resolving_differences, passed_both, to_president,
    /// vetoed, became_law, agreed_to or failed.
    status: Option<String>,
    /// The sponsor's name or bioguide id.
    sponsor: Option<String>,
    /// The sponsor's party: R, D or I.
    party: Option<String>,
    /// The sponsor's state: two letters or its name.
    state: Option<String>,
    /// One of the policy areas that get_available_topics lists.
    policy_area: Option<String>,
    /// One of the subjects that get_available_topics lists.
    subject: Option<String>,
    /// Introduced on this day or later: 2025-03-01.
    from: Option<String>,
    /// Introduced on this day or earlier.
    to: Option<String>,
    /// Became law on this day or later: 2025-03-01. Only laws fit.
    law_from: Option<String>,
    /// Became law on this day or earlier. Only laws fit.
    law_to: Option<String>,
    /// "newest" or "oldest" first: laws by when they became one, others by when they were introduced. The best matches
    /// come first if not given.
    sort: Option<String>,
    /// How many bills to return at most: 10 if not given, 100 at most.
    limit: Option<u64>,
    /// How many to skip, to read on.
    offset: Option<u64>,
}

/// Bills that fit the filters, as what can be searched.
struct Bills<'a> {
    corpus: &'a Corpus,
    filters: BillFilters,
    order: Order,
}

impl Shelf for Bills<'_> {
    type Item = Bill;

    const TELLING: &'static str = "title other_titles sponsor policy_area subjects";

    fn key(bill: &Bill) -> String {
        format!("{} {}", bill.congress, bill.citation())
    }

    async fn search(&self, query: &Match, limit: u64) -> Result<Vec<Bill>, Error> {
        self.corpus.search_bills(query, &self.filters, self.order, limit, 0).await
    }

    async fn count(&self, query: &Match) -> Result<u64, Error> {
        self.corpus.count_bills(query, &self.filters).await
    }

    fn is_ranked(&self) -> bool {
        self.order == Order::Best
    }

    fn sort(&self, bills: &mut [Bill]) {
        let is_law = self.filters.is_dated_by_law();
        let date = |bill: &Bill| if is_law { bill.latest_action_date.clone() } else { bill.introduced.clone() };
        match self.order {
            Order::Best => {}
            Order::Newest => bills.sort_by_key(|bill| std::cmp::Reverse(date(bill))),
            Order::Oldest => bills.sort_by_key(date),
        }
    }

    async fn known(&self, query: &Match) -> Result<u64, Error> {
        self.corpus.count_bills(query, &BillFilters::default()).await
    }

    async fn word_like(&self, word: &str) -> Result<Option<String>, Error> {
        self.corpus.word_like(Words::Bills, word).await
    }

    async fn subjects(&self, bill: &Bill) -> Result<Vec<String>, Error> {
        self.corpus.telling_subjects(bill).await
    }
}

impl Tool for SearchBills {
    type Input = Input;
    type Output = BillsFound;

    const NAME: &'static str = "search_bills";
    const TITLE: &'static str = "Search bills";
    const SHORT_TITLE: &'static str = "Bills";
    const FAMILY: Family = Family::BillSearch;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"query": "veterans"}"#,
        r#"{"query": "digital assets", "status": "became_law"}"#,
        r#"{"sponsor": "Begich", "congress": 119, "limit": 5}"#,
    ];

    fn announce(&self, input: &Input) -> Metadata {
        Metadata { query: Some(shorten(input.query.trim(), 200)), iteration: Some(1), ..Metadata::default() }
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<BillsFound>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let said = Said {
            congress: input.congress,
            chamber: input.chamber.as_deref(),
            kind: input.kind.as_deref(),
            status: input.status.as_deref(),
            sponsor: input.sponsor.as_deref(),
            party: input.party.as_deref(),
            state: input.state.as_deref(),
            policy_area: input.policy_area.as_deref(),
            subject: input.subject.as_deref(),
            from: input.from.as_deref(),
            to: input.to.as_deref(),
            law_from: input.law_from.as_deref(),
            law_to: input.law_to.as_deref(),
        };
        let (filters, told) = bill_filters(&corpus, &said).await?;
        let (limit, offset) = page(input.limit, input.offset);
        let words = words(&input.query);
        let numbers = BillNumber::all_in(&input.query);
        let order = order(input.sort.as_deref())?;
        let shelf = Bills { corpus: &corpus, filters, order };
        let mut refined = Refined::new(&shelf, reporter, &told, limit.saturating_add(offset));
        if words.is_empty() && numbers.is_empty() {
            if told.is_empty() && order == Order::Best {
                return Err(invalid(
                    "There is no word to search for. Name a topic, a title, a sponsor or a bill.".into(),
                ));
            }
            let (bills, total) = corpus.list_bills(&shelf.filters, order, limit.saturating_add(offset), 0).await?;
            refined.take(&told.join(", "), bills, total).await?;
            refined.stopped = match order {
                Order::Best => "All that fit the filters, the latest action first.".into(),
                Order::Newest => "All that fit, the newest first.".into(),
                Order::Oldest => "All that fit, the oldest first.".into(),
            };
        } else {
            self.find(&input.query, &words, &numbers, &shelf.filters, &mut refined).await?;
        }
        if refined.total == 0 && !told.is_empty() {
            refined.stopped.push_str(&format!(" Try without the filters: {}.", told.join(", ")));
        }
        let metadata = refined.metadata();
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let output = BillsFound {
            query: input.query,
            total_results: refined.total,
            matched: Some(refined.matched),
            stored: Some(corpus.stored_bills().await?),
            offset,
            bills: refined.items.into_iter().skip(skipped).collect(),
            looks: refined.looks,
            stopped: refined.stopped,
            filters: told,
        };
        Ok(Done { output, metadata })
    }
}

impl SearchBills {
    /// The bills that are named by number or law, then those that the words find.
    async fn find(
        &self,
        query: &str,
        words: &[String],
        numbers: &[BillNumber],
        filters: &BillFilters,
        refined: &mut Refined<'_, Bills<'_>>,
    ) -> Result<(), ToolError> {
        let mut named = Vec::new();
        for number in numbers {
            named.extend(self.0.bills_numbered(*number, filters).await?);
        }
        let law = law_in(query);
        if let Some(law) = &law {
            named.extend(self.0.bill_of_law(law, filters).await?);
        }
        let is_only_a_name = BillNumber::only(query).is_some() || law.is_some();
        if !named.is_empty() {
            let title = law.unwrap_or_else(|| named[0].citation());
            let found = named.len() as u64;
            refined.take(&title, named, found).await?;
            if is_only_a_name {
                refined.stopped = "This is what was asked for by its number.".into();
                return Ok(());
            }
        } else if let Some(law) = law {
            refined.take(&law, Vec::new(), 0).await?;
            refined.stopped = format!("There is no bill here that became {law}.");
            return Ok(());
        }
        if words.is_empty() {
            refined.stopped = "No bill here has this number.".into();
            return Ok(());
        }
        refined.search(query, words).await
    }
}

/// `Public Law 119-21`, `P.L. 119-21`, `PL119-21`, `Private Law 115-1`, as the record has them.
fn law_in(text: &str) -> Option<String> {
    let text = text.to_lowercase().replace(['.', ' '], "");
    let names = [("publiclaw", "Public"), ("privatelaw", "Private"), ("publ", "Public"), ("pl", "Public")];
    names.iter().find_map(|(name, kind)| {
        text.match_indices(name).find_map(|(at, _)| {
            let rest = text[at + name.len()..].trim_start_matches("no");
            let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
            let (congress, law) = number.split_once('-')?;
            (!congress.is_empty() && !law.is_empty()).then(|| format!("{kind} Law {congress}-{law}"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::law_in;

    #[test]
    fn laws_are_known_by_their_numbers() {
        for text in
            ["Public Law 119-21", "P.L. 119-21", "pl119-21", "how does Pub. L. No. 119-21 apply?", "apply P.L. 119-21"]
        {
            assert_eq!(law_in(text).as_deref(), Some("Public Law 119-21"), "{text}");
        }
        assert_eq!(law_in("Private Law 115-1").as_deref(), Some("Private Law 115-1"));
        for text in ["public law", "place 4-5", "119-21"] {
            assert_eq!(law_in(text), None, "{text}");
        }
    }
}
