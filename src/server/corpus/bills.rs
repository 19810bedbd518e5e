//! Reading bills: search, list, look up, count.

use sqlx::{QueryBuilder, Row, Sqlite, sqlite::SqliteRow};

use super::{Corpus, MOST_WORDS, Match, Order};
use crate::{
    model::{
        legislation::{Bill, BillDetails, BillNumber, BillStatus, BillType, Chamber, Choice},
        words::Word,
    },
    server::{Error, db::StorageError},
};

/// What bills must be, beside what they are about. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BillFilters {
    pub congress: Option<u32>,
    pub chamber: Option<Chamber>,
    pub kind: Option<BillType>,
    pub status: Option<BillStatus>,
    /// Any of these sponsors, by id or, where there is none, by name.
    pub sponsors: Vec<String>,
    pub party: Option<String>,
    pub state: Option<String>,
    pub policy_area: Option<String>,
    pub subject: Option<String>,
    /// When it was introduced.
    pub from: Option<String>,
    pub to: Option<String>,
    /// When it became law: the day of its latest action, which for a law is that.
    pub law_from: Option<String>,
    pub law_to: Option<String>,
}

impl BillFilters {
    /// Whether only laws fit, which are dated by when they became that.
    pub fn is_dated_by_law(&self) -> bool {
        self.status == Some(BillStatus::BecameLaw) || self.law_from.is_some() || self.law_to.is_some()
    }

    fn date(&self) -> &'static str {
        if self.is_dated_by_law() { "latest_action_date" } else { "introduced" }
    }

    fn order(&self, order: Order, otherwise: &str) -> String {
        match order {
            Order::Best => otherwise.to_owned(),
            Order::Newest => format!("{} DESC, id DESC", self.date()),
            Order::Oldest => format!("nullif({}, '') ASC NULLS LAST, id", self.date()),
        }
    }
}

/// A person who sponsors bills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub key: String,
    pub name: String,
    pub bills: u64,
}

/// Who a bill's sponsor is: the same under every spelling of the name.
const SPONSOR_KEY: &str = "coalesce(nullif(sponsor_id, ''), sponsor)";

const LINE: &str = "id, congress, type, number, title, sponsor, sponsor_id, introduced, latest_action_date, status, law, \
                    bills.policy_area";

impl Corpus {
    /// The best matches. Titles weigh most.
    pub async fn search_bills(
        &self,
        query: &Match,
        filters: &BillFilters,
        order: Order,
        limit: u64,
        offset: u64,
    ) -> Result<Vec<Bill>, Error> {
        let mut sql = QueryBuilder::new(format!(
            "SELECT {}, snippet(bills_text, -1, '**', '**', '…', 14) AS snippet
             FROM bills_text JOIN bills ON bills.id = bills_text.rowid WHERE bills_text MATCH ",
            LINE.replace("title,", "bills.title,").replace("sponsor,", "bills.sponsor,")
        ));
        sql.push_bind(query.as_str().to_owned());
        filter(&mut sql, filters);
        page(&mut sql, &filters.order(order, "bills_text.rank"), limit, offset);
        self.bills(sql).await
    }

    pub async fn count_bills(&self, query: &Match, filters: &BillFilters) -> Result<u64, Error> {
        let mut sql = QueryBuilder::new("SELECT count(*) FROM bills_text ");
        if *filters != BillFilters::default() {
            sql.push("JOIN bills ON bills.id = bills_text.rowid ");
        }
        sql.push("WHERE bills_text MATCH ").push_bind(query.as_str().to_owned());
        filter(&mut sql, filters);
        self.number(sql).await
    }

    /// What the filters let through, newest action first unless another order is wanted, and how many there are.
    pub async fn list_bills(
        &self,
        filters: &BillFilters,
        order: Order,
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<Bill>, u64), Error> {
        let mut sql = QueryBuilder::new(format!("SELECT {LINE}, '' AS snippet FROM bills WHERE 1 "));
        filter(&mut sql, filters);
        page(&mut sql, &filters.order(order, "latest_action_date DESC, id"), limit, offset);
        let mut counting = QueryBuilder::new("SELECT count(*) FROM bills WHERE 1 ");
        filter(&mut counting, filters);
        Ok((self.bills(sql).await?, self.number(counting).await?))
    }

    /// All bills of this number, the newest congress first.
    pub async fn bills_numbered(&self, number: BillNumber, filters: &BillFilters) -> Result<Vec<Bill>, Error> {
        let mut sql = QueryBuilder::new(format!("SELECT {LINE}, '' AS snippet FROM bills WHERE type = "));
        sql.push_bind(number.kind.as_str()).push(" AND number = ").push_bind(number.number);
        if let Some(congress) = number.congress {
            sql.push(" AND congress = ").push_bind(congress);
        }
        filter(&mut sql, filters);
        sql.push(" ORDER BY congress DESC");
        self.bills(sql).await
    }

    /// What became this law: `Public Law 119-21`.
    pub async fn bill_of_law(&self, law: &str, filters: &BillFilters) -> Result<Option<Bill>, Error> {
        let mut sql = QueryBuilder::new(format!("SELECT {LINE}, '' AS snippet FROM bills WHERE law = "));
        sql.push_bind(law.to_owned());
        filter(&mut sql, filters);
        Ok(self.bills(sql).await?.into_iter().next())
    }

    /// What a bill is about, the rarest first, as long as others share it.
    pub async fn telling_subjects(&self, bill: &Bill) -> Result<Vec<String>, Error> {
        let rows = sqlx::query(
            "SELECT subject, (SELECT count(*) FROM bill_subjects AS all_of WHERE all_of.subject = own.subject) AS bills
             FROM bill_subjects AS own WHERE bill_id = ? AND bills > 1 ORDER BY bills, subject",
        )
        .bind(id_of(bill.congress, bill.kind, bill.number))
        .fetch_all(&mut *self.reader().await?)
        .await
        .map_err(StorageError::from)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// All that is known of a bill.
    pub async fn bill_details(&self, bill: &Bill) -> Result<BillDetails, Error> {
        let row = sqlx::query("SELECT * FROM bills WHERE id = ?")
            .bind(id_of(bill.congress, bill.kind, bill.number))
            .fetch_one(&mut *self.reader().await?)
            .await
            .map_err(StorageError::from)?;
        let lines = |name| row.get::<String, _>(name).lines().map(str::to_owned).collect();
        Ok(BillDetails {
            other_titles: lines("other_titles"),
            latest_action: row.get("latest_action"),
            subjects: lines("subjects"),
            committees: lines("committees"),
            cosponsor_count: row.get("cosponsor_count"),
            cosponsors: serde_json::from_str(row.get("cosponsors"))?,
            actions: serde_json::from_str(row.get("actions"))?,
            summary: row.get("summary"),
            url: bill.url(),
            also_in_congresses: Vec::new(),
            bill: bill.clone(),
        })
    }

    /// Members whose name or id holds all of these words, the most active first, and how many they are.
    pub async fn sponsors(&self, name: &str, filters: &BillFilters, limit: u64) -> Result<(Vec<Member>, u64), Error> {
        let mut sql = QueryBuilder::new(format!(
            "SELECT {SPONSOR_KEY} AS key, sponsor, count(*) AS bills, max(introduced), count(*) OVER () AS total
             FROM bills WHERE sponsor <> '' "
        ));
        const TITLES: [&str; 8] =
            ["sen", "senator", "rep", "representative", "del", "delegate", "congressman", "congresswoman"];
        let words = name.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
        for word in words.filter(|word| !word.is_empty() && !TITLES.contains(&&**word)).take(MOST_WORDS) {
            // At the beginning of a word: Lee is not in Kathleen.
            sql.push(" AND (instr(' ' || replace(lower(sponsor), '-', ' '), ").push_bind(format!(" {word}"));
            sql.push(") OR lower(sponsor_id) = ").push_bind(word).push(")");
        }
        filter(&mut sql, filters);
        sql.push(" GROUP BY key ORDER BY bills DESC, key");
        sql.push(" LIMIT ").push_bind(clamp(limit));
        let rows = sql.build().fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        let total = rows.first().map_or(0, |row| unsigned(row, "total"));
        let members = rows.iter().map(|row| Member {
            key: row.get("key"),
            name: row.get("sponsor"),
            bills: unsigned(row, "bills"),
        });
        Ok((members.collect(), total))
    }

    /// Policy areas and subjects with their number of bills, and how many there are.
    pub async fn topics(&self, about: &str, limit: u64) -> Result<(Vec<Choice>, u64), Error> {
        let mut sql = QueryBuilder::new(
            "SELECT name, sum(bills) AS bills, count(*) OVER () AS total FROM (
                 SELECT policy_area AS name, count(*) AS bills FROM bills WHERE policy_area <> '' GROUP BY 1
                 UNION ALL
                 SELECT subject, count(*) FROM bill_subjects GROUP BY 1
             ) WHERE 1 ",
        );
        for word in about.split_whitespace().take(MOST_WORDS) {
            sql.push(" AND instr(lower(name), ").push_bind(word.to_lowercase()).push(")");
        }
        sql.push(" GROUP BY name ORDER BY bills DESC, name LIMIT ").push_bind(clamp(limit));
        let rows = sql.build().fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        let total = rows.first().map_or(0, |row| unsigned(row, "total"));
        let topics =
            rows.iter().map(|row| Choice { name: row.get("name"), id: String::new(), bills: unsigned(row, "bills") });
        Ok((topics.collect(), total))
    }

    /// How many bills stand where.
    pub async fn statuses(&self, filters: &BillFilters) -> Result<Vec<(BillStatus, u64)>, Error> {
        let mut sql = QueryBuilder::new("SELECT status, count(*) AS bills FROM bills WHERE 1 ");
        filter(&mut sql, filters);
        sql.push(" GROUP BY status ORDER BY bills DESC, status");
        let rows = sql.build().fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(rows
            .iter()
            .filter_map(|row| Some((BillStatus::from_word(row.get("status"))?, unsigned(row, "bills"))))
            .collect())
    }

    /// The policy area as the corpus spells it.
    pub async fn policy_area(&self, said: &str) -> Result<Option<String>, Error> {
        let mut sql = QueryBuilder::new("SELECT policy_area FROM bills WHERE policy_area = ");
        sql.push_bind(said.trim().to_owned()).push(" COLLATE NOCASE LIMIT 1");
        let row = sql.build().fetch_optional(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(row.map(|row| row.get(0)))
    }

    /// How many bills there are in all.
    pub async fn stored_bills(&self) -> Result<u64, Error> {
        self.number(QueryBuilder::new("SELECT count(*) FROM bills")).await
    }

    /// The congresses there are bills of, newest first.
    pub async fn congresses(&self) -> Result<Vec<u32>, Error> {
        let sql = sqlx::query("SELECT DISTINCT congress FROM bills ORDER BY congress DESC");
        let rows = sql.fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    async fn bills(&self, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<Bill>, Error> {
        let rows = sql.build().fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(rows.iter().filter_map(bill_from).collect())
    }

    pub(super) async fn number(&self, mut sql: QueryBuilder<Sqlite>) -> Result<u64, Error> {
        let row = sql.build().fetch_one(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        Ok(u64::try_from(row.get::<i64, _>(0)).unwrap_or(0))
    }
}

fn filter(sql: &mut QueryBuilder<Sqlite>, filters: &BillFilters) {
    let BillFilters { congress, chamber, kind, status, sponsors, party, state, policy_area, subject, .. } = filters;
    let BillFilters { from, to, law_from, law_to, .. } = filters;
    if let Some(congress) = congress {
        sql.push(" AND congress = ").push_bind(*congress);
    }
    let words = [
        (" AND chamber = ", chamber.map(Chamber::as_str)),
        (" AND type = ", kind.map(BillType::as_str)),
        (" AND status = ", status.map(BillStatus::as_str)),
        (" AND party = ", party.as_deref()),
        (" AND state = ", state.as_deref()),
        (" AND bills.policy_area = ", policy_area.as_deref()),
        (" AND introduced >= ", from.as_deref()),
        (" AND introduced <= ", to.as_deref()),
        (" AND status = 'became_law' AND latest_action_date >= ", law_from.as_deref()),
        (" AND status = 'became_law' AND latest_action_date <= ", law_to.as_deref()),
    ];
    for (condition, word) in words {
        if let Some(word) = word {
            sql.push(condition).push_bind(word.to_owned());
        }
    }
    if let Some(subject) = subject {
        sql.push(" AND bills.id IN (SELECT bill_id FROM bill_subjects WHERE subject = ");
        sql.push_bind(subject.clone()).push(")");
    }
    if !sponsors.is_empty() {
        sql.push(format!(" AND {} IN (", SPONSOR_KEY.replace(" sponsor", " bills.sponsor")));
        let mut keys = sql.separated(", ");
        for key in sponsors {
            keys.push_bind(key.clone());
        }
        sql.push(")");
    }
}

pub(super) fn page(sql: &mut QueryBuilder<Sqlite>, order: &str, limit: u64, offset: u64) {
    sql.push(" ORDER BY ").push(order);
    sql.push(" LIMIT ").push_bind(clamp(limit)).push(" OFFSET ").push_bind(clamp(offset));
}

pub(super) fn clamp(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(row: &SqliteRow, name: &str) -> u64 {
    u64::try_from(row.get::<i64, _>(name)).unwrap_or(0)
}

/// One number for congress, type and number, so that a bill has the same id in every corpus.
pub(super) fn id_of(congress: u32, kind: BillType, number: u32) -> i64 {
    let kind = BillType::ALL.iter().position(|each| *each == kind).unwrap_or(0);
    (i64::from(congress) * 10 + kind as i64) * 1_000_000 + i64::from(number)
}

/// A type or status that nobody here knows would be another version's; such a row is left out.
fn bill_from(row: &SqliteRow) -> Option<Bill> {
    Some(Bill {
        congress: row.get("congress"),
        kind: BillType::from_word(row.get("type"))?,
        number: row.get("number"),
        title: row.get("title"),
        sponsor: row.get("sponsor"),
        sponsor_id: row.get("sponsor_id"),
        introduced: row.get("introduced"),
        latest_action_date: row.get("latest_action_date"),
        status: BillStatus::from_word(row.get("status"))?,
        law: row.get("law"),
        policy_area: row.get("policy_area"),
        snippet: row.get("snippet"),
    })
}
