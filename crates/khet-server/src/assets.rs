//! The files of the web app, embedded at build time.

/// A file with its compressed copies.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path without the leading slash.
    pub name: &'static str,
    /// The uncompressed content.
    pub plain: &'static [u8],
    /// The content compressed with Brotli.
    pub brotli: Option<&'static [u8]>,
    /// The content compressed with gzip.
    pub gzip: Option<&'static [u8]>,
}

/// The files of the web app.
#[derive(Clone, Copy, Debug)]
pub struct Assets {
    files: &'static [File],
}

static EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl Assets {
    /// Returns the files that are part of this program.
    pub fn embedded() -> Assets {
        Assets { files: EMBEDDED }
    }

    /// Creates assets from other files, which must be sorted by name.
    pub fn new(files: &'static [File]) -> Assets {
        debug_assert!(files.is_sorted_by_key(|file| file.name), "files are found by binary search");
        Assets { files }
    }

    /// Returns the file of a name. Names are compared as a whole, so there is no path traversal.
    pub(crate) fn find(self, name: &str) -> Option<&'static File> {
        let index = self.files.binary_search_by(|file| file.name.cmp(name)).ok()?;
        self.files.get(index)
    }
}

impl File {
    /// Returns the value for `Content-Type`.
    pub(crate) fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("wasm") => "application/wasm",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("webmanifest") => "application/manifest+json",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }

    /// Returns whether the name contains a hash of the content, as in `khet-0123456789ab.js`.
    pub(crate) fn is_named_by_content(&self) -> bool {
        let stem = self.name.rsplit_once('.').map_or(self.name, |(stem, _)| stem);
        stem.rsplit_once('-').is_some_and(|(_, hash)| {
            hash.len() == 12 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
    }
}

/// Returns a hash of the content (FNV-1a).
pub(crate) fn content_hash(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
