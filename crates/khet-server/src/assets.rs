//! The app's files, embedded when the server was built.

/// A file of the app with its compressed copies.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name, which is its address behind the first slash.
    pub name: &'static str,
    /// The content as it is.
    pub plain: &'static [u8],
    /// The content compressed with Brotli.
    pub brotli: Option<&'static [u8]>,
    /// The content compressed with gzip.
    pub gzip: Option<&'static [u8]>,
}

/// The app: the files that are served.
#[derive(Clone, Copy, Debug)]
pub struct Assets {
    /// Sorted by name.
    files: &'static [File],
}

static EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl Assets {
    /// The app that is part of this program.
    pub fn embedded() -> Assets {
        Assets { files: EMBEDDED }
    }

    /// An app of other files, which must be sorted by name.
    pub fn new(files: &'static [File]) -> Assets {
        debug_assert!(files.is_sorted_by_key(|file| file.name), "files are found by binary search");
        Assets { files }
    }

    /// The file of exactly this name. There are no folders, so nothing can lead out of one.
    pub(crate) fn find(self, name: &str) -> Option<&'static File> {
        let place = self.files.binary_search_by(|file| file.name.cmp(name)).ok()?;
        self.files.get(place)
    }
}

impl File {
    /// What browsers are told it is.
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

    /// Whether the name tells the content: `khet-0123456789ab.js`.
    pub(crate) fn is_named_by_content(&self) -> bool {
        let stem = self.name.rsplit_once('.').map_or(self.name, |(stem, _)| stem);
        stem.rsplit_once('-').is_some_and(|(_, hash)| {
            hash.len() == 12 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
    }
}

/// A mark that changes with the content (FNV-1a).
pub(crate) fn mark(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
