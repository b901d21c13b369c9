//! The state of a board component, and its reactions to pointers, keys and new scenes.

use std::time::Duration;

use khet::{Direction, Move, Rotation, Square};
use leptos::ev;
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::cells;
use super::descriptions::BoardDescriber;
use super::geometry::{Point, SIZE, Seat, WALL};
use super::gestures::{DragEvent, PointerGesture, ReleaseEvent, WheelGesture};
use super::handles;
use super::move_input::{self, AllowedMoves, MoveInput, PieceInHand};
use super::scene::{Scene, SceneShot};
use super::shot_animation::ShotAnimation;
use super::sound;
use crate::browser::pointer;
use crate::languages::{Words, use_words};
use crate::settings::Settings;

/// The delay after which a shot is prerendered.
const PRERENDER_DELAY: Duration = Duration::from_millis(400);
/// The time for which a prerendered shot stays.
const PRERENDER_TIME: Duration = Duration::from_millis(300);

/// The signals and stored values of a board.
#[derive(Clone, Copy)]
pub(super) struct BoardState {
    pub(super) scene: Signal<Scene>,
    seat: Memo<Seat>,
    pub(super) words: Words,
    settings: Option<Settings>,
    pub(super) root: NodeRef<Div>,
    pub(super) held: RwSignal<Option<PieceInHand>>,
    /// The square with the keyboard focus.
    pub(super) cursor: RwSignal<Square>,
    /// The position of the dragged piece.
    pub(super) drag: RwSignal<Option<Point>>,
    /// The radius of a handle in picture units.
    pub(super) handle_radius: RwSignal<f64>,
    gesture: StoredValue<PointerGesture<Square>>,
    pub(super) animation: RwSignal<Option<ShotAnimation>>,
    /// A shot that is drawn invisibly; see [`BoardState::prerender_shot`].
    pub(super) prerender: RwSignal<Option<ShotAnimation>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// The number of the shot that was shown last.
    last_shot: StoredValue<Option<u32>>,
    /// The piece was just dropped with the pointer, so that it must not glide to its square.
    pub(super) dropped: StoredValue<bool>,
    wheel: StoredValue<WheelGesture>,
    pub(super) announcement: RwSignal<String>,
    on_move: Option<Callback<Move>>,
    on_shot_end: Option<Callback<()>>,
    quiet: bool,
}

impl BoardState {
    /// Creates the state for a first scene.
    pub(super) fn new(
        scene: Signal<Scene>,
        on_move: Option<Callback<Move>>,
        on_shot_end: Option<Callback<()>>,
        quiet: bool,
    ) -> BoardState {
        let first = scene.get_untracked();
        let seat = Memo::new(move |_| scene.with(|scene| Seat::new(scene.bottom)));
        BoardState {
            scene,
            seat,
            words: use_words(),
            settings: use_context(),
            root: NodeRef::new(),
            held: RwSignal::new(None),
            cursor: RwSignal::new(Seat::new(first.bottom).at(4, 7).unwrap_or(Square::E1)),
            drag: RwSignal::new(None),
            handle_radius: RwSignal::new(handles::radius(860.0)),
            gesture: StoredValue::new(PointerGesture::new()),
            animation: RwSignal::new(None),
            prerender: RwSignal::new(None),
            timer: StoredValue::new(None),
            last_shot: StoredValue::new(first.shot.as_ref().map(|shot| shot.number)),
            dropped: StoredValue::new(false),
            wheel: StoredValue::new(WheelGesture::default()),
            announcement: RwSignal::new(String::new()),
            on_move,
            on_shot_end,
            quiet,
        }
    }

    pub(super) fn seat(self) -> Seat {
        self.seat.get()
    }

    /// Returns the seat without tracking it.
    pub(super) fn seat_now(self) -> Seat {
        self.seat.get_untracked()
    }

    /// Returns the describer of a scene for screen readers.
    pub(super) fn describer(self, scene: &Scene) -> BoardDescriber {
        BoardDescriber { words: self.words, seat: Seat::new(scene.bottom), you: scene.you }
    }

    /// Returns whether sounds are on. A board without interaction is silent.
    pub(super) fn sound_is_on(self) -> bool {
        self.on_move.is_some() && self.settings.is_some_and(|settings| untrack(|| settings.sound()))
    }

    /// Prepares the sounds, which browsers allow only during an input event.
    pub(super) fn prepare_sounds(self) {
        if self.sound_is_on() {
            sound::prepare();
        }
    }

    // --- scenes and shots

    /// Shows the next scene.
    pub(super) fn show_scene(self, before: Option<&Scene>, now: &Scene) {
        let allowed = AllowedMoves { position: &now.position, moves: &now.moves };
        let kept = move_input::keep_if_allowed(self.held.get_untracked(), allowed);
        if kept != self.held.get_untracked() {
            self.held.set(kept);
            self.drag.set(None);
        }
        let number = now.shot.as_ref().map(|shot| shot.number);
        let new = number.is_some() && number != self.last_shot.get_value();
        let same_shot = number == self.last_shot.get_value();
        self.last_shot.set_value(number);
        if !same_shot {
            self.end_shot();
        }
        let Some(scene_shot) = now.shot.as_ref().filter(|_| new && before.is_some()) else {
            return;
        };
        if !self.quiet {
            self.announce(before, now, scene_shot);
        }
        if now.still {
            return;
        }
        let seat = Seat::new(now.bottom);
        let still = self.settings.is_some_and(|settings| untrack(|| settings.reduce_motion()));
        let animation = ShotAnimation::new(&scene_shot.shot, seat, still);
        if !self.quiet && self.sound_is_on() {
            sound::shot(&animation);
        }
        let duration = animation.duration();
        self.animation.set(Some(animation));
        let timer = set_timeout_with_handle(move || self.end_shot(), duration);
        self.timer.set_value(timer.ok());
    }

    /// Draws a shot once, invisibly. Browsers prepare gradients and layers when they first draw
    /// them, which would make the first real shot stutter.
    pub(super) fn prerender_shot(self) {
        let (soon, lasts) = (PRERENDER_DELAY, PRERENDER_TIME);
        let end = move || drop(self.prerender.try_set(None));
        let begin = move || {
            let still = self.settings.is_none_or(|settings| untrack(|| settings.reduce_motion()));
            let Some(scene) = self.scene.try_get_untracked().filter(|_| !still) else { return };
            let shot = scene.position.fire(scene.position.side_to_move());
            let animation = ShotAnimation::new(&shot, Seat::new(scene.bottom), still);
            self.prerender.set(Some(animation));
            set_timeout(end, lasts);
        };
        set_timeout(begin, soon);
    }

    /// Announces a move and its shot to screen readers.
    pub(super) fn announce(self, before: Option<&Scene>, now: &Scene, scene_shot: &SceneShot) {
        let describer = self.describer(now);
        let position_before = before.map(|before| &before.position);
        let mv = now.last.and_then(|mv| describer.mv(mv, position_before, &scene_shot.before_shot));
        let shot = describer.shot(&scene_shot.shot);
        self.announcement.set(mv.map_or(shot.clone(), |mv| format!("{mv} {shot}")));
    }

    pub(super) fn stop_timer(self) {
        self.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    }

    /// Ends the animation of a shot, if one is running.
    pub(super) fn end_shot(self) {
        self.stop_timer();
        if self.animation.with_untracked(Option::is_none) {
            return;
        }
        self.animation.set(None);
        if let Some(ended) = self.on_shot_end {
            ended.run(());
        }
    }

    /// Ends the animation at the player's request. Returns whether one was running.
    pub(super) fn skip_shot(self) -> bool {
        let shown = self.animation.with_untracked(Option::is_some);
        if shown {
            sound::stop();
            self.end_shot();
        }
        shown
    }

    // --- input

    /// Handles an input, unless a shot is being animated. Returns whether it completed a move.
    pub(super) fn handle_input(self, input: MoveInput) -> bool {
        if self.animation.with_untracked(Option::is_some) {
            return false;
        }
        let before = self.held.get_untracked();
        let scene = self.scene.get_untracked();
        let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
        let (held, mv) = move_input::apply_input(before, input, allowed);
        if held.is_some() && before.map(|held| held.from) != held.map(|held| held.from) {
            self.update_handle_radius();
        }
        if held != before {
            self.held.set(held);
            if mv.is_none()
                && let Some(text) = self.describer(&scene).hand(before, held, allowed)
            {
                self.announcement.set(text);
            }
            if held.is_some() && mv.is_none() && self.sound_is_on() {
                sound::touch();
            }
        } else if let (None, MoveInput::Tap(square)) = (held, input)
            && !scene.moves.is_empty()
        {
            self.announcement.set(self.words.board_nothing_to_pick_up(square));
        }
        if let (Some(mv), Some(on_move)) = (mv, self.on_move) {
            on_move.run(mv);
        }
        mv.is_some()
    }

    /// Adapts the handles to the size of the board on the screen.
    pub(super) fn update_handle_radius(self) {
        if let Some(root) = self.root.get_untracked() {
            self.handle_radius.set(handles::radius(root.get_bounding_client_rect().width()));
        }
    }

    /// Returns the point of the picture under the pointer.
    pub(super) fn point(self, event: &ev::PointerEvent) -> Option<Point> {
        point_at_pointer(self.root, event.client_x(), event.client_y())
    }

    pub(super) fn on_pointer_down(self, event: &ev::PointerEvent) {
        if self.skip_shot() || !pointer::is_primary_press(event) {
            return;
        }
        let Some(point) = self.point(event) else { return };
        let Some(square) = self.seat_now().square_at(point) else {
            self.gesture.update_value(PointerGesture::cancel);
            return;
        };
        let at = pointer::window_position(event);
        self.gesture.update_value(|gesture| gesture.press(event.pointer_id(), at, square));
        self.cursor.set(square);
    }

    pub(super) fn on_pointer_move(self, event: &ev::PointerEvent) {
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
        let square = self.point(event).and_then(|point| self.seat_now().square_at(point));
        let release = self
            .gesture
            .try_update_value(|gesture| gesture.release(event.pointer_id(), square))
            .flatten();
        match release {
            Some(ReleaseEvent::Tap(square)) => {
                self.handle_input(MoveInput::Tap(square));
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

    pub(super) fn on_pointer_cancel(self) {
        self.gesture.update_value(PointerGesture::cancel);
        if self.drag.with_untracked(Option::is_some) {
            self.drag.set(None);
            self.handle_input(MoveInput::Cancel);
        }
    }

    pub(super) fn on_wheel(self, event: &ev::WheelEvent) {
        let Some(held) = self.held.get_untracked() else { return };
        event.prevent_default();
        let rotation = self
            .wheel
            .try_update_value(|wheel| wheel.scroll(event.delta_y(), event.time_stamp()))
            .flatten();
        if let Some(rotation) = rotation {
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
        let cursor = self.cursor.get_untracked();
        let neighbor = |direction| self.seat_now().neighbor(cursor, direction).unwrap_or(cursor);
        let known = match event.key().as_str() {
            "ArrowUp" => self.move_focus(neighbor(Direction::North)),
            "ArrowRight" => self.move_focus(neighbor(Direction::East)),
            "ArrowDown" => self.move_focus(neighbor(Direction::South)),
            "ArrowLeft" => self.move_focus(neighbor(Direction::West)),
            "Enter" | " " => {
                self.handle_input(MoveInput::Tap(cursor));
                true
            }
            "]" | "+" => {
                self.handle_input(MoveInput::Rotate(Rotation::Clockwise, cursor));
                true
            }
            "[" | "-" => {
                self.handle_input(MoveInput::Rotate(Rotation::Counterclockwise, cursor));
                true
            }
            "t" | "T" => {
                let top = self.held.with_untracked(|held| held.is_none_or(|held| !held.top_only));
                self.handle_input(MoveInput::TakeTop { top_only: top, square: cursor });
                true
            }
            "Escape" => {
                let held = self.held.with_untracked(Option::is_some);
                self.handle_input(MoveInput::Cancel);
                held
            }
            _ => false,
        };
        if known {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// Moves keyboard focus to a square.
    pub(super) fn move_focus(self, square: Square) -> bool {
        self.cursor.set(square);
        cells::focus(self.root, square);
        true
    }
}

/// Converts a point of the page to a point of a board's picture.
pub(super) fn point_at_pointer(root: NodeRef<Div>, x: i32, y: i32) -> Option<Point> {
    let bounds = root.get_untracked()?.get_bounding_client_rect();
    let unit = SIZE.0 / bounds.width().max(1.0);
    let x = (f64::from(x) - bounds.left()) * unit - WALL;
    let y = (f64::from(y) - bounds.top()) * unit - WALL;
    Some(Point::new(x, y))
}
