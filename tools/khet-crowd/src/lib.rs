//! Clients that play real games against a server, as browsers would: they fold events, choose legal moves, come back by themselves when the
//! connection breaks, and send what was not answered again.
//!
//! `khet-crowd` plays thousands of games at once and tells how quickly moves are acknowledged. Tests use the parts: a [`Guest`] asks over
//! HTTP, a [`Line`] is a bare WebSocket on which anything can be said, a [`Player`] plays. A [`Playout`] is a game made up by chance:
//! `khet-playouts` writes records of them, and `khet-explore` asks the explorer about their positions.

#![forbid(unsafe_code)]

mod figures;
mod guest;
mod line;
mod player;
mod playout;

pub use figures::{Figures, Summary};
pub use guest::{Answer, Guest, request};
pub use line::Line;
pub use player::{Broken, Pace, Player};
pub use playout::Playout;
