//! The referee: lets two engines play a game by the rules, and by the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use khet::{Color, Evaluation, Game, Move, Reason, Setup};

use super::engine_process::{EngineFailure as Trouble, SearchResult as Thought};
use super::player::EnginePlayer as Player;
use super::time_control::{Clocks, TimeControl};

/// How games are conducted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Referee {
    pub(crate) control: TimeControl,
    /// After so many turns the game is a draw.
    pub(crate) max_moves: usize,
    /// An engine that has not answered so long after its time is held to hang.
    pub(crate) margin: Duration,
    /// So much more than its time an engine may use without losing.
    pub(crate) overhead: Duration,
    /// How long a move may take that no time control bounds.
    pub(crate) patience: Duration,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Termination {
    PharaohLit,
    NoMoves,
    Repetition,
    MoveLimit,
    Time,
    Illegal,
    Crash,
    Hang,
}

impl Termination {
    /// The value of a record's tag `Termination`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Termination::PharaohLit => "pharaoh lit",
            Termination::NoMoves => "no move",
            Termination::Repetition => "repetition",
            Termination::MoveLimit => "move limit",
            Termination::Time => "time",
            Termination::Illegal => "illegal move",
            Termination::Crash => "crash",
            Termination::Hang => "hang",
        }
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub(crate) winner: Option<Color>,
    pub(crate) termination: Termination,
    /// What happened, if the board does not show it.
    pub(crate) remark: Option<String>,
}

impl Ending {
    fn draw(termination: Termination, remark: impl Into<String>) -> Ending {
        Ending { winner: None, termination, remark: Some(remark.into()) }
    }

    fn forfeit(loser: Color, termination: Termination, remark: impl Into<String>) -> Ending {
        Ending { winner: Some(!loser), termination, remark: Some(remark.into()) }
    }

    fn trouble(loser: Color, trouble: &Trouble) -> Ending {
        let termination = match trouble {
            Trouble::Crash(_) => Termination::Crash,
            Trouble::Hang(_) => Termination::Hang,
        };
        Ending::forfeit(loser, termination, trouble.text())
    }
}

/// What an engine said to a move, and what was left on its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    pub(crate) evaluation: Option<Evaluation>,
    pub(crate) clock: Option<Duration>,
}

/// What an engine reported in a game, added up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) moves: u64,
    pub(crate) time: Duration,
    /// Of the moves for which a depth was reported.
    pub(crate) depth_moves: u64,
    pub(crate) depths: u64,
    /// Of the moves for which nodes were reported.
    pub(crate) nodes: u64,
    pub(crate) nodes_time: Duration,
    /// Moves that took longer than the time control and the overhead allow.
    pub(crate) late: u64,
}

impl Figures {
    fn note(&mut self, thought: &Thought, late: bool) {
        self.moves += 1;
        self.time += thought.time;
        self.late += u64::from(late);
        if let Some(depth) = thought.info.depth {
            self.depth_moves += 1;
            self.depths += u64::from(depth);
        }
        if let Some(nodes) = thought.info.nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.nodes_time += thought.time;
        }
    }

    pub(crate) fn add(&mut self, other: &Figures) {
        self.moves += other.moves;
        self.time += other.time;
        self.depth_moves += other.depth_moves;
        self.depths += other.depths;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.nodes_time += other.nodes_time;
        self.late += other.late;
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) game: Game,
    /// How many turns the opening had.
    pub(crate) opening: usize,
    /// For each move behind the opening.
    pub(crate) notes: Vec<Note>,
    pub(crate) ending: Ending,
    /// Silver's and Red's.
    pub(crate) figures: [Figures; 2],
}

impl Referee {
    /// Plays a game from an opening, `players` being Silver and Red. None if `stop` was set before it
    /// ended.
    pub(crate) fn play(
        &self,
        opening: &Game,
        players: [&mut Player<'_>; 2],
        stop: &AtomicBool,
    ) -> Option<Played> {
        let mut table = Table {
            referee: self,
            players,
            clocks: Clocks::new(self.control),
            played: Played {
                game: opening.clone(),
                opening: opening.moves().len(),
                notes: Vec::new(),
                // Never seen: the game ends before it is returned.
                ending: Ending { winner: None, termination: Termination::MoveLimit, remark: None },
                figures: [Figures::default(); 2],
            },
        };
        table.played.ending = match table.prepare() {
            Some(ending) => ending,
            None => loop {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                if let Some(ending) = table.next() {
                    break ending;
                }
            },
        };
        Some(table.played)
    }
}

/// Where a game is being played.
struct Table<'a, 'b> {
    referee: &'a Referee,
    players: [&'a mut Player<'b>; 2],
    clocks: Clocks,
    played: Played,
}

impl Table<'_, '_> {
    /// Makes both players ready.
    fn prepare(&mut self) -> Option<Ending> {
        let first = self.played.game.position().side_to_move();
        [first, !first].into_iter().find_map(|color| {
            let trouble = self.players[color as usize].prepare().err()?;
            Some(Ending::trouble(color, &trouble))
        })
    }

    /// Ends the game, or plays a move. The ending, if there was one.
    fn next(&mut self) -> Option<Ending> {
        let claims = !self.thinks_it_is_better();
        let game = &mut self.played.game;
        if claims && game.can_claim_draw() {
            let _ = game.claim_draw();
        }
        if let Some(outcome) = game.outcome() {
            let termination = match outcome.reason {
                Reason::Repetition => {
                    let remark = "the arrangement came back";
                    return Some(Ending::draw(Termination::Repetition, remark));
                }
                Reason::NoMoves => Termination::NoMoves,
                _ => Termination::PharaohLit,
            };
            return Some(Ending { winner: outcome.winner, termination, remark: None });
        }
        if game.moves().len() >= self.referee.max_moves {
            let remark = format!("no end after {} moves", game.moves().len());
            return Some(Ending::draw(Termination::MoveLimit, remark));
        }
        self.mv()
    }

    /// Engines have no word for claiming a draw. The player to move does it unless it said at its last
    /// move that it is better.
    fn thinks_it_is_better(&self) -> bool {
        let notes = &self.played.notes;
        let last = notes.len().checked_sub(2).and_then(|index| notes[index].evaluation);
        let for_silver = match last {
            Some(Evaluation::Cents(value) | Evaluation::LightsIn(value)) => value,
            None => 0,
        };
        match self.played.game.position().side_to_move() {
            Color::Silver => for_silver > 0,
            Color::Red => for_silver < 0,
        }
    }

    fn mv(&mut self) -> Option<Ending> {
        let mover = self.played.game.position().side_to_move();
        let player = &mut self.players[mover as usize];
        let allowed = self.clocks.allowed(mover);
        let longest = allowed.unwrap_or(self.referee.patience) + self.referee.margin;
        let position = position_command(&self.played.game);
        let thought = match player.search(&position, &self.clocks.go(), longest) {
            Ok(thought) => thought,
            Err(trouble) => return Some(Ending::trouble(mover, &trouble)),
        };
        let late = allowed.is_some_and(|allowed| thought.time > allowed + self.referee.overhead);
        self.played.figures[mover as usize].note(&thought, late);
        if let Some(left) = self.clocks.left(mover).filter(|_| late) {
            let (time, left) = (thought.time.as_millis(), left.as_millis());
            let remark = format!("{time} ms for a move, with {left} ms left");
            return Some(Ending::forfeit(mover, Termination::Time, remark));
        }
        self.clocks.spend(mover, thought.time);
        if let Err(problem) = play(&mut self.played.game, &thought.best_move) {
            player.kill();
            return Some(Ending::forfeit(mover, Termination::Illegal, problem));
        }
        self.played.notes.push(Note {
            evaluation: thought.info.evaluation(mover),
            clock: self.clocks.left(mover),
        });
        None
    }
}

/// Plays what an engine answered, or says what is wrong with it.
fn play(game: &mut Game, answer: &str) -> Result<(), String> {
    let mv: Move = answer.parse().map_err(|error: khet::ParseMoveError| error.to_string())?;
    game.play(mv).map_err(|error| error.to_string())?;
    Ok(())
}

/// The command that sets a game up.
fn position_command(game: &Game) -> String {
    let start = game.start().placement();
    let mut command = match Setup::of(&start) {
        Some(setup) => format!("position setup {setup}"),
        None => format!("position fen {start}"),
    };
    if !game.moves().is_empty() {
        command.push_str(" moves");
        for mv in game.moves() {
            command.push(' ');
            command.push_str(&mv.to_string());
        }
    }
    command
}
