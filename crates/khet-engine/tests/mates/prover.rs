//! Proves that the side to move lights the pharaoh within so many turns, or that it can't: every turn
//! of both sides is tried, and only the order is chosen.

use std::collections::HashMap;

use khet::{Color, Position, Turn};

/// What is known of a position.
#[derive(Clone, Copy, Default)]
struct Known {
    /// There is no win in that many turns.
    none_in: u32,
    /// There is one in that many.
    found_in: Option<u32>,
    /// The turn that came closest, or wins.
    turn: Option<Turn>,
}

/// It remembers what it has proved, by the hash of the position.
#[derive(Default)]
pub struct Prover {
    attacks: HashMap<u64, Known>,
    defences: HashMap<u64, Known>,
    /// Replies that saved the defender elsewhere, the last one first, by the turns left.
    saviours: [[Option<Turn>; 2]; Prover::MOST as usize],
    /// The same for turns that won.
    winners: [[Option<Turn>; 2]; Prover::MOST as usize],
}

impl Prover {
    /// The most turns that can be asked for.
    pub const MOST: u32 = 8;

    /// The number of turns in which the side to move lights the pharaoh at best, up to a limit.
    pub fn shortest_win(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most.min(Prover::MOST)).find(|&turns| self.wins(position, turns))
    }

    /// Whether the side to move lights the pharaoh within that many turns, whatever the other does.
    pub fn wins(&mut self, position: &Position, turns: u32) -> bool {
        if lights(position) {
            return true;
        }
        if turns == 1 {
            return false;
        }
        let mut known = self.attacks.get(&position.key()).copied().unwrap_or_default();
        if known.found_in.is_some_and(|found| found <= turns) {
            return true;
        }
        // A short win is quickly found, or quickly ruled out.
        for turns in known.none_in.max(1) + 1..=turns {
            let winner = self.winner(position, turns, known.turn);
            known.turn = winner.or(known.turn);
            match winner {
                Some(_) => known.found_in = Some(turns),
                None => known.none_in = turns,
            }
            self.attacks.insert(position.key(), known);
            if winner.is_some() {
                return true;
            }
        }
        false
    }

    /// Whether it does so if it begins with this turn.
    pub fn wins_with(&mut self, position: &Position, turn: Turn, turns: u32) -> bool {
        let side = position.side_to_move();
        let next = position.aim().play(turn).0;
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, false) => own,
            (own, true) => {
                own && turns > 1 && next.outcome().is_none() && self.loses(&next, turns - 1)
            }
        }
    }

    /// A turn, but not the last one, after which the other side can't escape.
    fn winner(&mut self, position: &Position, turns: u32, hint: Option<Turn>) -> Option<Turn> {
        let aim = position.aim();
        let all = position.turns();
        let favourites = self.winners[turns as usize - 1];
        let rank = |turn: Turn| -> u8 {
            if hint == Some(turn) {
                0
            } else if favourites.contains(&Some(turn)) {
                1
            } else if turns > 2 && !lights(&aim.play(turn).0.passed()) {
                3
            } else {
                2
            }
        };
        let mut ranked: Vec<(u8, Turn)> = all.iter().map(|&turn| (rank(turn), turn)).collect();
        ranked.sort_by_key(|&(rank, _)| rank);
        let wins = |&(_, turn): &(u8, Turn)| self.wins_with(position, turn, turns);
        let winner = ranked.into_iter().find(wins).map(|(_, turn)| turn);
        if let Some(turn) = winner {
            promote(&mut self.winners[turns as usize - 1], turn);
        }
        winner
    }

    /// Whether the side to move is lit within that many turns of the other side, whatever it does.
    fn loses(&mut self, position: &Position, turns: u32) -> bool {
        let mut known = Known::default();
        if turns > 1 {
            known = self.defences.get(&position.key()).copied().unwrap_or_default();
            if known.none_in >= turns {
                return false;
            }
            if known.found_in.is_some_and(|found| found <= turns) {
                return true;
            }
        }
        let saviour = self.saviour(position, turns, known.turn);
        if turns > 1 {
            match saviour {
                Some(_) => (known.none_in, known.turn) = (turns, saviour),
                None => known.found_in = Some(turns),
            }
            self.defences.insert(position.key(), known);
        }
        saviour.is_none()
    }

    /// A reply after which the other side does not light the pharaoh in time.
    fn saviour(&mut self, position: &Position, turns: u32, hint: Option<Turn>) -> Option<Turn> {
        let side = position.side_to_move();
        let aim = position.aim();
        let all = position.turns();
        let danger = position.sweep(!side).path;
        let favourites = self.saviours[turns as usize - 1];
        let rank = |turn: Turn| -> u8 {
            if hint == Some(turn) || favourites.contains(&Some(turn)) {
                0
            } else if danger.has(turn.from()) || danger.has(turn.to()) {
                1
            } else {
                2
            }
        };
        for wanted in 0..3 {
            for &turn in all.iter().filter(|&&turn| rank(turn) == wanted) {
                let next = aim.play(turn).0;
                let lit = |color: Color| next.pharaoh(color).is_none();
                let saves = match (lit(side), lit(!side)) {
                    (false, false) => !self.wins(&next, turns),
                    // Lighting the other one, or both, is an escape as well.
                    (_, other) => other,
                };
                if saves {
                    promote(&mut self.saviours[turns as usize - 1], turn);
                    return Some(turn);
                }
            }
        }
        None
    }
}

fn promote(turns: &mut [Option<Turn>; 2], turn: Turn) {
    if turns[0] != Some(turn) {
        *turns = [Some(turn), turns[0]];
    }
}

/// Whether the side to move can light the other pharaoh, and not its own, with this turn's shot.
fn lights(position: &Position) -> bool {
    let side = position.side_to_move();
    let (Some(own), Some(theirs)) = (position.pharaoh(side), position.pharaoh(!side)) else {
        return false;
    };
    let aim = position.aim();
    let standing = aim.sweep().removed;
    // All turns that leave the beam alone have the same shot.
    let calm = standing.has(theirs)
        && !standing.has(own)
        && position.turns().iter().any(|&turn| !aim.is_disturbed_by(turn));
    calm || aim.disturbing_turns().iter().any(|&turn| {
        let next = aim.play(turn).0;
        next.pharaoh(!side).is_none() && next.pharaoh(side).is_some()
    })
}
