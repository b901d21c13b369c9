//! An attempt at a step of the course: the moves on its board, hints, mistakes and stars.

use khet::{Color, GamePosition};

use super::step::{CourseStep, StepVerdict};
use crate::board::{Hint, HintKind, Scene, SceneShot};
use crate::rules::{Move, Position};

/// The most stars that a step gives.
pub const MAX_STARS: u8 = 3;

/// An attempt at a step.
#[derive(Clone, Debug)]
pub struct StepAttempt {
    step: &'static CourseStep,
    position: Position,
    /// The last move and its shot.
    last: Option<(Move, SceneShot)>,
    /// Number of the last shot. It keeps counting after a restart, so that each shot is animated.
    shot_number: u32,
    /// Number of moves that Silver may still make.
    moves_left: u8,
    state: StepAttemptState,
    hint: StepHint,
    /// Number of hints and mistakes since the step was opened.
    deductions: u8,
}

/// The state of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepAttemptState {
    /// Silver is to move.
    ToMove,
    /// Red is about to play this reply; the goal can still be reached.
    Reply(Move),
    /// Red is about to play this reply, which shows that the goal can't be reached.
    Refutation(Move),
    /// The goal was reached.
    Solved,
    /// The goal can't be reached any more.
    Failed,
}

/// The extent of the current hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepHint {
    /// Nothing.
    None,
    /// The piece of this move.
    Piece(Move),
    /// The whole move.
    Move(Move),
}

impl StepAttempt {
    /// Starts an attempt.
    pub fn new(step: &'static CourseStep) -> StepAttempt {
        StepAttempt {
            step,
            position: step.position(),
            last: None,
            shot_number: 0,
            moves_left: step.goal.moves(),
            state: StepAttemptState::ToMove,
            hint: StepHint::None,
            deductions: 0,
        }
    }

    /// Starts again from the beginning. Hints and mistakes still count.
    pub fn restart(&mut self) {
        *self = StepAttempt {
            shot_number: self.shot_number,
            deductions: self.deductions,
            ..StepAttempt::new(self.step)
        };
    }

    /// Returns the state.
    pub fn state(&self) -> StepAttemptState {
        self.state
    }

    /// Returns the number of moves that Silver may still make.
    pub fn moves_left(&self) -> u8 {
        self.moves_left
    }

    /// Returns whether no move has been played.
    pub fn is_at_start(&self) -> bool {
        self.last.is_none()
    }

    /// Returns the current hint.
    pub fn hint(&self) -> StepHint {
        self.hint
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the last move and its shot.
    pub fn last(&self) -> Option<&(Move, SceneShot)> {
        self.last.as_ref()
    }

    /// Returns the stars that the step gives if it is solved now: all without hint and mistake, and
    /// one less for each of them, but at least one.
    pub fn stars(&self) -> u8 {
        MAX_STARS.saturating_sub(self.deductions).max(1)
    }

    /// Plays a move of Silver.
    pub fn play(&mut self, mv: Move) {
        if self.state != StepAttemptState::ToMove {
            return;
        }
        let verdict = self.step.judge(&self.position, mv, self.moves_left);
        if !self.play_on_board(mv) {
            return;
        }
        self.moves_left -= 1;
        self.hint = StepHint::None;
        self.state = match verdict {
            StepVerdict::Solved => StepAttemptState::Solved,
            StepVerdict::Continues(Some(reply)) => StepAttemptState::Reply(reply),
            StepVerdict::Continues(None) => {
                self.position = self.position.after_null_move();
                StepAttemptState::ToMove
            }
            StepVerdict::Failed(reply) => {
                self.deductions = self.deductions.saturating_add(1);
                reply.map_or(StepAttemptState::Failed, StepAttemptState::Refutation)
            }
        };
    }

    /// Plays Red's reply, if Red is about to move.
    pub fn play_reply(&mut self) {
        let (reply, next) = match self.state {
            StepAttemptState::Reply(reply) => (reply, StepAttemptState::ToMove),
            StepAttemptState::Refutation(reply) => (reply, StepAttemptState::Failed),
            StepAttemptState::ToMove | StepAttemptState::Solved | StepAttemptState::Failed => {
                return;
            }
        };
        self.play_on_board(reply);
        // Red may have no reply but one that hits Red's own pharaoh.
        let is_won = self.position.outcome().is_some_and(|o| o.winner == Some(Color::Silver));
        self.state = if is_won { StepAttemptState::Solved } else { next };
    }

    /// Plays a move and fires the laser. Returns false if it is illegal.
    fn play_on_board(&mut self, mv: Move) -> bool {
        let before_shot = self.position.check(mv).map(|mv| self.position.before_shot(mv));
        let (Ok(before_shot), Ok(shot)) = (before_shot, self.position.play(mv)) else {
            return false;
        };
        self.shot_number += 1;
        self.last = Some((mv, SceneShot { number: self.shot_number, before_shot, shot }));
        true
    }

    /// Shows a hint: first the piece, then the move.
    pub fn show_hint(&mut self) {
        if self.state != StepAttemptState::ToMove {
            return;
        }
        self.hint = match self.hint {
            StepHint::None => match self.next_move() {
                Some(mv) => StepHint::Piece(mv),
                None => return,
            },
            StepHint::Piece(mv) => StepHint::Move(mv),
            StepHint::Move(_) => return,
        };
        self.deductions = self.deductions.saturating_add(1);
    }

    /// Returns a move that leads to the goal: that of the solution, unless the board is another.
    fn next_move(&self) -> Option<Move> {
        let played = usize::from(self.step.goal.moves() - self.moves_left);
        let listed = self.step.solution.get(played).and_then(|mv| mv.parse().ok());
        let leads_on = |mv: &Move| {
            let verdict = self.step.judge(&self.position, *mv, self.moves_left);
            !matches!(verdict, StepVerdict::Failed(_))
        };
        listed.filter(leads_on).or_else(|| self.step.find_move(&self.position, self.moves_left))
    }

    /// Returns the scene on the board.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::of(self.position);
        scene.you = Some(Color::Silver);
        if self.state == StepAttemptState::ToMove {
            scene.moves = self.position.legal_moves().to_vec();
            scene.hints = self.arrows();
        }
        if let Some((mv, shot)) = &self.last {
            scene.last = Some(*mv);
            scene.shot = Some(shot.clone());
        }
        scene
    }

    /// Returns the arrows of Red's threat and of the hint.
    fn arrows(&self) -> Vec<Hint> {
        let threat = self.step.threat.filter(|_| self.is_at_start());
        let threat = threat.and_then(|mv| mv.parse().ok());
        let threat = threat.map(|mv| Hint { mv, kind: HintKind::Threat });
        let hint = match self.hint {
            StepHint::None => None,
            StepHint::Piece(mv) => Some(Hint { mv, kind: HintKind::Piece }),
            StepHint::Move(mv) => Some(Hint { mv, kind: HintKind::Best }),
        };
        threat.into_iter().chain(hint).collect()
    }
}
