//! The embedded corpus: US bills and executive actions in a SQLite file of its own, with full-text search.
//!
//! It is made from the built-in sample on the first start, and grows by imports (`vitrine import`). Whoever writes it
//! writes a draft beside it and moves that into its place when it is whole, so nobody ever sees a half; a running server
//! notices the new file and goes on with that.

use std::{
    fs::{File, Metadata},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::SystemTime,
};

use sqlx::{
    Connection, Row, Sqlite, SqliteConnection, SqlitePool,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use tokio_util::sync::CancellationToken;

use super::{Error, db::StorageError};

/// Reading bills: search, list, look up, count.
pub mod bills;
/// Reading executive actions.
pub mod executive_actions;
/// From what a person typed to what FTS5 takes.
pub mod query;
/// What ships with the program.
mod sample;
/// Words that are nearly the same.
pub mod spelling;
/// Writing: only imports and the sample do.
pub mod store;

pub use bills::BillFilters;
pub use executive_actions::ActionFilters;
pub use query::{Concept, MOST_WORDS, Match, Order, words};

/// Changes with the schema. Older files are made anew.
const SCHEMA_VERSION: i32 = 4;

/// A search must not wait for others, and each reader holds a page cache.
const READERS: u32 = 4;

#[derive(Clone)]
pub struct Corpus {
    file: Arc<Path>,
    opened: Arc<RwLock<Opened>>,
    /// Interrupts whatever this one reads.
    stop: CancellationToken,
}

/// How many of SQLite's steps pass between two looks at whether to go on: about a tenth of a millisecond.
const STEPS: i32 = 10_000;

#[derive(Clone)]
struct Opened {
    readers: SqlitePool,
    stamp: Option<Stamp>,
    version: Arc<str>,
}

/// Tells one file from another in the same place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Clocks of file systems are coarse; a file that was moved here is another one in any case.
    node: u64,
}

impl Stamp {
    fn of(file: &Path) -> Option<Self> {
        let found = std::fs::metadata(file).ok()?;
        Some(Self { modified: found.modified().ok(), length: found.len(), node: node(&found) })
    }
}

#[cfg(unix)]
fn node(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
const fn node(_: &Metadata) -> u64 {
    0
}

impl Corpus {
    /// Opens the corpus, after making it from the sample where there is none.
    pub async fn open(file: &Path) -> Result<Self, Error> {
        if !is_there(file).await? {
            // A server and an import may both be the first.
            let lock = File::create(beside(file, "making"))?;
            let taken = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await;
            let _lock = taken.map_err(|_| Error::Stopping)??;
            if !is_there(file).await? {
                sample::make(file).await?;
            }
        }
        let opened = Opened::open(file).await?;
        Ok(Self { file: file.into(), opened: Arc::new(RwLock::new(opened)), stop: CancellationToken::new() })
    }

    /// Which data this is: the same for two corpora that hold the same.
    pub fn version(&self) -> Arc<str> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner).version)
    }

    /// Which data this is, of the newest file.
    pub async fn edition(&self) -> String {
        self.readers().await;
        self.version().to_string()
    }

    /// The same corpus, for somebody who may be told to stop: SQLite is interrupted then, in the middle of a query.
    pub fn until(&self, stop: CancellationToken) -> Self {
        Self { stop, ..self.clone() }
    }

    /// A connection to read from.
    async fn reader(&self) -> Result<PoolConnection<Sqlite>, StorageError> {
        let mut reader = self.readers().await.acquire().await?;
        // It is set anew by everyone who takes a connection, so nobody is stopped by another's.
        let stop = self.stop.clone();
        reader.lock_handle().await?.set_progress_handler(STEPS, move || !stop.is_cancelled());
        Ok(reader)
    }

    /// Connections to the newest file. One that cannot be opened is left alone, and the old one goes on.
    async fn readers(&self) -> SqlitePool {
        let (readers, stamp) = {
            let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
            (opened.readers.clone(), opened.stamp)
        };
        if Stamp::of(&self.file).is_none_or(|now| Some(now) == stamp) {
            return readers;
        }
        match Opened::open(&self.file).await {
            Ok(newer) => {
                tracing::info!(version = %newer.version, "the corpus has been replaced");
                let readers = newer.readers.clone();
                *self.opened.write().unwrap_or_else(PoisonError::into_inner) = newer;
                readers
            }
            Err(error) => {
                tracing::warn!(%error, "the new corpus cannot be read; going on with the old one");
                readers
            }
        }
    }
}

impl Opened {
    async fn open(file: &Path) -> Result<Self, Error> {
        let stamp = Stamp::of(file);
        let opened = async {
            // All at once and for good: one that is opened later would open whatever is in this place by then.
            let readers = SqlitePoolOptions::new()
                .max_connections(READERS)
                .min_connections(READERS)
                .max_lifetime(None)
                .idle_timeout(None)
                .connect_with(reading(file))
                .await?;
            let schema: i32 = sqlx::query("PRAGMA user_version").fetch_one(&readers).await?.get(0);
            if schema != SCHEMA_VERSION {
                return Err(sqlx::Error::Protocol(format!("its schema is {schema}, not {SCHEMA_VERSION}")));
            }
            let row = sqlx::query("SELECT value FROM meta WHERE key = 'version'").fetch_one(&readers).await?;
            Ok::<_, sqlx::Error>(Self { readers, stamp, version: row.get::<String, _>(0).into() })
        };
        Ok(opened.await.map_err(StorageError::from)?)
    }
}

/// Whether there is a corpus that can be used. Imported data that cannot be is never thrown away: it is an error, or, if
/// it is no database at all, set aside.
async fn is_there(file: &Path) -> Result<bool, Error> {
    if !file.exists() {
        return Ok(false);
    }
    match identity(file).await {
        Ok(Identity { schema: SCHEMA_VERSION, sample, imports }) => {
            Ok(imports > 0 || sample.as_deref() == Some(&sample::fingerprint()))
        }
        Ok(Identity { imports: 0, .. }) => Ok(false),
        Ok(_) => Err(Error::Invalid(format!(
            "{} was imported by another version of Vitrine. Move it away and import again.",
            file.display()
        ))),
        Err(error) if is_no_database(&error) => {
            let aside = beside(file, "unreadable");
            tracing::warn!(%error, "{} cannot be read, and is now {}", file.display(), aside.display());
            std::fs::rename(file, aside)?;
            Ok(false)
        }
        Err(error) => Err(StorageError::from(error).into()),
    }
}

struct Identity {
    schema: i32,
    sample: Option<String>,
    imports: u64,
}

async fn identity(file: &Path) -> Result<Identity, sqlx::Error> {
    let mut connection = SqliteConnection::connect_with(&reading(file)).await?;
    let schema: i32 = sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await?.get(0);
    let sample = store::meta(&mut connection, "sample").await.ok().flatten();
    // Before there were imports, there was no such table.
    let imports = store::meta(&mut connection, "imports").await.ok().flatten();
    Ok(Identity { schema, sample, imports: imports.and_then(|n| n.parse().ok()).unwrap_or(0) })
}

/// SQLite's codes for a file that is none of its own, or a torn one.
fn is_no_database(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    matches!(code.as_deref(), Some("11" | "26"))
}

/// Nobody changes the file once it is in its place, so SQLite need not look out for that.
fn reading(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).read_only(true).immutable(true)
}

/// A file beside the corpus: `corpus.draft`, `corpus.lock`.
pub fn beside(file: &Path, extension: &str) -> PathBuf {
    file.with_extension(extension)
}

/// Removes a draft with what SQLite keeps beside it.
pub fn discard(draft: &Path) {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut file = draft.as_os_str().to_owned();
        file.push(ending);
        let _ = std::fs::remove_file(file);
    }
}

#[cfg(test)]
pub mod tests;
