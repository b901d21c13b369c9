//! Tests of the engine for games with a tower, and positions for the tests of its parts.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::tower::{Position, Square};
use khet::{Color, Game, Move, MoverEval};

pub(crate) use super::bench::POSITIONS;
use super::{Engine, bench};
use crate::{BestMove, Control, Level, Limits, Options, SearchRoot};

pub(crate) fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

fn mv(text: &str) -> Move<Square> {
    text.parse().expect("a move")
}

/// Returns the positions of a game of arbitrary moves, without the end of the game.
pub(crate) fn random_positions(start: &str, plies: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut position = position(start);
    let mut state = 1_u64;
    while positions.len() < plies && position.outcome().is_none() {
        positions.push(position);
        let moves = position.legal_moves();
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        position.play_unchecked(moves[(state >> 33) as usize % moves.len()]);
    }
    positions
}

fn engine() -> Engine {
    Engine::new(Options { hash: 1, ..Options::default() })
}

fn search_to_depth(engine: &mut Engine, position: Position, depth: u32) -> BestMove<Square> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search_to_limits(&SearchRoot::from_position(position), limits)
}

/// Returns whether the side to move can force a win in this number of its moves, by trying all.
fn wins_in(position: &Position, moves: u32) -> bool {
    moves > 0 && position.legal_moves().iter().any(|&mv| wins_by(position, mv, moves))
}

/// Returns whether a move forces a win in this number of moves, itself included.
fn wins_by(position: &Position, mv: Move<Square>, moves: u32) -> bool {
    let side = position.side_to_move();
    let mut next = *position;
    next.play_unchecked(mv);
    if let Some(outcome) = next.outcome() {
        return outcome.winner == Some(side);
    }
    moves > 1
        && next.legal_moves().iter().all(|&reply| {
            let mut after = next;
            after.play_unchecked(reply);
            match after.outcome() {
                Some(outcome) => outcome.winner == Some(side),
                None => wins_in(&after, moves - 1),
            }
        })
}

/// Positions with a win in one move, in which the beam does not hit the pharaoh yet. The second is
/// won by a move of the tower, the last by a descent.
const MATES_IN_ONE: [&str; 4] = [
    "4o1ko23/5o1p23/p12p34P41/2P47/p2P46p21/6p23/3O14P1P3/2P41KO24+f4:6/1d12d21/6/4D11/1D24/6 r",
    "x34a3p23/4p3ks23/p19/p21s17/7S11P4/3S2A1P13P3/4KP14/3P4A14X1+f4:6/1p3P43/4P21/1p44/6/6 s",
    "4o15/5k4/8d11/1P32e12p2P41/1P48/1p25P32/2D13E12P3/4O2KO13+d3:6/2P32P4/6/6/p22p12/6 s",
    "4o11o2p22/4k1o13/1p31P46/p4P36p2P3/p2P46p11/9P3/4O15/2P4O1KO1p2O12\
     +c4:5D2/6/1d14/1d24/4D11/6 s",
];

/// Positions with a win in two moves.
const MATES_IN_TWO: [&str; 6] = [
    "5ko13/3o15P3/p19/1d13p21p22/p2P48/4p23p11/1D22O13P11/2P1O1KO24+c3:6/1P32d21/6/6/4D11/6 s",
    "6o23/1p31k1o2p23/1P31P46/p18P3/p2d18/8p11/4O13P11/2P4O1KO1p23\
     +c3:6/4d21/6/P45/1D22D11/4O11 s",
    "4o1ko13/5o11o12/8d21/p1D27P4/p2P48/2e1P3p24P3/1p16P2E1/5KO23+g4:6/6/5P4/6/6/6 r",
    "4o25/10/2P35d21/9P4/1e17P3/1D15E12/p17P41/4O1K2p41+e5:3k2/3p31p4/6/6/P21P23/6 r",
    "x29/2p1S11s2a3k2/4p3S24/10/4P2s13P4/5P13P3/3P4KP2A43/9X1+c4:6/6/6/1p34/6/6 s",
    "x34a34/4p3p24/p13p4a3s23/1p21s1k5/4S22S12/4A1P24/5P13P3/4P4K3X1\
     +f4:6/2P43/1p34/6/5p2/5P2 s",
];

#[test]
fn wins_in_one_and_two_moves_are_found() {
    for (positions, moves) in [(&MATES_IN_ONE[..], 1), (&MATES_IN_TWO[..], 2)] {
        for text in positions {
            let position = position(text);
            assert!(!wins_in(&position, moves - 1) && wins_in(&position, moves), "{text}");
            let best = search_to_depth(&mut engine(), position, 2 * moves);
            assert_eq!(best.score, MoverEval::MateIn(moves as i32), "{text}");
            assert!(best.mv.is_some_and(|mv| wins_by(&position, mv, moves)), "{text} {best:?}");
        }
    }
}

#[test]
fn the_tower_and_a_descent_win() {
    for (text, winning) in [(MATES_IN_ONE[1], "Tg5"), (MATES_IN_ONE[3], "E3e3")] {
        assert_eq!(search_to_depth(&mut engine(), position(text), 1).mv, Some(mv(winning)));
    }
}

#[test]
fn forced_wins_do_not_depend_on_the_table() {
    let mut engine = engine();
    for round in 0..3 {
        for (index, text) in MATES_IN_TWO.iter().enumerate() {
            // Searches of other positions and of positions after the first move fill the table.
            search_to_depth(&mut engine, position(POSITIONS[index % 3]), 4 + round);
            let mate = position(text);
            for &mv in mate.legal_moves().iter().skip(round as usize).step_by(9) {
                let mut next = mate;
                next.play_unchecked(mv);
                search_to_depth(&mut engine, next, 2);
            }
            for depth in [4, 5, 6] {
                let best = search_to_depth(&mut engine, mate, depth);
                assert_eq!(best.score, MoverEval::MateIn(2), "{text} depth {depth}");
                assert!(best.mv.is_some_and(|mv| wins_by(&mate, mv, 2)), "{text} {best:?}");
            }
        }
    }
}

#[test]
fn announced_wins_are_forced() {
    for start in POSITIONS {
        for position in random_positions(start, 80) {
            let best = search_to_depth(&mut engine(), position, 3);
            if let MoverEval::MateIn(moves @ 1..=2) = best.score {
                assert!(wins_in(&position, moves as u32), "{position} {best:?}");
            } else {
                assert!(!wins_in(&position, 1), "{position} {best:?}");
            }
        }
    }
}

#[test]
fn the_positions_of_the_benchmark_are_symmetrical() {
    assert_eq!(bench::positions().len(), POSITIONS.len());
    for position in bench::positions() {
        assert!(position.flipped().repeats(&position), "{position} {}", position.flipped());
    }
}

#[test]
fn signature_is_the_recorded_one() {
    assert_eq!(bench::signature(), bench::SIGNATURE);
}

#[test]
fn equal_searches_have_equal_results() {
    for position in bench::positions() {
        let search_root = SearchRoot::from_position(position);
        for limits in [
            Limits { nodes: Some(5_000), ..Limits::default() },
            Limits { depth: Some(5), ..Limits::default() },
        ] {
            let answer = || engine().search_to_limits(&search_root, limits);
            assert_eq!(answer(), answer(), "{position}");
        }
    }
}

/// The arrangement occurs for the third time, so the side that is behind may claim a draw.
#[test]
fn a_repetition_that_the_opponent_may_claim_is_not_a_win() {
    let start = position("4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/O25/O1O14 s");
    let mut game = Game::new(start);
    for text in ["e1d1", "e8f8", "d1e1", "f8e8"].repeat(2) {
        game.play(mv(text)).expect("a legal move");
    }
    let value = |search_root: SearchRoot<Position>| {
        let limits = Limits { depth: Some(3), ..Limits::default() };
        engine().search_to_limits(&search_root.only(&[mv("e1d1")]), limits).score
    };
    assert_eq!(value(SearchRoot::new(&game)), MoverEval::Cp(0));
    let without_history = value(SearchRoot::from_position(start));
    assert!(matches!(without_history, MoverEval::Cp(100..)), "{without_history}");
}

#[test]
fn reports_describe_lines_of_legal_moves() {
    let mut engine = Engine::new(Options { hash: 1, multi_pv: 3, ..Options::default() });
    let never = AtomicBool::new(false);
    let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
    for start in bench::positions() {
        let search_root = SearchRoot::from_position(start);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let mut reports = Vec::new();
        let best = engine.search(&search_root, limits, control, &mut |info| {
            reports.push(info.clone());
        });
        assert_eq!(reports.len(), 4 * 3);
        assert_eq!(reports[9].pv.first().copied(), best.mv);
        for info in &reports {
            let mut position = start;
            for &mv in &info.pv {
                position.play(mv).expect("a legal move");
            }
        }
    }
}

#[test]
fn a_set_stop_flag_ends_the_search() {
    let stop = AtomicBool::new(true);
    let never = AtomicBool::new(false);
    let control = Control { stop: &stop, pondering: &never, elapsed: &|| Duration::ZERO };
    let search_root = SearchRoot::from_position(position(POSITIONS[0]));
    let best = engine().search(&search_root, Limits::default(), control, &mut |_| {});
    assert!(best.mv.is_some() && best.nodes < 3_000, "{best:?}");
}

/// Plays a game between two levels, in which every move is checked. Returns the winner.
fn play_game(levels: [Level; 2], start: Position, seed: u64, plies: usize) -> Option<Color> {
    let mut engine = engine();
    let never = AtomicBool::new(false);
    let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
    let limits = Limits { nodes: Some(400), ..Limits::default() };
    let mut game = Game::new(start);
    while game.outcome().is_none() && game.moves().len() < plies {
        let level = levels[game.position().side_to_move() as usize];
        let search_root = SearchRoot::new(&game);
        let best = level.choose_tower_move(&mut engine, &search_root, limits, seed, control);
        game.play(best.mv.expect("a move")).expect("a legal move");
    }
    game.outcome().and_then(|outcome| outcome.winner)
}

#[test]
fn every_level_plays_legal_moves() {
    for (index, &level) in Level::ALL.iter().enumerate() {
        let start = position(POSITIONS[index % 3]);
        play_game([level, Level::ALL[(index + 3) % 10]], start, index as u64, 30);
    }
}

#[test]
fn level_4_beats_level_1() {
    let [weak, strong] = [Level::ALL[0], Level::ALL[3]];
    let mut points = 0;
    for seed in 0..3 {
        let start = position(POSITIONS[seed as usize % 3]);
        for (levels, strong_side) in [([weak, strong], Color::Red), ([strong, weak], Color::Silver)]
        {
            points += match play_game(levels, start, seed, 120) {
                Some(winner) if winner == strong_side => 1,
                Some(_) => -1,
                None => 0,
            };
        }
    }
    assert!(points >= 2, "{points}");
}
