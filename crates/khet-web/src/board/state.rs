//! What a board remembers while it is on a page, and what pointers, keys and new scenes do to it.

use std::time::Duration;

use khet::{Direction, Move, Rotation, Square};
use leptos::ev;
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::acting::{self, Act, Choices, Held};
use super::cells;
use super::geometry::{Point, SIZE, Seat, WALL};
use super::gestures::{DragEvent, PointerGesture, ReleaseEvent, WheelGesture};
use super::handles;
use super::scene::{Scene, SceneShot};
use super::shot_animation::ShotAnimation;
use super::sound;
use super::speech::Speaker;
use crate::browser::pointer;
use crate::languages::{Words, use_words};
use crate::settings::Settings;

/// When the shot is rehearsed after the board has come, and for how long.
const REHEARSAL: [Duration; 2] = [Duration::from_millis(400), Duration::from_millis(300)];

/// All that a board remembers while it is on a page.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) scene: Signal<Scene>,
    seat: Memo<Seat>,
    pub(super) words: Words,
    settings: Option<Settings>,
    pub(super) root: NodeRef<Div>,
    pub(super) held: RwSignal<Option<Held>>,
    /// Where the keys are.
    pub(super) cursor: RwSignal<Square>,
    /// Where the dragged piece is.
    pub(super) drag: RwSignal<Option<Point>>,
    /// How wide a handle must be, in units.
    pub(super) handle: RwSignal<f64>,
    gesture: StoredValue<PointerGesture<Square>>,
    pub(super) showing: RwSignal<Option<ShotAnimation>>,
    /// A shot that is drawn invisibly; see [`State::rehearse`].
    pub(super) rehearsal: RwSignal<Option<ShotAnimation>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// The shot that was shown last.
    shown: StoredValue<Option<u32>>,
    /// A piece was just dropped by hand: it need not glide to where it already is.
    pub(super) dropped: StoredValue<bool>,
    wheel: StoredValue<WheelGesture>,
    pub(super) voice: RwSignal<String>,
    on_move: Option<Callback<Move>>,
    on_shot_end: Option<Callback<()>>,
    quiet: bool,
}

impl State {
    /// The state of a board that begins with this scene.
    pub(super) fn new(
        scene: Signal<Scene>,
        on_move: Option<Callback<Move>>,
        on_shot_end: Option<Callback<()>>,
        quiet: bool,
    ) -> State {
        let first = scene.get_untracked();
        let seat = Memo::new(move |_| scene.with(|scene| Seat::new(scene.bottom)));
        State {
            scene,
            seat,
            words: use_words(),
            settings: use_context(),
            root: NodeRef::new(),
            held: RwSignal::new(None),
            cursor: RwSignal::new(Seat::new(first.bottom).at(4, 7).unwrap_or(Square::E1)),
            drag: RwSignal::new(None),
            handle: RwSignal::new(handles::radius(860.0)),
            gesture: StoredValue::new(PointerGesture::new()),
            showing: RwSignal::new(None),
            rehearsal: RwSignal::new(None),
            timer: StoredValue::new(None),
            shown: StoredValue::new(first.shot.as_ref().map(|shot| shot.number)),
            dropped: StoredValue::new(false),
            wheel: StoredValue::new(WheelGesture::default()),
            voice: RwSignal::new(String::new()),
            on_move,
            on_shot_end,
            quiet,
        }
    }

    pub(super) fn seat(self) -> Seat {
        self.seat.get()
    }

    pub(super) fn seat_now(self) -> Seat {
        self.seat.get_untracked()
    }

    pub(super) fn speaker(self, scene: &Scene) -> Speaker {
        Speaker { words: self.words, seat: Seat::new(scene.bottom), you: scene.you }
    }

    /// Whether sounds are wanted. A board that is only looked at is silent.
    pub(super) fn sounds(self) -> bool {
        self.on_move.is_some() && self.settings.is_some_and(|settings| untrack(|| settings.sound()))
    }

    pub(super) fn prepare_sounds(self) {
        if self.sounds() {
            sound::prepare();
        }
    }

    // --- scenes and shots

    /// Shows a scene that follows another.
    pub(super) fn follow(self, before: Option<&Scene>, now: &Scene) {
        let choices = Choices { position: &now.position, moves: &now.moves };
        let kept = acting::keep(self.held.get_untracked(), choices);
        if kept != self.held.get_untracked() {
            self.held.set(kept);
            self.drag.set(None);
        }
        let number = now.shot.as_ref().map(|shot| shot.number);
        let new = number.is_some() && number != self.shown.get_value();
        let same_shot = number == self.shown.get_value();
        self.shown.set_value(number);
        if !same_shot {
            self.finish();
        }
        let Some(shown) = now.shot.as_ref().filter(|_| new && before.is_some()) else { return };
        if !self.quiet {
            self.tell(before, now, shown);
        }
        if now.still {
            return;
        }
        let seat = Seat::new(now.bottom);
        let still = self.settings.is_some_and(|settings| untrack(|| settings.less_motion()));
        let animation = ShotAnimation::new(&shown.shot, seat, still);
        if !self.quiet && self.sounds() {
            sound::shot(&animation);
        }
        let duration = animation.duration();
        self.showing.set(Some(animation));
        let timer = set_timeout_with_handle(move || self.finish(), duration);
        self.timer.set_value(timer.ok());
    }

    /// Draws a shot once invisibly. A browser prepares gradients and layers when it first draws
    /// them, and the first real shot would stutter because of that.
    pub(super) fn rehearse(self) {
        let [soon, lasts] = REHEARSAL;
        let end = move || drop(self.rehearsal.try_set(None));
        let begin = move || {
            let still = self.settings.is_none_or(|settings| untrack(|| settings.less_motion()));
            let Some(scene) = self.scene.try_get_untracked().filter(|_| !still) else { return };
            let shot = scene.position.fire(scene.position.side_to_move());
            let animation = ShotAnimation::new(&shot, Seat::new(scene.bottom), still);
            self.rehearsal.set(Some(animation));
            set_timeout(end, lasts);
        };
        set_timeout(begin, soon);
    }

    /// Says in words what happened.
    pub(super) fn tell(self, before: Option<&Scene>, now: &Scene, shown: &SceneShot) {
        let speaker = self.speaker(now);
        let stood = before.map(|before| &before.position);
        let mv = now.last.and_then(|mv| speaker.mv(mv, stood, &shown.before_shot));
        let shot = speaker.shot(&shown.shot);
        self.voice.set(mv.map_or(shot.clone(), |mv| format!("{mv} {shot}")));
    }

    pub(super) fn stop_timer(self) {
        self.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    }

    /// Ends the shot that is shown, if one is.
    pub(super) fn finish(self) {
        self.stop_timer();
        if self.showing.with_untracked(Option::is_none) {
            return;
        }
        self.showing.set(None);
        if let Some(ended) = self.on_shot_end {
            ended.run(());
        }
    }

    /// Ends the shot because a person does not want to wait. Says whether there was one.
    pub(super) fn skip(self) -> bool {
        let shown = self.showing.with_untracked(Option::is_some);
        if shown {
            sound::stop();
            self.finish();
        }
        shown
    }

    // --- acting

    /// Does what a person did. While a shot is shown, nothing can be done.
    pub(super) fn act(self, act: Act) -> bool {
        if self.showing.with_untracked(Option::is_some) {
            return false;
        }
        let before = self.held.get_untracked();
        let scene = self.scene.get_untracked();
        let choices = Choices { position: &scene.position, moves: &scene.moves };
        let (held, mv) = acting::act(before, act, choices);
        if held.is_some() && before.map(|held| held.from) != held.map(|held| held.from) {
            self.measure();
        }
        if held != before {
            self.held.set(held);
            if mv.is_none()
                && let Some(text) = self.speaker(&scene).hand(before, held, choices)
            {
                self.voice.set(text);
            }
            if held.is_some() && mv.is_none() && self.sounds() {
                sound::touch();
            }
        } else if let (None, Act::Tap(square)) = (held, act)
            && !scene.moves.is_empty()
        {
            self.voice.set(self.words.board_nothing_to_pick_up(square));
        }
        if let (Some(mv), Some(on_move)) = (mv, self.on_move) {
            on_move.run(mv);
        }
        mv.is_some()
    }

    /// Finds out how large the board is on the screen.
    pub(super) fn measure(self) {
        if let Some(root) = self.root.get_untracked() {
            self.handle.set(handles::radius(root.get_bounding_client_rect().width()));
        }
    }

    /// The point of the picture under the pointer.
    pub(super) fn point(self, event: &ev::PointerEvent) -> Option<Point> {
        point_under(self.root, event.client_x(), event.client_y())
    }

    pub(super) fn pressed(self, event: &ev::PointerEvent) {
        if self.skip() || !pointer::is_primary_press(event) {
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

    pub(super) fn moved(self, event: &ev::PointerEvent) {
        let lift = |square| {
            let can_act = self.scene.with_untracked(|scene| {
                Choices { position: &scene.position, moves: &scene.moves }.can_act(square)
            });
            can_act.then_some(square)
        };
        let at = pointer::window_position(event);
        let drag = self
            .gesture
            .try_update_value(|gesture| gesture.move_to(event.pointer_id(), at, lift))
            .flatten();
        let Some(drag) = drag else { return };
        if let DragEvent::Start(square) = drag {
            pointer::capture(event);
            self.act(Act::Lift(square));
        }
        if let Some(point) = self.point(event) {
            self.drag.set(Some(point));
        }
    }

    pub(super) fn released(self, event: &ev::PointerEvent) {
        let square = self.point(event).and_then(|point| self.seat_now().square_at(point));
        let release = self
            .gesture
            .try_update_value(|gesture| gesture.release(event.pointer_id(), square))
            .flatten();
        match release {
            Some(ReleaseEvent::Tap(square)) => {
                self.act(Act::Tap(square));
            }
            Some(ReleaseEvent::Drop(_)) => {
                self.dropped.set_value(true);
                self.act(Act::Drop(square));
                self.drag.set(None);
                self.dropped.set_value(false);
            }
            None => {}
        }
    }

    pub(super) fn interrupted(self) {
        self.gesture.update_value(PointerGesture::cancel);
        if self.drag.with_untracked(Option::is_some) {
            self.drag.set(None);
            self.act(Act::Cancel);
        }
    }

    pub(super) fn wheeled(self, event: &ev::WheelEvent) {
        let Some(held) = self.held.get_untracked() else { return };
        event.prevent_default();
        let rotation = self
            .wheel
            .try_update_value(|wheel| wheel.scroll(event.delta_y(), event.time_stamp()))
            .flatten();
        if let Some(rotation) = rotation {
            self.act(Act::Rotation(rotation, held.from));
        }
    }

    pub(super) fn key(self, event: &ev::KeyboardEvent) {
        if self.skip() {
            event.prevent_default();
            return;
        }
        if event.ctrl_key() && !event.alt_key() || event.meta_key() {
            return;
        }
        let cursor = self.cursor.get_untracked();
        let go = |way| self.seat_now().neighbor(cursor, way).unwrap_or(cursor);
        let known = match event.key().as_str() {
            "ArrowUp" => self.walk(go(Direction::North)),
            "ArrowRight" => self.walk(go(Direction::East)),
            "ArrowDown" => self.walk(go(Direction::South)),
            "ArrowLeft" => self.walk(go(Direction::West)),
            "Enter" | " " => {
                self.act(Act::Tap(cursor));
                true
            }
            "]" | "+" => {
                self.act(Act::Rotation(Rotation::Clockwise, cursor));
                true
            }
            "[" | "-" => {
                self.act(Act::Rotation(Rotation::Counterclockwise, cursor));
                true
            }
            "t" | "T" => {
                let top = self.held.with_untracked(|held| held.is_none_or(|held| !held.top));
                self.act(Act::Top(top, cursor));
                true
            }
            "Escape" => {
                let held = self.held.with_untracked(Option::is_some);
                self.act(Act::Cancel);
                held
            }
            _ => false,
        };
        if known {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// Puts the keys onto a square.
    pub(super) fn walk(self, square: Square) -> bool {
        self.cursor.set(square);
        cells::focus(self.root, square);
        true
    }
}

/// The point of a board's picture that is at a point of the page.
pub(super) fn point_under(root: NodeRef<Div>, x: i32, y: i32) -> Option<Point> {
    let bounds = root.get_untracked()?.get_bounding_client_rect();
    let unit = SIZE.0 / bounds.width().max(1.0);
    let x = (f64::from(x) - bounds.left()) * unit - WALL;
    let y = (f64::from(y) - bounds.top()) * unit - WALL;
    Some(Point::new(x, y))
}
