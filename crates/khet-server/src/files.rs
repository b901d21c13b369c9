//! The app's files, embedded when the server was built.

/// A file with its compressed copies.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: &'static str,
    pub(crate) plain: &'static [u8],
    pub(crate) brotli: Option<&'static [u8]>,
    pub(crate) gzip: Option<&'static [u8]>,
}

/// Sorted by name.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file of exactly this name. There are no folders, so nothing can lead out of one.
pub(crate) fn find(name: &str) -> Option<&'static File> {
    let place = FILES.binary_search_by(|file| file.name.cmp(name)).ok()?;
    FILES.get(place)
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

    /// A mark that changes with the content (FNV-1a).
    pub(crate) fn mark(&self) -> u64 {
        self.plain.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}
