//! Playing strengths for people.
//!
//! The lower levels search only a few plies and, like beginners, overlook what long beams hit and
//! overestimate some moves. They never play a move that they evaluate as bad on purpose. Before
//! they move they trace their own laser at any length, so that they rarely hit their own pieces.

use khet::{BoardSquare, GamePosition, Move, Position, ShotSquares, tower};

use crate::evaluate::{evaluate, psqt};
use crate::score::{DRAW, INFINITE, Value, loss_at, mover_eval, win_at};
use crate::tower::{Engine as TowerEngine, evaluate as evaluate_tower};
use crate::{BestMove, Control, Engine, Limits, SearchRoot};

/// A playing strength, from 1 for a child's first games to 10 for full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// How a level chooses its moves.
enum Strategy {
    /// Plays like a beginner.
    Novice(Habits),
    /// Runs the full search up to this number of nodes.
    FixedNodes { nodes: u64 },
    /// Runs the full search up to the given limits.
    Full,
}

/// The depth, sight and errors of a level that plays like a beginner.
#[derive(Clone, Copy)]
struct Habits {
    /// Plies to search.
    plies: u32,
    /// Length in squares up to about which the player follows beams.
    sight: u32,
    /// The most by which the player overestimates a move, in hundredths of a pyramid.
    misjudgement: u32,
    /// Never overlooks a hit on a pharaoh.
    watches_pharaohs: bool,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 10] = [
        Level(1),
        Level(2),
        Level(3),
        Level(4),
        Level(5),
        Level(6),
        Level(7),
        Level(8),
        Level(9),
        Level(10),
    ];

    /// Returns the level with this number, 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    /// Returns the number of the level.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns how the level chooses its moves.
    fn strategy(self) -> Strategy {
        match self.0 {
            1 => Strategy::Novice(Habits {
                plies: 1,
                sight: 12,
                misjudgement: 50,
                watches_pharaohs: false,
            }),
            2 => Strategy::Novice(Habits {
                plies: 2,
                sight: 12,
                misjudgement: 60,
                watches_pharaohs: false,
            }),
            3 => Strategy::Novice(Habits {
                plies: 2,
                sight: 8,
                misjudgement: 130,
                watches_pharaohs: true,
            }),
            4 => Strategy::Novice(Habits {
                plies: 2,
                sight: 40,
                misjudgement: 20,
                watches_pharaohs: true,
            }),
            5 => Strategy::Novice(Habits {
                plies: 3,
                sight: 24,
                misjudgement: 5,
                watches_pharaohs: true,
            }),
            6 => Strategy::FixedNodes { nodes: 400 },
            7 => Strategy::FixedNodes { nodes: 2_000 },
            8 => Strategy::FixedNodes { nodes: 10_000 },
            9 => Strategy::FixedNodes { nodes: 50_000 },
            _ => Strategy::Full,
        }
    }

    /// Chooses a move. The limits apply too, but levels below 10 usually need much less. The seed
    /// determines what levels 1 to 5 overlook and misjudge.
    pub fn choose_move(
        self,
        engine: &mut Engine,
        search_root: &SearchRoot,
        limits: Limits,
        seed: u64,
        control: Control<'_>,
    ) -> BestMove {
        self.choose(search_root, limits, seed, |limits| {
            engine.search(search_root, limits, control, &mut |_| {})
        })
    }

    /// Chooses a move in a game with a tower; otherwise like [`Level::choose_move`].
    pub fn choose_tower_move(
        self,
        engine: &mut TowerEngine,
        search_root: &SearchRoot<tower::Position>,
        limits: Limits,
        seed: u64,
        control: Control<'_>,
    ) -> BestMove<tower::Square> {
        self.choose(search_root, limits, seed, |limits| {
            engine.search(search_root, limits, control, &mut |_| {})
        })
    }

    /// Chooses a move as a beginner does, or by a full search.
    fn choose<P: NovicePosition>(
        self,
        search_root: &SearchRoot<P>,
        limits: Limits,
        seed: u64,
        search: impl FnOnce(Limits) -> BestMove<P::Square>,
    ) -> BestMove<P::Square> {
        match self.strategy() {
            Strategy::Novice(habits) => {
                let mut novice = Novice { habits, seed, nodes: 0 };
                novice.choose_move(search_root)
            }
            Strategy::FixedNodes { nodes } => {
                let nodes = limits.nodes.unwrap_or(u64::MAX).min(nodes * P::NODE_FACTOR);
                search(Limits { nodes: Some(nodes), ..limits })
            }
            Strategy::Full => search(limits),
        }
    }
}

/// A position, with or without a tower, as beginners look at it.
trait NovicePosition: GamePosition {
    /// The levels with a fixed number of nodes search this many times as many. With a tower and as
    /// many nodes as in the standard game, level 6 lost to level 5.
    const NODE_FACTOR: u64;
    /// Whether the opponent can undo a move at once. Then a beginner has to avoid repetitions,
    /// because two of them would repeat the same two moves for ever.
    const MOVES_CAN_BE_UNDONE: bool;

    /// Returns the number of squares on the path of a shot.
    fn path_length(shot: &ShotSquares<Self::Square>) -> u32;

    /// Returns the static evaluation for the side to move, given both shots.
    fn evaluate(
        &self,
        own: &ShotSquares<Self::Square>,
        theirs: &ShotSquares<Self::Square>,
    ) -> Value;
}

impl NovicePosition for Position {
    const NODE_FACTOR: u64 = 1;
    const MOVES_CAN_BE_UNDONE: bool = false;

    fn path_length(shot: &ShotSquares) -> u32 {
        shot.path.len()
    }

    fn evaluate(&self, own: &ShotSquares, theirs: &ShotSquares) -> Value {
        evaluate(self, psqt(self), own, theirs)
    }
}

impl NovicePosition for tower::Position {
    const NODE_FACTOR: u64 = 5;
    const MOVES_CAN_BE_UNDONE: bool = true;

    fn path_length(shot: &ShotSquares<tower::Square>) -> u32 {
        shot.path.len()
    }

    fn evaluate(
        &self,
        own: &ShotSquares<tower::Square>,
        theirs: &ShotSquares<tower::Square>,
    ) -> Value {
        evaluate_tower(self, own, theirs)
    }
}

/// The cost of a repetition for a beginner, who plays on rather than for a draw.
const REPETITION_PENALTY: Value = 50;

/// A weak player that overlooks what long beams hit.
struct Novice {
    habits: Habits,
    seed: u64,
    nodes: u64,
}

impl Novice {
    fn choose_move<P: NovicePosition>(
        &mut self,
        search_root: &SearchRoot<P>,
    ) -> BestMove<P::Square> {
        let root = search_root.position();
        let mut best: Option<(Value, u64, Value, Move<P::Square>)> = None;
        for &mv in search_root.moves() {
            let mut value = self.move_value(root, mv, self.habits.plies, -INFINITE, INFINITE, 0);
            if P::MOVES_CAN_BE_UNDONE && repeats_the_game(search_root, mv) {
                value = value.min(DRAW) - REPETITION_PENALTY;
            }
            let (extra, tie_break) = self.overestimation(search_root, mv);
            let estimate = value + extra;
            if best.is_none_or(|(known, known_tie_break, ..)| {
                (estimate, tie_break) > (known, known_tie_break)
            }) {
                best = Some((estimate, tie_break, value, mv));
            }
        }
        let Some((_, _, value, mv)) = best else { return BestMove::NONE };
        BestMove { mv: Some(mv), ponder: None, score: mover_eval(value), nodes: self.nodes }
    }

    /// Returns by how much the player overestimates a move, and a number that breaks ties. A move
    /// that hits an own piece is never overestimated.
    fn overestimation<P: NovicePosition>(
        &self,
        search_root: &SearchRoot<P>,
        mv: Move<P::Square>,
    ) -> (Value, u64) {
        let fired = search_root.position().before_shot(mv);
        // Depends on the ply, so that a repeated position does not repeat the move.
        let liking = mix(!self.seed ^ fired.key().wrapping_add(search_root.ply() as u64));
        let extra = match hits_own_piece(&fired) {
            true => 0,
            false => (liking % u64::from(self.habits.misjudgement + 1)) as Value,
        };
        (extra, liking)
    }

    /// Returns the value of a move for the side that makes it.
    fn move_value<P: NovicePosition>(
        &mut self,
        position: &P,
        mv: Move<P::Square>,
        plies: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.nodes += 1;
        let side = position.side_to_move();
        let mut next = *position;
        let removed = next.play_unchecked(mv);
        if removed != Default::default() {
            let fired = position.before_shot(mv);
            if self.overlooks(&fired, ply) {
                next = fired.after_null_move();
            }
        }
        match (next.pharaoh(side).is_none(), next.pharaoh(!side).is_none()) {
            (true, true) => DRAW,
            (true, false) => loss_at(ply + 1),
            (false, true) => win_at(ply + 1),
            (false, false) if plies <= 1 => {
                let [theirs, own] =
                    [!side, side].map(|by| self.visible::<P>(next.shot_squares(by)));
                -next.evaluate(&theirs, &own)
            }
            (false, false) => -self.best_value(&next, plies - 1, -beta, -alpha, ply + 1),
        }
    }

    /// Returns the value of the best move that the level sees (alpha-beta).
    fn best_value<P: NovicePosition>(
        &mut self,
        position: &P,
        plies: u32,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let mut best = loss_at(ply);
        for &mv in position.legal_moves().iter() {
            let value = self.move_value(position, mv, plies, alpha, beta, ply);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Returns a beam as the player sees it: without the hits of a long beam.
    fn visible<P: NovicePosition>(&self, shot: ShotSquares<P::Square>) -> ShotSquares<P::Square> {
        let overlooked = P::path_length(&shot) > self.habits.sight;
        let removed = if overlooked { Default::default() } else { shot.removed };
        ShotSquares { removed, ..shot }
    }

    /// Returns whether the player overlooks the hits of the shot after a move: those of a long
    /// beam. Near the limit of sight it depends on the seed. Before firing, the player checks that
    /// the own laser does no harm.
    fn overlooks<P: NovicePosition>(&self, fired: &P, ply: usize) -> bool {
        if ply == 0 && hits_own_piece(fired) {
            return false;
        }
        let side = fired.side_to_move();
        let shot = fired.shot_squares(side);
        let hits_pharaoh = fired.pharaoh(!side).is_some_and(|square| square.is_in(shot.removed));
        if hits_pharaoh && self.habits.watches_pharaohs {
            return false;
        }
        let variation = mix(self.seed ^ fired.key()) % 5;
        P::path_length(&shot) + variation as u32 > self.habits.sight + 2
    }
}

/// Returns whether an arrangement of the game occurs again after a move.
fn repeats_the_game<P: NovicePosition>(search_root: &SearchRoot<P>, mv: Move<P::Square>) -> bool {
    let mut next = *search_root.position();
    next.play_unchecked(mv);
    search_root.keys().contains(&next.repetition_key())
}

/// Returns whether the shot of the side to move would hit one of its own pieces.
fn hits_own_piece<P: NovicePosition>(position: &P) -> bool {
    let side = position.side_to_move();
    let is_own = |square| position.get(square).is_some_and(|piece| piece.color() == side);
    position.shot_squares(side).removed.into_iter().any(is_own)
}

/// Mixes the bits of a number.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use khet::{Color, Game, Placement, Rules, Setup};

    use super::*;
    use crate::Options;

    /// Returns the move of a level in a game, with an engine that never runs out of time.
    fn chosen(level: Level, engine: &mut Engine, game: &Game, seed: u64) -> Move {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let best = level.choose_move(engine, &SearchRoot::new(game), limits, seed, control);
        best.mv.expect("a legal move")
    }

    fn engine() -> Engine {
        Engine::new(Options { hash: 1, ..Options::default() })
    }

    #[test]
    fn every_level_has_a_legal_move_in_every_setup() {
        let mut engine = engine();
        for setup in Setup::ALL {
            for level in Level::ALL {
                let game = Game::new(setup.position());
                let mv = chosen(level, &mut engine, &game, 1);
                assert_eq!(game.position().check(mv), Ok(mv), "{setup} {level:?}");
            }
        }
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
    }

    /// Later in a game it may be the only way to save the pharaoh.
    #[test]
    fn beginners_do_not_begin_by_shooting_their_own_pieces() {
        let mut engine = engine();
        for setup in Setup::ALL {
            for level in &Level::ALL[..3] {
                for seed in 0..8 {
                    let mut game = Game::new(setup.position());
                    while game.moves().len() < 12 && game.outcome().is_none() {
                        let side = game.position().side_to_move();
                        let mv = chosen(*level, &mut engine, &game, seed);
                        let hits = game.play(mv).expect("a legal move").hits;
                        let only_own = hits.iter().all(|hit| hit.piece.color() == side);
                        assert!(hits.is_empty() || !only_own, "{setup} {level:?} {seed} {mv}");
                    }
                }
            }
        }
    }

    #[test]
    fn first_reply_in_classic_spares_the_own_pyramids() {
        let mut engine = engine();
        let mut game = Game::new(Setup::Classic.position());
        game.play("h2+".parse().expect("a move")).expect("a legal move");
        let replies = (0..200).map(|seed| chosen(Level(1), &mut engine, &game, seed));
        let replies: std::collections::HashSet<String> = replies.map(|mv| mv.to_string()).collect();
        assert!(!replies.contains("a4-"), "it would hit a5");
        assert!(replies.len() > 5, "{replies:?}");
    }

    /// The beam is longer than level 3 sees otherwise.
    #[test]
    fn from_level_3_on_a_win_in_one_is_seen() {
        let mut engine = engine();
        let position = "2k6P2/10/10/10/10/10/10/5K4 s";
        let placement: Placement = position.parse().expect("a placement");
        let position = Position::new(&placement, Rules::Standard).expect("a position");
        let game = Game::new(position);
        for level in &Level::ALL[2..] {
            for seed in 0..20 {
                let mv = chosen(*level, &mut engine, &game, seed);
                let outcome = game.clone().play(mv).expect("a legal move").outcome;
                assert!(outcome.is_some_and(|outcome| outcome.winner == Some(Color::Silver)));
            }
        }
    }

    #[test]
    fn each_weak_level_beats_the_one_two_below() {
        for (weak, strong) in [(Level(1), Level(3)), (Level(2), Level(4))] {
            let points: i32 = (0..12).map(|seed| play_game([weak, strong], seed)).sum();
            assert!(points >= 6, "{strong:?} against {weak:?}: {points}");
        }
    }

    /// Plays a game from an official setup, the levels as Silver and Red or the other way round.
    /// Returns 1 if the second level wins, -1 if the first does, and 0 without a winner.
    fn play_game(levels: [Level; 2], seed: u64) -> i32 {
        let mut engine = engine();
        let setup = [Setup::Classic, Setup::Imhotep, Setup::Dynasty][seed as usize / 2 % 3];
        let mut game = Game::new(setup.position());
        let first = seed as usize % 2;
        while game.moves().len() < 120 && game.outcome().is_none() {
            let level = levels[(game.position().side_to_move() as usize + first) % 2];
            let mv = chosen(level, &mut engine, &game, seed);
            game.play(mv).expect("a legal move");
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        winner.map_or(0, |side| if (side as usize + first) % 2 == 1 { 1 } else { -1 })
    }
}
