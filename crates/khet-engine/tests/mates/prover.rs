//! Proves or disproves a forced win within a number of moves by exhaustive search with move
//! ordering.

use std::collections::HashMap;

use khet::{Color, Move, Position};

/// The proven facts about a position.
#[derive(Clone, Copy, Default)]
struct ProvenFacts {
    /// There is no win in this number of moves.
    none_in: u32,
    /// There is a win in this number of moves.
    found_in: Option<u32>,
    /// The best move so far: it wins or delayed the refutation longest.
    mv: Option<Move>,
}

/// A prover that stores its results by position hash.
#[derive(Default)]
pub struct Prover {
    attacks: HashMap<u64, ProvenFacts>,
    defences: HashMap<u64, ProvenFacts>,
    /// Killer replies of the defender by remaining moves, latest first.
    saviours: [[Option<Move>; 2]; Prover::MOST as usize],
    /// Killer moves of the attacker by remaining moves, latest first.
    winners: [[Option<Move>; 2]; Prover::MOST as usize],
}

impl Prover {
    /// The largest supported number of moves.
    pub const MOST: u32 = 8;

    /// Returns the length of the shortest forced win of the side to move, up to a limit.
    pub fn shortest_win(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most.min(Prover::MOST)).find(|&moves| self.wins(position, moves))
    }

    /// Returns whether the side to move has a forced win within this number of moves.
    pub fn wins(&mut self, position: &Position, moves: u32) -> bool {
        if wins_in_one(position) {
            return true;
        }
        if moves == 1 {
            return false;
        }
        let mut known = self.attacks.get(&position.key()).copied().unwrap_or_default();
        if known.found_in.is_some_and(|found| found <= moves) {
            return true;
        }
        // Iterative deepening: short wins are cheap to find or to exclude.
        for moves in known.none_in.max(1) + 1..=moves {
            let winner = self.winning_move(position, moves, known.mv);
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

    /// Returns whether this move starts such a win.
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

    /// Returns a move, not the last one of a win, after which the other side can't escape.
    fn winning_move(
        &mut self,
        position: &Position,
        moves: u32,
        hint: Option<Move>,
    ) -> Option<Move> {
        let aim = position.aim();
        let all = position.legal_moves();
        let favourites = self.winners[moves as usize - 1];
        let rank = |mv: Move| -> u8 {
            if hint == Some(mv) {
                0
            } else if favourites.contains(&Some(mv)) {
                1
            } else if moves > 2 && !wins_in_one(&aim.play(mv).0.after_null_move()) {
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

    /// Returns whether the side to move loses by force within this number of the other side's
    /// moves.
    fn loses(&mut self, position: &Position, moves: u32) -> bool {
        let mut known = ProvenFacts::default();
        if moves > 1 {
            known = self.defences.get(&position.key()).copied().unwrap_or_default();
            if known.none_in >= moves {
                return false;
            }
            if known.found_in.is_some_and(|found| found <= moves) {
                return true;
            }
        }
        let saviour = self.saving_reply(position, moves, known.mv);
        if moves > 1 {
            match saviour {
                Some(_) => (known.none_in, known.mv) = (moves, saviour),
                None => known.found_in = Some(moves),
            }
            self.defences.insert(position.key(), known);
        }
        saviour.is_none()
    }

    /// Returns a reply that prevents the win within this number of moves.
    fn saving_reply(
        &mut self,
        position: &Position,
        moves: u32,
        hint: Option<Move>,
    ) -> Option<Move> {
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
                let is_hit = |color: Color| next.pharaoh(color).is_none();
                let saves = match (is_hit(side), is_hit(!side)) {
                    (false, false) => !self.wins(&next, moves),
                    // Hitting the other pharaoh, or both, is an escape as well.
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

/// Returns whether the side to move can hit the other pharaoh, and not its own, with its next shot.
fn wins_in_one(position: &Position) -> bool {
    let side = position.side_to_move();
    let (Some(own), Some(theirs)) = (position.pharaoh(side), position.pharaoh(!side)) else {
        return false;
    };
    let aim = position.aim();
    let standing = aim.shot_squares().removed;
    // All moves that leave the beam unchanged have the same shot.
    let calm = standing.has(theirs)
        && !standing.has(own)
        && position.legal_moves().iter().any(|&mv| !aim.is_disturbed_by(mv));
    calm || aim.disturbing_moves().iter().any(|&mv| {
        let next = aim.play(mv).0;
        next.pharaoh(!side).is_none() && next.pharaoh(side).is_some()
    })
}
