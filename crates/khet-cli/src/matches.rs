//! `khet match`: plays a match between two engines and reports the Elo difference.

mod command_line;
mod elo;
mod engine_process;
mod game_record;
mod openings;
mod player;
mod record_writer;
mod referee;
mod report;
mod runner;
mod search_info;
mod search_limit;
mod sprt;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use khet::{AnyPosition, Game, Rules, Setup, TimeControl};

use self::command_line::CommandLine;
use self::engine_process::{EngineDescription, EngineOption};
use self::openings::OpeningGenerator;
use self::player::EngineConfig;
use self::record_writer::RecordWriter;
use self::referee::Referee;
use self::report::MatchStats;
use self::runner::MatchRunner;
use self::search_limit::SearchLimit;
use self::sprt::Sprt;
use crate::input;
use crate::output::{Output, Problem};
use crate::progress;

/// Play a match between two engines
///
/// Example: khet match --engine "khet engine" --engine ./khet-baseline --games 200 --movetime 100
///
/// The engines speak UKI. Each opening is played twice, with colours reversed. An engine that
/// hangs, crashes, plays an illegal move or exceeds its time forfeits the game. At a threefold
/// repetition the side to move claims a draw, unless its last evaluation was in its favour.
///
/// The score and the Elo difference are the first engine's; the error is computed from pairs of
/// games (pentanomial). With --json, prints {"engines":[…],"games":…,"wins":…,"draws":…,
/// "losses":…,"score":…,"elo":…,"elo_error":…,"los":…,"pentanomial":[…],"terminations":{…},…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Command that starts an engine; give it twice. The program khet is this executable
    #[arg(long = "engine", value_name = "COMMAND", required = true)]
    engines: Vec<CommandLine>,
    /// Overrides the engine's name; the first --name is for the first engine
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Options of the first engine
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = parse_option)]
    option1: Vec<EngineOption>,
    /// Options of the second engine
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = parse_option)]
    option2: Vec<EngineOption>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=200_000))]
    games: u32,
    /// Time per move in milliseconds [default: 100, if there is no other limit]
    #[arg(long, value_name = "MS", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth per move, in plies
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Time control: seconds per game, plus increment per move, such as 10+0.1
    #[arg(long, value_name = "SECONDS+INC", group = "limit",
          value_parser = search_limit::real_time)]
    time: Option<TimeControl>,
    /// Number of games played at the same time [default and maximum: the number of CPU cores]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Setups or positions to start from, used in turn [default: classic imhotep dynasty]
    #[arg(long = "setup", value_name = "POSITION", num_args = 1..)]
    setups: Vec<String>,
    /// Number of random plies in each opening. They hit no piece and allow no immediate win
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(0..=60))]
    random_plies: u8,
    /// Random seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Rules of the game: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Adjudicate a game as a draw after this many plies
    #[arg(long, alias = "max-turns", value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_moves: u16,
    /// Stop the match when the sequential probability ratio test accepts one of the two Elo
    /// differences. ALPHA and BETA are 0.05 by default
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Milliseconds by which an engine may exceed its time without losing the game
    #[arg(long, alias = "overhead", value_name = "MS", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(0..=86_400_000))]
    time_margin: u64,
    /// Milliseconds after the end of its time until an engine without an answer counts as hanging
    #[arg(long, alias = "margin", value_name = "MS", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    hang_margin: u64,
    /// Time limit per move in seconds with --nodes or --depth
    #[arg(long, alias = "patience", value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    move_timeout: u64,
    /// Write the game records to this file as the games end; overwrites the file
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
        "" => Err("expected NAME=VALUE, or NAME for a button".to_string()),
        name => Ok(EngineOption { name: name.to_string(), value }),
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let openings = args.openings()?;
    let engines = args.start_engines()?;
    let writer = match &args.output {
        Some(path) => Some(RecordWriter::create(path, args.search_limit(), args.seed)?),
        None => None,
    };
    let started = Instant::now();
    let stats = args.play(&engines, &openings, writer)?;
    let names = engines.each_ref().map(|engine| engine.name.as_str());
    let report = stats.report(names, started.elapsed().as_secs_f64());
    if args.json { output.json(&report) } else { output.line(report) }
}

impl Args {
    /// Returns the limit of each search.
    fn search_limit(&self) -> SearchLimit {
        let by_clock = self.time.map(SearchLimit::Clock);
        let by_nodes = self.nodes.map(SearchLimit::Nodes);
        let by_depth = self.depth.map(SearchLimit::Depth);
        let movetime = Duration::from_millis(self.movetime.unwrap_or(100));
        by_clock.or(by_nodes).or(by_depth).unwrap_or(SearchLimit::MoveTime(movetime))
    }

    /// Starts both engines once, to check that they run and have the given options.
    fn start_engines(&self) -> Result<[EngineConfig; 2], Problem> {
        let [first, second] = &self.engines[..] else {
            let count = self.engines.len();
            return Err(Problem::Input(format!(
                "a match has two engines, not {count}: give --engine twice"
            )));
        };
        if self.names.len() > 2 {
            let message = "a match has two engines: give --name at most twice";
            return Err(Problem::Input(message.to_string()));
        }
        let mut engines = [
            self.start_engine(1, first, &self.option1)?,
            self.start_engine(2, second, &self.option2)?,
        ];
        let [first, second] = &mut engines;
        if first.name == second.name {
            first.name.push_str(" (1)");
            second.name.push_str(" (2)");
        }
        Ok(engines)
    }

    fn start_engine(
        &self,
        number: usize,
        command: &CommandLine,
        options: &[EngineOption],
    ) -> Result<EngineConfig, Problem> {
        let problem = |text: &str| {
            Problem::Input(format!("engine {number}: {}", game_record::sanitize(text)))
        };
        let (name, command) = (String::new(), command.clone());
        let mut config = EngineConfig { name, command, options: options.to_vec() };
        if self.rules != Rules::default() {
            let value = Some(self.rules.to_string());
            config.options.insert(0, EngineOption { name: "Rules".to_string(), value });
        }
        let process = config.start().map_err(|failure| problem(failure.text()))?;
        let EngineDescription { name, options } = process.description();
        for option in &config.options {
            if !process.description().has_option(&option.name) {
                let known = options.join(", ");
                let message = format!("no option {}; its options are: {known}", option.name);
                return Err(problem(&message));
            }
        }
        config.name = match self.names.get(number - 1).or(name.as_ref()) {
            Some(name) => game_record::sanitize(name),
            None => config.command.short_name(),
        };
        Ok(config)
    }

    /// Generates an opening for each pair of games.
    fn openings(&self) -> Result<Vec<Game<AnyPosition>>, Problem> {
        let mut starts = Vec::new();
        for text in &self.setups {
            let start = AnyPosition::new(&input::parse_placement(text)?, self.rules);
            starts.push(start.map_err(|error| Problem::Input(format!("setup: {error}")))?);
        }
        if starts.is_empty() {
            let standard = [Setup::Classic, Setup::Imhotep, Setup::Dynasty];
            let start = |setup: Setup| AnyPosition::from(setup.position().with_rules(self.rules));
            starts.extend(standard.map(start));
        }
        let plies = self.random_plies;
        let mut generator = OpeningGenerator::new(self.seed, usize::from(plies));
        let pairs = self.games.div_ceil(2) as usize;
        let generate = |start: &AnyPosition| {
            generator.generate(*start).ok_or_else(|| {
                Problem::Input(format!(
                    "setup: {start}: no quiet opening of {plies} moves was found; \
                     try fewer --random-plies"
                ))
            })
        };
        starts.iter().cycle().take(pairs).map(generate).collect()
    }

    /// Plays the games of the match.
    fn play(
        &self,
        engines: &[EngineConfig; 2],
        openings: &[Game<AnyPosition>],
        mut writer: Option<RecordWriter<'_>>,
    ) -> Result<MatchStats, Problem> {
        let referee = Referee {
            limit: self.search_limit(),
            max_moves: usize::from(self.max_moves),
            hang_margin: Duration::from_millis(self.hang_margin),
            time_margin: Duration::from_millis(self.time_margin),
            move_timeout: Duration::from_secs(self.move_timeout),
        };
        let runner = MatchRunner::new(referee, engines, openings, self.games as usize);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.concurrency.map_or(cores, NonZero::get).min(cores).min(openings.len());
        let bar = progress::match_bar(u64::from(self.games));
        let mut stats = MatchStats::new(self.sprt);
        bar.set_message(stats.summary());
        bar.tick();
        let (sender, receiver) = mpsc::channel();
        let result = thread::scope(|scope| {
            for _ in 0..threads {
                let (runner, sender) = (&runner, sender.clone());
                scope.spawn(move || runner.play_pairs(&sender));
            }
            drop(sender);
            for finished in receiver {
                if let Some(writer) = &mut writer
                    && let Err(problem) = writer.write_game(engines, &finished)
                {
                    runner.stop();
                    return Err(problem);
                }
                stats.add(finished.pair, finished.color, &finished.game);
                bar.inc(1);
                bar.set_message(stats.summary());
                if stats.is_decided() {
                    // Running games are not counted, because they could change the decision.
                    runner.stop();
                    break;
                }
            }
            Ok(())
        });
        bar.finish_and_clear();
        result.map(|()| stats)
    }
}
