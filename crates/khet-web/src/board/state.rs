//! The state of a board component, and its reactions to moves and new scenes.

use std::time::Duration;

use khet::tower::BoardLevel;
use khet::{GamePosition, Square as GroundSquare};
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::descriptions::BoardDescriber;
use super::drawn_marks::DrawnMarks;
use super::geometry::{Orientation, Point};
use super::gestures::{PointerGesture, WheelGesture};
use super::handles;
use super::levels;
use super::move_input::{self, AllowedMoves, MoveInput, PieceInHand};
#[cfg(feature = "tower")]
use super::peek::TowerSignals;
use super::proposal::Proposal;
use super::scene::{Scene, SceneShot};
use super::shot_animation::{ShotAnimation, ShotPace};
use super::sound;
use crate::languages::{Words, use_words};
use crate::rules::{Move, Position, Square};
use crate::settings::Settings;
use crate::state_handle::StateHandle;

/// The delay after which a shot is prerendered.
const PRERENDER_DELAY: Duration = Duration::from_millis(400);
/// The time for which a prerendered shot stays.
const PRERENDER_TIME: Duration = Duration::from_millis(300);

/// The signals and stored values of a board.
pub(super) type BoardState = StateHandle<BoardSignals>;

/// The signals and stored values of a board.
pub(super) struct BoardSignals {
    pub(super) scene: Signal<Scene>,
    orientation: Memo<Orientation>,
    pub(super) words: Words,
    settings: Option<Settings>,
    pub(super) root: NodeRef<Div>,
    pub(super) held: RwSignal<Option<PieceInHand>>,
    /// The move that is shown but not played yet.
    pub(super) proposal: Proposal,
    /// The text over the edge of the board.
    pub(super) note: RwSignal<&'static str>,
    /// The square with the keyboard focus.
    pub(super) cursor: RwSignal<Square>,
    /// The position of the dragged piece.
    pub(super) drag: RwSignal<Option<Point>>,
    /// The square under the mouse, or the one with the focus if keys are used.
    pub(super) aim: RwSignal<Square>,
    /// The arrows and circles that the viewer has drawn.
    pub(super) drawn: RwSignal<DrawnMarks>,
    /// The radius of a handle in picture units.
    pub(super) handle_radius: RwSignal<f64>,
    pub(super) gesture: StoredValue<PointerGesture<Square>>,
    pub(super) animation: RwSignal<Option<ShotAnimation>>,
    /// A shot that is drawn invisibly; see [`BoardState::prerender_shot`].
    pub(super) prerender: RwSignal<Option<ShotAnimation>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// The number of the shot that was shown last.
    last_shot: StoredValue<Option<u32>>,
    /// The piece was just dropped with the pointer, so that it must not glide to its square.
    pub(super) dropped: StoredValue<bool>,
    pub(super) wheel: StoredValue<WheelGesture>,
    /// The board was last used with a pointer, not with keys.
    pub(super) used_pointer: StoredValue<bool>,
    /// The arrow keys step through the moves of the page unless the board is used with keys.
    pub(super) arrows_step: bool,
    pub(super) announcement: RwSignal<String>,
    #[cfg(feature = "tower")]
    pub(super) tower: TowerSignals,
    pub(super) on_move: Option<Callback<Move>>,
    on_shot_end: Option<Callback<()>>,
    pub(super) quiet: bool,
}

impl BoardState {
    /// Creates the state for a first scene.
    pub(super) fn new(
        scene: Signal<Scene>,
        on_move: Option<Callback<Move>>,
        on_shot_end: Option<Callback<()>>,
        confirms: Signal<bool>,
        can_stand: bool,
        quiet: bool,
    ) -> BoardState {
        let first = scene.get_untracked();
        let settings: Option<Settings> = use_context();
        let orientation = Memo::new(move |_| {
            let upright =
                can_stand && settings.is_some_and(|settings| settings.appearance().upright_board);
            Orientation::new(scene.with(|scene| scene.bottom)).upright(upright)
        });
        let (columns, rows) = orientation.get_untracked().columns_and_rows();
        let cursor = orientation.get_untracked().at(columns / 2 - 1, rows - 1);
        let cursor = RwSignal::new(Square::from(cursor.unwrap_or(GroundSquare::E1)));
        let held = RwSignal::new(None);
        let used_pointer = StoredValue::new(false);
        StateHandle::allocate(BoardSignals {
            scene,
            orientation,
            words: use_words(),
            settings,
            root: NodeRef::new(),
            #[cfg(feature = "tower")]
            tower: TowerSignals::new(scene, held, move || {
                let cursor = cursor.get();
                (!used_pointer.get_value()).then_some(cursor)
            }),
            held,
            proposal: Proposal::new(confirms),
            note: RwSignal::new(""),
            cursor,
            drag: RwSignal::new(None),
            aim: RwSignal::new(GroundSquare::E1.into()),
            drawn: RwSignal::new(DrawnMarks::default()),
            handle_radius: RwSignal::new(handles::radius(orientation.get_untracked(), 860.0)),
            gesture: StoredValue::new(PointerGesture::new()),
            animation: RwSignal::new(None),
            prerender: RwSignal::new(None),
            timer: StoredValue::new(None),
            last_shot: StoredValue::new(first.shot.as_ref().map(|shot| shot.number)),
            dropped: StoredValue::new(false),
            wheel: StoredValue::new(WheelGesture::default()),
            used_pointer,
            arrows_step: use_context::<ArrowKeysStep>().is_some(),
            announcement: RwSignal::new(String::new()),
            on_move,
            on_shot_end,
            quiet,
        })
    }

    pub(super) fn orientation(self) -> Orientation {
        self.orientation.get()
    }

    /// Returns the orientation without tracking it.
    pub(super) fn orientation_now(self) -> Orientation {
        self.orientation.get_untracked()
    }

    pub(super) fn track_orientation(self) {
        self.orientation.track();
    }

    /// Returns the describer of a scene for screen readers.
    pub(super) fn describer(self, scene: &Scene) -> BoardDescriber {
        BoardDescriber { words: self.words, orientation: self.orientation_now(), you: scene.you }
    }

    /// Returns whether sounds are on. A board without interaction is silent.
    pub(super) fn sound_is_on(self) -> bool {
        self.on_move.is_some() && self.settings.is_some_and(|settings| untrack(|| settings.sound()))
    }

    /// Returns how long shots are shown.
    fn shot_pace(self) -> ShotPace {
        match self.settings {
            Some(settings) if untrack(|| settings.reduce_motion()) => ShotPace::Still,
            Some(settings) if untrack(|| settings.preferences().fast_shots) => ShotPace::Fast,
            _ => ShotPace::Normal,
        }
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
            self.set_note("");
        }
        if before.is_some_and(|before| before.position != now.position) {
            self.proposal.clear();
            self.clear_drawn_marks();
        }
        let (cursor, column) = (self.cursor.get_untracked(), now.position.tower_column());
        let there = levels::still_there(cursor, column);
        if there != cursor {
            self.cursor.set(there);
        }
        if self.proposal.get().is_some_and(|proposed| !now.moves.contains(&proposed.mv)) {
            self.proposal.clear();
        }
        let number = now.shot.as_ref().map(|shot| shot.number);
        let new = number.is_some() && number != self.last_shot.get_value();
        let same_shot = number == self.last_shot.get_value();
        self.last_shot.set_value(number);
        if !same_shot {
            self.end_shot();
        }
        let Some(scene_shot) = now.shot.as_ref().filter(|_| new && before.is_some()) else {
            // A new game must not announce the last shot of the one before.
            if !same_shot {
                self.announcement.set(String::new());
            }
            return;
        };
        if !self.quiet {
            self.announce(before, now, scene_shot);
        }
        if now.still {
            return;
        }
        let orientation = self.orientation_now();
        let animation = ShotAnimation::new(&scene_shot.shot, orientation, self.shot_pace());
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
            let pace = self.shot_pace();
            let animated = pace != ShotPace::Still && self.settings.is_some();
            let Some(scene) = self.scene.try_get_untracked().filter(|_| animated) else { return };
            let shot = scene.position.fire(scene.position.side_to_move());
            let animation = ShotAnimation::new(&shot, self.orientation_now(), pace);
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
        match input {
            MoveInput::Tap(square) if self.is_on_proposal(square) => return false,
            MoveInput::Cancel if self.proposal.get().is_some() => {
                self.take_proposal_back();
                return false;
            }
            _ => self.proposal.clear(),
        }
        let before = self.held.get_untracked();
        let scene = self.scene.get_untracked();
        let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
        let (held, mv) = move_input::apply_input(before, input, allowed);
        if let Some(held) = held.filter(|held| before.map(|before| before.from) != Some(held.from))
        {
            self.update_handle_radius();
            self.aim.set(held.from);
        }
        if held != before {
            self.held.set(held);
            self.note_rotation_keys();
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
        if let Some((mv, before)) = mv.zip(before) {
            self.complete_move(mv, before);
        }
        mv.is_some()
    }

    /// Adapts the handles to the size of the board on the screen.
    pub(super) fn update_handle_radius(self) {
        if let Some(root) = self.root.get_untracked() {
            let width = root.get_bounding_client_rect().width();
            self.handle_radius.set(handles::radius(self.orientation_now(), width));
        }
    }

    /// Returns the move that would be played if the proposed move or the piece in hand were dropped
    /// where it is now.
    pub(super) fn aimed_move(self) -> Option<Move> {
        if let Some(proposed) = self.proposal.current.get() {
            return Some(proposed.mv);
        }
        let held = self.held.get()?;
        let dragged = self.drag_square(held);
        self.scene.with(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            match dragged {
                Some(over) if allowed.is_tower(held.from) => allowed.dragged_shift(held, over),
                over => allowed.aimed_move(held, over.unwrap_or_else(|| self.aim.get())),
            }
        })
    }

    /// Returns the square over which the piece in hand is dragged.
    pub(super) fn drag_square(self, held: PieceInHand) -> Option<Square> {
        let point = self.drag.get()?;
        self.scene.with(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            levels::square_at(point, self.orientation(), allowed, Some(held), false)
        })
    }

    /// Returns the position that is shown: with the proposed move, or the tower as it is held.
    pub(super) fn displayed_position(self) -> Position {
        let position = self.scene.with(|scene| scene.position);
        let proposed = self.proposal.current.get().map(|proposed| proposed.mv);
        let shown = proposed.or_else(|| {
            let held = self.held.get()?;
            let is_tower = levels::is_column(position.tower_column(), held.from);
            let is_moved = is_tower && (held.rotation.is_some() || self.drag.with(Option::is_some));
            if is_moved { self.aimed_move() } else { None }
        });
        shown.map_or(position, |mv| position.before_shot(mv))
    }

    /// Returns the proposed move, or the last one.
    pub(super) fn last_move(self) -> Option<Move> {
        let proposed = self.proposal.current.get().map(|proposed| proposed.mv);
        proposed.or_else(|| self.scene.with(|scene| scene.last))
    }

    /// Returns the highest level of the board.
    pub(super) fn highest_level(self) -> BoardLevel {
        let column = self.scene.with(|scene| scene.position.tower_column());
        if column.is_some() { BoardLevel::Upper } else { BoardLevel::Ground }
    }

    /// Removes the arrows and circles that the viewer has drawn.
    pub(super) fn clear_drawn_marks(self) {
        if !self.drawn.with_untracked(DrawnMarks::is_empty) {
            self.drawn.set(DrawnMarks::default());
        }
    }
}

/// Marks pages on which the arrow keys step through the moves of a game, as a context.
#[derive(Clone, Copy)]
pub(crate) struct ArrowKeysStep;
