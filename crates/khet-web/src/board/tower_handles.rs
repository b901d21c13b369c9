//! The handles of the tower in hand: an arrow for each direction in which it can be shifted, two
//! curved arrows that rotate it, and an eye that looks beneath the platform.

use khet::tower::TowerMove;
use khet::{GamePosition, Rotation};
use leptos::prelude::*;

use super::geometry::{LIFT, Orientation, Point};
use super::handles::{HandleIcon, PictureStep};
use super::levels::{as_tower_move, is_column, upper_square};
use super::move_input::PieceInHand;
use super::piece_handles::{Handle, HandleAction, HandlePair, proposal_handles, rotated_handles};
use super::state::BoardState;
use crate::languages::Words;
use crate::rules::{Move, Position, Square};

/// The distance of the arrows from the center of the column, and of the other handles, for a radius
/// of the handles. The handles don't touch each other, and all are above the platform.
fn distances(radius: f64) -> (f64, f64) {
    ((3.0 * radius).max(150.0), (1.03 * radius).max(45.0))
}

/// Returns the place of the handle for a move of the tower, from the center of the top of its
/// column.
fn place(mv: HandleMove, center: Point, radius: f64) -> Point {
    let (far, near) = distances(radius);
    match mv {
        HandleMove::Shift((x, y)) => center.plus(f64::from(x) * far, f64::from(y) * far),
        HandleMove::Rotate(Rotation::Counterclockwise) => center.plus(-near, 0.92 * near),
        HandleMove::Rotate(Rotation::Clockwise) => center.plus(near, 0.92 * near),
        HandleMove::Peek => center.plus(0.0, -0.92 * near),
    }
}

/// The task of a handle of the tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HandleMove {
    Shift(PictureStep),
    Rotate(Rotation),
    Peek,
}

impl HandleMove {
    /// Returns the task of a handle for a move of a position's tower.
    fn of(mv: Move, position: &Position, orientation: Orientation) -> Option<HandleMove> {
        match as_tower_move(mv)? {
            TowerMove::Rotate(rotation) => Some(HandleMove::Rotate(rotation)),
            TowerMove::Shift(to) => {
                let from = orientation.center(position.tower_column()?.lower_left());
                let to = orientation.center(to);
                let step = |from: f64, to: f64| ((to - from) / 50.0) as i8;
                let (x, y) = (step(from.x, to.x), step(from.y, to.y));
                Some(HandleMove::Shift((x.signum(), y.signum())))
            }
        }
    }

    /// Returns the symbol and the name of the handle.
    fn icon_and_name(self, words: Words) -> (HandleIcon, &'static str) {
        match self {
            HandleMove::Shift(step) => (HandleIcon::Arrow(step), shift_name(words, step)),
            HandleMove::Rotate(Rotation::Clockwise) => {
                (HandleIcon::Clockwise, words.tower_rotate_clockwise())
            }
            HandleMove::Rotate(Rotation::Counterclockwise) => {
                (HandleIcon::Counterclockwise, words.tower_rotate_counterclockwise())
            }
            HandleMove::Peek => (HandleIcon::Eye, words.tower_peek()),
        }
    }
}

/// Returns the name of the handle that shifts the tower.
fn shift_name(words: Words, step: PictureStep) -> &'static str {
    match step {
        (0, -1) => words.tower_shift_up(),
        (1, -1) => words.tower_shift_upper_right(),
        (1, 0) => words.tower_shift_right(),
        (1, 1) => words.tower_shift_lower_right(),
        (0, 1) => words.tower_shift_down(),
        (-1, 1) => words.tower_shift_lower_left(),
        (-1, 0) => words.tower_shift_left(),
        _ => words.tower_shift_upper_left(),
    }
}

/// Returns the center of the top of the column in the scene's position.
fn top_center(state: BoardState) -> Option<Point> {
    let column = state.scene.with(|scene| scene.position.tower_column())?;
    Some(state.orientation().column_center(column).plus(LIFT.0, LIFT.1))
}

/// Returns the handles of the tower in hand with their places.
fn hand_handles(
    state: BoardState,
    held: PieceInHand,
    center: Point,
    radius: f64,
) -> Vec<(Point, Handle)> {
    let (orientation, words) = (state.orientation(), state.words);
    let peeks = state.looks_beneath();
    let (icon, name) = HandleMove::Peek.icon_and_name(words);
    let name = if peeks { words.tower_peek_end() } else { name };
    let eye = Handle { icon, name, action: HandleAction::Peek, strong: peeks };
    let mut handles = vec![(place(HandleMove::Peek, center, radius), eye)];
    state.scene.with(|scene| {
        for &mv in &scene.moves {
            let Some(task) = HandleMove::of(mv, &scene.position, orientation) else { continue };
            let (icon, name) = task.icon_and_name(words);
            let action = HandleAction::Propose(mv, held);
            let handle = Handle { icon, name, action, strong: false };
            handles.push((place(task, center, radius), handle));
        }
    });
    handles
}

/// Returns the handles of the tower in hand or of its proposed move, and the square that has the
/// focus after they are used.
pub(super) fn tower_handles(state: BoardState) -> Option<(Square, Vec<(Point, Handle)>)> {
    let (center, radius) = (top_center(state)?, state.handle_radius.get());
    let placed = |places: [Point; 2], pair: HandlePair| {
        let placed = |(handle, place): (Option<Handle>, Point)| Some((place, handle?));
        pair.into_iter().zip(places).filter_map(placed).collect::<Vec<_>>()
    };
    if let Some(proposed) = state.proposal.current.get() {
        let orientation = state.orientation();
        let task =
            state.scene.with(|scene| HandleMove::of(proposed.mv, &scene.position, orientation))?;
        let focused = upper_square(state.displayed_column()?.lower_left())?;
        let tapped = place(task, center, radius);
        // The handle that takes the move back is under the finger that has proposed it.
        let other = match proposed.needs_confirmation {
            true => place(HandleMove::Peek, center, radius),
            false => tapped,
        };
        return Some((focused, placed([tapped, other], proposal_handles(state, proposed))));
    }
    let held = state.held.get()?;
    let column = state.scene.with(|scene| scene.position.tower_column());
    if !is_column(column, held.from) {
        return None;
    }
    let handles = match held.rotation {
        None => hand_handles(state, held, center, radius),
        Some(rotation) => {
            let rotations = [Rotation::Counterclockwise, Rotation::Clockwise];
            let places =
                rotations.map(|rotation| place(HandleMove::Rotate(rotation), center, radius));
            placed(places, rotated_handles(state, held.from, rotation))
        }
    };
    Some((held.from, handles))
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::super::handles;
    use super::*;

    const STEPS: [PictureStep; 8] =
        [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

    #[test]
    fn handles_do_not_touch_each_other_and_stay_above_the_platform() {
        let lying = Orientation::new(Color::Silver);
        for orientation in [lying, lying.upright(true)] {
            for width in [320.0, 390.0, 600.0, 860.0, 1400.0] {
                let radius = handles::radius(orientation, width);
                let rotations = [Rotation::Clockwise, Rotation::Counterclockwise];
                let mut tasks: Vec<HandleMove> = STEPS.map(HandleMove::Shift).to_vec();
                tasks.extend(rotations.map(HandleMove::Rotate));
                tasks.push(HandleMove::Peek);
                let places: Vec<Point> =
                    tasks.iter().map(|task| place(*task, Point::default(), radius)).collect();
                for (index, one) in places.iter().enumerate() {
                    assert!(one.x.abs() + radius <= 300.0 && one.y.abs() + radius <= 300.0);
                    for other in &places[..index] {
                        let apart = one.distance(*other);
                        assert!(apart >= 2.0 * radius, "{apart} for {radius} at {width}");
                    }
                }
            }
        }
    }
}
