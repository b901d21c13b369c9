//! The steps of the course, and the judgement of a move by the rules.

use khet::{Color, GamePosition};

use crate::learn::lesson::LessonText;
use crate::rules::{Move, Position, Shot};

/// Steps that belong together.
#[derive(Clone, Copy, Debug)]
pub struct CourseChapter {
    /// The title.
    pub title: LessonText,
    /// The steps.
    pub steps: &'static [CourseStep],
}

/// A board with a task for Silver.
#[derive(Clone, Copy, Debug)]
pub struct CourseStep {
    /// The name in addresses and in the stored progress. It never changes.
    pub id: &'static str,
    /// The title.
    pub title: LessonText,
    /// The task, with the rule or the idea that it needs.
    pub task: LessonText,
    /// The lesson of the step, shown after it is solved.
    pub lesson: LessonText,
    /// The start position in notation.
    pub start: &'static str,
    /// The goal.
    pub goal: StepGoal,
    /// Silver's moves that solve the step. Others may solve it too.
    pub solution: &'static [&'static str],
    /// Red's threat in the start position, which an arrow shows.
    pub threat: Option<&'static str>,
}

/// The goal of a step.
#[derive(Clone, Copy, Debug)]
pub enum StepGoal {
    /// Silver hits Red's pharaoh within this number of moves. Red makes no moves.
    Pharaoh(u8),
    /// Silver hits Red's pharaoh with the second move, whatever Red replies.
    ForcedPharaoh,
    /// One shot hits Red's pieces on all these squares, and none of Silver's.
    Hits(&'static [khet::Square]),
    /// These pieces, in notation, stand on these squares.
    Pieces(&'static [(khet::Square, &'static str)]),
    /// The shot hits none of Silver's pieces.
    NoOwnHit,
    /// Neither this shot nor Red's next one hits Silver's pharaoh.
    Defence,
}

impl StepGoal {
    /// Returns the number of Silver's moves.
    pub fn moves(self) -> u8 {
        match self {
            StepGoal::Pharaoh(moves) => moves,
            StepGoal::ForcedPharaoh => 2,
            StepGoal::Hits(_) | StepGoal::Pieces(_) | StepGoal::NoOwnHit | StepGoal::Defence => 1,
        }
    }

    /// Returns whether a move of Silver has reached the goal: `after` is the position after its
    /// shot.
    fn is_reached(self, after: &Position, shot: &Shot) -> bool {
        let hits_own = shot.hits.iter().any(|hit| hit.piece.color() == Color::Silver);
        let wins = shot.outcome.is_some_and(|outcome| outcome.winner == Some(Color::Silver));
        match self {
            StepGoal::Pharaoh(_) | StepGoal::ForcedPharaoh => wins,
            StepGoal::Hits(squares) => {
                let is_hit = |&square: &khet::Square| {
                    shot.hits.iter().any(|hit| hit.square == square.into())
                };
                !hits_own && squares.iter().all(is_hit)
            }
            StepGoal::Pieces(pieces) => pieces.iter().all(|&(square, piece)| {
                after.get(square.into()).is_some_and(|found| found.to_string() == piece)
            }),
            StepGoal::NoOwnHit => !hits_own,
            StepGoal::Defence => wins || shot.outcome.is_none() && after.winning_move().is_none(),
        }
    }
}

/// The judgement of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepVerdict {
    /// The goal is reached.
    Solved,
    /// The goal can still be reached. With Red's reply, if Red makes moves.
    Continues(Option<Move>),
    /// The goal can't be reached any more. With the reply of Red that shows it, if there is one.
    Failed(Option<Move>),
}

impl CourseStep {
    /// Returns the start position.
    pub fn position(&self) -> Position {
        self.start.parse().expect("a test parses every step")
    }

    /// Judges a move of Silver, the first of `moves_left`.
    pub fn judge(&self, position: &Position, mv: Move, moves_left: u8) -> StepVerdict {
        let mut after = *position;
        let Ok(shot) = after.play(mv) else { return StepVerdict::Failed(None) };
        if self.goal.is_reached(&after, &shot) {
            return StepVerdict::Solved;
        }
        if shot.outcome.is_some() {
            return StepVerdict::Failed(None);
        }
        match self.goal {
            StepGoal::Defence => StepVerdict::Failed(after.winning_move().map(|(mv, _)| mv)),
            StepGoal::ForcedPharaoh if moves_left == 2 => match refutation(&after) {
                Some(reply) => StepVerdict::Failed(Some(reply)),
                None => StepVerdict::Continues(best_defence(&after)),
            },
            StepGoal::Pharaoh(_)
                if moves_left > 1
                    && self.find_move(&after.after_null_move(), moves_left - 1).is_some() =>
            {
                StepVerdict::Continues(None)
            }
            _ => StepVerdict::Failed(None),
        }
    }

    /// Returns a move with which the goal can still be reached.
    pub fn find_move(&self, position: &Position, moves_left: u8) -> Option<Move> {
        let moves = position.legal_moves();
        let leads_on =
            |mv: &Move| !matches!(self.judge(position, *mv, moves_left), StepVerdict::Failed(_));
        moves.iter().copied().find(leads_on)
    }
}

/// Returns Red's reply after which Silver does not hit the pharaoh with the next move. One that hits
/// Silver's pharaoh comes first.
fn refutation(position: &Position) -> Option<Move> {
    if let Some((mv, _)) = position.winning_move() {
        return Some(mv);
    }
    let moves = position.legal_moves();
    let refutes = |mv: &Move| {
        let mut after = *position;
        after.play(*mv).is_ok_and(|shot| shot.outcome.is_none()) && after.winning_move().is_none()
    };
    moves.iter().copied().find(refutes)
}

/// Returns Red's reply that leaves Silver the fewest ways to hit the pharaoh. Among equals a move of
/// the pharaoh comes first, because it shows best why nothing helps.
fn best_defence(position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let pharaoh = position.pharaoh(position.side_to_move());
    let order = |mv: &Move| {
        let mut after = *position;
        let ways = match after.play(*mv) {
            Ok(shot) if shot.outcome.is_none() => winning_moves(&after),
            _ => usize::MAX,
        };
        (ways, mv.squares().map(|[from, _]| from) != pharaoh)
    };
    moves.iter().copied().min_by_key(order)
}

/// Returns the number of moves that hit the opponent's pharaoh.
fn winning_moves(position: &Position) -> usize {
    let side = position.side_to_move();
    let wins = |mv: &&Move| {
        let mut after = *position;
        let outcome = after.play(**mv).ok().and_then(|shot| shot.outcome);
        outcome.is_some_and(|outcome| outcome.winner == Some(side))
    };
    position.legal_moves().iter().filter(wins).count()
}
