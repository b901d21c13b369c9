//! Random games as records: quick to generate, with openings that many of them share.

use std::fmt::Write as _;

use fastrand::Rng;
use khet::{GameResult, Move, Position, Rules, Setup};

/// The number of moves that are chosen by popularity; later ones are uniformly random.
const OPENING_PLIES: usize = 12;
/// The number of moves after which a game ends by resignation or agreement.
const GAME_PLIES: std::ops::RangeInclusive<usize> = 30..=54;

/// A random game that is determined by its number.
#[derive(Clone, Debug)]
pub struct Playout {
    /// The start position.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Move>,
    /// The result.
    pub score: GameResult,
    number: u64,
}

impl Playout {
    /// Generates the game of a number.
    pub fn new(number: u64) -> Playout {
        let mut rng = Rng::with_seed(number);
        let setup = match rng.u8(..) {
            0..=179 => Setup::Classic,
            180..=209 => Setup::Imhotep,
            210..=239 => Setup::Dynasty,
            _ => Setup::ALL[rng.usize(..Setup::ALL.len())],
        };
        let rules = if rng.u8(..) < 250 { Rules::Standard } else { Rules::Czech };
        let start = setup.position().with_rules(rules);
        let length = rng.usize(GAME_PLIES);
        let mut moves = Vec::with_capacity(length);
        let mut position = start;
        let score = loop {
            if let Some(outcome) = position.outcome() {
                break GameResult::from_winner(outcome.winner);
            }
            if moves.len() == length {
                let scores = [GameResult::SilverWins, GameResult::RedWins, GameResult::Draw];
                break scores[rng.usize(..scores.len())];
            }
            let mv = choose(&position, moves.len() < OPENING_PLIES, &mut rng);
            moves.push(mv);
            position.play_unchecked(mv);
        };
        Playout { start, moves, score, number }
    }

    /// Appends the game's record to `text`.
    pub fn append_record(&self, text: &mut String) {
        let mut rng = Rng::with_seed(!self.number);
        let start = self.start.placement();
        let day = rng.u8(1..=28);
        // Writing to a string does not fail.
        let _ = write!(text, "[Event \"Playout {}\"]\n[Date \"2026.10.{day:02}\"]\n", self.number);
        let _ = writeln!(text, "[Silver \"Player {}\"]", rng.u16(..2000));
        let _ = writeln!(text, "[Red \"Player {}\"]", rng.u16(..2000));
        let _ = writeln!(text, "[Result \"{}\"]", self.score.text());
        let _ = match Setup::of(&start) {
            Some(setup) => writeln!(text, "[Setup \"{setup}\"]"),
            None => writeln!(text, "[Position \"{start}\"]"),
        };
        let _ = writeln!(text, "[Rules \"{}\"]", self.start.rules());
        let clocks = ["60+0", "180+2", "300+3", "900+10", "3d", "-"];
        let _ = writeln!(text, "[TimeControl \"{}\"]", clocks[rng.usize(..clocks.len())]);
        if rng.u8(..) < 200 {
            let silver = rng.u16(1000..2200);
            let red = silver + rng.u16(..200);
            let _ = write!(text, "[SilverElo \"{silver}\"]\n[RedElo \"{red}\"]\n");
        }
        text.push('\n');
        for mv in &self.moves {
            let _ = write!(text, "{mv} ");
        }
        let _ = write!(text, "{}\n\n", self.score.text());
    }
}

/// Chooses a move. By popularity means in an order of the moves that depends only on the position,
/// each half as probable as the one before it.
fn choose(position: &Position, by_popularity: bool, rng: &mut Rng) -> Move {
    let moves = position.legal_moves();
    if !by_popularity {
        return moves[rng.usize(..moves.len())];
    }
    let mut order: Vec<Move> = moves.to_vec();
    Rng::with_seed(position.key()).shuffle(&mut order);
    let rank = (rng.u64(..).trailing_zeros() as usize).min(order.len() - 1);
    // Opening moves do not end the game unless all do.
    let continues = |mv: &Move| {
        let mut next = *position;
        next.play_unchecked(*mv);
        next.outcome().is_none()
    };
    order[rank..].iter().copied().find(continues).unwrap_or(order[rank])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::Record;

    use super::Playout;

    #[test]
    fn records_can_be_parsed_and_differ() {
        let mut seen = HashSet::new();
        let mut beginnings = HashSet::new();
        for number in 0..300 {
            let playout = Playout::new(number);
            let mut text = String::new();
            playout.append_record(&mut text);
            let record: Record = text.parse().expect("a record");
            assert_eq!(record.game().moves(), playout.moves);
            assert_eq!(record.result(), playout.score);
            beginnings.insert(playout.moves[..2].to_vec());
            assert!(seen.insert(text));
        }
        assert!(beginnings.len() < 150, "openings are shared: {}", beginnings.len());
    }
}
