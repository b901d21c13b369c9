//! Plays games with a tower of the engine against itself, and reports their results and lengths:
//! `cargo run --release -p khet-engine --example tower_games -- GAMES NODES [POSITION]...`
//!
//! Each game begins with a few arbitrary moves, so that no two are the same. A move that the rules
//! reject ends the program with an error.

use std::collections::BTreeMap;
use std::error::Error;

use khet::tower::Position;
use khet::{Color, Game, MoverEval};
use khet_engine::tower::{Engine, bench};
use khet_engine::{Limits, Options, SearchRoot};

/// Number of arbitrary moves before the engine plays.
const OPENING_PLIES: usize = 4;
/// Length after which a game counts as a draw.
const MAX_PLIES: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let nodes: u64 = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let mut positions = arguments.map(|text| text.parse()).collect::<Result<Vec<Position>, _>>()?;
    if positions.is_empty() {
        positions = bench::positions();
    }
    let mut engine = Engine::new(Options::default());
    for (index, &position) in positions.iter().enumerate() {
        let count = positions.len() as u64;
        let share = games / count + u64::from((index as u64) < games % count);
        println!("{position}");
        let mut report = Report::default();
        for seed in 0..share {
            engine.clear();
            let game = play_game(&mut engine, position, nodes, seed)?;
            report.add(&game);
        }
        report.print();
    }
    Ok(())
}

/// Plays a game in which both sides search this number of nodes per move.
fn play_game(
    engine: &mut Engine,
    start: Position,
    nodes: u64,
    seed: u64,
) -> Result<Game<Position>, Box<dyn Error>> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut game = Game::new(start);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.moves().len() < OPENING_PLIES {
            let moves = game.position().legal_moves();
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            game.play(moves[(state >> 33) as usize % moves.len()])?;
            continue;
        }
        let best = engine.search_to_limits(&SearchRoot::new(&game), limits);
        let is_better = matches!(best.score, MoverEval::Cp(1..) | MoverEval::MateIn(1..));
        if game.can_claim_draw() && !is_better {
            game.claim_draw()?;
            break;
        }
        game.play(best.mv.ok_or("a running game has a legal move")?)?;
    }
    Ok(game)
}

/// The results and lengths of some games.
#[derive(Default)]
struct Report {
    games: u32,
    first_mover_wins: u32,
    draws: u32,
    terminations: BTreeMap<String, u32>,
    plies: Vec<usize>,
    tower_moves: usize,
    hits_above: usize,
}

impl Report {
    fn add(&mut self, game: &Game<Position>) {
        let first_mover = game.start().side_to_move();
        self.games += 1;
        let winner: Option<Color> = game.outcome().and_then(|outcome| outcome.winner);
        self.first_mover_wins += u32::from(winner == Some(first_mover));
        self.draws += u32::from(winner.is_none());
        let termination = game
            .outcome()
            .map_or_else(|| "too long".to_owned(), |outcome| format!("{:?}", outcome.termination));
        *self.terminations.entry(termination).or_default() += 1;
        self.plies.push(game.moves().len());
        self.tower_moves += game.moves().iter().filter(|mv| mv.squares().is_none()).count();
        for pair in game.positions().windows(2) {
            let upper = |position: &Position| position.occupied().upper.len();
            self.hits_above += usize::from(upper(&pair[1]) < upper(&pair[0]));
        }
    }

    fn print(mut self) {
        self.plies.sort_unstable();
        let all: usize = self.plies.iter().sum();
        let losses = self.games - self.first_mover_wins - self.draws;
        let points = f64::from(self.first_mover_wins) + f64::from(self.draws) / 2.0;
        println!(
            "{} games, first mover +{} ={} -{}, {:.1} %",
            self.games,
            self.first_mover_wins,
            self.draws,
            losses,
            100.0 * points / f64::from(self.games.max(1))
        );
        println!("terminations {:?}", self.terminations);
        let at = |part: usize| self.plies.get(self.plies.len() * part / 100).copied().unwrap_or(0);
        println!("plies: 10 % {}, median {}, 90 % {}", at(10), at(50), at(90));
        println!(
            "of {all} moves, {} were the tower's; {} left fewer pieces above",
            self.tower_moves, self.hits_above
        );
    }
}
