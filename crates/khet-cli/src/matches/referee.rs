//! Plays one game between two engines: enforces the rules and the time control, claims draws and
//! adjudicates.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use khet::tower::Square;
use khet::{
    AnyPosition, AnySetup, Color, Game, GamePosition, Move, Outcome, SilverEval, Termination,
};

use super::engine_process::{BestMoveReply, EngineFailure};
use super::player::EnginePlayer;
use super::search_limit::{GameTime, SearchLimit};

/// The conditions under which games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Referee {
    pub(crate) limit: SearchLimit,
    /// Plies after which a game is adjudicated as a draw.
    pub(crate) max_moves: usize,
    /// Time after the end of its time until an engine without an answer counts as hanging.
    pub(crate) hang_margin: Duration,
    /// Time by which an engine may exceed its time without losing.
    pub(crate) time_margin: Duration,
    /// Time limit per move if the search is limited by nodes or depth.
    pub(crate) move_timeout: Duration,
}

/// The end of a game, with what the record adds to it as a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameOver {
    pub(crate) outcome: Outcome,
    /// Details that the board does not show.
    pub(crate) remark: Option<String>,
}

impl GameOver {
    /// Returns a draw with a remark.
    fn draw(termination: Termination, remark: impl Into<String>) -> GameOver {
        GameOver { outcome: Outcome::draw(termination), remark: Some(remark.into()) }
    }

    /// Returns a loss with a remark.
    fn forfeit(loser: Color, termination: Termination, remark: impl Into<String>) -> GameOver {
        GameOver { outcome: Outcome::win(!loser, termination), remark: Some(remark.into()) }
    }

    fn engine_failure(loser: Color, failure: &EngineFailure) -> GameOver {
        let termination = match failure {
            EngineFailure::Crash(_) => Termination::EngineCrash,
            EngineFailure::Hang(_) => Termination::EngineHang,
        };
        GameOver::forfeit(loser, termination, failure.text())
    }
}

/// The engine's evaluation of a move, and the time left on its clock after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveNote {
    pub(crate) evaluation: Option<SilverEval>,
    pub(crate) clock: Option<Duration>,
}

/// Totals over the moves of an engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct EngineStats {
    pub(crate) moves: u64,
    pub(crate) time: Duration,
    /// Moves for which the engine reported a depth.
    pub(crate) depth_moves: u64,
    /// Sum of the reported depths.
    pub(crate) depths: u64,
    /// Sum of the reported nodes.
    pub(crate) nodes: u64,
    /// Time of the moves for which the engine reported nodes.
    pub(crate) nodes_time: Duration,
    /// Moves that exceeded the time and the time margin.
    pub(crate) late: u64,
}

impl EngineStats {
    fn add_move(&mut self, result: &BestMoveReply, late: bool) {
        self.moves += 1;
        self.time += result.time;
        self.late += u64::from(late);
        if let Some(depth) = result.info.depth {
            self.depth_moves += 1;
            self.depths += u64::from(depth);
        }
        if let Some(nodes) = result.info.nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.nodes_time += result.time;
        }
    }

    /// Adds the statistics of another game.
    pub(crate) fn add(&mut self, other: &EngineStats) {
        self.moves += other.moves;
        self.time += other.time;
        self.depth_moves += other.depth_moves;
        self.depths += other.depths;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.nodes_time += other.nodes_time;
        self.late += other.late;
    }
}

/// A finished game of the match.
#[derive(Clone, Debug)]
pub(crate) struct MatchGame {
    pub(crate) game: Game<AnyPosition>,
    /// Number of moves in the opening.
    pub(crate) opening: usize,
    /// One for each move after the opening.
    pub(crate) notes: Vec<MoveNote>,
    pub(crate) end: GameOver,
    /// Statistics of Silver and Red.
    pub(crate) stats: [EngineStats; 2],
}

impl Referee {
    /// Plays a game from an opening; `players` are Silver and Red. Returns `None` if `stop` was set
    /// before the game ended.
    pub(crate) fn play(
        &self,
        opening: &Game<AnyPosition>,
        players: [&mut EnginePlayer<'_>; 2],
        stop: &AtomicBool,
    ) -> Option<MatchGame> {
        let mut running = RunningGame {
            referee: self,
            players,
            time: GameTime::new(self.limit, opening.position().side_to_move()),
            record: MatchGame {
                game: opening.clone(),
                opening: opening.moves().len(),
                notes: Vec::new(),
                // A placeholder: the game ends before it is returned.
                end: GameOver::draw(Termination::MoveLimit, ""),
                stats: [EngineStats::default(); 2],
            },
        };
        running.record.end = match running.prepare() {
            Some(end) => end,
            None => loop {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                if let Some(end) = running.play_ply() {
                    break end;
                }
            },
        };
        Some(running.record)
    }
}

/// A game that is being played.
struct RunningGame<'a, 'b> {
    referee: &'a Referee,
    players: [&'a mut EnginePlayer<'b>; 2],
    time: GameTime,
    record: MatchGame,
}

impl RunningGame<'_, '_> {
    /// Prepares both engines. Returns the end of the game if one fails.
    fn prepare(&mut self) -> Option<GameOver> {
        let first = self.record.game.position().side_to_move();
        [first, !first].into_iter().find_map(|color| {
            let failure = self.players[color as usize].prepare().err()?;
            Some(GameOver::engine_failure(color, &failure))
        })
    }

    /// Ends the game, or plays a move. Returns the end, if there was one.
    fn play_ply(&mut self) -> Option<GameOver> {
        let claims = !self.is_mover_ahead();
        let game = &mut self.record.game;
        if claims && game.can_claim_draw() {
            let _ = game.claim_draw();
        }
        if let Some(outcome) = game.outcome() {
            let repeated = outcome.termination == Termination::Repetition;
            let remark = repeated.then(|| "the position was repeated".to_owned());
            return Some(GameOver { outcome, remark });
        }
        if game.moves().len() >= self.referee.max_moves {
            let remark = format!("no end after {} moves", game.moves().len());
            return Some(GameOver::draw(Termination::MoveLimit, remark));
        }
        self.play_move()
    }

    /// Returns whether the side to move was ahead in its own last evaluation. If not, it claims a
    /// draw when it can, because UKI has no command for engines to claim one.
    fn is_mover_ahead(&self) -> bool {
        let notes = &self.record.notes;
        let last = notes.len().checked_sub(2).and_then(|index| notes[index].evaluation);
        let side = self.record.game.position().side_to_move();
        last.and_then(SilverEval::leader) == Some(side)
    }

    /// Lets the side to move search, and plays its move. Returns the end of the game if it
    /// forfeits.
    fn play_move(&mut self) -> Option<GameOver> {
        let mover = self.record.game.position().side_to_move();
        let player = &mut self.players[mover as usize];
        let allowed = self.time.allowed(mover);
        let timeout = allowed.unwrap_or(self.referee.move_timeout) + self.referee.hang_margin;
        let position = position_command(&self.record.game);
        let result = match player.search(&position, &self.time.go_command(), timeout) {
            Ok(result) => result,
            Err(failure) => return Some(GameOver::engine_failure(mover, &failure)),
        };
        let late = allowed.is_some_and(|allowed| result.time > allowed + self.referee.time_margin);
        self.record.stats[mover as usize].add_move(&result, late);
        if let Some(left) = self.time.left(mover).filter(|_| late) {
            let (time, left) = (result.time.as_millis(), left.as_millis());
            let remark = format!("{time} ms for a move, with {left} ms left");
            return Some(GameOver::forfeit(mover, Termination::Time, remark));
        }
        let moves = self.record.game.moves().len() + 1;
        self.time.end_move(mover, result.time, moves);
        if let Err(problem) = play(&mut self.record.game, &result.best_move) {
            player.kill();
            return Some(GameOver::forfeit(mover, Termination::IllegalMove, problem));
        }
        self.record.notes.push(MoveNote {
            evaluation: result.info.evaluation(mover),
            clock: self.time.left(mover),
        });
        None
    }
}

/// Plays the answer of an engine, or returns why it is not a legal move.
fn play(game: &mut Game<AnyPosition>, answer: &str) -> Result<(), String> {
    let mv: Move<Square> =
        answer.parse().map_err(|error: khet::ParseMoveError| error.to_string())?;
    game.play(mv).map_err(|error| error.to_string())?;
    Ok(())
}

/// Returns the UKI command that sets up the game.
fn position_command(game: &Game<AnyPosition>) -> String {
    let start = game.start().placement();
    let mut command = match AnySetup::of(&start) {
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
