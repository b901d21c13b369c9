//! The public API, spoken to over HTTP as programs and pages would.

mod archive;
mod bots;
mod client;
mod document;
mod explorer;
mod gallery;
mod limits;
mod people;
mod previews;
mod ratings;
mod reviews;
