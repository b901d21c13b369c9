//! The statistics of a match and the report about them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use khet::{Color, Outcome, Termination};
use serde::Serialize;

use super::elo::{Pentanomial, elo_error, elo_from_score, likelihood_of_superiority};
use super::referee::{EngineStats, MatchGame};
use super::sprt::{Hypothesis, Sprt};

/// Running totals of a match. Wins, losses and pairs are those of the first engine.
#[derive(Clone, Debug)]
pub(crate) struct MatchStats {
    sprt: Option<Sprt>,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: Pentanomial,
    /// Half points from the first game of pairs whose second game is not finished.
    open_pairs: BTreeMap<usize, usize>,
    moves: u64,
    terminations: BTreeMap<&'static str, u64>,
    stats: [EngineStats; 2],
    forfeits: [Forfeits; 2],
}

/// Numbers of games that an engine lost by forfeit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Forfeits {
    time: u64,
    illegal: u64,
    crash: u64,
    hang: u64,
}

impl Forfeits {
    /// Counts a forfeit.
    fn add(&mut self, termination: Termination) {
        match termination {
            Termination::Time => self.time += 1,
            Termination::IllegalMove => self.illegal += 1,
            Termination::EngineCrash => self.crash += 1,
            Termination::EngineHang => self.hang += 1,
            _ => {}
        }
    }
}

impl MatchStats {
    pub(crate) fn new(sprt: Option<Sprt>) -> MatchStats {
        MatchStats {
            sprt,
            wins: 0,
            draws: 0,
            losses: 0,
            pairs: [0; 5],
            open_pairs: BTreeMap::new(),
            moves: 0,
            terminations: BTreeMap::new(),
            stats: [EngineStats::default(); 2],
            forfeits: [Forfeits::default(); 2],
        }
    }

    /// Adds a game in which the first engine played `color`.
    pub(crate) fn add(&mut self, pair: usize, color: Color, match_game: &MatchGame) {
        let Outcome { winner, termination } = match_game.end.outcome;
        let points = match winner {
            Some(winner) if winner == color => 2,
            Some(_) => 0,
            None => 1,
        };
        *[&mut self.losses, &mut self.draws, &mut self.wins][points] += 1;
        match self.open_pairs.remove(&pair) {
            Some(first) => self.pairs[first + points] += 1,
            None => drop(self.open_pairs.insert(pair, points)),
        }
        self.moves += match_game.game.moves().len() as u64;
        *self.terminations.entry(termination.name()).or_default() += 1;
        for (engine, color) in [color, !color].into_iter().enumerate() {
            self.stats[engine].add(&match_game.stats[color as usize]);
            if winner == Some(!color) {
                self.forfeits[engine].add(termination);
            }
        }
    }

    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the first engine's share of the points.
    fn score(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / self.games().max(1) as f64
    }

    fn elo(&self) -> Option<f64> {
        elo_from_score(self.score())
    }

    fn sprt_status(&self) -> Option<SprtStatus> {
        self.sprt.map(|sprt| {
            let llr = sprt.log_likelihood_ratio(&self.pairs);
            let (lower, upper) = sprt.bounds();
            let Sprt { elo0, elo1, alpha, beta } = sprt;
            let accepted = sprt.accepted(llr);
            SprtStatus { elo0, elo1, alpha, beta, llr, lower, upper, accepted }
        })
    }

    /// Returns whether the SPRT, if there is one, has accepted a hypothesis.
    pub(crate) fn is_decided(&self) -> bool {
        self.sprt_status().is_some_and(|status| status.accepted.is_some())
    }

    /// Returns the score, Elo and LLR in one line, for the progress bar.
    pub(crate) fn summary(&self) -> String {
        let MatchStats { wins, draws, losses, .. } = self;
        let elo = EloEstimate(self.elo(), elo_error(&self.pairs));
        let mut text = format!("+{wins} ={draws} -{losses}  Elo {elo}");
        if let Some(SprtStatus { llr, lower, upper, .. }) = self.sprt_status() {
            text.push_str(&format!("  LLR {llr:.2} ({lower:.2}, {upper:.2})"));
        }
        text
    }

    /// Returns the report on the games so far.
    pub(crate) fn report(&self, names: [&str; 2], seconds: f64) -> MatchReport {
        let games = self.games();
        MatchReport {
            engines: [0, 1].map(|index| {
                EngineReport::new(names[index], &self.stats[index], self.forfeits[index])
            }),
            games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            score: self.score(),
            elo: self.elo(),
            elo_error: elo_error(&self.pairs),
            los: likelihood_of_superiority(&self.pairs),
            pentanomial: self.pairs,
            sprt: self.sprt_status(),
            terminations: self.terminations.clone(),
            moves_per_game: ratio(self.moves as f64, games as f64),
            seconds,
        }
    }
}

/// Returns a quotient, or `None` if the divisor is 0.
fn ratio(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

/// The state of the sequential probability ratio test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct SprtStatus {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<Hypothesis>,
}

/// The report at the end of a match.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchReport {
    engines: [EngineReport; 2],
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    /// Likelihood of superiority.
    los: f64,
    pentanomial: Pentanomial,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtStatus>,
    terminations: BTreeMap<&'static str, u64>,
    moves_per_game: Option<f64>,
    seconds: f64,
}

/// The part of the report about one engine. Averages are `None` if the engine did not report them.
#[derive(Clone, Debug, Serialize)]
struct EngineReport {
    name: String,
    moves: u64,
    depth: Option<f64>,
    nodes_per_second: Option<f64>,
    milliseconds_per_move: Option<f64>,
    late_moves: u64,
    forfeits: Forfeits,
}

impl EngineReport {
    fn new(name: &str, stats: &EngineStats, forfeits: Forfeits) -> EngineReport {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        EngineReport {
            name: name.to_string(),
            moves: stats.moves,
            depth: ratio(stats.depths as f64, stats.depth_moves as f64),
            nodes_per_second: ratio(stats.nodes as f64, stats.nodes_time.as_secs_f64()),
            milliseconds_per_move: ratio(milliseconds(stats.time), stats.moves as f64),
            late_moves: stats.late,
            forfeits,
        }
    }
}

/// An Elo difference and its error. Either is shown as `?` if it is unknown.
struct EloEstimate(Option<f64>, Option<f64>);

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(elo) => write!(f, "{elo:+.1}")?,
            None => f.write_str("?")?,
        }
        match self.1 {
            Some(error) => write!(f, " ± {error:.1}"),
            None => f.write_str(" ± ?"),
        }
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        let MatchReport { games, wins, draws, losses, .. } = self;
        writeln!(f, "{} vs {}", first.name, second.name)?;
        writeln!(f, "games         {games}: {wins} won, {draws} drawn, {losses} lost")?;
        writeln!(f, "score         {:.2} %", self.score * 100.0)?;
        writeln!(f, "Elo           {} (95 %)", EloEstimate(self.elo, self.elo_error))?;
        writeln!(f, "LOS           {:.2} %", self.los * 100.0)?;
        let [none, half, one, more, two] = self.pentanomial;
        writeln!(f, "pentanomial   0: {none}, ½: {half}, 1: {one}, 1½: {more}, 2: {two}")?;
        if let Some(SprtStatus { elo0, elo1, llr, lower, upper, accepted, .. }) = self.sprt {
            write!(f, "SPRT          elo0 {elo0}, elo1 {elo1}: ")?;
            write!(f, "LLR {llr:.2}, bounds {lower:.2} and {upper:.2}, ")?;
            match accepted {
                Some(hypothesis) => writeln!(f, "{hypothesis} accepted")?,
                None => writeln!(f, "undecided")?,
            }
        }
        let terminations = self.terminations.iter();
        let terminations: Vec<String> =
            terminations.map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "terminations  {}", terminations.join(", "))?;
        if let Some(moves) = self.moves_per_game {
            writeln!(f, "length        {moves:.1} moves per game")?;
        }
        writeln!(f, "time          {:.1} s", self.seconds)?;
        write!(f, "{first}\n{second}")
    }
}

impl fmt::Display for EngineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("?".to_string(), |value| format!("{value:.digits$}"))
        };
        writeln!(f, "{}", self.name)?;
        write!(f, "  search      depth {}, ", number(self.depth, 1))?;
        write!(f, "{} nodes/s, ", number(self.nodes_per_second, 0))?;
        write!(f, "{} ms per move, ", number(self.milliseconds_per_move, 1))?;
        writeln!(f, "{} of {} moves late", self.late_moves, self.moves)?;
        let Forfeits { time, illegal, crash, hang } = self.forfeits;
        write!(f, "  forfeits    time {time}, illegal move {illegal}, crash {crash}, hang {hang}")
    }
}
