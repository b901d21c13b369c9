//! The reactions of a board to pointers, the wheel and keys.

use khet::{Direction, GamePosition, Rotation};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;

use super::cells;
use super::drawn_marks::{DrawnMark, DrawnMarks};
use super::geometry::{Orientation, Point, WALL};
use super::gestures::{DragEvent, PointerGesture, ReleaseEvent};
use super::levels;
use super::move_input::{AllowedMoves, MoveInput};
use super::state::BoardState;
use crate::browser::pointer;
use crate::rules::Square;

impl BoardState {
    /// Returns the point of the picture under the pointer.
    pub(super) fn point(self, event: &ev::PointerEvent) -> Option<Point> {
        point_at_pointer(self.root, self.orientation_now(), event.client_x(), event.client_y())
    }

    /// Returns the square under the pointer.
    fn square_below(self, event: &ev::PointerEvent) -> Option<Square> {
        let point = self.point(event)?;
        self.scene.with_untracked(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            let (held, peeks) = (self.held.get_untracked(), untrack(|| self.peeks()));
            levels::square_at(point, self.orientation_now(), allowed, held, peeks)
        })
    }

    pub(super) fn on_pointer_down(self, event: &ev::PointerEvent) {
        self.used_pointer.set_value(true);
        if pointer::is_right_press(event) && !self.quiet {
            let circle =
                self.square_below(event).map(|square| DrawnMark { from: square, to: square });
            pointer::capture(event);
            self.drawn.update(|drawn| drawn.current = circle);
            return;
        }
        if self.skip_shot() || !pointer::is_primary_press(event) {
            return;
        }
        self.clear_drawn_marks();
        let Some(square) = self.square_below(event) else {
            self.gesture.update_value(PointerGesture::cancel);
            return;
        };
        let at = pointer::window_position(event);
        self.gesture.update_value(|gesture| gesture.press(event.pointer_id(), at, square));
        self.cursor.set(square);
    }

    pub(super) fn on_pointer_move(self, event: &ev::PointerEvent) {
        if let Some(current) = self.drawn.with_untracked(|drawn| drawn.current) {
            self.draw_to(current, event);
            return;
        }
        self.follow_mouse(event);
        let lift = |square| {
            let has_move = self.scene.with_untracked(|scene| {
                AllowedMoves { position: &scene.position, moves: &scene.moves }.has_move(square)
            });
            has_move.then_some(square)
        };
        let at = pointer::window_position(event);
        let drag = self
            .gesture
            .try_update_value(|gesture| gesture.move_to(event.pointer_id(), at, lift))
            .flatten();
        let Some(drag) = drag else { return };
        if let DragEvent::Start(square) = drag {
            pointer::capture(event);
            self.handle_input(MoveInput::Lift(square));
        }
        if let Some(point) = self.point(event) {
            self.drag.set(Some(point));
        }
    }

    pub(super) fn on_pointer_up(self, event: &ev::PointerEvent) {
        if self.drawn.with_untracked(|drawn| drawn.current.is_some()) {
            self.drawn.update(DrawnMarks::finish);
            return;
        }
        let square = self.square_below(event);
        let release = self
            .gesture
            .try_update_value(|gesture| gesture.release(event.pointer_id(), square))
            .flatten();
        match release {
            Some(ReleaseEvent::Tap(square)) => {
                let before = self.held.get_untracked();
                self.handle_input(MoveInput::Tap(square));
                // A tap on the column of a tower that can't be picked up looks beneath it.
                let column = self.scene.with_untracked(|scene| scene.position.tower_column());
                let is_free = before.is_none() && self.held.get_untracked().is_none();
                if is_free && levels::is_column(column, square) {
                    self.toggle_peek();
                }
            }
            Some(ReleaseEvent::Drop(_)) => {
                self.dropped.set_value(true);
                self.handle_input(MoveInput::Drop(square));
                self.drag.set(None);
                self.dropped.set_value(false);
            }
            None => {}
        }
    }

    /// Suppresses the context menu of the right mouse button, which draws arrows. The menu key
    /// still opens it.
    pub(super) fn on_context_menu(self, event: &ev::MouseEvent) {
        if !self.quiet && event.button() == 2 {
            event.prevent_default();
        }
    }

    /// Extends the arrow that is drawn to the pointer.
    fn draw_to(self, current: DrawnMark, event: &ev::PointerEvent) {
        let to = self.square_below(event).unwrap_or(current.to);
        if current.to != to {
            self.drawn.update(|drawn| drawn.current = Some(DrawnMark { to, ..current }));
        }
    }

    /// Follows the mouse while a piece is in hand.
    fn follow_mouse(self, event: &ev::PointerEvent) {
        let Some(held) = self.held.get_untracked() else { return };
        // A finger covers what it points at: it aims only while it drags.
        let mouse = event.pointer_type() == "mouse";
        let aim = self.square_below(event).filter(|_| mouse).unwrap_or(held.from);
        if aim != self.aim.get_untracked() {
            self.aim.set(aim);
        }
    }

    pub(super) fn on_pointer_cancel(self) {
        self.clear_drawn_marks();
        self.gesture.update_value(PointerGesture::cancel);
        if self.drag.with_untracked(Option::is_some) {
            self.drag.set(None);
            self.handle_input(MoveInput::Cancel);
        }
    }

    pub(super) fn on_wheel(self, event: &ev::WheelEvent) {
        if self.proposal.get().is_some() {
            event.prevent_default();
        }
        let Some(held) = self.held.get_untracked() else { return };
        event.prevent_default();
        let rotation = self
            .wheel
            .try_update_value(|wheel| wheel.scroll(event.delta_y(), event.time_stamp()))
            .flatten();
        if let Some(rotation) = rotation {
            self.count_rotation_by_key();
            self.handle_input(MoveInput::Rotate(rotation, held.from));
        }
    }

    pub(super) fn on_key(self, event: &ev::KeyboardEvent) {
        if self.skip_shot() {
            event.prevent_default();
            return;
        }
        if event.ctrl_key() && !event.alt_key() || event.meta_key() {
            return;
        }
        let key = event.key();
        let free = self.held.with_untracked(Option::is_none) && self.proposal.get().is_none();
        let known = match key.as_str() {
            "ArrowUp" | "ArrowRight" | "ArrowDown" | "ArrowLeft" => {
                // After a click, the arrow keys step through the moves.
                if free && self.arrows_step && self.used_pointer.get_value() {
                    return;
                }
                self.move_cursor(&key)
            }
            "Enter" | " " if self.proposal.get().is_some() => {
                // A key that is held down confirms nothing.
                if !event.repeat() {
                    self.confirm_proposal(false);
                }
                true
            }
            "Escape" => {
                self.clear_drawn_marks();
                self.handle_input(MoveInput::Cancel);
                !free
            }
            "l" | "L" => self.change_level(),
            key => self.handle_piece_key(key),
        };
        if known {
            self.used_pointer.set_value(false);
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// Moves the keyboard focus by an arrow key.
    fn move_cursor(self, key: &str) -> bool {
        let direction = match key {
            "ArrowUp" => Direction::North,
            "ArrowRight" => Direction::East,
            "ArrowDown" => Direction::South,
            _ => Direction::West,
        };
        let cursor = self.cursor.get_untracked();
        let column = self.scene.with_untracked(|scene| scene.position.tower_column());
        let next = levels::neighbor(cursor, direction, self.orientation_now(), column);
        let next = next.unwrap_or(cursor);
        self.aim.set(next);
        self.move_focus(next)
    }

    /// Moves the keyboard focus to the other level of a tower. Returns whether there is one.
    fn change_level(self) -> bool {
        let column = self.scene.with_untracked(|scene| scene.position.tower_column());
        let cursor = self.cursor.get_untracked();
        let next = column.and_then(|column| levels::on_other_level(cursor, column));
        next.is_some_and(|next| {
            // The platform fades for keys, not for the pointer.
            self.used_pointer.set_value(false);
            self.aim.set(next);
            self.move_focus(next)
        })
    }

    /// Handles a key that acts on the piece in hand or under the cursor. Returns whether it does.
    fn handle_piece_key(self, key: &str) -> bool {
        let cursor = self.cursor.get_untracked();
        let input = match key {
            "Enter" | " " => MoveInput::Tap(cursor),
            "]" | "+" => MoveInput::Rotate(Rotation::Clockwise, cursor),
            "[" | "-" => MoveInput::Rotate(Rotation::Counterclockwise, cursor),
            "t" | "T" => {
                let top = self.held.with_untracked(|held| held.is_none_or(|held| !held.top_only));
                MoveInput::TakeTop { top_only: top, square: cursor }
            }
            _ => return false,
        };
        if matches!(input, MoveInput::Rotate(..)) {
            self.count_rotation_by_key();
        }
        self.handle_input(input);
        true
    }

    /// Moves keyboard focus to a square.
    pub(super) fn move_focus(self, square: Square) -> bool {
        self.cursor.set(square);
        cells::focus(self.root, square);
        true
    }
}

/// Converts a point of the page to a point of a board's picture.
pub(super) fn point_at_pointer(
    root: NodeRef<Div>,
    orientation: Orientation,
    x: i32,
    y: i32,
) -> Option<Point> {
    let bounds = root.get_untracked()?.get_bounding_client_rect();
    let unit = orientation.size().0 / bounds.width().max(1.0);
    let x = (f64::from(x) - bounds.left()) * unit - WALL;
    let y = (f64::from(y) - bounds.top()) * unit - WALL;
    Some(Point::new(x, y))
}
