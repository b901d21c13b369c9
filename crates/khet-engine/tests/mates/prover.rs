//! Proves that the side to move lights the pharaoh within so many moves, or that it can't: every move
//! of both sides is tried, and only the order is chosen.

use std::collections::HashMap;

use khet::{Color, Move, Position};

/// What is known of a position.
#[derive(Clone, Copy, Default)]
struct Known {
    /// There is no win in that many moves.
    none_in: u32,
    /// There is one in that many.
    found_in: Option<u32>,
    /// The move that came closest, or wins.
    mv: Option<Move>,
}

/// It remembers what it has proved, by the hash of the position.
#[derive(Default)]
pub struct Prover {
    attacks: HashMap<u64, Known>,
    defences: HashMap<u64, Known>,
    /// Replies that saved the defender elsewhere, the last one first, by the turns left.
    saviours: [[Option<Move>; 2]; Prover::MOST as usize],
    /// The same for moves that won.
    winners: [[Option<Move>; 2]; Prover::MOST as usize],
}

impl Prover {
    /// The most moves that can be asked for.
    pub const MOST: u32 = 8;

    /// The number of moves in which the side to move lights the pharaoh at best, up to a limit.
    pub fn shortest_win(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most.min(Prover::MOST)).find(|&moves| self.wins(position, moves))
    }

    /// Whether the side to move lights the pharaoh within that many moves, whatever the other does.
    pub fn wins(&mut self, position: &Position, moves: u32) -> bool {
        if lights(position) {
            return true;
        }
        if moves == 1 {
            return false;
        }
        let mut known = self.attacks.get(&position.key()).copied().unwrap_or_default();
        if known.found_in.is_some_and(|found| found <= moves) {
            return true;
        }
        // A short win is quickly found, or quickly ruled out.
        for moves in known.none_in.max(1) + 1..=moves {
            let winner = self.winner(position, moves, known.mv);
            known.mv = winner.or(known.mv);
            match winner {
                Some(_) => known.found_in = Some(moves),
                None => known.none_in = moves,
            }
            self.attacks.insert(position.key(), known);
            if winner.is_some() {
                return true;
            }
        }
        false
    }

    /// Whether it does so if it begins with this move.
    pub fn wins_with(&mut self, position: &Position, mv: Move, moves: u32) -> bool {
        let side = position.side_to_move();
        let next = position.aim().play(mv).0;
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, false) => own,
            (own, true) => {
                own && moves > 1 && next.outcome().is_none() && self.loses(&next, moves - 1)
            }
        }
    }

    /// A move, but not the last one, after which the other side can't escape.
    fn winner(&mut self, position: &Position, moves: u32, hint: Option<Move>) -> Option<Move> {
        let aim = position.aim();
        let all = position.legal_moves();
        let favourites = self.winners[moves as usize - 1];
        let rank = |mv: Move| -> u8 {
            if hint == Some(mv) {
                0
            } else if favourites.contains(&Some(mv)) {
                1
            } else if moves > 2 && !lights(&aim.play(mv).0.after_null_move()) {
                3
            } else {
                2
            }
        };
        let mut ranked: Vec<(u8, Move)> = all.iter().map(|&mv| (rank(mv), mv)).collect();
        ranked.sort_by_key(|&(rank, _)| rank);
        let wins = |&(_, mv): &(u8, Move)| self.wins_with(position, mv, moves);
        let winner = ranked.into_iter().find(wins).map(|(_, mv)| mv);
        if let Some(mv) = winner {
            promote(&mut self.winners[moves as usize - 1], mv);
        }
        winner
    }

    /// Whether the side to move is lit within that many moves of the other side, whatever it does.
    fn loses(&mut self, position: &Position, moves: u32) -> bool {
        let mut known = Known::default();
        if moves > 1 {
            known = self.defences.get(&position.key()).copied().unwrap_or_default();
            if known.none_in >= moves {
                return false;
            }
            if known.found_in.is_some_and(|found| found <= moves) {
                return true;
            }
        }
        let saviour = self.saviour(position, moves, known.mv);
        if moves > 1 {
            match saviour {
                Some(_) => (known.none_in, known.mv) = (moves, saviour),
                None => known.found_in = Some(moves),
            }
            self.defences.insert(position.key(), known);
        }
        saviour.is_none()
    }

    /// A reply after which the other side does not light the pharaoh in time.
    fn saviour(&mut self, position: &Position, moves: u32, hint: Option<Move>) -> Option<Move> {
        let side = position.side_to_move();
        let aim = position.aim();
        let all = position.legal_moves();
        let danger = position.shot_squares(!side).path;
        let favourites = self.saviours[moves as usize - 1];
        let rank = |mv: Move| -> u8 {
            if hint == Some(mv) || favourites.contains(&Some(mv)) {
                0
            } else if danger.has(mv.from()) || danger.has(mv.to()) {
                1
            } else {
                2
            }
        };
        for wanted in 0..3 {
            for &mv in all.iter().filter(|&&mv| rank(mv) == wanted) {
                let next = aim.play(mv).0;
                let lit = |color: Color| next.pharaoh(color).is_none();
                let saves = match (lit(side), lit(!side)) {
                    (false, false) => !self.wins(&next, moves),
                    // Lighting the other one, or both, is an escape as well.
                    (_, other) => other,
                };
                if saves {
                    promote(&mut self.saviours[moves as usize - 1], mv);
                    return Some(mv);
                }
            }
        }
        None
    }
}

fn promote(moves: &mut [Option<Move>; 2], mv: Move) {
    if moves[0] != Some(mv) {
        *moves = [Some(mv), moves[0]];
    }
}

/// Whether the side to move can light the other pharaoh, and not its own, with this move's shot.
fn lights(position: &Position) -> bool {
    let side = position.side_to_move();
    let (Some(own), Some(theirs)) = (position.pharaoh(side), position.pharaoh(!side)) else {
        return false;
    };
    let aim = position.aim();
    let standing = aim.shot_squares().removed;
    // All moves that leave the beam alone have the same shot.
    let calm = standing.has(theirs)
        && !standing.has(own)
        && position.legal_moves().iter().any(|&mv| !aim.is_disturbed_by(mv));
    calm || aim.disturbing_moves().iter().any(|&mv| {
        let next = aim.play(mv).0;
        next.pharaoh(!side).is_none() && next.pharaoh(side).is_some()
    })
}
