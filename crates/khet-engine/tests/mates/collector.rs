//! Collects forced wins from self-play games.

use khet::{Game, MoverEval, Position, Setup};
use khet_engine::{Engine, Limits, Options, SearchRoot};

use crate::prover::Prover;

/// The longest wins to collect, in moves.
pub const LONGEST: usize = 5;

/// The positions found, by the number of moves to the win.
pub type Collection = [Vec<Position>; LONGEST];

/// Adds positions until there are enough of each length, at most one of each length per game.
pub fn collect(found: &mut Collection, wanted: [usize; LONGEST]) {
    let mut engine = Engine::new(Options::default());
    let mut random = 1u64;
    let mut next_random = |limit: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    while (0..LONGEST).any(|index| found[index].len() < wanted[index]) {
        let mut game = Game::new(Setup::ALL[next_random(Setup::ALL.len())].position());
        let opening = 8;
        while game.outcome().is_none() && game.moves().len() < opening {
            let moves = game.position().legal_moves();
            let mv = moves[next_random(moves.len())];
            game.play(mv).expect("a legal move");
        }
        for (index, position) in wins_of_game(&mut engine, game).into_iter().enumerate() {
            let known = &mut found[index];
            if let Some(position) = position
                && known.len() < wanted[index]
                && !known.contains(&position)
            {
                known.push(position);
                println!("{:?}", found.each_ref().map(Vec::len));
            }
        }
    }
}

/// Plays a game to its end and returns the first position of each length to the win.
///
/// It checks the positions in which the engine reports a win, and the position before the first of
/// them in case the engine has overlooked a longer one.
fn wins_of_game(engine: &mut Engine, mut game: Game) -> [Option<Position>; LONGEST] {
    let mut wins = [None; LONGEST];
    let mut look_at = |position: &Position| {
        let length = Prover::default().shortest_win(position, LONGEST as u32);
        if let Some(length) = length {
            wins[length as usize - 1].get_or_insert(*position);
        }
    };
    let mut foreseen = false;
    while game.outcome().is_none() && game.moves().len() < 160 {
        let limits = Limits { nodes: Some(4_000), ..Limits::default() };
        let answer = engine.search_to_limits(&SearchRoot::new(&game), limits);
        if let MoverEval::MateIn(1..) = answer.score {
            if let [.., before, _, now] = game.positions() {
                if !foreseen {
                    look_at(before);
                }
                look_at(now);
            }
            foreseen = true;
        }
        let Some(mv) = answer.mv else { break };
        game.play(mv).expect("a legal move");
    }
    wins
}
