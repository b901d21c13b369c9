//! The files of the app: names with content hashes, compressed copies, and the list of files for
//! offline use.
//!
//! Written by hand because it is small and needs only Rust: the usual bundlers (Trunk, esbuild) do
//! not know several programs that share one style sheet, and add a tool to install.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::failure;
use crate::step::TaskError;

/// The number of hexadecimal digits of the hash in a name.
const HASH_DIGITS: usize = 12;

/// The files added so far.
pub(super) struct Bundle {
    folder: PathBuf,
    files: Vec<BundledFile>,
}

struct BundledFile {
    /// The name that sources use.
    plain: String,
    /// The name in the folder, with the hash.
    name: String,
    hash: String,
    size: usize,
    compressed: usize,
}

impl Bundle {
    /// Creates an empty bundle, and its folder if necessary.
    pub(super) fn new(folder: &Path) -> Result<Bundle, TaskError> {
        fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
        Ok(Bundle { folder: folder.to_owned(), files: Vec::new() })
    }

    /// Adds a file under a name with its hash.
    pub(super) fn add_hashed(&mut self, plain: &str, content: &[u8]) -> Result<(), TaskError> {
        let hash = hash(content);
        let name = match plain.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
            None => format!("{plain}-{hash}"),
        };
        self.write(plain, name, hash, content)
    }

    /// Adds a text under a name with its hash, after replacing the names of earlier files.
    pub(super) fn add_hashed_text(&mut self, plain: &str, text: &str) -> Result<(), TaskError> {
        let text = self.with_names(text);
        self.add_hashed(plain, text.as_bytes())
    }

    /// Adds a text under its plain name, after replacing the names of earlier files.
    pub(super) fn add_text(&mut self, plain: &str, text: &str) -> Result<(), TaskError> {
        let text = self.with_names(text);
        self.write(plain, plain.to_owned(), hash(text.as_bytes()), text.as_bytes())
    }

    /// Adds the service worker, after putting in the list of files to cache and their version.
    pub(super) fn add_service_worker(&mut self, plain: &str, text: &str) -> Result<(), TaskError> {
        let mut list = String::new();
        let mut hashes = String::from(text);
        for file in &self.files {
            // The system stores the icons of its home screen itself.
            if file.name.ends_with(".png") {
                continue;
            }
            let address = if file.plain == "index.html" { "" } else { &file.name };
            let _ = write!(list, "\"/{address}\", ");
            hashes.push_str(&file.hash);
        }
        let list = format!("[{}]", list.trim_end_matches(", "));
        let version = format!("{:?}", hash(hashes.as_bytes()));
        let text = text.replace("\"VERSION\"", &version).replace("[\"FILES\"]", &list);
        self.write(plain, plain.to_owned(), hash(text.as_bytes()), text.as_bytes())
    }

    /// Removes the files of earlier builds, and returns names, sizes and compressed sizes.
    pub(super) fn finish(self) -> Result<Vec<(String, usize, usize)>, TaskError> {
        let mut ours: BTreeSet<String> = BTreeSet::new();
        for BundledFile { name, .. } in &self.files {
            ours.extend([name.clone(), format!("{name}.br"), format!("{name}.gz")]);
        }
        let entries = fs::read_dir(&self.folder).map_err(|error| failure(&self.folder, &error))?;
        for entry in entries.flatten() {
            if !ours.contains(&*entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(|error| failure(&entry.path(), &error))?;
            }
        }
        Ok(self.files.into_iter().map(|file| (file.name, file.size, file.compressed)).collect())
    }

    /// Replaces the plain names of the files by their final names.
    fn with_names(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for file in &self.files {
            text = text.replace(&format!("\"/{}\"", file.plain), &format!("\"/{}\"", file.name));
        }
        text
    }

    fn write(
        &mut self,
        plain: &str,
        name: String,
        hash: String,
        content: &[u8],
    ) -> Result<(), TaskError> {
        let path = self.folder.join(&name);
        let copy = |extension: &str| self.folder.join(format!("{name}.{extension}"));
        // Compression takes seconds, so unchanged files are skipped.
        let same = fs::read(&path).is_ok_and(|old| old == content);
        if !(same && copy("br").exists() && copy("gz").exists()) {
            save(&path, content)?;
            save(&copy("br"), &brotli(content))?;
            save(&copy("gz"), &gzip(content))?;
        }
        let compressed = fs::metadata(copy("br")).map_or(0, |file| file.len() as usize);
        let plain = plain.to_owned();
        self.files.push(BundledFile { plain, name, hash, size: content.len(), compressed });
        Ok(())
    }
}

/// Writes a file only if it changes, because the server's build script watches the times.
fn save(path: &Path, content: &[u8]) -> Result<(), TaskError> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(path, content).map_err(|error| failure(path, &error))
}

fn hash(content: &[u8]) -> String {
    let mut hash = format!("{:x}", Sha256::digest(content));
    hash.truncate(HASH_DIGITS);
    hash
}

fn brotli(content: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 11, 24);
    // Writing to memory does not fail.
    let _ = writer.write_all(content);
    drop(writer);
    compressed
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    let _ = writer.write_all(content);
    writer.finish().unwrap_or_default()
}
