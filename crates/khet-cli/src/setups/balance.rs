//! Measures the fairness of a setup: the engine's evaluation and the results of self-play games.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::tower::Square;
use khet::{AnyPosition, Color, GamePosition};
use khet_engine::{AnyEngine, BestMove, Control, Level, Limits, Options, SearchRoot};
use khet_protocol::SetupResults;
use khet_review::{Fairness, PositionEval, SelfPlay, SelfPlaySearch};
use serde::Serialize;

use crate::progress;

/// Nodes for the evaluation of the setup itself.
const SEARCH_NODES: u64 = 1_000_000;
/// The level that plays the opening moves.
const OPENING_LEVEL: u8 = 4;

/// Options of the measurement.
#[derive(clap::Args)]
pub(crate) struct BalanceArgs {
    /// Number of self-play games per setup
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    games: u32,
    /// Nodes per move in self-play games
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
}

/// Measured fairness of a setup.
#[derive(Serialize)]
pub(crate) struct MeasuredBalance {
    eval: PositionEval,
    games: u32,
    #[serde(flatten)]
    results: SetupResults,
    /// Silver's share of the points, from 0 to 1.
    score: Option<f64>,
    /// Margin of error of `score` (95 % confidence).
    error: Option<f64>,
}

impl MeasuredBalance {
    /// Returns whether one side has a clear advantage.
    pub(crate) fn is_lopsided(&self) -> bool {
        let evaluated = match self.eval {
            PositionEval::Ongoing(eval) => {
                matches!(Fairness::from_eval(eval), Fairness::Lopsided(_))
            }
            PositionEval::GameOver(_) => true,
        };
        let played = self
            .score
            .zip(self.error)
            .is_some_and(|(score, error)| Fairness::from_score(score, error) != Fairness::Even);
        evaluated || played
    }
}

impl fmt::Display for MeasuredBalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evaluation {:+}", self.eval)?;
        if let Some((score, error)) = self.score.zip(self.error) {
            let SetupResults { silver, draws, red } = self.results;
            write!(f, ", Silver scores {:.0} % ± {:.0} ", 100.0 * score, 100.0 * error)?;
            write!(f, "({silver} won, {draws} drawn, {red} lost)")?;
        }
        Ok(())
    }
}

impl BalanceArgs {
    /// Measures a setup and shows a progress bar. The same seed gives the same games.
    pub(crate) fn measure(&self, position: &AnyPosition, seed: u64) -> MeasuredBalance {
        let mut engine = AnyEngine::new(Options::default());
        let limits = Limits { nodes: Some(SEARCH_NODES), ..Limits::default() };
        let eval = engine.search_to_limits(&SearchRoot::from_position(*position), limits).score;
        let mut results = SetupResults::default();
        let mut games = SelfPlay::new(*position, seed as u32);
        let bar = progress::bar(u64::from(self.games));
        while games.games() < self.games {
            let best = self.search(&games, &mut engine);
            match games.add_result(best.mv, Some(best.score)) {
                Some(Some(Color::Silver)) => results.silver += 1,
                Some(Some(Color::Red)) => results.red += 1,
                Some(None) => results.draws += 1,
                None => continue,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let error = results.score();
        MeasuredBalance {
            eval: PositionEval::from_mover(eval, position.side_to_move()),
            games: self.games,
            results,
            score: error.map(|(score, _)| score),
            error: error.map(|(_, error)| error),
        }
    }

    /// Searches the next move of a game. Every game starts with a cleared engine, so that the same
    /// seed gives the same games.
    fn search(&self, games: &SelfPlay<AnyPosition>, engine: &mut AnyEngine) -> BestMove<Square> {
        let SelfPlaySearch { game, opening, seed } = games.next_search();
        if game.moves().is_empty() {
            engine.clear();
        }
        let search_root = SearchRoot::new(game);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        match Level::new(OPENING_LEVEL).filter(|_| opening) {
            Some(level) => {
                let never = AtomicBool::new(false);
                let control =
                    Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
                level.choose_any_move(engine, &search_root, limits, u64::from(seed), control)
            }
            None => engine.search_to_limits(&search_root, limits),
        }
    }
}
