//! The fuzz targets: one function each, which panics if the server is wrong.
//!
//! An ordinary test runs the stored seeds through the same functions.

mod actions;
mod forwarded;
mod headers;
mod import;
mod path;
mod query;

pub use actions::act;
pub use forwarded::read_forwarded;
pub use headers::read_headers;
pub use import::import;
pub use path::read_path;
pub use query::read_query;
