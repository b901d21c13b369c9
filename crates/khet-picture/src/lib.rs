//! Drawings of boards as SVG, for the app and as self-contained picture files.
//!
//! [`geometry`], [`stone`], [`tower`], [`pieces`], [`marks`] and [`beam_path`] draw with classes. In the app,
//! the style sheet `art.css` gives the classes their colours. A [`Picture`] takes them from the
//! same sheet and writes a document in which every colour is an attribute:
//!
//! ```
//! use khet::{Color, Setup};
//! use khet_picture::{Picture, Theme};
//!
//! let picture = Picture::new(&Setup::Classic.position()).beam(Color::Silver);
//! let svg = picture.theme(Theme::Light).to_svg();
//! assert!(svg.starts_with("<svg") && !svg.contains("class=") && !svg.contains("var("));
//! ```
//!
//! # Modules
//!
//! | module | task |
//! |---|---|
//! | [`geometry`] | coordinates, and which side of the board is at the bottom |
//! | [`stone`], [`pieces`], [`marks`] | the empty board, the pieces, marks on squares |
//! | [`tower`] | the Tower of Kadesh: its foot on the board and the raised platform |
//! | [`beam_path`], `light` | the lines of a shot; the shot as a still picture |
//! | `picture`, `paint`, `stylesheet`, `glyphs` | self-contained files with the app's colours |
//! | `png`, `preview` | PNG files and preview images of links |
//!
//! # Features
//!
//! * `png`: rendering of pictures as PNG.

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
pub mod stone;
mod stylesheet;
pub mod tower;

pub use paint::Theme;
pub use picture::{Picture, board_content, content, wall_lasers};
#[cfg(feature = "png")]
pub use png::PngError;
#[cfg(feature = "png")]
pub use preview::preview;
