//! Why a game ended.

use std::fmt;
use std::str::FromStr;

/// The reason why a game ended.
///
/// It has one text form, used in the `Termination` tag of game records, in JSON and in databases:
///
/// ```
/// use khet::Termination;
///
/// assert_eq!(Termination::PharaohHit.to_string(), "pharaoh-hit");
/// assert_eq!("resignation".parse(), Ok(Termination::Resignation));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Termination {
    /// A shot hit a pharaoh, or with an Eye of Horus both at once.
    PharaohHit,
    /// The player to move had no legal move, and lost.
    NoLegalMove,
    /// A player resigned.
    Resignation,
    /// The player to move claimed a draw by repetition.
    Repetition,
    /// The players agreed to a draw.
    Agreement,
    /// A player ran out of time.
    Time,
    /// A player left, and the other one claimed the win or a draw.
    Abandonment,
    /// The game was called off before both players had made a move. It has no result.
    Aborted,
    /// An engine answered with an illegal move.
    IllegalMove,
    /// An engine exited, or broke the protocol.
    EngineCrash,
    /// An engine did not answer in time.
    EngineHang,
    /// The game was too long and ended as a draw, in an engine match or on a server.
    MoveLimit,
    /// The game record gives only the result.
    Unspecified,
}

/// Spellings of earlier versions, found in game records, databases and saved games. The sentences
/// followed `Silver wins: `, `Red wins: `, `Draw: ` or `No result: ` in records of the server.
const FORMER_NAMES: [(&str, Termination); 20] = [
    ("pharaohs-lit", Termination::PharaohHit),
    ("pharaoh lit", Termination::PharaohHit),
    ("a pharaoh is lit", Termination::PharaohHit),
    ("both pharaohs are lit", Termination::PharaohHit),
    ("no-turn", Termination::NoLegalMove),
    ("no turn", Termination::NoLegalMove),
    ("no legal turn is left", Termination::NoLegalMove),
    ("the other player resigned", Termination::Resignation),
    ("the arrangement came back, and it was claimed", Termination::Repetition),
    ("the players agreed", Termination::Agreement),
    ("the time ran out", Termination::Time),
    ("left", Termination::Abandonment),
    ("the other player left", Termination::Abandonment),
    ("the game was aborted", Termination::Aborted),
    ("illegal turn", Termination::IllegalMove),
    ("crash", Termination::EngineCrash),
    ("hang", Termination::EngineHang),
    ("turn limit", Termination::MoveLimit),
    ("recorded", Termination::Unspecified),
    ("no-moves", Termination::NoLegalMove),
];

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 13] = [
        Termination::PharaohHit,
        Termination::NoLegalMove,
        Termination::Resignation,
        Termination::Repetition,
        Termination::Agreement,
        Termination::Time,
        Termination::Abandonment,
        Termination::Aborted,
        Termination::IllegalMove,
        Termination::EngineCrash,
        Termination::EngineHang,
        Termination::MoveLimit,
        Termination::Unspecified,
    ];

    /// Its text form.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::PharaohHit => "pharaoh-hit",
            Termination::NoLegalMove => "no-legal-move",
            Termination::Resignation => "resignation",
            Termination::Repetition => "repetition",
            Termination::Agreement => "agreement",
            Termination::Time => "time",
            Termination::Abandonment => "abandonment",
            Termination::Aborted => "aborted",
            Termination::IllegalMove => "illegal-move",
            Termination::EngineCrash => "engine-crash",
            Termination::EngineHang => "engine-hang",
            Termination::MoveLimit => "move-limit",
            Termination::Unspecified => "unspecified",
        }
    }

    /// Returns whether the last position shows it. [`Position::outcome`](crate::Position::outcome)
    /// returns no others.
    pub const fn is_on_board(self) -> bool {
        matches!(self, Termination::PharaohHit | Termination::NoLegalMove)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no termination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseTerminationError;

impl fmt::Display for ParseTerminationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown termination; examples are pharaoh-hit, resignation and time")
    }
}

impl std::error::Error for ParseTerminationError {}

impl FromStr for Termination {
    type Err = ParseTerminationError;

    /// Reads the text form, and the spellings of earlier versions.
    fn from_str(text: &str) -> Result<Termination, ParseTerminationError> {
        if let Some(known) = Termination::ALL.into_iter().find(|known| known.name() == text) {
            return Ok(known);
        }
        let former = text.split_once(": ").map_or(text, |(_result, sentence)| sentence);
        let found = FORMER_NAMES.into_iter().find(|(name, _)| *name == former);
        found.map(|(_, termination)| termination).ok_or(ParseTerminationError)
    }
}
