//! A short recorded game that is replayed in a loop.

use khet::GamePosition;

use crate::board::{LONGEST_SHOT, Scene, SceneShot};
use crate::rules::{Game, Move, Position, Record, classic};

/// The record of a game between two levels of the engine. Silver has the higher level.
const SHORT_GAME: &str = include_str!("short-game.kgn");

/// Interval of [`DemoGame::tick`], in milliseconds.
pub const TICK_MS: u64 = 200;
/// Ticks from the end of a shot to the next move.
const BETWEEN_MOVES: u32 = 6;
/// Ticks for which the final position, and then the start position, are shown.
const AT_START_AND_END: u32 = 20;
/// Ticks after which the shot counts as ended even if the board has not reported it.
const SHOT_TICKS: u32 = (LONGEST_SHOT.as_millis() as u64).div_ceil(TICK_MS) as u32;

/// The demo game and the current ply.
#[derive(Clone, Debug)]
pub struct DemoGame {
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// Number of moves played.
    ply: usize,
    /// Number of shots fired since the page was opened, so that the board animates each replay.
    shot_number: u32,
    /// Ticks until the next move.
    wait: u32,
}

impl DemoGame {
    /// Returns the game at its start.
    pub fn new() -> DemoGame {
        // A test parses the record. If parsing failed, the board would show the start position.
        let game = match SHORT_GAME.parse::<Record>() {
            Ok(record) => record.game(),
            Err(_) => Game::new(classic()),
        };
        DemoGame {
            positions: game.positions().to_vec(),
            moves: game.moves().to_vec(),
            ply: 0,
            shot_number: 0,
            wait: BETWEEN_MOVES,
        }
    }

    /// Returns the game after a move with an interesting shot, for people who reduce motion.
    pub fn still() -> DemoGame {
        let mut demo = DemoGame::new();
        demo.ply = demo.moves.len().min(7);
        demo
    }

    /// Advances the time by one tick. Returns whether the scene changed.
    pub fn tick(&mut self) -> bool {
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 {
            return false;
        }
        if self.ply == self.moves.len() {
            self.ply = 0;
            self.wait = AT_START_AND_END;
        } else {
            self.ply += 1;
            self.shot_number += 1;
            self.wait = SHOT_TICKS + BETWEEN_MOVES;
        }
        true
    }

    /// Handles the end of the shot animation.
    pub fn shot_ended(&mut self) {
        self.wait = if self.ply == self.moves.len() { AT_START_AND_END } else { BETWEEN_MOVES };
    }

    /// Returns the scene on the board.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::of(self.positions[self.ply]);
        if let Some(last) = self.ply.checked_sub(1) {
            let (before, mv) = (self.positions[last], self.moves[last]);
            let mut after = before;
            if let Ok(shot) = after.play(mv) {
                scene.last = Some(mv);
                let before_shot = before.before_shot(mv);
                scene.shot = Some(SceneShot { number: self.shot_number, before_shot, shot });
            }
        }
        // No shot has been fired yet in the still picture.
        scene.still = self.shot_number == 0;
        scene
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Outcome, Termination};

    use super::*;

    #[test]
    fn record_is_legal_short_and_ends_with_a_hit_pharaoh() {
        let record: Record = SHORT_GAME.parse().expect("a record");
        let game = record.game();
        let silver_wins =
            Outcome { winner: Some(Color::Silver), termination: Termination::PharaohHit };
        assert_eq!(game.outcome(), Some(silver_wins));
        assert!(game.moves().len() <= 20);
    }

    #[test]
    fn game_is_replayed_after_its_end() {
        let mut demo = DemoGame::new();
        let moves = demo.moves.len();
        let mut seen = Vec::new();
        let mut ticks = 0;
        while seen.len() < moves + 2 {
            ticks += 1;
            assert!(ticks < 2000);
            if demo.tick() {
                seen.push((demo.ply, demo.scene().shot.map(|shot| shot.number)));
                demo.shot_ended();
            }
        }
        assert_eq!(seen[0], (1, Some(1)));
        assert_eq!(seen[moves - 1], (moves, Some(moves as u32)));
        assert_eq!(seen[moves], (0, None));
        assert_eq!(seen[moves + 1], (1, Some(moves as u32 + 1)));
    }

    #[test]
    fn game_continues_if_the_end_of_a_shot_is_not_reported() {
        let mut demo = DemoGame::new();
        let shown = (0..200).filter(|_| demo.tick()).count();
        assert!(shown >= 6);
    }

    #[test]
    fn still_picture_has_a_shot_and_no_animation() {
        let scene = DemoGame::still().scene();
        assert!(scene.still && scene.shot.is_some_and(|fired| !fired.shot.hits.is_empty()));
    }
}
