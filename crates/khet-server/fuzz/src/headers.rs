//! Fuzz target: any text in the headers `Cookie`, `Authorization`, `Accept-Encoding` and
//! `Accept-Language`.

use khet_server::fuzzing::{api_token, content_encoding, language, session_token};

/// Reads every line as each of the headers.
pub fn read_headers(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lines: Vec<&str> = text.lines().collect();
    if let Some(token) = session_token(&lines) {
        assert!(!token.contains(';'), "{token:?}");
        let cookie = format!("khet={token}");
        assert_eq!(session_token(&[&cookie]), Some(token), "{lines:?}");
    }
    for line in lines {
        if let Some(token) = api_token(line) {
            let again = format!("Bearer {token}");
            assert_eq!(api_token(&again), Some(token.clone()));
            // A session token is never taken for an API token.
            assert!(line.starts_with("Bearer ") || token.is_empty(), "{line:?}");
        }
        if let Some(encoding) = content_encoding(line) {
            let named = line.to_ascii_lowercase().contains(encoding) || line.contains('*');
            assert!(named, "{line:?} does not accept {encoding}");
        }
        assert_eq!(language(language(line)), language(line), "{line:?}");
    }
}
