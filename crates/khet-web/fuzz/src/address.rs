//! Fuzz target: any text as the path of an address.

use khet_web::routing::{Address, Page};

/// Reads paths. The path of the page that was read names the same page.
pub fn read_address(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for path in text.lines() {
        let address = Address::read(path);
        let Address { language, page, subject } = &address;
        assert!(*page != Page::NotFound || subject.is_empty(), "{path:?}");
        if let Some(language) = language.filter(|_| *page != Page::NotFound) {
            assert_eq!(Address::read(&page.path_of(language, subject)), address, "{path:?}");
        }
    }
}
