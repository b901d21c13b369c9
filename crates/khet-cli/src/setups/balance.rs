//! Whether a setup is fair: what the engine thinks of it, and how its games against itself end.

use std::fmt;

use khet::{Color, Game, Position, SilverEval};
use khet_engine::{Engine, Limits, Options, Task};
use khet_protocol::Balance;
use khet_review::PositionEval;
use serde::Serialize;

use crate::progress;

/// A game that has lasted so long is a draw.
const LONGEST_GAME: usize = 300;
/// So many nodes the engine visits to judge the setup itself.
const JUDGES: u64 = 1_000_000;
/// From this evaluation on, in hundredths of a pyramid, a setup is lopsided. Who begins may have a little more.
const LOPSIDED: i32 = 120;

/// How fairness is measured.
#[derive(clap::Args)]
pub(crate) struct BalanceArgs {
    /// How many games the engine plays against itself from a setup
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    games: u32,
    /// How many nodes it visits for each move of them
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
}

/// What was found.
#[derive(Serialize)]
pub(crate) struct Measured {
    eval: PositionEval,
    games: u32,
    #[serde(flatten)]
    balance: Balance,
    /// Silver's share of the points.
    score: Option<f64>,
    /// How far the truth may be from it.
    error: Option<f64>,
}

impl Measured {
    /// Whether one side is clearly better off.
    pub(crate) fn is_lopsided(&self) -> bool {
        let evaluated = match self.eval {
            PositionEval::Ongoing(SilverEval::Cp(cents)) => cents.abs() >= LOPSIDED,
            _ => true,
        };
        let played =
            self.score.zip(self.error).is_some_and(|(score, error)| (score - 0.5).abs() > error);
        evaluated || played
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evaluation {:+}", self.eval)?;
        if let Some((score, error)) = self.score.zip(self.error) {
            let Balance { silver, drawn, red } = self.balance;
            write!(f, ", Silver scores {:.0} % ± {:.0} ", 100.0 * score, 100.0 * error)?;
            write!(f, "({silver} won, {drawn} drawn, {red} lost)")?;
        }
        Ok(())
    }
}

impl BalanceArgs {
    /// Measures a setup, with a bar. The same seed gives the same games.
    pub(crate) fn measure(&self, position: &Position, seed: u64) -> Measured {
        let mut engine = Engine::new(Options::default());
        let limits = Limits { nodes: Some(JUDGES), ..Limits::default() };
        let eval = engine.search_alone(&Task::from_position(*position), limits).score;
        let mut balance = Balance::default();
        let bar = progress::bar(u64::from(self.games));
        for number in 0..self.games {
            match self.play(position, seed.wrapping_add(u64::from(number) << 32), &mut engine) {
                Some(Color::Silver) => balance.silver += 1,
                Some(Color::Red) => balance.red += 1,
                None => balance.drawn += 1,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let error = balance.score();
        Measured {
            eval: PositionEval::from_mover(eval, position.side_to_move()),
            games: self.games,
            balance,
            score: error.map(|(score, _)| score),
            error: error.map(|(_, error)| error),
        }
    }

    /// Who wins a game. Both sides begin with a turn by chance, so that no two games are alike.
    fn play(&self, position: &Position, seed: u64, engine: &mut Engine) -> Option<Color> {
        let mut chance = seed;
        let mut game = Game::new(*position);
        engine.clear();
        for ply in 0..LONGEST_GAME {
            if let Some(outcome) = game.outcome() {
                return outcome.winner;
            }
            if game.can_claim_draw() {
                return None;
            }
            let mv = if ply < 2 {
                let quiet: Vec<_> = quiet_moves(game.position());
                quiet.get(next(&mut chance) as usize % quiet.len().max(1)).copied()
            } else {
                let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
                engine.search_alone(&Task::new(&game), limits).mv
            };
            let played = mv.and_then(|mv| game.play(mv).ok());
            played?;
        }
        None
    }
}

/// Moves whose shot hits nothing, and after which the other's shot would hit nothing: nobody gains by chance.
fn quiet_moves(position: &Position) -> Vec<khet::Move> {
    let is_quiet = |mv: &&khet::Move| {
        let mut next = *position;
        let hits_nothing = next.play(**mv).is_ok_and(|shot| shot.hits.is_empty());
        hits_nothing && next.fire(next.side_to_move()).hits.is_empty()
    };
    position.legal_moves().iter().filter(is_quiet).copied().collect()
}

/// The next number of a sequence (SplitMix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
