//! The state of the editor page, with its pointer and keyboard handling. Every change is written to
//! the page's address and to local storage.

use khet::tower::BoardLevel;
use khet::{Color, Corner, Diagonal, Direction, Kind, Piece, PieceBox, Role, Rotation};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::super::editor_action::{self, DragSource, EditorAction, EditorEvent, EditorSelection};
use super::super::setup_check::{self, SetupCheck};
use super::super::setup_draft::{EMPTY, SetupDraft, UncheckedSetup, mirrored};
use crate::board::{
    BoardDescriber, DragEvent, EditedLevels, Orientation, PointerGesture, ReleaseEvent,
    WheelGesture, capital, focus_square,
};
use crate::browser::{pointer, storage};
use crate::engine::Engine;
use crate::languages::{Words, use_words};
use crate::routing::position_query;
use crate::routing::{Navigation, use_navigation};
use crate::rules::{Placement, Square};
use crate::state_handle::StateHandle;

/// Storage key of the last setup: the placement on one line, the rules on the next.
const KEY: &str = "khet.editor";

/// A dragged piece that follows the pointer.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Drag {
    pub(super) piece: Piece,
    /// Width in pixels.
    pub(super) size: f64,
}

/// The current task of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EngineTask {
    Idle,
    Evaluating,
    SelfPlayTest,
    /// Checking a random setup.
    RandomSetup,
}

/// The state of the editor page.
pub(super) type Editor = StateHandle<EditorSignals>;

/// The signals and stored values of the editor page.
pub(super) struct EditorSignals {
    pub(super) words: Words,
    pub(super) navigation: Navigation,
    pub(super) engine: Engine,
    pub(super) engine_task: RwSignal<EngineTask>,
    pub(super) draft: RwSignal<SetupDraft>,
    pub(super) setup: Memo<UncheckedSetup>,
    pub(super) check: Memo<SetupCheck>,
    pub(super) selection: RwSignal<EditorSelection>,
    /// The box whose pieces are offered.
    pub(super) piece_box: RwSignal<PieceBox>,
    /// Rotation of each role in the box, in quarter turns clockwise.
    box_rotations: RwSignal<[u8; Role::ALL.len()]>,
    pub(super) drag: RwSignal<Option<Drag>>,
    pointer: RwSignal<(i32, i32)>,
    gesture: StoredValue<PointerGesture<DragSource>>,
    wheel: StoredValue<WheelGesture>,
    pub(super) cursor: RwSignal<Square>,
    /// The level that the pointer means where both are drawn.
    pub(super) level: RwSignal<BoardLevel>,
    pub(super) root: NodeRef<Div>,
    /// Text for screen readers.
    pub(super) announcement: RwSignal<String>,
    /// The content of the position field.
    pub(super) text: RwSignal<String>,
    /// The error message for the position field, or an empty string.
    pub(super) text_problem: RwSignal<String>,
}

fn search(setup: UncheckedSetup) -> String {
    position_query(&setup.placement, setup.rules)
}

impl Editor {
    /// Loads the setup from the page's address, or else the last one from local storage.
    pub(super) fn new() -> Editor {
        let (words, navigation) = (use_words(), use_navigation());
        let asked = untrack(|| navigation.query_parameter("position"));
        let asked_rules = untrack(|| navigation.query_parameter("rules"));
        let stored = storage::load_or_empty(KEY);
        let mut stored = stored.lines();
        let placement = stored.next().and_then(|text| text.parse().ok());
        let rules = stored.next().and_then(|text| text.parse().ok()).unwrap_or_default();
        let before = UncheckedSetup { placement: placement.unwrap_or(EMPTY), rules };
        let mut setup = before;
        let mut text = String::new();
        let mut problem = String::new();
        if let Some(asked) = asked {
            match setup_check::parse_placement(words, &asked) {
                Ok(placement) => {
                    let rules = asked_rules.and_then(|rules| rules.parse().ok());
                    setup = UncheckedSetup { placement, rules: rules.unwrap_or_default() };
                }
                Err(error) => (text, problem) = (asked, error),
            }
        }
        let draft = RwSignal::new(SetupDraft::replacing(before, setup));
        let setup = Memo::new(move |_| draft.with(SetupDraft::setup));
        let piece_box = setup.get_untracked().placement.piece_box();
        StateHandle::allocate(EditorSignals {
            words,
            navigation,
            engine: Engine::new(),
            engine_task: RwSignal::new(EngineTask::Idle),
            draft,
            setup,
            check: Memo::new(move |_| SetupCheck::new(setup.get())),
            selection: RwSignal::new(EditorSelection::Nothing),
            piece_box: RwSignal::new(piece_box.unwrap_or(PieceBox::Standard)),
            box_rotations: RwSignal::new([0; Role::ALL.len()]),
            drag: RwSignal::new(None),
            pointer: RwSignal::new((0, 0)),
            gesture: StoredValue::new(PointerGesture::new()),
            wheel: StoredValue::new(WheelGesture::default()),
            cursor: RwSignal::new(khet::Square::E1.into()),
            level: RwSignal::new(BoardLevel::Upper),
            root: NodeRef::new(),
            announcement: RwSignal::new(String::new()),
            text: RwSignal::new(text),
            text_problem: RwSignal::new(problem),
        })
    }

    /// Writes every change to the address and to local storage.
    pub(super) fn persist(self) {
        Effect::new(move |_| {
            let setup = self.setup.get();
            self.navigation.set_query(&search(setup));
            storage::store(KEY, &format!("{}\n{}\n", setup.placement, setup.rules));
        });
    }

    /// Returns the path of a page with this setup in its query: `/en/analysis?position=…`.
    pub(super) fn path_with_setup(self, page: crate::routing::Page) -> String {
        self.navigation.path(page) + &search(self.setup.get())
    }

    // --- selection

    /// Returns the square of the selected board piece.
    pub(super) fn selected_square(self) -> Option<Square> {
        match self.selection.get() {
            EditorSelection::BoardPiece(square) => Some(square),
            EditorSelection::Nothing | EditorSelection::BoxPiece(_) => None,
        }
    }

    pub(super) fn has_box_piece(self) -> bool {
        matches!(self.selection.get(), EditorSelection::BoxPiece(_))
    }

    /// Returns the selection as a data attribute for styles and tests.
    pub(super) fn selection_name(self) -> &'static str {
        match self.selection.get() {
            EditorSelection::Nothing => "none",
            EditorSelection::BoxPiece(_) => "box",
            EditorSelection::BoardPiece(_) => "board",
        }
    }

    /// Returns a piece with the rotation that it has in the box.
    pub(super) fn box_piece(self, color: Color, role: Role) -> Piece {
        let kind = match role {
            Role::Pharaoh => Kind::Pharaoh,
            Role::Pyramid => Kind::Pyramid(Corner::NorthWest),
            Role::Djed => Kind::Djed(Diagonal::Falling),
            Role::Obelisk => Kind::Obelisk,
            Role::Eye => Kind::Eye(Diagonal::Falling),
            Role::Scarab => Kind::Scarab(Diagonal::Falling),
            Role::Anubis => Kind::Anubis(Direction::North),
            Role::Sphinx => Kind::Sphinx(Direction::North),
        };
        let silver =
            Piece::new(Color::Silver, kind).rotated(self.box_rotations.get()[role as usize]);
        match color {
            Color::Silver => silver,
            Color::Red => mirrored(silver),
        }
    }

    // --- actions

    /// Applies an action and announces its effect.
    pub(super) fn apply(self, action: EditorAction) {
        let before = self.selection.get_untracked();
        let result =
            self.draft.try_update(|draft| editor_action::apply_action(draft, before, action));
        let Some((selection, event)) = result else { return };
        if let EditorEvent::BoxPieceRotated(piece) = event {
            let quarters = match action {
                EditorAction::Rotate(rotation, _) => rotation.quarters(),
                _ => 0,
            };
            self.box_rotations.update(|rotations| rotations[piece.role() as usize] += quarters);
        }
        self.selection.set(selection);
        let text = self.event_text(event);
        if !text.is_empty() {
            self.announcement.set(text);
        }
    }

    /// Returns the announcement of an event for screen readers.
    fn event_text(self, event: EditorEvent) -> String {
        let words = self.words;
        let describer =
            BoardDescriber { words, orientation: Orientation::new(Color::Silver), you: None };
        let oriented = |piece: Piece| match describer.facing(piece) {
            Some(facing) => format!("{}, {facing}", describer.piece(piece)),
            None => describer.piece(piece),
        };
        capital(&match event {
            EditorEvent::Nothing => String::new(),
            EditorEvent::Taken(piece) => words.editor_piece_taken(oriented(piece)),
            EditorEvent::Selected(square, piece) => words.editor_picked(square, oriented(piece)),
            EditorEvent::Deselected => words.board_put_back().to_owned(),
            EditorEvent::Placed(square, piece) => words.editor_placed(oriented(piece), square),
            EditorEvent::Moved { piece, from, to } => {
                words.board_move_steps(describer.piece(piece), from, to)
            }
            EditorEvent::Swapped { from, to, .. } => words.editor_swapped(from, to),
            EditorEvent::BoxPieceRotated(piece) => words.editor_in_hand(oriented(piece)),
            EditorEvent::Rotated(square, piece) => format!("{square}: {}.", oriented(piece)),
            EditorEvent::Removed(square, piece) => {
                words.board_removed(describer.piece(piece), square)
            }
        })
    }

    /// Selects a piece of a box, or deselects it if it is selected.
    pub(super) fn toggle_box_piece(self, color: Color, role: Role) {
        let piece = untrack(|| self.box_piece(color, role));
        match self.selection.get_untracked() {
            EditorSelection::BoxPiece(held) if held.color() == color && held.role() == role => {
                self.apply(EditorAction::Cancel);
            }
            _ => self.apply(EditorAction::Take(piece)),
        }
    }

    pub(super) fn rotate(self, rotation: Rotation) {
        self.apply(EditorAction::Rotate(rotation, self.cursor.get_untracked()));
    }

    pub(super) fn remove(self) {
        self.apply(EditorAction::Remove(self.cursor.get_untracked()));
    }

    /// Replaces the placement.
    pub(super) fn load(self, placement: Placement) {
        self.selection.set(EditorSelection::Nothing);
        self.draft.update(|draft| draft.replace(placement));
        self.update_piece_box();
    }

    /// Switches to the box that the pieces on the board belong to.
    fn update_piece_box(self) {
        if let Some(piece_box) = self.setup.get_untracked().placement.piece_box() {
            self.piece_box.set(piece_box);
        }
    }

    pub(super) fn clear(self) {
        self.selection.set(EditorSelection::Nothing);
        self.draft.update(SetupDraft::clear);
        self.announcement.set(self.words.editor_cleared().to_owned());
    }

    /// Adds the tower, or removes it with everything on it.
    pub(super) fn toggle_tower(self) {
        self.selection.set(EditorSelection::Nothing);
        self.draft.update(SetupDraft::toggle_tower);
        self.cursor.update(|cursor| *cursor = cursor.ground().into());
        self.announce_tower();
    }

    /// Shifts the tower by a square.
    pub(super) fn shift_tower(self, files: i8, ranks: i8) {
        self.selection.set(EditorSelection::Nothing);
        if self.draft.try_update(|draft| draft.shift_tower(files, ranks)) == Some(true) {
            let levels = self.levels();
            self.cursor.update(|cursor| *cursor = levels.still_there(*cursor));
            self.announce_tower();
        }
    }

    /// Rotates the tower.
    pub(super) fn rotate_tower(self, rotation: Rotation) {
        self.selection.set(EditorSelection::Nothing);
        self.draft.update(|draft| draft.rotate_tower(rotation));
        self.announcement.set(self.words.editor_tower_rotated().to_owned());
    }

    /// Announces the place of the tower after it was added, moved or removed.
    fn announce_tower(self) {
        let words = self.words;
        let text = match self.draft.with_untracked(SetupDraft::tower_column) {
            Some(column) => words.editor_tower_moved(column),
            None => words.editor_tower_removed().to_owned(),
        };
        self.announcement.set(text);
    }

    pub(super) fn undo(self) {
        self.step_history(SetupDraft::undo, self.words.editor_undone());
    }

    pub(super) fn redo(self) {
        self.step_history(SetupDraft::redo, self.words.editor_redone());
    }

    /// Undoes or redoes a step, and announces it.
    fn step_history(self, step: fn(&mut SetupDraft) -> bool, announcement: &'static str) {
        if self.draft.try_update(step) != Some(true) {
            return;
        }
        if let EditorSelection::BoardPiece(_) = self.selection.get_untracked() {
            self.selection.set(EditorSelection::Nothing);
        }
        self.update_piece_box();
        // A repeated announcement is read again only if the text changes in between.
        self.announcement.set(String::new());
        self.announcement.set(announcement.to_owned());
    }

    // --- pointers

    pub(super) fn pressed(self, event: &ev::PointerEvent) {
        if !pointer::is_primary_press(event) {
            return;
        }
        let Some(source) = self.drag_source(event) else { return };
        if let DragSource::Board(square) = source {
            self.cursor.set(square);
        }
        let at = pointer::window_position(event);
        self.gesture.update_value(|gesture| gesture.press(event.pointer_id(), at, source));
    }

    /// Returns the levels on which pointer and keys act.
    fn levels(self) -> EditedLevels {
        let column = self.draft.with_untracked(SetupDraft::tower_column);
        EditedLevels { column, level: self.level.get_untracked() }
    }

    /// Returns the square under the pointer.
    fn square_below(self, event: &ev::PointerEvent) -> Option<Square> {
        self.levels().square_at_pointer(self.root, event.client_x(), event.client_y())
    }

    /// Returns the square or the box piece under the pointer.
    fn drag_source(self, event: &ev::PointerEvent) -> Option<DragSource> {
        let element: Element = event.target()?.dyn_into().ok()?;
        if element.has_attribute("data-square") {
            return self.square_below(event).map(DragSource::Board);
        }
        let name = element.closest("[data-box-piece]").ok()??.get_attribute("data-box-piece")?;
        let (color, role) = parse_box_piece_name(&name)?;
        Some(DragSource::Box(untrack(|| self.box_piece(color, role))))
    }

    pub(super) fn moved(self, event: &ev::PointerEvent) {
        let lift = |source| {
            let piece = match source {
                DragSource::Box(piece) => Some(piece),
                DragSource::Board(square) => self.draft.with_untracked(|draft| draft.get(square)),
            };
            let width = self.root.get_untracked()?.get_bounding_client_rect().width();
            Some((source, Drag { piece: piece?, size: width * 104.0 / 1080.0 }))
        };
        let at = pointer::window_position(event);
        let drag = self
            .gesture
            .try_update_value(|gesture| gesture.move_to(event.pointer_id(), at, lift))
            .flatten();
        let Some(drag) = drag else { return };
        self.pointer.set(at);
        if let DragEvent::Start((source, drag)) = drag {
            pointer::capture(event);
            if let DragSource::Board(square) = source {
                self.selection.set(EditorSelection::BoardPiece(square));
            }
            self.drag.set(Some(drag));
        }
    }

    /// Returns the CSS transform of the dragged piece.
    pub(super) fn drag_transform(self) -> String {
        let (x, y) = self.pointer.get();
        format!("translate({x}px, {y}px) translate(-50%, -50%)")
    }

    pub(super) fn released(self, event: &ev::PointerEvent) {
        let square = self.square_below(event);
        let target = square.map(DragSource::Board);
        let release = self
            .gesture
            .try_update_value(|gesture| gesture.release(event.pointer_id(), target))
            .flatten();
        match release {
            Some(ReleaseEvent::Tap(DragSource::Board(square))) => {
                self.apply(EditorAction::Tap(square))
            }
            Some(ReleaseEvent::Drop(source)) => {
                self.drag.set(None);
                self.apply(EditorAction::Drag(source, square));
            }
            Some(ReleaseEvent::Tap(DragSource::Box(_))) | None => {}
        }
    }

    pub(super) fn interrupted(self) {
        self.gesture.update_value(PointerGesture::cancel);
        if self.drag.with_untracked(Option::is_some) {
            self.drag.set(None);
            self.apply(EditorAction::Cancel);
        }
    }

    pub(super) fn wheeled(self, event: &ev::WheelEvent) {
        if self.selection.get_untracked() == EditorSelection::Nothing || event.delta_y() == 0.0 {
            return;
        }
        event.prevent_default();
        let rotation = self
            .wheel
            .try_update_value(|wheel| wheel.scroll(event.delta_y(), event.time_stamp()))
            .flatten();
        if let Some(rotation) = rotation {
            self.rotate(rotation);
        }
    }

    // --- keys

    pub(super) fn key(self, event: &ev::KeyboardEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(target) = target else { return };
        let within = |selector: &str| target.closest(selector).is_ok_and(|it| it.is_some());
        if within("input, textarea, select, dialog") {
            return;
        }
        let key = event.key();
        let command = (event.ctrl_key() && !event.alt_key()) || event.meta_key();
        let handled = if command {
            match (key.to_lowercase().as_str(), event.shift_key()) {
                ("z", false) => self.undo(),
                ("z", true) | ("y", false) => self.redo(),
                _ => return,
            }
            true
        } else {
            within(".board") && self.board_key(&key)
        };
        if handled {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// Moves keyboard focus to a square.
    fn focus_on(self, square: Square) {
        self.cursor.set(square);
        focus_square(self.root, square);
    }

    /// Lets the pointer mean the other level where both are drawn.
    pub(super) fn toggle_level(self) {
        self.level.update(|level| *level = level.other());
    }

    /// Handles a key on the board. Returns whether the key has a meaning there.
    fn board_key(self, key: &str) -> bool {
        let cursor = self.cursor.get_untracked();
        let move_cursor = |direction| {
            self.focus_on(self.levels().neighbor(cursor, direction).unwrap_or(cursor));
        };
        match key {
            "ArrowUp" => move_cursor(Direction::North),
            "ArrowRight" => move_cursor(Direction::East),
            "ArrowDown" => move_cursor(Direction::South),
            "ArrowLeft" => move_cursor(Direction::West),
            "Enter" | " " => self.apply(EditorAction::Tap(cursor)),
            "]" | "+" | "=" => self.rotate(Rotation::Clockwise),
            "[" | "-" => self.rotate(Rotation::Counterclockwise),
            "Delete" | "Backspace" => self.apply(EditorAction::Remove(cursor)),
            "Escape" if self.selection.get_untracked() != EditorSelection::Nothing => {
                self.apply(EditorAction::Cancel)
            }
            "u" | "U" => self.undo(),
            "l" | "L" => match self.levels().on_other_level(cursor) {
                Some(square) => {
                    self.level.set(square.level());
                    self.focus_on(square);
                }
                None => return false,
            },
            "v" | "V" if self.levels().column.is_some() => self.toggle_level(),
            letter => match piece_for_key(letter) {
                Some((color, role)) => {
                    let piece = untrack(|| self.box_piece(color, role));
                    self.apply(EditorAction::Take(piece));
                }
                None => return false,
            },
        }
        true
    }
}

/// Returns the piece that a letter key selects: Silver's, or Red's with the shift key.
fn piece_for_key(key: &str) -> Option<(Color, Role)> {
    let mut letters = key.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    let upper = letter.to_ascii_uppercase();
    let role = Role::ALL.into_iter().find(|role| role.letter() == upper)?;
    Some((if letter == upper { Color::Red } else { Color::Silver }, role))
}

/// Returns the name of a box piece in a data attribute: `silver-P`.
pub(super) fn box_piece_name(color: Color, role: Role) -> String {
    format!("{color}-{}", role.letter())
}

fn parse_box_piece_name(name: &str) -> Option<(Color, Role)> {
    let (color, letter) = name.split_once('-')?;
    let role = Role::ALL.into_iter().find(|role| letter.chars().eq([role.letter()]))?;
    Some((color.parse().ok()?, role))
}

#[cfg(test)]
mod tests {
    use khet::{Rules, Setup};

    use super::*;

    #[test]
    fn letter_keys_select_pieces() {
        assert_eq!(piece_for_key("p"), Some((Color::Silver, Role::Pyramid)));
        assert_eq!(piece_for_key("X"), Some((Color::Red, Role::Sphinx)));
        for other in ["u", "", "Tab", "pp", "é"] {
            assert_eq!(piece_for_key(other), None, "{other}");
        }
    }

    #[test]
    fn box_piece_names_are_parsed() {
        for color in Color::ALL {
            for role in Role::ALL {
                assert_eq!(parse_box_piece_name(&box_piece_name(color, role)), Some((color, role)));
            }
        }
        assert_eq!(parse_box_piece_name("gold-P"), None);
    }

    #[test]
    fn the_address_holds_placement_and_rules() {
        let mut setup =
            UncheckedSetup { placement: Setup::Classic.placement().into(), rules: Rules::Standard };
        let text = search(setup);
        assert!(text.starts_with("?position=4o2ko2p22/") && text.ends_with("_s"), "{text}");
        setup.rules = Rules::Czech;
        assert!(search(setup).ends_with("_s&rules=czech"));
    }
}
