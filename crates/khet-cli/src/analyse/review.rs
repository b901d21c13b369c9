//! A game looked at turn by turn.

use indicatif::ProgressBar;
use khet::{Color, Game, Placement, Position, Record, Shot, Turn};
use serde::Serialize;

use super::judge::{Mark, Tally, Verdict};
use super::thinker::Thinker;
use super::turns::Shown;
use super::worth::Worth;

/// Best lines are cut off behind so many turns: what follows is guesswork.
const LINE_LENGTH: usize = 10;

/// A game and what is thought of its turns.
#[derive(Serialize)]
pub(super) struct Review {
    /// The number of the game in its file, from 1.
    pub(super) game: u64,
    pub(super) start: Placement,
    pub(super) turns: Vec<Reviewed>,
    pub(super) players: Players,
}

#[derive(Serialize, Default)]
pub(super) struct Players {
    pub(super) silver: Tally,
    pub(super) red: Tally,
}

/// A turn of the game.
#[derive(Serialize)]
pub(super) struct Reviewed {
    /// The number of the turn, from 1, both players' counted.
    pub(super) ply: usize,
    #[serde(flatten)]
    pub(super) played: Shown,
    /// What the position behind it is worth.
    #[serde(rename = "eval")]
    pub(super) worth: Worth,
    /// What the engine would have played.
    pub(super) best: Turn,
    /// What the position behind that is worth.
    #[serde(rename = "best_eval")]
    pub(super) best_worth: Worth,
    /// How the engine would have gone on, from the best turn.
    pub(super) line: Vec<Turn>,
    pub(super) mark: Option<Mark>,
}

/// By how many steps a review moves the bar on: one for each turn.
pub(super) fn steps(record: &Record) -> u64 {
    record.line().plies.len() as u64
}

impl Review {
    /// Reviews the main line of a record.
    ///
    /// From the end to the start: what the engine has seen of a position helps it in the one before.
    pub(super) fn new(
        number: u64,
        record: &Record,
        thinker: &mut Thinker,
        bar: &ProgressBar,
    ) -> Review {
        let mut review = Review {
            game: number,
            start: record.start().placement(),
            turns: Vec::new(),
            players: Players::default(),
        };
        let mut game = record.game();
        while let Some(turn) = game.take_back() {
            if let Some((reviewed, verdict)) = Reviewed::new(&game, turn, thinker) {
                match game.position().side_to_move() {
                    Color::Silver => review.players.silver.add(verdict),
                    Color::Red => review.players.red.add(verdict),
                }
                review.turns.push(reviewed);
            }
            bar.inc(1);
        }
        review.turns.reverse();
        review
    }
}

impl Reviewed {
    /// Judges a turn that was played in a game; `None` if it can't be.
    fn new(game: &Game, turn: Turn, thinker: &mut Thinker) -> Option<(Reviewed, Verdict)> {
        let position = *game.position();
        let player = position.side_to_move();
        let found = thinker.best(game)?;
        let best = *found.line.first()?;
        let (_, best_worth) = outcome(position, best, || Some(found.worth))?;
        let (shot, worth) = outcome(position, turn, || {
            if turn == best { Some(found.worth) } else { thinker.other(game, turn, &found) }
        })?;
        let verdict =
            if turn == best { Verdict::BEST } else { Verdict::new(player, best_worth, worth) };
        let reviewed = Reviewed {
            ply: game.turns().len() + 1,
            played: Shown::new(turn, &shot),
            worth,
            best,
            best_worth,
            line: found.line.into_iter().take(LINE_LENGTH).collect(),
            mark: verdict.mark,
        };
        Some((reviewed, verdict))
    }

    pub(super) fn is_best(&self) -> bool {
        self.played.turn == self.best
    }
}

/// Plays a turn: its shot, and what the position behind it is worth, which only has to be thought about
/// if the game goes on.
fn outcome(
    mut position: Position,
    turn: Turn,
    think: impl FnOnce() -> Option<Worth>,
) -> Option<(Shot, Worth)> {
    let player = position.side_to_move();
    let shot = position.play(turn).ok()?;
    let worth = match shot.outcome {
        Some(outcome) => Worth::Over(outcome),
        None => think()?.behind_turn(player),
    };
    Some((shot, worth))
}
