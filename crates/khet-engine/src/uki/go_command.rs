//! The `go` command.

use std::str::SplitWhitespace;
use std::time::Duration;

use khet::Move;
use khet::tower::Square;

use super::protocol::{CommandError, command_error, number};
use crate::{Limits, RemainingTime};

/// The parameters of `go`.
#[derive(Default)]
pub(super) struct GoCommand {
    pub(super) limits: Limits,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) moves: Option<Vec<Move<Square>>>,
    pub(super) perft: Option<u32>,
}

impl GoCommand {
    /// Reads the arguments of `go`.
    pub(super) fn read(words: SplitWhitespace<'_>) -> Result<GoCommand, CommandError> {
        let mut request = GoCommand::default();
        let mut times: [Option<u64>; 4] = [None; 4];
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let mut value = || number(word, words.next().unwrap_or_default(), 0, u64::MAX >> 1);
            let limits = &mut request.limits;
            match word {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "depth" => limits.depth = Some(value()?.clamp(1, 10_000) as u32),
                "nodes" => limits.nodes = Some(value()?.max(1)),
                "mate" => limits.mate = Some(value()?.clamp(1, 10_000) as u32),
                "movetime" => limits.movetime = Some(Duration::from_millis(value()?)),
                "stime" => times[0] = Some(value()?),
                "rtime" => times[1] = Some(value()?),
                "sinc" => times[2] = Some(value()?),
                "rinc" => times[3] = Some(value()?),
                "movestogo" => drop(value()?),
                "perft" => request.perft = Some(value()?.min(9) as u32),
                "searchmoves" => {
                    let moves = request.moves.get_or_insert_default();
                    while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                        moves.push(mv);
                        words.next();
                    }
                }
                _ => return command_error(format_args!("go: {word:?} is not known")),
            }
        }
        for side in 0..2 {
            request.limits.clocks[side] = times[side].map(|left| RemainingTime {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(times[side + 2].unwrap_or(0)),
            });
        }
        // `go` without parameters searches until `stop`.
        request.infinite |= request.limits == Limits::default() && request.perft.is_none();
        Ok(request)
    }
}
