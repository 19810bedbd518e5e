//! `get_bill_details`: everything there is about one bill.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, Reporter, Tool, ToolError, filters::invalid};
use crate::{
    model::{
        ErrorKind, Family, Metadata, Stage,
        legislation::{BillDetails, BillNumber, bill::ordinal},
        summary::shorten,
        words::ContentType,
    },
    server::corpus::{BillFilters, Corpus},
};

pub struct GetBillDetails(pub Corpus);

/// Returns all that is known of one bill: titles, sponsor and cosponsors, status, committees, subjects, summary and its
/// whole history.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// The bill's number in any spelling: "H.R. 1", "119-hr-1", "S.J.Res. 20".
    bill: String,
    /// The congress, such as 119. The newest one if not given.
    #[serde(default)]
    congress: Option<u32>,
}

impl Tool for GetBillDetails {
    type Input = Input;
    type Output = BillDetails;

    const NAME: &'static str = "get_bill_details";
    const TITLE: &'static str = "Bill details";
    const SHORT_TITLE: &'static str = "Bill";
    const FAMILY: Family = Family::Details;
    const EXAMPLES: &'static [&'static str] = &[r#"{"bill": "H.R. 1"}"#, r#"{"bill": "S. 5", "congress": 119}"#];

    fn announce(&self, input: &Input) -> Metadata {
        content(shorten(input.bill.trim(), 60))
    }

    async fn edition(&self) -> String {
        self.0.edition().await
    }

    async fn run(&self, input: Input, reporter: &Reporter) -> Result<Done<BillDetails>, ToolError> {
        let corpus = self.0.until(reporter.stop());
        let asked = shorten(input.bill.trim(), 60);
        reporter.stage(Stage::ExecutingQuery, content(asked)).await?;
        let details = details(&corpus, &input.bill, input.congress).await?;
        let metadata = content(format!("{} ({})", details.bill.citation(), ordinal(details.bill.congress)));
        Ok(Done { output: details, metadata })
    }
}

/// The bill of this number, or an error that says what there is.
pub(super) async fn details(corpus: &Corpus, said: &str, congress: Option<u32>) -> Result<BillDetails, ToolError> {
    let [number, ..] = BillNumber::all_in(said)[..] else {
        return Err(invalid(format!(
            "“{}” is no bill number. Write it like H.R. 1, S. 5 or 119-hr-1; search_bills finds numbers by topic.",
            shorten(said, 60)
        )));
    };
    let number = BillNumber { congress: congress.or(number.congress), ..number };
    let found = corpus.bills_numbered(number, &BillFilters::default()).await?;
    let Some(bill) = found.first() else {
        let elsewhere = corpus.bills_numbered(BillNumber { congress: None, ..number }, &BillFilters::default()).await?;
        return Err(ToolError::new(ErrorKind::ToolError, not_here(corpus, number, &elsewhere).await?));
    };
    let mut details = corpus.bill_details(bill).await?;
    details.also_in_congresses = found[1..].iter().map(|other| other.congress).collect();
    Ok(details)
}

async fn not_here(corpus: &Corpus, number: BillNumber, elsewhere: &[crate::model::Bill]) -> Result<String, ToolError> {
    let congresses = |all: &[u32]| all.iter().map(|n| ordinal(*n)).collect::<Vec<_>>().join(", ");
    let of = number.congress.map(|congress| format!(" of the {} Congress", ordinal(congress))).unwrap_or_default();
    if elsewhere.is_empty() {
        let known = congresses(&corpus.congresses().await?);
        Ok(format!(
            "There is no {number}{of} here. There are bills of these congresses: {known}. Search for it by its title."
        ))
    } else {
        let others = congresses(&elsewhere.iter().map(|bill| bill.congress).collect::<Vec<_>>());
        Ok(format!("There is no {number}{of} here, but there is one in: {others}."))
    }
}

fn content(id: String) -> Metadata {
    Metadata { content_id: Some(id), content_type: Some(ContentType::Bill), ..Metadata::default() }
}
