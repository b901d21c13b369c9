//! Plays games with a tower between two players of the engine, and reports their results and
//! lengths: `cargo run --release -p khet-engine --example tower_games -- GAMES PLAYER [PLAYER] [POSITION]...`
//!
//! A player is a number of nodes per move, such as `1000`, or a level, such as `L4`. A single player
//! plays against itself. Games start from the setups with a tower, or from the given positions.
//!
//! Each game begins with a few arbitrary moves, so that no two are the same; two players meet twice
//! after the same opening, each of them as the first mover. A move that the rules reject ends the
//! program with an error.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::tower::{Position, Setup, Square};
use khet::{Color, Game, MoverEval};
use khet_engine::tower::Engine;
use khet_engine::{BestMove, Control, Level, Limits, Options, SearchRoot};

/// Number of arbitrary moves before the engine plays.
const OPENING_PLIES: usize = 4;
/// Length after which a game counts as a draw.
const MAX_PLIES: usize = 400;
/// Nodes per move of level 10, which has no limit of its own.
const LEVEL_10_NODES: u64 = 1_500_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let games: u64 = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let first =
        arguments.next().and_then(|text| Player::read(&text)).unwrap_or(Player::Nodes(2_000));
    let second = arguments.peek().and_then(|text| Player::read(text));
    if second.is_some() {
        arguments.next();
    }
    let mut positions = arguments.map(|text| text.parse()).collect::<Result<Vec<Position>, _>>()?;
    if positions.is_empty() {
        positions = Setup::ALL.map(Setup::position).to_vec();
    }
    let players = [first, second.unwrap_or(first)];
    let mut engines = players.map(|_| Engine::new(Options { hash: 4, ..Options::default() }));
    let mut total = Report::default();
    for (index, &position) in positions.iter().enumerate() {
        let count = positions.len() as u64;
        let share = games / count + u64::from((index as u64) < games % count);
        println!("{position}");
        let mut report = Report::default();
        for number in 0..share {
            let (seed, swapped) = match second {
                Some(_) => (number / 2, number % 2 == 1),
                None => (number, false),
            };
            engines.iter_mut().for_each(Engine::clear);
            let game = play_game(players, &mut engines, swapped, position, seed)?;
            report.add(&game, swapped);
            total.add(&game, swapped);
        }
        report.print(second.is_some());
    }
    if positions.len() > 1 {
        println!("all positions");
        total.print(second.is_some());
    }
    Ok(())
}

/// A way to choose moves.
#[derive(Clone, Copy)]
enum Player {
    Nodes(u64),
    Level(Level),
}

impl Player {
    fn read(text: &str) -> Option<Player> {
        match text.strip_prefix('L') {
            Some(level) => level.parse().ok().and_then(Level::new).map(Player::Level),
            None => text.parse().ok().map(Player::Nodes),
        }
    }

    fn choose(self, engine: &mut Engine, game: &Game<Position>, seed: u64) -> BestMove<Square> {
        let search_root = SearchRoot::new(game);
        let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        match self {
            Player::Nodes(nodes) => engine.search_to_limits(&search_root, limits(nodes)),
            Player::Level(level) => {
                let never = AtomicBool::new(false);
                let control =
                    Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
                let limits = limits(LEVEL_10_NODES);
                level.choose_tower_move(engine, &search_root, limits, seed, control)
            }
        }
    }
}

/// Plays a game. The first player begins unless they are swapped.
fn play_game(
    players: [Player; 2],
    engines: &mut [Engine; 2],
    swapped: bool,
    start: Position,
    seed: u64,
) -> Result<Game<Position>, Box<dyn Error>> {
    let mut game = Game::new(start);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.moves().len() < OPENING_PLIES {
            let moves = game.position().legal_moves();
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            game.play(moves[(state >> 33) as usize % moves.len()])?;
            continue;
        }
        let index = (game.moves().len() + usize::from(swapped)) % 2;
        let best = players[index].choose(&mut engines[index], &game, seed);
        let is_better = matches!(best.score, MoverEval::Cp(1..) | MoverEval::MateIn(1..));
        if game.can_claim_draw() && !is_better {
            game.claim_draw()?;
            break;
        }
        game.play(best.mv.ok_or("a running game has a legal move")?)?;
    }
    Ok(game)
}

/// Wins, draws and losses.
#[derive(Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    /// Adds a game in which somebody or nobody won.
    fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Score { wins, draws, losses } = *self;
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        let games = f64::from((wins + draws + losses).max(1));
        write!(f, "+{wins} ={draws} -{losses}, {:.1} %", 100.0 * points / games)
    }
}

/// The results and lengths of some games.
#[derive(Default)]
struct Report {
    first_mover: Score,
    first_player: Score,
    terminations: BTreeMap<String, u32>,
    plies: Vec<usize>,
    tower_moves: usize,
    hits_above: usize,
}

impl Report {
    fn add(&mut self, game: &Game<Position>, swapped: bool) {
        let winner: Option<Color> = game.outcome().and_then(|outcome| outcome.winner);
        let first_mover_won = winner.map(|color| color == game.start().side_to_move());
        self.first_mover.add(first_mover_won);
        self.first_player.add(first_mover_won.map(|won| won != swapped));
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

    fn print(&mut self, two_players: bool) {
        self.plies.sort_unstable();
        let all: usize = self.plies.iter().sum();
        println!("{} games, first mover {}", self.plies.len(), self.first_mover);
        if two_players {
            println!("first player {}", self.first_player);
        }
        println!("terminations {:?}", self.terminations);
        let at = |part: usize| self.plies.get(self.plies.len() * part / 100).copied().unwrap_or(0);
        println!("plies: 10 % {}, median {}, 90 % {}", at(10), at(50), at(90));
        println!(
            "of {all} moves, {} were the tower's; {} left fewer pieces above",
            self.tower_moves, self.hits_above
        );
    }
}
