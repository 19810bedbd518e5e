//! What there is to read: files, folders, and what lies in zip archives.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use zip::ZipArchive;

use super::Kind;

/// Official files reach 4 MB. What unpacks to more than this is not one of them.
const LARGEST: u64 = 64 * 1024 * 1024;

pub enum Source {
    File { path: PathBuf, size: u64 },
    Packed { archive: PathBuf, index: usize, name: String, size: u64 },
}

impl Source {
    /// For people: where it is.
    pub fn place(&self) -> String {
        match self {
            Self::File { path, .. } => path.display().to_string(),
            Self::Packed { archive, name, .. } => format!("{}/{name}", archive.display()),
        }
    }

    /// For the corpus, which is copied to others: what it is called, and not where it was.
    pub fn key(&self) -> String {
        match self {
            Self::File { path, .. } => {
                let mut tail: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
                tail.reverse();
                tail.join("/")
            }
            Self::Packed { archive, name, .. } => {
                format!("{}/{name}", archive.file_name().unwrap_or_default().to_string_lossy())
            }
        }
    }

    pub const fn size(&self) -> u64 {
        match self {
            Self::File { size, .. } | Self::Packed { size, .. } => *size,
        }
    }
}

/// Everything under these paths, in the order of their names, and what cannot be looked into, with the reason.
pub fn list(kind: Kind, paths: &[PathBuf]) -> (Vec<Source>, Vec<(String, String)>) {
    let (mut list, mut bad) = (Vec::new(), Vec::new());
    for path in paths {
        add(kind, path, true, &mut list, &mut bad);
    }
    (list, bad)
}

/// A file that was named is read whatever it is called; in a folder, only what looks like one of ours.
fn add(kind: Kind, path: &Path, is_named: bool, list: &mut Vec<Source>, bad: &mut Vec<(String, String)>) {
    let mut refuse = |reason: String| bad.push((path.display().to_string(), reason));
    // A link inside a folder may lead back to it, so only one that was named is followed.
    let found = if is_named { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
    let found = match found {
        Ok(found) => found,
        Err(error) => return refuse(error.to_string()),
    };
    if found.is_dir() {
        match std::fs::read_dir(path) {
            Ok(entries) => {
                let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                inside.sort();
                for path in inside {
                    add(kind, &path, false, list, bad);
                }
            }
            Err(error) => refuse(error.to_string()),
        }
    } else if found.is_file() && has_extension(path, &["zip"]) {
        match packed(kind, path) {
            Ok(packed) => list.extend(packed),
            Err(reason) => refuse(reason),
        }
    } else if found.is_file() && (is_named || is_ours(kind, path)) {
        list.push(Source::File { path: path.to_owned(), size: found.len() });
    }
}

fn packed(kind: Kind, path: &Path) -> Result<Vec<Source>, String> {
    let mut archive = open(path)?;
    let mut list = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| error.to_string())?;
        let name = entry.name().map_err(|error| error.to_string())?.into_owned();
        if entry.is_file() && is_ours(kind, Path::new(&name)) {
            let size = entry.size();
            list.push(Source::Packed { archive: path.to_owned(), index, name, size });
        }
    }
    Ok(list)
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| format!("this is not a whole zip archive: {error}"))
}

fn is_ours(kind: Kind, path: &Path) -> bool {
    match kind {
        Kind::Bills => has_extension(path, &["xml"]),
        Kind::ExecutiveActions => has_extension(path, &["json", "csv"]),
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|each| extension.eq_ignore_ascii_case(each)))
}

/// Reads sources, and keeps archives open from one to the next.
#[derive(Default)]
pub struct Reader {
    archives: HashMap<PathBuf, ZipArchive<BufReader<File>>>,
}

impl Reader {
    pub fn read(&mut self, source: &Source) -> Result<Vec<u8>, String> {
        match source {
            Source::File { path, .. } => whole(File::open(path).map_err(|error| error.to_string())?),
            Source::Packed { archive, index, .. } => {
                if !self.archives.contains_key(archive) {
                    self.archives.insert(archive.clone(), open(archive)?);
                }
                let archive = self.archives.get_mut(archive).ok_or("the archive is gone")?;
                whole(archive.by_index(*index).map_err(|error| error.to_string())?)
            }
        }
    }
}

fn whole(mut from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.by_ref().take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    match bytes.len() as u64 {
        0 => Err("it is empty".into()),
        length if length > LARGEST => Err(format!("it is larger than {} MB", LARGEST / 1024 / 1024)),
        _ => Ok(bytes),
    }
}
