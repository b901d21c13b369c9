//! Pictures of boards: what the app draws, and the same as files that need nothing else.
//!
//! [`geometry`], [`stone`], [`pieces`], [`marks`] and [`beam_path`] draw with classes, whose colours the app's style sheets have. A
//! [`Picture`] reads them from the same sheets, and is a document in which every colour is written out:
//!
//! ```
//! use khet::{Color, Setup};
//! use khet_picture::{Picture, Theme};
//!
//! let svg = Picture::new(&Setup::Classic.position()).beam(Color::Silver).theme(Theme::Day).to_svg();
//! assert!(svg.starts_with("<svg") && !svg.contains("class=") && !svg.contains("var("));
//! ```
//!
//! # Features
//!
//! * `png`: pictures as PNG.

#![forbid(unsafe_code)]

pub mod beam_path;
pub mod geometry;
mod glyphs;
mod light;
pub mod marks;
mod paint;
mod picture;
pub mod pieces;
#[cfg(feature = "png")]
mod png;
#[cfg(feature = "png")]
mod preview;
mod sheet;
pub mod stone;

pub use paint::Theme;
pub use picture::{Picture, content, wall_lasers};
#[cfg(feature = "png")]
pub use png::PngError;
#[cfg(feature = "png")]
pub use preview::preview;
