//! Games made up by chance, as records: quick to make, with openings that many of them share.

use std::fmt::Write as _;

use fastrand::Rng;
use khet::{GameResult, Move, Position, Rules, Setup};

/// So many moves are chosen by taste, which all games share; behind them anything is played.
const OPENING: usize = 12;
/// A player gives up, or both agree, after so many moves.
const LENGTHS: std::ops::RangeInclusive<usize> = 30..=54;

/// A game that follows from a number alone, so that whoever knows the number knows the game.
#[derive(Clone, Debug)]
pub struct Playout {
    /// Where it starts.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Move>,
    /// How it ended.
    pub score: GameResult,
    number: u64,
}

impl Playout {
    /// The game of that number.
    pub fn new(number: u64) -> Playout {
        let mut chance = Rng::with_seed(number);
        let setup = match chance.u8(..) {
            0..=179 => Setup::Classic,
            180..=209 => Setup::Imhotep,
            210..=239 => Setup::Dynasty,
            _ => Setup::ALL[chance.usize(..Setup::ALL.len())],
        };
        let rules = if chance.u8(..) < 250 { Rules::Standard } else { Rules::Czech };
        let start = setup.position().with_rules(rules);
        let length = chance.usize(LENGTHS);
        let mut moves = Vec::with_capacity(length);
        let mut position = start;
        let score = loop {
            if let Some(outcome) = position.outcome() {
                break GameResult::from_winner(outcome.winner);
            }
            if moves.len() == length {
                let scores = [GameResult::SilverWins, GameResult::RedWins, GameResult::Draw];
                break scores[chance.usize(..scores.len())];
            }
            let mv = choose(&position, moves.len() < OPENING, &mut chance);
            moves.push(mv);
            position.play_unchecked(mv);
        };
        Playout { start, moves, score, number }
    }

    /// Writes the game's record.
    pub fn write(&self, text: &mut String) {
        let mut chance = Rng::with_seed(!self.number);
        let start = self.start.placement();
        let day = chance.u8(1..=28);
        // Writing to a string does not fail.
        let _ = write!(text, "[Event \"Playout {}\"]\n[Date \"2026.10.{day:02}\"]\n", self.number);
        let _ = writeln!(text, "[Silver \"Player {}\"]", chance.u16(..2000));
        let _ = writeln!(text, "[Red \"Player {}\"]", chance.u16(..2000));
        let _ = writeln!(text, "[Result \"{}\"]", self.score.text());
        let _ = match Setup::of(&start) {
            Some(setup) => writeln!(text, "[Setup \"{setup}\"]"),
            None => writeln!(text, "[Position \"{start}\"]"),
        };
        let _ = writeln!(text, "[Rules \"{}\"]", self.start.rules());
        let clocks = ["60+0", "180+2", "300+3", "900+10", "3d", "-"];
        let _ = writeln!(text, "[TimeControl \"{}\"]", clocks[chance.usize(..clocks.len())]);
        if chance.u8(..) < 200 {
            let silver = chance.u16(1000..2200);
            let red = silver + chance.u16(..200);
            let _ = write!(text, "[SilverElo \"{silver}\"]\n[RedElo \"{red}\"]\n");
        }
        text.push('\n');
        for mv in &self.moves {
            let _ = write!(text, "{mv} ");
        }
        let _ = write!(text, "{}\n\n", self.score.text());
    }
}

/// A move of a position in which there is one. Taste is an order of moves that depends on the position alone; each is half as popular
/// as the one before it.
fn choose(position: &Position, by_taste: bool, chance: &mut Rng) -> Move {
    let moves = position.legal_moves();
    if !by_taste {
        return moves[chance.usize(..moves.len())];
    }
    let mut order: Vec<Move> = moves.to_vec();
    Rng::with_seed(position.key()).shuffle(&mut order);
    let rank = (chance.u64(..).trailing_zeros() as usize).min(order.len() - 1);
    // Nobody begins by lighting a pharaoh, unless there is nothing else.
    let goes_on = |mv: &Move| {
        let mut next = *position;
        next.play_unchecked(*mv);
        next.outcome().is_none()
    };
    order[rank..].iter().copied().find(goes_on).unwrap_or(order[rank])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::Record;

    use super::Playout;

    #[test]
    fn records_can_be_read_and_are_all_different() {
        let mut seen = HashSet::new();
        let mut beginnings = HashSet::new();
        for number in 0..300 {
            let playout = Playout::new(number);
            let mut text = String::new();
            playout.write(&mut text);
            let record: Record = text.parse().expect("a record");
            assert_eq!(record.game().moves(), playout.moves);
            assert_eq!(record.result(), playout.score);
            beginnings.insert(playout.moves[..2].to_vec());
            assert!(seen.insert(text));
        }
        assert!(beginnings.len() < 150, "openings are shared: {}", beginnings.len());
    }
}
