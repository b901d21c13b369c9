//! The files of the app: names by content, compressed copies, and the list that is kept for use offline.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::trouble;
use crate::step::Failure;

/// What is in a name that tells contents apart, in hexadecimal digits.
const HASH_DIGITS: usize = 12;

/// The files that were added so far.
pub(super) struct Bundle {
    folder: PathBuf,
    files: Vec<File>,
}

struct File {
    /// What sources call it.
    plain: String,
    /// What it is called in the folder.
    name: String,
    hash: String,
    size: usize,
    compressed: usize,
}

impl Bundle {
    /// Files in a folder that need not be there yet.
    pub(super) fn new(folder: &Path) -> Result<Bundle, Failure> {
        fs::create_dir_all(folder).map_err(|error| trouble(folder, &error))?;
        Ok(Bundle { folder: folder.to_owned(), files: Vec::new() })
    }

    /// Adds a file under a name that tells its content.
    pub(super) fn add_hashed(&mut self, plain: &str, content: &[u8]) -> Result<(), Failure> {
        let hash = hash(content);
        let name = match plain.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
            None => format!("{plain}-{hash}"),
        };
        self.write(plain, name, hash, content)
    }

    /// Adds a text under a name that tells its content, with the names of earlier files put in.
    pub(super) fn add_hashed_text(&mut self, plain: &str, text: &str) -> Result<(), Failure> {
        let text = self.with_names(text);
        self.add_hashed(plain, text.as_bytes())
    }

    /// Adds a text under its own name, with the names of earlier files put in.
    pub(super) fn add_text(&mut self, plain: &str, text: &str) -> Result<(), Failure> {
        let text = self.with_names(text);
        self.write(plain, plain.to_owned(), hash(text.as_bytes()), text.as_bytes())
    }

    /// Adds the service worker, with the list of files to keep and their version put in.
    pub(super) fn add_service_worker(&mut self, plain: &str, text: &str) -> Result<(), Failure> {
        let mut list = String::new();
        let mut hashes = String::from(text);
        for file in &self.files {
            // Pictures for the system's home screen are the system's to keep.
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

    /// Removes what earlier builds left. Gives names, sizes and compressed sizes.
    pub(super) fn finish(self) -> Result<Vec<(String, usize, usize)>, Failure> {
        let mut ours: BTreeSet<String> = BTreeSet::new();
        for File { name, .. } in &self.files {
            ours.extend([name.clone(), format!("{name}.br"), format!("{name}.gz")]);
        }
        let entries = fs::read_dir(&self.folder).map_err(|error| trouble(&self.folder, &error))?;
        for entry in entries.flatten() {
            if !ours.contains(&*entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(|error| trouble(&entry.path(), &error))?;
            }
        }
        Ok(self.files.into_iter().map(|file| (file.name, file.size, file.compressed)).collect())
    }

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
    ) -> Result<(), Failure> {
        let path = self.folder.join(&name);
        let copy = |extension: &str| self.folder.join(format!("{name}.{extension}"));
        // Compressing well takes seconds, and most files are as they were.
        let same = fs::read(&path).is_ok_and(|old| old == content);
        if !(same && copy("br").exists() && copy("gz").exists()) {
            save(&path, content)?;
            save(&copy("br"), &brotli(content))?;
            save(&copy("gz"), &gzip(content))?;
        }
        let compressed = fs::metadata(copy("br")).map_or(0, |file| file.len() as usize);
        let plain = plain.to_owned();
        self.files.push(File { plain, name, hash, size: content.len(), compressed });
        Ok(())
    }
}

/// Writes a file only if it changes: the server's build looks at times.
fn save(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(path, content).map_err(|error| trouble(path, &error))
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
