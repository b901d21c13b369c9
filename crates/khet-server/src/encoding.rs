//! Negotiates the compression of a response from `Accept-Encoding`.
//!
//! Written by hand because the files are compressed at build time; the usual middleware compresses
//! every response again.

/// Compression of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    /// Returns the best accepted encoding. Plain is always possible.
    pub(crate) fn accepted(accept: &str) -> Encoding {
        let brotli = weight(accept, "br");
        let gzip = weight(accept, "gzip");
        if brotli > 0.0 && brotli >= gzip {
            Encoding::Brotli
        } else if gzip > 0.0 {
            Encoding::Gzip
        } else {
            Encoding::Plain
        }
    }

    /// Returns whether gzip is accepted, for responses that are compressed when they are sent.
    pub(crate) fn accepts_gzip(accept: &str) -> bool {
        weight(accept, "gzip") > 0.0
    }
}

/// Returns the weight that a client gives an encoding, from 0 (not accepted) to 1.
fn weight(accept: &str, encoding: &str) -> f32 {
    let mut any = 0.0;
    for entry in accept.split(',') {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(1.0, |quality| {
            quality.trim().parse::<f32>().ok().filter(|quality| quality.is_finite()).unwrap_or(0.0)
        });
        if name.eq_ignore_ascii_case(encoding) {
            return quality;
        }
        if name == "*" {
            any = quality;
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::Encoding;

    #[test]
    fn best_accepted_encoding_is_chosen() {
        for (accept, encoding) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate", Encoding::Gzip),
            ("GZIP;q=0.5", Encoding::Gzip),
            ("br;q=0.2, gzip;q=0.8", Encoding::Gzip),
            ("br;q=0, gzip", Encoding::Gzip),
            ("*", Encoding::Brotli),
            ("*;q=0.1, br;q=0", Encoding::Gzip),
            ("identity", Encoding::Plain),
            ("", Encoding::Plain),
            ("br;q=much, ;;,", Encoding::Plain),
            ("br;q=NaN", Encoding::Plain),
        ] {
            assert_eq!(Encoding::accepted(accept), encoding, "{accept:?}");
        }
    }
}
