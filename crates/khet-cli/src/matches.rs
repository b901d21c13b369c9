//! `khet match`: two engines play each other, and the result is weighed.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use khet::{Game, Position, Rules, Setup, TimeControl};

use crate::input;
use crate::output::{Output, Problem};
use crate::progress;

use command_line::CommandLine;
use engine::{About, EngineOption};
use hall::Hall;
use openings::Openings;
use player::Contestant;
use record_file::RecordFile;
use referee::Referee;
use report::Tally;
use search_limit::SearchLimit;
use sprt::Sprt;

mod command_line;
mod elo;
mod engine;
mod hall;
mod info;
mod openings;
mod player;
mod record_file;
mod referee;
mod report;
mod scoresheet;
mod search_limit;
mod sprt;

/// Let two engines play each other
///
/// Example: khet match --engine "khet engine" --engine ./khet-baseline --games 200 --movetime 100
///
/// Engines speak UKI. Each opening is played twice, with colours exchanged. An engine that hangs,
/// dies, plays an illegal move or oversteps its clock loses the game. At a third repetition the
/// player to move claims a draw, unless it thinks it is better.
/// The result is the first engine's; its error is computed from pairs of games. With --json the
/// report is {"games":…,"wins":…,"draws":…,"losses":…,"score":…,"elo":…,"elo_error":…,…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command that starts an engine, given twice. The program khet is this one
    #[arg(long = "engine", value_name = "COMMAND", required = true)]
    engines: Vec<CommandLine>,
    /// Their names, if they shall have others than those they give themselves
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Options of the first engine
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = parse_option)]
    option1: Vec<EngineOption>,
    /// Options of the second engine
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = parse_option)]
    option2: Vec<EngineOption>,
    /// How many games are played, at most
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=200_000))]
    games: u32,
    /// Milliseconds for each move; 100 if nothing else bounds it
    #[arg(long, value_name = "MS", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Positions to search for each move
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search for each move
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Seconds on each clock, and what is added after each move
    #[arg(long, value_name = "SECONDS+INC", group = "limit",
          value_parser = search_limit::real_time)]
    time: Option<TimeControl>,
    /// How many games are played at once: no more than there are cores, which is what it is without
    /// this option
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Setups or positions to start from, in turn; the three of the standard game if there is none
    #[arg(long = "setup", value_name = "POSITION", num_args = 1..)]
    setups: Vec<String>,
    /// How many random moves an opening has. None removes a piece or allows a win at once
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(0..=60))]
    random_plies: u8,
    /// Decides the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The edition of the rules: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// A game that is not over after so many moves of both is a draw
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_moves: u16,
    /// Stop as soon as a sequential test tells ELO0 from ELO1. ALPHA and BETA are 0.05 by default
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Milliseconds after its time until an engine without an answer is held to hang
    #[arg(long, value_name = "MS", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    margin: u64,
    /// Milliseconds that an engine may overstep its clock without losing
    #[arg(long, value_name = "MS", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(0..=86_400_000))]
    overhead: u64,
    /// Seconds that a move may take with --nodes or --depth, before the margin
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Write the games to this file as they end. What it held is lost
    #[arg(long, short, value_name = "FILE.kgn")]
    output: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
}

fn parse_option(text: &str) -> Result<EngineOption, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_string())),
        None => (text, None),
    };
    match name.trim() {
        "" => Err("written as NAME=VALUE, or NAME for a button".to_string()),
        name => Ok(EngineOption { name: name.to_string(), value }),
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let openings = args.openings()?;
    let contestants = args.contestants()?;
    let file = match &args.output {
        Some(path) => Some(RecordFile::create(path, args.search_limit(), args.seed)?),
        None => None,
    };
    let started = Instant::now();
    let tally = args.play(&contestants, &openings, file)?;
    let names = contestants.each_ref().map(|contestant| contestant.name.as_str());
    let report = tally.report(names, started.elapsed().as_secs_f64());
    if args.json { output.json(&report) } else { output.line(report) }
}

impl Args {
    fn search_limit(&self) -> SearchLimit {
        let by_clock = self.time.map(SearchLimit::Clock);
        let by_nodes = self.nodes.map(SearchLimit::Nodes);
        let by_depth = self.depth.map(SearchLimit::Depth);
        let movetime = Duration::from_millis(self.movetime.unwrap_or(100));
        by_clock.or(by_nodes).or(by_depth).unwrap_or(SearchLimit::MoveTime(movetime))
    }

    /// Starts both engines once, to see that they run and have the options they shall be given.
    fn contestants(&self) -> Result<[Contestant; 2], Problem> {
        let [first, second] = &self.engines[..] else {
            let count = self.engines.len();
            return Err(Problem::Input(format!(
                "a match has two engines, not {count}: give --engine twice"
            )));
        };
        if self.names.len() > 2 {
            return Err(Problem::Input("a match has two engines: give --name twice".to_string()));
        }
        let mut contestants =
            [self.contestant(1, first, &self.option1)?, self.contestant(2, second, &self.option2)?];
        let [first, second] = &mut contestants;
        if first.name == second.name {
            first.name.push_str(" (1)");
            second.name.push_str(" (2)");
        }
        Ok(contestants)
    }

    fn contestant(
        &self,
        number: usize,
        command: &CommandLine,
        options: &[EngineOption],
    ) -> Result<Contestant, Problem> {
        let problem =
            |text: &str| Problem::Input(format!("engine {number}: {}", scoresheet::plain(text)));
        let mut contestant =
            Contestant { name: String::new(), command: command.clone(), options: options.to_vec() };
        if self.rules != Rules::default() {
            let value = Some(self.rules.to_string());
            contestant.options.insert(0, EngineOption { name: "Rules".to_string(), value });
        }
        let engine = contestant.start().map_err(|trouble| problem(trouble.text()))?;
        let About { name, options } = engine.about();
        for option in &contestant.options {
            if !engine.about().has_option(&option.name) {
                let known = options.join(", ");
                return Err(problem(&format!("no option {}; there are: {known}", option.name)));
            }
        }
        let given = self.names.get(number - 1).or(name.as_ref());
        contestant.name =
            given.map_or_else(|| command.short_name(), |name| scoresheet::plain(name));
        Ok(contestant)
    }

    /// An opening for each pair of games.
    fn openings(&self) -> Result<Vec<Game>, Problem> {
        let mut starts = Vec::new();
        for text in &self.setups {
            let placement = input::read(text)?;
            let start = Position::new(&placement, self.rules);
            starts.push(start.map_err(|error| Problem::Input(format!("setup: {error}")))?);
        }
        if starts.is_empty() {
            let standard = [Setup::Classic, Setup::Imhotep, Setup::Dynasty];
            starts.extend(standard.map(|setup| setup.position().with_rules(self.rules)));
        }
        let mut openings = Openings::new(self.seed, usize::from(self.random_plies));
        let pairs = self.games.div_ceil(2) as usize;
        let draw = |start: &Position| {
            openings.draw(*start).ok_or_else(|| {
                let plies = self.random_plies;
                Problem::Input(format!(
                    "setup: {start}: no quiet opening of {plies} moves was found"
                ))
            })
        };
        starts.iter().cycle().take(pairs).map(draw).collect()
    }

    fn play(
        &self,
        contestants: &[Contestant; 2],
        openings: &[Game],
        mut file: Option<RecordFile<'_>>,
    ) -> Result<Tally, Problem> {
        let referee = Referee {
            limit: self.search_limit(),
            max_moves: usize::from(self.max_moves),
            margin: Duration::from_millis(self.margin),
            overhead: Duration::from_millis(self.overhead),
            patience: Duration::from_secs(self.patience),
        };
        let hall = Hall::new(referee, contestants, openings, self.games as usize);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let boards = self.concurrency.map_or(cores, NonZero::get).min(cores).min(openings.len());
        let bar = progress::match_bar(u64::from(self.games));
        let mut tally = Tally::new(self.sprt);
        bar.set_message(tally.summary());
        bar.tick();
        let (sender, receiver) = mpsc::channel();
        let done = thread::scope(|scope| {
            for _ in 0..boards {
                let (hall, sender) = (&hall, sender.clone());
                scope.spawn(move || hall.board(&sender));
            }
            drop(sender);
            for finished in receiver {
                if let Some(file) = &mut file
                    && let Err(problem) = file.write(contestants, &finished)
                {
                    hall.close();
                    return Err(problem);
                }
                tally.add(finished.pair, finished.color, &finished.played);
                bar.inc(1);
                bar.set_message(tally.summary());
                if tally.is_decided() {
                    // Games that are under way are not counted: they would change the verdict.
                    hall.close();
                    break;
                }
            }
            Ok(())
        });
        bar.finish_and_clear();
        done.map(|()| tally)
    }
}
