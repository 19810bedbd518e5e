//! The database: an embedded SQLite file with conversations and their events.
//!
//! One connection writes, so that group commit has one door; a small pool reads beside it (WAL). Only this module, its
//! children and the corpus speak SQL.

use std::{path::Path, sync::Arc, time::Duration};

use sqlx::{
    Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

/// What is kept of a conversation beside its events.
pub mod conversations;
/// What is derived from events.
pub mod derived;
/// The rows of the event log.
pub mod events;
/// What people have allowed.
pub mod grants;
/// Attached files.
pub mod media;

/// Shared, because one failed commit is told to everyone who had a part in it.
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct StorageError(Arc<sqlx::Error>);

impl StorageError {
    /// Somebody had it stopped.
    pub fn is_interrupted(&self) -> bool {
        // SQLITE_INTERRUPT
        matches!(&*self.0, sqlx::Error::Database(error) if error.code().is_some_and(|code| code == "9"))
    }
}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> Self {
        Self(Arc::new(error))
    }
}

impl From<sqlx::migrate::MigrateError> for StorageError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        sqlx::Error::from(error).into()
    }
}

pub type Result<T> = std::result::Result<T, StorageError>;

/// The reading side.
#[derive(Clone)]
pub struct Db {
    readers: SqlitePool,
}

/// The writing side. There is one, and the event log has it.
pub struct Writer {
    options: SqliteConnectOptions,
    /// None after a failure: SQLite may have rolled back by itself, so that nobody knows any more where the connection
    /// stands. The next write begins with a new one.
    connection: Option<SqliteConnection>,
}

impl Writer {
    async fn take_connection(&mut self) -> Result<SqliteConnection> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => Ok(SqliteConnection::connect_with(&self.options).await?),
        }
    }

    /// Lets the database grow no further, as a full disk would, for as long as this connection lasts.
    #[cfg(test)]
    pub async fn fill_disk(&mut self) {
        let connection = self.connection.as_mut().unwrap();
        sqlx::raw_sql("PRAGMA max_page_count = 1").execute(connection).await.unwrap();
    }
}

/// Opens, and if need be creates, the database.
pub async fn open(file: &Path) -> Result<(Db, Writer)> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // An event that a reader saw must survive a power cut, so every commit reaches the disk.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .foreign_keys(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::migrate!("src/server/db/migrations").run(&mut connection).await?;
    derived::tidy(&mut connection).await?;
    let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options.clone().read_only(true)).await?;
    Ok((Db { readers }, Writer { options, connection: Some(connection) }))
}

/// Makes every write of events fail, as a full disk would, until it is told otherwise.
#[cfg(test)]
pub async fn set_broken(file: &Path, is_broken: bool) {
    let mut connection = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file)).await.unwrap();
    let sql = match is_broken {
        true => "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
        false => "DROP TRIGGER broken",
    };
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
}
