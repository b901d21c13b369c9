//! The game on the board of a lesson.

use khet::{Color, GamePosition, Outcome};

use super::lesson::{Lesson, Players};
use crate::board::{Scene, SceneShot};
use crate::rules::{Game, Move, Position};

/// The game on the board of a lesson.
#[derive(Clone, Debug)]
pub struct LessonGame {
    lesson: &'static Lesson,
    /// Index of the start position.
    start: usize,
    /// The game since the start position, or since the last move if only Silver plays.
    game: Game,
    /// The last move and its shot.
    last: Option<(Move, SceneShot)>,
    /// Number of the last shot. It keeps counting after a restart, so that each shot is animated.
    shot_number: u32,
    /// Number of moves of the solution that were played, or `usize::MAX` after another move.
    solution_plies: usize,
}

impl LessonGame {
    /// Returns the game at the first start position.
    pub fn new(lesson: &'static Lesson) -> LessonGame {
        let mut game = LessonGame {
            lesson,
            start: 0,
            game: Game::new(lesson.starts[0].position()),
            last: None,
            shot_number: 0,
            solution_plies: 0,
        };
        game.restart_from(0);
        game
    }

    /// Restarts from one of the start positions.
    pub fn restart_from(&mut self, start: usize) {
        let Some(lesson_start) = self.lesson.starts.get(start) else { return };
        self.start = start;
        self.game = Game::new(lesson_start.position());
        self.last = None;
        self.solution_plies = 0;
    }

    /// Restarts from the current start position.
    pub fn restart(&mut self) {
        self.restart_from(self.start);
    }

    /// Returns the index of the start position.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns whether no move has been played.
    pub fn is_at_start(&self) -> bool {
        self.last.is_none()
    }

    /// Returns the sides that the reader plays.
    pub fn players(&self) -> Players {
        self.lesson.players
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Returns the outcome, if the game has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// Returns how often the current position has occurred.
    pub fn repetitions(&self) -> usize {
        self.game.repetitions()
    }

    /// Returns whether the side to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.lesson.players == Players::Both && self.game.can_claim_draw()
    }

    /// Claims a draw. Does nothing if no draw can be claimed.
    pub fn claim_draw(&mut self) {
        let _ = self.game.claim_draw();
    }

    /// Plays a move. Does nothing if it is illegal.
    pub fn play(&mut self, mv: Move) {
        let before = *self.position();
        let Ok(shot) = self.game.play(mv) else { return };
        self.shot_number += 1;
        let scene_shot =
            SceneShot { number: self.shot_number, before_shot: before.before_shot(mv), shot };
        self.last = Some((mv, scene_shot));
        if self.lesson.players == Players::Silver && self.game.outcome().is_none() {
            self.game = Game::new(self.game.position().after_null_move());
        }
        let expected = self.lesson.solution.get(self.solution_plies).and_then(|mv| mv.parse().ok());
        self.solution_plies =
            if expected == Some(mv) { self.solution_plies + 1 } else { usize::MAX };
    }

    /// Returns the next move of the solution.
    pub fn next_solution_move(&self) -> Option<Move> {
        let mv = self.lesson.solution.get(self.solution_plies)?;
        if self.outcome().is_some() { None } else { mv.parse().ok() }
    }

    /// Returns whether the reader played the solution, or hit the same pieces in another way.
    pub fn is_solved(&self) -> bool {
        let Some((_, last)) = &self.last else { return false };
        let mut solution = LessonGame::new(self.lesson);
        solution.restart_from(self.start);
        while let Some(mv) = solution.next_solution_move() {
            solution.play(mv);
        }
        let Some((_, solution_last)) = &solution.last else { return false };
        let hits = &last.shot.hits;
        self.solution_plies == solution.solution_plies
            || !hits.is_empty() && *hits == solution_last.shot.hits
    }

    /// Returns the last move and its shot.
    pub fn last(&self) -> Option<&(Move, SceneShot)> {
        self.last.as_ref()
    }

    /// Returns the scene on the board.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::of(*self.position());
        if self.outcome().is_none() {
            scene.moves = self.position().legal_moves().to_vec();
        }
        if self.lesson.players == Players::Silver {
            scene.you = Some(Color::Silver);
        }
        if let Some((mv, shot)) = &self.last {
            scene.last = Some(*mv);
            scene.shot = Some(shot.clone());
        }
        scene
    }
}
