//! Import of official data into the corpus: `vitrine import`.
//!
//! Files are read and parsed side by side and written, in batches, into a draft beside the corpus. When all is read the
//! draft takes the corpus's place, so nobody ever sees a half. A draft that was left behind, because somebody pulled the
//! plug, is taken up again; what has been read before is not read twice. A bad file is reported and skipped.

use std::{
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use tokio::sync::mpsc;

use self::{
    progress::Progress,
    sources::{Reader, Source},
};
use super::{
    Error,
    corpus::{
        Corpus, beside, discard,
        store::{BillRecord, Store, fingerprint},
    },
};
use crate::model::legislation::ExecutiveAction;

/// GovInfo's BILLSTATUS files, of every schema version there has been.
mod billstatus;
/// The Federal Register's JSON and CSV.
mod federal_register;
/// Markup to text.
mod html;
/// Members of Congress as the record names them.
pub mod member;
/// Presidents: one name for each.
pub mod presidents;
/// A line that tells how far it is.
pub mod progress;
/// Files, folders and archives.
mod sources;
/// Where a bill stands, told by its laws and actions.
mod status;

#[cfg(test)]
mod bench;
#[cfg(test)]
pub mod tests;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bills,
    ExecutiveActions,
}

/// What came of an import.
#[derive(Debug, Default)]
pub struct Report {
    /// Files that were read, and those that had been read before as they are.
    pub files: u64,
    pub unchanged: u64,
    /// Records that are new, or newer than what was there.
    pub changed: u64,
    /// Files that could not be used, each with its reason.
    pub bad: Vec<(String, String)>,
    pub seconds: f64,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { files, unchanged, changed, bad, seconds } = self;
        let rate = *files as f64 / seconds.max(0.001);
        write!(f, "{files} files in {seconds:.1} s ({rate:.0}/s): {changed} records new or newer, ")?;
        write!(f, "{unchanged} files as they were, {} skipped", bad.len())
    }
}

enum Record {
    Bill(Box<BillRecord>),
    ExecutiveAction(Box<ExecutiveAction>),
}

/// What a worker made of one file.
struct Parsed {
    place: String,
    key: String,
    bytes: u64,
    outcome: Outcome,
}

enum Outcome {
    Read(i64, Vec<Record>),
    Unchanged,
    Bad(String),
}

/// How many files a transaction holds: enough to be quick, few enough that little is lost when the plug is pulled.
const BATCH: u64 = 500;

pub async fn import(kind: Kind, paths: &[PathBuf], corpus: &Path, progress: &mut Progress) -> Result<Report, Error> {
    let started = Instant::now();
    let _lock = lock(&beside(corpus, "lock"))?;
    let version = Corpus::open(corpus).await?.version();
    let (list, missing) = sources::list(kind, paths);
    let mut report = Report { bad: missing, ..Report::default() };
    progress.begin(&list, &report.bad);
    if list.is_empty() {
        let kinds = match kind {
            Kind::Bills => ".xml or .zip",
            Kind::ExecutiveActions => ".json, .csv or .zip",
        };
        return Err(Error::Invalid(format!("there is nothing to import: no file that ends in {kinds}")));
    }

    let all = list.len() as u64;
    let task = Task { version, kind, paths: fingerprint(format!("{paths:?}").as_bytes()) };
    let mut store = draft(corpus, &task).await?;
    let known = Arc::new(store.sources().await?);
    let mut parsed = parse_all(kind, list, &known);
    store.begin().await?;
    while let Some(Parsed { place, key, bytes, outcome }) = parsed.recv().await {
        report.files += 1;
        match outcome {
            Outcome::Read(fingerprint, records) => {
                // What a file says anew holds against what it said before.
                let is_newer = known.contains_key(&key);
                for record in &records {
                    report.changed += u64::from(match record {
                        Record::Bill(bill) => store.put_bill(bill).await?,
                        Record::ExecutiveAction(action) => store.put_executive_action(action, is_newer).await?,
                    });
                }
                store.set_read(&key, fingerprint).await?;
            }
            Outcome::Unchanged => report.unchanged += 1,
            Outcome::Bad(reason) => {
                progress.bad(&place, &reason);
                report.bad.push((place, reason));
            }
        }
        progress.advance(bytes);
        if report.files.is_multiple_of(BATCH) {
            store.commit().await?;
            store.begin().await?;
        }
    }
    store.commit().await?;
    if report.files != all {
        return Err(Error::Invalid(format!(
            "only {} of {all} files could be looked at; nothing was changed",
            report.files
        )));
    }
    progress.finishing();
    put_in_place(store, corpus, &task, report.changed).await?;
    progress.end();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// What an import is about. Only the very same one is taken up again: another must not bring to light what somebody
/// broke off.
struct Task {
    /// The corpus with which it began.
    version: Arc<str>,
    kind: Kind,
    paths: i64,
}

impl Task {
    fn identity(&self) -> String {
        format!("{} {:?} {}", self.version, self.kind, self.paths)
    }
}

/// The draft of this import where it was broken off; else a new copy of the corpus.
async fn draft(corpus: &Path, task: &Task) -> Result<Store, Error> {
    let file = beside(corpus, "draft");
    if file.exists() {
        if let Ok(mut left) = Store::open(&file).await
            && left.meta("task").await.ok().flatten() == Some(task.identity())
        {
            return Ok(left);
        }
        discard(&file);
    }
    std::fs::copy(corpus, &file)?;
    let mut store = Store::open(&file).await?;
    store.set_meta("task", &task.identity()).await?;
    Ok(store)
}

/// Moves the draft into the corpus's place, unless it says the same.
async fn put_in_place(mut store: Store, corpus: &Path, task: &Task, changed: u64) -> Result<(), Error> {
    let draft = beside(corpus, "draft");
    if changed == 0 && *store.content_version().await? == *task.version {
        drop(store);
        discard(&draft);
        return Ok(());
    }
    let imports: u64 = store.meta("imports").await?.and_then(|n| n.parse().ok()).unwrap_or(0);
    store.set_meta("imports", &(imports + 1).to_string()).await?;
    store.finish().await?;
    File::open(&draft)?.sync_all()?;
    std::fs::rename(&draft, corpus)?;
    Ok(())
}

/// One import at a time.
fn lock(file: &Path) -> Result<File, Error> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let lock = File::create(file)?;
    lock.try_lock().map_err(|_| Error::Invalid("another import is writing to it; wait for that one".into()))?;
    Ok(lock)
}

/// Reads and parses on as many threads as there are cores. What is not taken holds them up, so memory stays bounded.
fn parse_all(
    kind: Kind,
    list: Vec<Source>,
    known: &Arc<std::collections::HashMap<String, i64>>,
) -> mpsc::Receiver<Parsed> {
    let (done, parsed) = mpsc::channel(64);
    let (list, next) = (Arc::new(list), Arc::new(AtomicUsize::new(0)));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    for _ in 0..workers {
        let (list, next, known, done) = (Arc::clone(&list), Arc::clone(&next), Arc::clone(known), done.clone());
        std::thread::spawn(move || {
            let mut reader = Reader::default();
            while let Some(source) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (place, key) = (source.place(), source.key());
                let known = known.get(&key).copied();
                // A file that brings us down is a bad file, and takes nothing else with it.
                let outcome = catch_unwind(AssertUnwindSafe(|| parse(kind, source, known, &mut reader)));
                let outcome =
                    outcome.unwrap_or_else(|_| Outcome::Bad("reading it failed in a way that it should not".into()));
                if done.blocking_send(Parsed { place, key, bytes: source.size(), outcome }).is_err() {
                    return;
                }
            }
        });
    }
    parsed
}

fn parse(kind: Kind, source: &Source, known: Option<i64>, reader: &mut Reader) -> Outcome {
    let bytes = match reader.read(source) {
        Ok(bytes) => bytes,
        Err(reason) => return Outcome::Bad(reason),
    };
    let version = match kind {
        Kind::Bills => billstatus::VERSION,
        Kind::ExecutiveActions => federal_register::VERSION,
    };
    // The reader's version comes first, so that what a newer one has read is newer.
    let fingerprint = version << 48 | fingerprint(&bytes) & 0xffff_ffff_ffff;
    if known == Some(fingerprint) {
        return Outcome::Unchanged;
    }
    let records = match kind {
        Kind::Bills => billstatus::parse(&bytes, fingerprint).map(|bill| vec![Record::Bill(Box::new(bill))]),
        Kind::ExecutiveActions => federal_register::parse(&bytes)
            .map(|actions| actions.into_iter().map(Box::new).map(Record::ExecutiveAction).collect()),
    };
    match records {
        Ok(records) => Outcome::Read(fingerprint, records),
        Err(reason) => Outcome::Bad(reason),
    }
}
