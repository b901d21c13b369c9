//! Games of the engine against itself, and evaluations of their positions without a piece.

use std::sync::Arc;

use khet::{
    Color, Game, Kind, Move, MoverEval, Piece, Position, Role, Setup, SilverEval, Square,
    Termination,
};
use khet_engine::{Control, Engine, Info, Limits, Network, Options, SearchRoot};

use crate::generate::is_quiet;
use crate::random::Random;

/// Number of plies at the start of each game that are chosen at random from the good moves.
pub(super) const OPENING_PLIES: usize = 8;
/// Number of moves that the opening considers.
pub(super) const OPENING_LINES: usize = 12;
/// A move of the opening is at most this much worse than the best one, in hundredths of a pyramid.
pub(super) const OPENING_MARGIN: i32 = 30;
/// The opening is searched with this many times the nodes, because it needs several lines.
pub(super) const OPENING_NODES_FACTOR: u64 = 4;
/// A game that lasts longer is a draw.
pub(super) const MAX_PLIES: usize = 400;
/// Number of positions of each game in which pieces are removed.
pub(super) const SAMPLED_POSITIONS: usize = 2;
/// Pieces are removed from positions with at most this advantage, in hundredths of a pyramid.
pub(super) const MAX_ADVANTAGE: i32 = 200;
/// Number of pyramids of each side that are removed, in turn, from a position. There are more of
/// them than of other pieces, and they have more orientations.
const SAMPLED_PYRAMIDS: usize = 2;
/// Size of the transposition table in mebibytes.
const HASH: usize = 2;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SelfPlayGame {
    pub(super) setup: Setup,
    pub(super) number: u32,
    pub(super) moves: Vec<Move>,
    pub(super) termination: Termination,
    pub(super) removals: Vec<Removal>,
}

/// The evaluations of a position with and without a piece, both for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Removal {
    /// The number of moves before the position.
    pub(super) ply: usize,
    /// The square of the piece.
    pub(super) square: Square,
    /// Only the top of a stack is removed.
    pub(super) top_only: bool,
    pub(super) with: MoverEval,
    pub(super) without: MoverEval,
}

/// An engine that plays against itself.
pub(super) struct SelfPlayer {
    engine: Engine,
    nodes: u64,
    seed: u64,
}

impl SelfPlayer {
    pub(super) fn new(network: Arc<Network>, nodes: u64, seed: u64) -> SelfPlayer {
        let options = Options { hash: HASH, ..Options::default() };
        SelfPlayer { engine: Engine::with_network(options, network), nodes, seed }
    }

    /// Plays a game. It depends on nothing but the setup, its number and the options.
    pub(super) fn play(&mut self, setup: Setup, number: u32) -> SelfPlayGame {
        let mut random = Random::new(self.seed, u64::from(number) << 8 | setup as u64);
        self.engine.clear();
        let mut game = Game::new(setup.position());
        let mut quiet_plies = Vec::new();
        // The last evaluations of both sides.
        let mut evals = [None; 2];
        let termination = loop {
            if let Some(outcome) = game.outcome() {
                break outcome.termination;
            }
            let position = *game.position();
            let side = position.side_to_move();
            let is_ahead = evals[side as usize].and_then(SilverEval::leader) == Some(side);
            if game.can_claim_draw() && !is_ahead {
                break Termination::Repetition;
            }
            let ply = game.moves().len();
            if ply == MAX_PLIES {
                break Termination::MoveLimit;
            }
            let chosen = if ply < OPENING_PLIES {
                self.opening_move(&game, &mut random)
            } else {
                self.best_move(&SearchRoot::new(&game))
            };
            let Some((mv, score)) = chosen else { break Termination::NoLegalMove };
            evals[side as usize] = Some(score.for_silver(side));
            let is_even = matches!(score, MoverEval::Cp(cp) if cp.abs() <= MAX_ADVANTAGE);
            if ply >= OPENING_PLIES && is_even && is_quiet(&position, mv) {
                quiet_plies.push(ply);
            }
            if game.play(mv).is_err() {
                break Termination::IllegalMove;
            }
        };
        let mut removals = Vec::new();
        for _ in 0..SAMPLED_POSITIONS.min(quiet_plies.len()) {
            let ply = quiet_plies.swap_remove(random.below(quiet_plies.len()));
            self.remove_pieces(ply, &game.positions()[ply], &mut random, &mut removals);
        }
        SelfPlayGame { setup, number, moves: game.moves().to_vec(), termination, removals }
    }

    /// Returns the best move with its evaluation.
    fn best_move(&mut self, search_root: &SearchRoot) -> Option<(Move, MoverEval)> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let best = self.engine.search_to_limits(search_root, limits);
        Some((best.mv?, best.score))
    }

    /// Chooses at random one of the moves that are about as good as the best one.
    fn opening_move(&mut self, game: &Game, random: &mut Random) -> Option<(Move, MoverEval)> {
        let options = self.engine.options();
        self.engine.set_options(Options { multi_pv: OPENING_LINES, ..options });
        let mut lines: Vec<(Move, MoverEval)> = Vec::new();
        let mut report = |info: &Info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.extend(info.pv.first().map(|&mv| (mv, info.score)));
        };
        let nodes = Some(self.nodes * OPENING_NODES_FACTOR);
        let never = std::sync::atomic::AtomicBool::new(false);
        let elapsed = || std::time::Duration::ZERO;
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        let limits = Limits { nodes, ..Limits::default() };
        let best = self.engine.search(&SearchRoot::new(game), limits, control, &mut report);
        self.engine.set_options(options);
        let Some(&(_, MoverEval::Cp(highest))) = lines.first() else {
            return Some((best.mv?, best.score));
        };
        lines.retain(
            |(_, score)| matches!(score, MoverEval::Cp(cp) if *cp >= highest - OPENING_MARGIN),
        );
        Some(lines[random.below(lines.len())])
    }

    /// Removes one piece after the other from a position, and evaluates what is left.
    fn remove_pieces(
        &mut self,
        ply: usize,
        position: &Position,
        random: &mut Random,
        removals: &mut Vec<Removal>,
    ) {
        self.engine.clear();
        let Some((_, with)) = self.best_move(&SearchRoot::from_position(*position)) else { return };
        for (square, top_only) in removable(position, random) {
            let Some(rest) = without_piece(position, square, top_only) else { continue };
            let search_root = SearchRoot::from_position(rest);
            let Some((_, without)) = self.best_move(&search_root) else { continue };
            removals.push(Removal { ply, square, top_only, with, without });
        }
    }
}

/// Chooses the pieces to remove at random: of each side and kind one, of pyramids two. Of a stack both the whole
/// and the top are removed.
fn removable(position: &Position, random: &mut Random) -> Vec<(Square, bool)> {
    let mut chosen = Vec::new();
    let is_stack = |piece: Piece| piece.kind() == Kind::Stack;
    for color in Color::ALL {
        for role in Role::ALL {
            if matches!(role, Role::Pharaoh | Role::Sphinx) {
                continue;
            }
            for stack in [false, true] {
                let of_kind = |&(_, piece): &(Square, Piece)| {
                    piece.color() == color && piece.role() == role && is_stack(piece) == stack
                };
                let mut squares: Vec<Square> =
                    position.pieces().filter(of_kind).map(|(square, _)| square).collect();
                let count = if role == Role::Pyramid { SAMPLED_PYRAMIDS } else { 1 };
                for _ in 0..count.min(squares.len()) {
                    let square = squares.swap_remove(random.below(squares.len()));
                    chosen.push((square, false));
                    if stack {
                        chosen.push((square, true));
                    }
                }
            }
        }
    }
    chosen
}

/// Returns the position without a piece, or without the top of a stack.
fn without_piece(position: &Position, square: Square, top_only: bool) -> Option<Position> {
    let mut placement = position.placement();
    let rest = if top_only { position.get(square)?.remains() } else { None };
    placement.set(square, rest);
    Position::new(&placement, position.rules()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_depend_on_setup_number_and_seed_alone() {
        let new = |seed| SelfPlayer::new(Network::built_in(), 40, seed);
        let mut player = new(1);
        let first = player.play(Setup::Classic, 0);
        let second = player.play(Setup::Osiris, 1);
        assert!(first.moves.len() > OPENING_PLIES && !first.removals.is_empty());
        assert_eq!(player.play(Setup::Classic, 0), first);
        assert_eq!(new(1).play(Setup::Osiris, 1), second);
        assert_ne!(new(2).play(Setup::Classic, 0).moves, first.moves);
        assert_ne!(player.play(Setup::Classic, 1).moves, first.moves);
    }

    #[test]
    fn each_kind_of_piece_is_removed_from_both_sides() {
        let position = Setup::Classic.position();
        let removed = removable(&position, &mut Random::new(1, 1));
        for color in Color::ALL {
            let count = |kind: fn(Kind) -> bool, top: bool| {
                let pieces = removed.iter().filter(|&&(_, top_only)| top_only == top);
                let pieces = pieces.filter_map(|&(square, _)| position.get(square));
                pieces.filter(|piece| piece.color() == color && kind(piece.kind())).count()
            };
            assert_eq!(count(|kind| matches!(kind, Kind::Pyramid(_)), false), SAMPLED_PYRAMIDS);
            assert_eq!(count(|kind| matches!(kind, Kind::Djed(_)), false), 1);
            assert_eq!(count(|kind| kind == Kind::Stack, false), 1);
            assert_eq!(count(|kind| kind == Kind::Stack, true), 1);
            assert_eq!(count(|kind| kind == Kind::Pharaoh, false), 0);
        }
        for (square, top_only) in removed {
            let rest = without_piece(&position, square, top_only).expect("playable");
            assert_eq!(rest.get(square).map(Piece::kind), top_only.then_some(Kind::Obelisk));
            assert_eq!(rest.side_to_move(), position.side_to_move());
        }
    }
}
