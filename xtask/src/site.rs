//! From compiled files to a site: names, sizes, places.
//!
//! A release's files carry a hash of their contents in their names, so that browsers can keep them for ever, and are
//! compressed once, here, so that the server never has to.

use std::{
    fs,
    hash::{DefaultHasher, Hasher},
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::json;
use wasm_bindgen_cli_support::Bindgen;

use crate::style;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Plain,
    HashedAndCompressed,
}

/// Makes the site in `folder`: `pkg/` with script, program and style, beside them what is in `public/`, and a manifest
/// that tells the server their names.
pub fn make(wasm: &Path, folder: &Path, packing: Packing) -> Result<PathBuf, String> {
    let package = folder.join("pkg");
    let draft = folder.with_extension("draft");
    let _ = fs::remove_dir_all(&draft);
    bind(wasm, &draft, packing)?;
    let mut pieces = vec![
        Piece::read("vitrine", "js", &draft.join("vitrine.js"))?,
        Piece::read("vitrine", "wasm", &draft.join("vitrine_bg.wasm"))?,
        Piece { name: "vitrine", kind: "css", bytes: style::join(Path::new("style"))?.into_bytes() },
    ];
    fs::create_dir_all(&package).map_err(told(&package))?;
    let names = pieces.iter().map(|piece| piece.file_name(packing)).collect::<Vec<_>>();
    remove_others(&package, &names)?;
    for (piece, name) in pieces.drain(..).zip(&names) {
        write(&package.join(name), &piece.bytes, packing)?;
    }
    // Scripts that came with crates are imported by their relative path.
    copy_folder(&draft.join("snippets"), &package.join("snippets"), packing)?;
    copy_folder(Path::new("public"), folder, packing)?;
    let manifest = json!({
        "hashed": packing == Packing::HashedAndCompressed, "script": names[0], "program": names[1], "style": names[2],
    });
    let file = folder.join("assets.json");
    fs::write(&file, manifest.to_string()).map_err(told(&file))?;
    let _ = fs::remove_dir_all(&draft);
    Ok(folder.to_owned())
}

struct Piece {
    name: &'static str,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Piece {
    fn read(name: &'static str, kind: &'static str, file: &Path) -> Result<Self, String> {
        Ok(Self { name, kind, bytes: fs::read(file).map_err(told(file))? })
    }

    fn file_name(&self, packing: Packing) -> String {
        match packing {
            Packing::Plain => format!("{}.{}", self.name, self.kind),
            Packing::HashedAndCompressed => {
                let mut hash = DefaultHasher::new();
                hash.write(&self.bytes);
                format!("{}.{:016x}.{}", self.name, hash.finish(), self.kind)
            }
        }
    }
}

fn bind(wasm: &Path, out: &Path, packing: Packing) -> Result<(), String> {
    let is_small = packing == Packing::HashedAndCompressed;
    let mut bindgen = Bindgen::new();
    let bound = bindgen.input_path(wasm).web(true).and_then(|bindgen| {
        bindgen
            .out_name("vitrine")
            .typescript(false)
            .remove_name_section(is_small)
            .remove_producers_section(is_small)
            .generate(out)
    });
    bound.map_err(|error| format!("wasm-bindgen: {error:#}"))
}

/// Writes a file and, where that is wanted, its compressed forms. A hashed file that is there already is the same.
fn write(file: &Path, bytes: &[u8], packing: Packing) -> Result<(), String> {
    if packing == Packing::HashedAndCompressed
        && fs::read(file).is_ok_and(|known| known == bytes)
        && with(file, "br").exists()
    {
        return Ok(());
    }
    fs::write(file, bytes).map_err(told(file))?;
    if packing == Packing::HashedAndCompressed {
        // The compressed forms last, each whole: whoever finds one may use it.
        put(&with(file, "gz"), &gzip(bytes))?;
        put(&with(file, "br"), &brotli(bytes))?;
    }
    Ok(())
}

fn put(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let draft = with(file, "draft");
    fs::write(&draft, bytes).map_err(told(&draft))?;
    fs::rename(&draft, file).map_err(told(file))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 64 * 1024, 11, 22);
    let _ = writer.write_all(bytes);
    drop(writer);
    compressed
}

fn remove_others(package: &Path, names: &[String]) -> Result<(), String> {
    for entry in fs::read_dir(package).map_err(told(package))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = names.iter().any(|ours| name.starts_with(ours.as_str()));
        if !is_ours && entry.path().is_file() {
            fs::remove_file(entry.path()).map_err(told(&entry.path()))?;
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path, packing: Packing) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(from) else { return Ok(()) };
    fs::create_dir_all(to).map_err(told(to))?;
    for entry in entries.flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to, packing)?;
        } else {
            write(&to, &fs::read(&from).map_err(told(&from))?, packing)?;
        }
    }
    Ok(())
}

fn with(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    name.into()
}

pub fn told(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
