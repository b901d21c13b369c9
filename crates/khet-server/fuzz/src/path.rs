//! Fuzz target: any text as the path of a request.

use khet_server::fuzzing::page_path;

/// Splits paths. The parts of a page's path name the same page when they are put together.
pub fn read_path(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for path in text.lines() {
        let Some((language, page, subject)) = page_path(path) else { continue };
        for part in [language, Some(page), subject].into_iter().flatten() {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            assert!(part.bytes().all(plain), "{path:?}");
        }
        let parts = [language, Some(page), subject].into_iter().flatten();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let again = format!("/{}", parts.join("/"));
        assert_eq!(page_path(&again), Some((language, page, subject)), "{path:?}");
        assert_eq!(path.trim_end_matches('/'), again.trim_end_matches('/'));
    }
}
