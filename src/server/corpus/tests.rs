//! The corpus as a file: made once, replaced whole, never seen by halves.

use super::*;
use crate::{model::legislation::Bill, server::corpus::store::Store};

/// Everything a corpus holds, in an order of its own, without how it came to be.
pub async fn dump(file: &Path) -> String {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let mut lines = Vec::new();
    for table in ["bills", "bill_subjects", "executive_actions", "sources"] {
        let columns =
            sqlx::query("SELECT group_concat('quote(' || name || ')', ' || ''|'' || ') FROM pragma_table_info(?)")
                .bind(table)
                .fetch_one(&mut connection)
                .await
                .unwrap();
        let sql = format!("SELECT {} FROM {table} ORDER BY 1", columns.get::<String, _>(0));
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
        lines.extend(rows.iter().map(|row| format!("{table}: {}", row.get::<String, _>(0))));
    }
    lines.join("\n")
}

async fn search(corpus: &Corpus, query: &str) -> Vec<Bill> {
    let concepts: Vec<Concept> = words(query).into_iter().map(Concept::new).collect();
    corpus.search_bills(&Match::all(&concepts), &BillFilters::default(), Order::Best, 10, 0).await.unwrap()
}

#[tokio::test]
async fn is_made_once_and_quickly_and_a_broken_one_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corpus.db");
    let started = std::time::Instant::now();
    let corpus = Corpus::open(&file).await.unwrap();
    assert!(started.elapsed().as_secs_f64() < 1.0, "the first start took {:?}", started.elapsed());
    assert!(search(&corpus, "veteran affair").await[0].title.contains("Veterans Affairs"));

    let made = std::fs::metadata(&file).unwrap().modified().unwrap();
    Corpus::open(&file).await.unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), made);

    std::fs::write(&file, "not a database").unwrap();
    let again = Corpus::open(&file).await.unwrap();
    assert_eq!(again.version(), corpus.version());
    assert_eq!(std::fs::read(folder.path().join("corpus.unreadable")).unwrap(), b"not a database");
}

#[tokio::test]
async fn a_new_file_is_noticed_and_a_broken_one_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corpus.db");
    let corpus = Corpus::open(&file).await.unwrap();
    assert_eq!(search(&corpus, "zebra").await.len(), 0);

    let draft = folder.path().join("new");
    std::fs::copy(&file, &draft).unwrap();
    let mut store = Store::open(&draft).await.unwrap();
    let mut record = sample::bills().next().unwrap();
    record.details.bill.title = "Zebra Protection Act".into();
    (record.updated, record.fingerprint) = ("2026".into(), 1);
    assert!(store.put_bill(&record).await.unwrap());
    assert!(!store.put_bill(&record).await.unwrap(), "once is enough");
    record.updated = "2025".into();
    assert!(!store.put_bill(&record).await.unwrap(), "an older record does not replace a newer one");
    store.finish().await.unwrap();
    std::fs::rename(&draft, &file).unwrap();
    let version = corpus.version();
    assert_eq!(search(&corpus, "zebra").await[0].title, "Zebra Protection Act");
    assert_ne!(corpus.version(), version);

    std::fs::write(&draft, "not a database").unwrap();
    std::fs::rename(&draft, &file).unwrap();
    assert_eq!(search(&corpus, "zebra").await.len(), 1, "the old one goes on");
}

#[tokio::test]
async fn imported_data_of_another_version_is_not_thrown_away() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corpus.db");
    drop(Corpus::open(&file).await.unwrap());
    let mut store = Store::open(&file).await.unwrap();
    store.set_meta("sample", "an older one").await.unwrap();
    store.finish().await.unwrap();
    Corpus::open(&file).await.unwrap();
    let mut store = Store::open(&file).await.unwrap();
    assert_eq!(store.meta("sample").await.unwrap(), Some(sample::fingerprint()), "a sample is replaced by a newer one");
    store.set_meta("sample", "an older one").await.unwrap();
    store.set_meta("imports", "1").await.unwrap();
    store.finish().await.unwrap();
    Corpus::open(&file).await.unwrap();
    let mut store = Store::open(&file).await.unwrap();
    assert_eq!(store.meta("sample").await.unwrap().as_deref(), Some("an older one"), "imported data stays");
}

#[tokio::test]
async fn imported_data_of_another_schema_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corpus.db");
    drop(Corpus::open(&file).await.unwrap());
    let mut store = Store::open(&file).await.unwrap();
    store.set_meta("imports", "1").await.unwrap();
    store.finish().await.unwrap();
    let mut connection = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(&file)).await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let before = std::fs::read(&file).unwrap();
    let refused = Corpus::open(&file).await.err().unwrap();
    assert!(refused.to_string().contains("another version"), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_may_be_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corpus.db");
    let all = (0..6).map(|_| {
        let file = file.clone();
        tokio::spawn(async move { Corpus::open(&file).await.map(|corpus| corpus.version()) })
    });
    for opened in all.collect::<Vec<_>>() {
        opened.await.unwrap().unwrap();
    }
}

/// What ships with the program, for those who want to compare it.
pub fn sample_bills() -> impl Iterator<Item = store::BillRecord> {
    sample::bills()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_in_the_middle_of_its_work_can_be_stopped() {
    const FOR_EVER: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let folder = tempfile::tempdir().unwrap();
    let corpus = Corpus::open(&folder.path().join("corpus.db")).await.unwrap();
    // Every connection gets its turn, and none is lost.
    for _ in 0..2 * READERS {
        let stop = CancellationToken::new();
        let mut reader = corpus.until(stop.clone()).reader().await.unwrap();
        let query = tokio::spawn(async move { sqlx::query(FOR_EVER).fetch_one(&mut *reader).await.map(drop) });
        tokio::task::yield_now().await;
        stop.cancel();
        let ended = tokio::time::timeout(std::time::Duration::from_secs(10), query).await.expect("it went on");
        assert!(StorageError::from(ended.unwrap().unwrap_err()).is_interrupted());
    }
    assert!(corpus.statuses(&BillFilters::default()).await.is_ok(), "others are not stopped with it");
}
