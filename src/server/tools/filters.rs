//! What a tool takes, read and checked in one place: what cannot be meant is refused with what can.

use super::ToolError;
use crate::{
    model::{
        ErrorKind,
        legislation::{ActionKind, BillStatus, BillType, Chamber, states},
        summary::shorten,
        words::Word,
    },
    server::corpus::{BillFilters, Corpus, Order, bills::Member},
};

/// How many results a tool returns at most.
pub const MOST_RESULTS: u64 = 100;

/// More sponsors of one name than this is a name that says nothing.
const MOST_SPONSORS: u64 = 20;

/// What `search_bills` takes beside its query, as it was said.
#[derive(Default)]
pub struct Said<'a> {
    pub congress: Option<u32>,
    pub chamber: Option<&'a str>,
    pub kind: Option<&'a str>,
    pub status: Option<&'a str>,
    pub sponsor: Option<&'a str>,
    pub party: Option<&'a str>,
    pub state: Option<&'a str>,
    pub policy_area: Option<&'a str>,
    pub subject: Option<&'a str>,
    pub from: Option<&'a str>,
    pub to: Option<&'a str>,
    pub law_from: Option<&'a str>,
    pub law_to: Option<&'a str>,
}

/// The filters, and the same in words for people and events.
pub async fn bill_filters(corpus: &Corpus, said: &Said<'_>) -> Result<(BillFilters, Vec<String>), ToolError> {
    let mut told = Vec::new();
    let mut filters = BillFilters { congress: said.congress, ..BillFilters::default() };
    told.extend(said.congress.map(|congress| format!("congress:{congress}")));
    if let Some(text) = given(said.chamber) {
        let chamber =
            Chamber::from_word(&text.to_lowercase()).ok_or_else(|| refused("chamber", text, &words(Chamber::ALL)))?;
        told.push(format!("chamber:{}", chamber.as_str()));
        filters.chamber = Some(chamber);
    }
    if let Some(text) = given(said.kind) {
        let kind = BillType::from_text(text).ok_or_else(|| refused("type", text, &words(BillType::ALL)))?;
        told.push(format!("type:{}", kind.as_str()));
        filters.kind = Some(kind);
    }
    if let Some(text) = given(said.status) {
        let status = BillStatus::from_text(text).ok_or_else(|| refused("status", text, &words(BillStatus::ALL)))?;
        told.push(format!("status:{}", status.as_str()));
        filters.status = Some(status);
    }
    if let Some(text) = given(said.party) {
        let party = party(text).ok_or_else(|| refused("party", text, "R, D, I"))?;
        told.push(format!("party:{party}"));
        filters.party = Some(party.into());
    }
    if let Some(text) = given(said.state) {
        let state =
            states::letters(text).ok_or_else(|| refused("state", text, "two letters, such as TX, or the name"))?;
        told.push(format!("state:{state}"));
        filters.state = Some(state.into());
    }
    if let Some(text) = given(said.policy_area) {
        let area = corpus.policy_area(text).await?;
        filters.policy_area = Some(area.ok_or_else(|| refused("policy_area", text, "those of get_available_topics"))?);
        told.push("policy_area:applied".into());
    }
    if let Some(text) = given(said.subject) {
        filters.subject = Some(text.into());
        told.push("subject:applied".into());
    }
    (filters.from, filters.to) = (date("from", said.from)?, date("to", said.to)?);
    if filters.from.is_some() || filters.to.is_some() {
        told.push("date_range:applied".into());
    }
    (filters.law_from, filters.law_to) = (date("law_from", said.law_from)?, date("law_to", said.law_to)?);
    if filters.law_from.is_some() || filters.law_to.is_some() {
        told.push("law_date_range:applied".into());
    }
    if let Some(text) = given(said.sponsor) {
        filters.sponsors = sponsors(corpus, text).await?;
        told.push(format!("sponsors:{}", filters.sponsors.len()));
    }
    Ok((filters, told))
}

/// Everyone of this name, or with this id.
async fn sponsors(corpus: &Corpus, name: &str) -> Result<Vec<String>, ToolError> {
    let (found, total) = corpus.sponsors(name, &BillFilters::default(), MOST_SPONSORS).await?;
    match total {
        0 => Err(invalid(format!(
            "No bill by “{}” is stored here: there is no sponsor of this name or id. get_available_sponsors lists those \
             there are.",
            shorten(name, 60)
        ))),
        n if n > MOST_SPONSORS => Err(invalid(format!("“{name}” fits {n} sponsors. Name one of them more exactly."))),
        _ => Ok(found.into_iter().map(|Member { key, .. }| key).collect()),
    }
}

pub fn action_kind(said: Option<&str>) -> Result<Option<ActionKind>, ToolError> {
    let read = |text| ActionKind::from_text(text).ok_or_else(|| refused("kind", text, &words(ActionKind::ALL)));
    given(said).map(read).transpose()
}

/// `2025`, `2025-03` and `2025-03-01` are all dates to begin or end with.
pub fn date(name: &str, said: Option<&str>) -> Result<Option<String>, ToolError> {
    let Some(text) = given(said) else { return Ok(None) };
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &&str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let lengths = [4, 2, 2];
    let is_date =
        (1..=3).contains(&parts.len()) && parts.iter().zip(lengths).all(|(part, length)| is_number(part, length));
    let is_plausible = |at: usize, most: u32| {
        parts.get(at).is_none_or(|part| part.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n)))
    };
    if !is_date || !is_plausible(1, 12) || !is_plausible(2, 31) {
        return Err(refused(name, text, "dates such as 2025-03-01"));
    }
    // A part of a date means its first day, or as an end its last.
    let rest = if name.ends_with("to") { ["-12-31", "-31"] } else { ["-01-01", "-01"] };
    Ok(Some(match parts.len() {
        1 => format!("{text}{}", rest[0]),
        2 => format!("{text}{}", rest[1]),
        _ => text.to_owned(),
    }))
}

/// "newest" or "oldest": what comes first, where not what matches best.
pub fn order(said: Option<&str>) -> Result<Order, ToolError> {
    match given(said).map(str::to_lowercase).as_deref() {
        None => Ok(Order::Best),
        Some("newest") => Ok(Order::Newest),
        Some("oldest") => Ok(Order::Oldest),
        Some(other) => Err(refused("sort", other, "newest, oldest")),
    }
}

/// How many, and how many to skip.
pub fn page(limit: Option<u64>, offset: Option<u64>) -> (u64, u64) {
    const USUAL: u64 = 10;
    const FARTHEST: u64 = 10_000;
    (limit.unwrap_or(USUAL).clamp(1, MOST_RESULTS), offset.unwrap_or(0).min(FARTHEST))
}

/// An empty text is as good as none: models often send one.
fn given(said: Option<&str>) -> Option<&str> {
    said.map(str::trim).filter(|text| !text.is_empty())
}

pub fn invalid(message: String) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}

fn refused(name: &str, said: &str, takes: &str) -> ToolError {
    invalid(format!("“{said}” is no {name} known here. Takes: {takes}."))
}

fn words<W: Copy + Word + serde::Serialize>(all: &[W]) -> String {
    let word = |each: &W| serde_json::to_value(each).ok().and_then(|word| word.as_str().map(str::to_owned));
    all.iter().filter_map(word).collect::<Vec<_>>().join(", ")
}

fn party(text: &str) -> Option<&'static str> {
    match text.to_lowercase().as_str() {
        "r" | "republican" | "republicans" | "gop" => Some("R"),
        "d" | "democrat" | "democrats" | "democratic" => Some("D"),
        "i" | "independent" | "independents" => Some("I"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_may_be_short_and_must_be_dates() {
        let read = |name, text| date(name, Some(text)).unwrap().unwrap();
        assert_eq!((read("from", "2025"), read("to", "2025")), ("2025-01-01".into(), "2025-12-31".into()));
        assert_eq!((read("from", "2025-03"), read("to", "2025-03-09")), ("2025-03-01".into(), "2025-03-09".into()));
        for wrong in ["yesterday", "03/01/2025", "2025-13-01", "2025-1-1", "20250101", "2025-01-01-01"] {
            assert!(date("from", Some(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(date("from", Some(" ")).unwrap(), None);
    }
}
