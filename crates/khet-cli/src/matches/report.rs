//! The result of a match: what is counted, and how it is told.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use khet::{Color, Outcome, Termination};
use serde::Serialize;

use super::elo::{PairCounts, elo_error, elo_from_score, superiority};
use super::referee::{Figures, Played};
use super::sprt::{Sprt, Verdict};

/// What is counted while games are played, from the point of view of the first engine.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    sprt: Option<Sprt>,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: PairCounts,
    /// The points, in halves, of the first games of pairs that are under way.
    open_pairs: BTreeMap<usize, usize>,
    moves: u64,
    terminations: BTreeMap<&'static str, u64>,
    figures: [Figures; 2],
    forfeits: [Forfeits; 2],
}

/// Games that an engine lost by its own fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Forfeits {
    time: u64,
    illegal: u64,
    crash: u64,
    hang: u64,
}

impl Forfeits {
    fn note(&mut self, termination: Termination) {
        match termination {
            Termination::Time => self.time += 1,
            Termination::IllegalMove => self.illegal += 1,
            Termination::EngineCrash => self.crash += 1,
            Termination::EngineHang => self.hang += 1,
            _ => {}
        }
    }
}

impl Tally {
    pub(crate) fn new(sprt: Option<Sprt>) -> Tally {
        Tally {
            sprt,
            wins: 0,
            draws: 0,
            losses: 0,
            pairs: [0; 5],
            open_pairs: BTreeMap::new(),
            moves: 0,
            terminations: BTreeMap::new(),
            figures: [Figures::default(); 2],
            forfeits: [Forfeits::default(); 2],
        }
    }

    /// Counts a game in which the first engine played `color`.
    pub(crate) fn add(&mut self, pair: usize, color: Color, played: &Played) {
        let Outcome { winner, termination } = played.end.outcome;
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
        self.moves += played.game.moves().len() as u64;
        *self.terminations.entry(termination.name()).or_default() += 1;
        for (engine, color) in [color, !color].into_iter().enumerate() {
            self.figures[engine].add(&played.figures[color as usize]);
            if winner == Some(!color) {
                self.forfeits[engine].note(termination);
            }
        }
    }

    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points that the first engine won.
    fn score(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / self.games().max(1) as f64
    }

    fn elo(&self) -> Option<f64> {
        elo_from_score(self.score())
    }

    fn test(&self) -> Option<Test> {
        self.sprt.map(|sprt| {
            let llr = sprt.log_likelihood_ratio(&self.pairs);
            let (lower, upper) = sprt.bounds();
            let Sprt { elo0, elo1, alpha, beta } = sprt;
            let verdict = sprt.verdict(llr);
            Test { elo0, elo1, alpha, beta, llr, lower, upper, verdict }
        })
    }

    /// Whether the test, if there is one, has seen enough.
    pub(crate) fn is_decided(&self) -> bool {
        self.test().is_some_and(|test| test.verdict.is_some())
    }

    /// All in a line, for the progress bar.
    pub(crate) fn summary(&self) -> String {
        let Tally { wins, draws, losses, .. } = self;
        let elo = Elo(self.elo(), elo_error(&self.pairs));
        let mut text = format!("+{wins} ={draws} -{losses}  Elo {elo}");
        if let Some(test) = self.test() {
            text.push_str(&format!("  LLR {:.2} ({:.2}, {:.2})", test.llr, test.lower, test.upper));
        }
        text
    }

    pub(crate) fn report(&self, names: [&str; 2], seconds: f64) -> Report {
        let games = self.games();
        Report {
            engines: [0, 1].map(|index| {
                EngineReport::new(names[index], &self.figures[index], self.forfeits[index])
            }),
            games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            score: self.score(),
            elo: self.elo(),
            elo_error: elo_error(&self.pairs),
            superiority: superiority(&self.pairs),
            pairs: self.pairs,
            sprt: self.test(),
            terminations: self.terminations.clone(),
            moves_per_game: ratio(self.moves as f64, games as f64),
            seconds,
        }
    }
}

/// A quotient, if there is something to divide by.
fn ratio(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Option<Verdict>,
}

/// What is said at the end.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    engines: [EngineReport; 2],
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    superiority: f64,
    pairs: PairCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    terminations: BTreeMap<&'static str, u64>,
    moves_per_game: Option<f64>,
    seconds: f64,
}

/// What is said about one engine.
#[derive(Clone, Debug, Serialize)]
struct EngineReport {
    name: String,
    moves: u64,
    depth: Option<f64>,
    nodes_per_second: Option<f64>,
    milliseconds_per_move: Option<f64>,
    late_moves: u64,
    losses: Forfeits,
}

impl EngineReport {
    fn new(name: &str, figures: &Figures, losses: Forfeits) -> EngineReport {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        EngineReport {
            name: name.to_string(),
            moves: figures.moves,
            depth: ratio(figures.depths as f64, figures.depth_moves as f64),
            nodes_per_second: ratio(figures.nodes as f64, figures.nodes_time.as_secs_f64()),
            milliseconds_per_move: ratio(milliseconds(figures.time), figures.moves as f64),
            late_moves: figures.late,
            losses,
        }
    }
}

/// A difference and its error, as far as they are known.
struct Elo(Option<f64>, Option<f64>);

impl fmt::Display for Elo {
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.engines;
        let Report { games, wins, draws, losses, .. } = self;
        writeln!(f, "{} against {}", one.name, other.name)?;
        writeln!(f, "games        {games}: {wins} won, {draws} drawn, {losses} lost")?;
        writeln!(f, "score        {:.2} %", self.score * 100.0)?;
        writeln!(f, "Elo          {} (95 %)", Elo(self.elo, self.elo_error))?;
        writeln!(f, "superiority  {:.2} % likely", self.superiority * 100.0)?;
        let [none, half, even, more, both] = self.pairs;
        writeln!(f, "pairs        0: {none}, ½: {half}, 1: {even}, 1½: {more}, 2: {both}")?;
        if let Some(Test { elo0, elo1, llr, lower, upper, verdict, .. }) = self.sprt {
            write!(f, "SPRT         Elo {elo0} or {elo1}: ")?;
            write!(f, "LLR {llr:.2}, bounds {lower:.2} and {upper:.2}, ")?;
            match verdict {
                Some(verdict) => writeln!(f, "{verdict} accepted")?,
                None => writeln!(f, "undecided")?,
            }
        }
        let terminations: Vec<String> =
            self.terminations.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "terminations {}", terminations.join(", "))?;
        if let Some(moves) = self.moves_per_game {
            writeln!(f, "length       {moves:.1} moves a game")?;
        }
        writeln!(f, "time         {:.1} s", self.seconds)?;
        write!(f, "{one}\n{other}")
    }
}

impl fmt::Display for EngineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("?".to_string(), |value| format!("{value:.digits$}"))
        };
        writeln!(f, "{}", self.name)?;
        write!(f, "  thinking   depth {}, ", number(self.depth, 1))?;
        write!(f, "{} nodes/s, ", number(self.nodes_per_second, 0))?;
        write!(f, "{} ms a move, ", number(self.milliseconds_per_move, 1))?;
        writeln!(f, "{} of {} moves late", self.late_moves, self.moves)?;
        let Forfeits { time, illegal, crash, hang } = self.losses;
        write!(f, "  losses by  time {time}, illegal move {illegal}, crash {crash}, hang {hang}")
    }
}
