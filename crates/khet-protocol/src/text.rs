//! Types that serde writes as text, by `Display` and `FromStr`, and texts that people write.

/// Implements serde by `Display` and `FromStr`; the example is for the API documentation.
macro_rules! as_text {
    ($($type:ty, $example:literal);* $(;)?) => {$(
        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .examples([$example])
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $type {}

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

pub(crate) use as_text;

/// Maximum number of characters of a wrong text that an error repeats.
const MAX_EXCERPT_LENGTH: usize = 20;

/// Returns the beginning of a wrong text, to quote it in an error.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns whether a character is invisible and can make a text look like another or be empty:
/// controls, marks that change the writing direction, blanks that are no space, tags.
///
/// Texts that people write for others are refused if they contain one: chat messages, names and
/// descriptions of setups, reports, labels of tokens. Names of accounts are ASCII. Zero-width
/// joiners are allowed, because emoji and some scripts need them.
///
/// ```
/// assert!(khet_protocol::is_invisible('\u{202e}'));
/// assert!(!"Ahoj, žluťoučký 👩\u{200d}🚀 ❤\u{fe0f}!".contains(khet_protocol::is_invisible));
/// ```
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
