//! The embedded corpus: US bills and executive actions in a SQLite file of its own, with full-text search.
//!
//! It is made from the built-in sample on the first start, and grows by imports (`vitrine import`). Whoever writes it
//! writes a draft beside it and moves that into its place when it is whole, so nobody ever sees a half; a running server
//! notices the new file and goes on with that.

use std::{
    fs::Metadata,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::SystemTime,
};

use sqlx::{
    Connection, Row, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

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
mod spelling;
/// Writing: only imports and the sample do.
pub mod store;

pub use bills::BillFilters;
pub use executive_actions::ActionFilters;
pub use query::{Concept, Match, words};

/// Changes with the schema. Older files are made anew.
const SCHEMA_VERSION: i32 = 3;

/// A search must not wait for others, and each reader holds a page cache.
const READERS: u32 = 4;

#[derive(Clone)]
pub struct Corpus {
    file: Arc<Path>,
    opened: Arc<RwLock<Opened>>,
}

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

/// What is in the place of the corpus.
enum Found {
    /// One that can be used, with its version.
    Current,
    /// Nothing, or nothing that is worth keeping.
    Nothing,
    /// Imported data that this program cannot read.
    Foreign,
}

impl Corpus {
    /// Opens the corpus, after making it from the sample where there is none.
    pub async fn open(file: &Path) -> Result<Self, Error> {
        match look(file).await {
            Found::Current => {}
            Found::Nothing => sample::make(file).await?,
            Found::Foreign => {
                return Err(Error::Invalid(format!(
                    "{} was imported by another version of Vitrine. Move it away and import again.",
                    file.display()
                )));
            }
        }
        let opened = Opened::open(file).await?;
        Ok(Self { file: file.into(), opened: Arc::new(RwLock::new(opened)) })
    }

    /// Which data this is: the same for two corpora that hold the same.
    pub fn version(&self) -> Arc<str> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner).version)
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
        // Nobody changes the file once it is in its place, so SQLite need not look out for that.
        let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
        let opened = async {
            let readers = SqlitePoolOptions::new().max_connections(READERS).connect_with(options).await?;
            let row = sqlx::query("SELECT value FROM meta WHERE key = 'version'").fetch_one(&readers).await?;
            Ok::<_, sqlx::Error>(Self { readers, stamp, version: row.get::<String, _>(0).into() })
        };
        Ok(opened.await.map_err(StorageError::from)?)
    }
}

async fn look(file: &Path) -> Found {
    if !file.exists() {
        return Found::Nothing;
    }
    match identity(file).await {
        Ok((SCHEMA_VERSION, Some(sample), imports)) if imports > 0 || sample == sample::fingerprint() => Found::Current,
        Ok((_, _, imports)) if imports > 0 => Found::Foreign,
        Ok(_) => Found::Nothing,
        Err(error) => {
            let aside = beside(file, "unreadable");
            tracing::warn!(%error, "{} cannot be read, and is now {}", file.display(), aside.display());
            let _ = std::fs::rename(file, aside);
            Found::Nothing
        }
    }
}

/// Schema, sample and number of imports.
async fn identity(file: &Path) -> Result<(i32, Option<String>, u64), sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let schema: i32 = sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await?.get(0);
    if schema != SCHEMA_VERSION {
        // There was no import before this schema.
        return Ok((schema, None, 0));
    }
    let sample = store::meta(&mut connection, "sample").await?;
    let imports = store::meta(&mut connection, "imports").await?.and_then(|n| n.parse().ok()).unwrap_or(0);
    Ok((schema, sample, imports))
}

/// A file beside the corpus: `corpus.draft`, `corpus.lock`.
pub fn beside(file: &Path, extension: &str) -> PathBuf {
    file.with_extension(extension)
}

#[cfg(test)]
pub mod tests;
