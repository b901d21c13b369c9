//! Addresses of pages, and navigation between them.

mod address;
mod navigation;
mod not_found;
mod page;

pub use address::{Address, position_query};
pub use navigation::{Navigation, initial_language, use_navigation};
pub use not_found::NotFound;
pub use page::{Area, Page, Program};
