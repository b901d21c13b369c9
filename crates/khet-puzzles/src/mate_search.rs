//! Exhaustive search for forced hits on a pharaoh.

use khet::{Bitboard, Color, Move, Piece, Position, Role, Square};

/// The largest number of the attacker's moves for which the search remembers refutations.
const MAX_MOVES: usize = 8;

/// Proves that the side to move forces a win within a number of its own moves, by trying every move
/// and every reply.
///
/// A win within `n` moves means that the opponent's pharaoh is hit at the latest by the opponent's
/// reply to the `n`th move, or that the opponent has no legal move left. A shot that hits both
/// pharaohs is a draw, not a win.
///
/// ```
/// use khet::Position;
/// use khet_puzzles::MateSearch;
///
/// let position: Position = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s".parse()?;
/// let wins = MateSearch::default().winning_moves(&position, 1);
/// assert_eq!(wins, ["j8+".parse()?]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct MateSearch {
    /// The last reply that refuted a move, by the number of moves left. Most moves are refuted by the
    /// same reply, so trying it first saves nearly all of the work.
    refutations: [Option<Move>; MAX_MOVES],
}

impl MateSearch {
    /// Returns all moves with which the side to move forces a win within this number of its moves.
    pub fn winning_moves(&mut self, position: &Position, moves: u32) -> Vec<Move> {
        let aim = position.aim();
        let wins = |&mv: &Move| self.wins_after(&aim.play(mv).0, position.side_to_move(), moves);
        position.legal_moves().iter().copied().filter(wins).collect()
    }

    /// Returns whether the side to move forces a win within this number of its moves.
    pub fn wins(&mut self, position: &Position, moves: u32) -> bool {
        // Short wins are found first, because they cost least.
        if self.wins_in_one(position) {
            return true;
        }
        let aim = position.aim();
        let attacker = position.side_to_move();
        moves > 1
            && position
                .legal_moves()
                .iter()
                .any(|&mv| self.wins_after(&aim.play(mv).0, attacker, moves))
    }

    /// Like [`wins`](MateSearch::wins) with one move. Most of the time of a proof is spent here, so
    /// only moves that can win are tried: those that touch a beam, unless a beam already hits.
    fn wins_in_one(&mut self, position: &Position) -> bool {
        let attacker = position.side_to_move();
        let aim = position.aim();
        let removed = aim.shot_squares().removed;
        let hits = |&mv: &Move| {
            let next = aim.play(mv).0;
            next.pharaoh(!attacker).is_none() && next.pharaoh(attacker).is_some()
        };
        if aim.disturbing_moves().iter().any(hits) {
            return true;
        }
        let aims_at = |removed: Bitboard, color: Color| {
            position.pharaoh(color).is_some_and(|pharaoh| removed.has(pharaoh))
        };
        let moves = position.legal_moves();
        if aims_at(removed, !attacker) && moves.iter().any(hits) {
            return true;
        }
        // The other way to win is that every reply lets the opponent's laser hit its own pharaoh.
        let shot = position.shot_squares(!attacker);
        let reply_is_harmless = removed.is_empty()
            && !aims_at(shot.removed, !attacker)
            && can_rotate_off(position, !attacker, shot.path);
        moves.iter().any(|&mv| {
            let changes_shots =
                aim.is_disturbed_by(mv) || shot.path.has(mv.from()) || shot.path.has(mv.to());
            (!reply_is_harmless || changes_shots) && self.wins_after(&aim.play(mv).0, attacker, 1)
        })
    }

    /// Returns the smallest number of moves within which the side to move forces a win, up to a
    /// limit.
    pub fn moves_to_win(&mut self, position: &Position, limit: u32) -> Option<u32> {
        (1..=limit).find(|&moves| self.wins(position, moves))
    }

    /// Returns whether the attacker, who has just moved, wins against every reply within this number
    /// of moves, the one just made included.
    pub fn wins_after(&mut self, position: &Position, attacker: Color, moves: u32) -> bool {
        if position.pharaoh(attacker).is_none() {
            return false;
        }
        if position.pharaoh(!attacker).is_none() {
            return true;
        }
        let aim = position.aim();
        let slot = (moves as usize).min(MAX_MOVES) - 1;
        let known = self.refutations[slot].and_then(|reply| position.check(reply).ok());
        if known.is_some_and(|reply| !self.wins_against(&aim.play(reply).0, attacker, moves)) {
            return false;
        }
        for &reply in position.legal_moves().iter().filter(|&&reply| Some(reply) != known) {
            if !self.wins_against(&aim.play(reply).0, attacker, moves) {
                self.refutations[slot] = Some(reply);
                return false;
            }
        }
        true
    }

    /// Returns whether the attacker wins in the position after a reply.
    fn wins_against(&mut self, position: &Position, attacker: Color, moves: u32) -> bool {
        if position.pharaoh(attacker).is_none() {
            return false;
        }
        position.pharaoh(!attacker).is_none() || moves > 1 && self.wins(position, moves - 1)
    }
}

/// Returns whether a side has a piece that can rotate on a square outside a path: a move that does
/// not change the shot with this path.
fn can_rotate_off(position: &Position, color: Color, path: Bitboard) -> bool {
    let rotates = |(square, piece): (Square, Piece)| {
        piece.color() == color
            && !path.has(square)
            && matches!(piece.role(), Role::Pyramid | Role::Djed | Role::Anubis | Role::Scarab)
    };
    position.pieces().any(rotates)
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn the_quick_search_for_one_move_agrees_with_trying_every_move() {
        let mut random = 1_u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % limit
        };
        let mut search = MateSearch::default();
        let mut wins = 0;
        for game in 0..300 {
            let mut position = Setup::ALL[game % Setup::ALL.len()].position();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if position.outcome().is_some() || moves.is_empty() {
                    break;
                }
                let expected = !search.winning_moves(&position, 1).is_empty();
                assert_eq!(MateSearch::default().wins(&position, 1), expected, "{position}");
                wins += usize::from(expected);
                position.play(moves[below(moves.len())]).expect("a legal move");
            }
        }
        assert!(wins > 50, "{wins}");
    }

    fn winning_moves(position: &str, moves: u32) -> Vec<String> {
        let position = position.parse().expect("a position");
        let wins = MateSearch::default().winning_moves(&position, moves);
        wins.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_hit_on_both_pharaohs_is_no_win() {
        // After j4+ one half of the beam hits the red pharaoh, and the other half the silver one.
        assert!(winning_moves("9K/10/10/10/4k4E2/10/10/10 s", 1).is_empty());
        // Without the silver pharaoh in the way, the same move wins.
        assert_eq!(winning_moves("10/7K2/10/10/4k4E2/10/10/10 s", 1), ["j4+"]);
    }

    #[test]
    fn the_moves_of_a_forced_win_are_counted() {
        let start = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s";
        assert_eq!(winning_moves(start, 1), ["j8+"]);
        let mut search = MateSearch::default();
        let position: Position = start.parse().expect("a position");
        assert_eq!(search.moves_to_win(&position, 2), Some(1));
        let lone: Position = "4k5/10/10/10/10/10/10/4K5 s".parse().expect("a position");
        assert_eq!(search.moves_to_win(&lone, 2), None);
    }
}
