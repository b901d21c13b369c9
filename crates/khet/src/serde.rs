//! Serializes values as their notation. Shots and their parts are plain data and derive it.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{
    AnyPlacement, AnySetup, Color, Direction, Move, Piece, PieceBox, Placement, Rules, Setup,
    Square, Termination, TimeControl, tower,
};

macro_rules! as_text {
    ($($type:ty)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(tower::Square tower::Placement tower::Setup AnyPlacement AnySetup Move<tower::Square>);
as_text!(Color Direction Piece PieceBox Placement Rules Setup Square Termination TimeControl Move);
