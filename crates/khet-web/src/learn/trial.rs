//! The state of a board to try a rule on: what stands, what was done, what can be done.

use khet::{Color, Game, Move, Outcome, Position};

use super::lesson::{Lesson, Players};
use crate::board::{Scene, SceneShot};

/// A board to try a rule on.
#[derive(Clone, Debug)]
pub struct Trial {
    lesson: &'static Lesson,
    /// Which of the lesson's starts it began with.
    start: usize,
    /// The game since the start, or where Red waits since the last move.
    game: Game,
    /// The last move and its shot.
    last: Option<(Move, SceneShot)>,
    /// Tells shots apart; it goes on when the board starts again.
    number: u32,
    /// How many of the lesson's turns have been shown; none left once the reader has played.
    shown: usize,
}

impl Trial {
    /// The board of a lesson, at the first of its starts.
    pub fn new(lesson: &'static Lesson) -> Trial {
        let mut trial = Trial {
            lesson,
            start: 0,
            game: Game::new(lesson.starts[0].position()),
            last: None,
            number: 0,
            shown: 0,
        };
        trial.begin(0);
        trial
    }

    /// Begins with one of the lesson's starts.
    pub fn begin(&mut self, start: usize) {
        let Some(beginning) = self.lesson.starts.get(start) else { return };
        self.start = start;
        self.game = Game::new(beginning.position());
        self.last = None;
        self.shown = 0;
    }

    /// Begins again.
    pub fn again(&mut self) {
        self.begin(self.start);
    }

    /// Which of the lesson's starts it began with.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Whether nothing has been done yet.
    pub fn is_fresh(&self) -> bool {
        self.last.is_none()
    }

    /// Who moves.
    pub fn players(&self) -> Players {
        self.lesson.players
    }

    /// What stands.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// How it ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// How often the arrangement has stood, where both play.
    pub fn repetitions(&self) -> usize {
        self.game.repetitions()
    }

    /// Whether the player to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.lesson.players == Players::Both && self.game.can_claim_draw()
    }

    /// Claims a draw, if that may be done.
    pub fn claim_draw(&mut self) {
        // Otherwise nothing happens: the button is not there.
        let _ = self.game.claim_draw();
    }

    /// Makes a move, if it is legal, and lets the laser fire.
    pub fn play(&mut self, mv: Move) {
        let before = *self.position();
        let Ok(shot) = self.game.play(mv) else { return };
        self.number += 1;
        let fired = SceneShot { number: self.number, before_shot: before.before_shot(mv), shot };
        self.last = Some((mv, fired));
        if self.lesson.players == Players::Silver && self.game.outcome().is_none() {
            self.game = Game::new(self.game.position().passed());
        }
        let expected = self.lesson.shown.get(self.shown).and_then(|mv| mv.parse().ok());
        self.shown = if expected == Some(mv) { self.shown + 1 } else { usize::MAX };
    }

    /// The next of the moves that answer the task.
    pub fn next_shown(&self) -> Option<Move> {
        let mv = self.lesson.shown.get(self.shown)?;
        if self.outcome().is_some() { None } else { mv.parse().ok() }
    }

    /// The last move, and what its shot did.
    pub fn last(&self) -> Option<&(Move, SceneShot)> {
        self.last.as_ref()
    }

    /// What the board shows.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::of(*self.position());
        if self.outcome().is_none() {
            scene.moves = self.position().legal_moves().to_vec();
        }
        if self.lesson.players == Players::Silver {
            scene.you = Some(Color::Silver);
        }
        if let Some((mv, fired)) = &self.last {
            scene.last = Some(*mv);
            scene.shot = Some(fired.clone());
        }
        scene
    }
}
