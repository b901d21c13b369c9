//! The state of the editor's page: everything that is done to a setup, in the address and remembered after each step.

use khet::{
    Color, Corner, Diagonal, Direction, Kind, Piece, PieceBox, Placement, Role, Rotation, Square,
};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::super::draft::{Draft, Stand, partner};
use super::super::findings::{self, Findings};
use super::super::hand::{self, Act, Hand, Happened, Source};
use crate::board::{
    DragEvent, PointerGesture, ReleaseEvent, Seat, Speaker, WheelGesture, capital, focus_square,
    square_under,
};
use crate::browser::{pointer, storage};
use crate::engine::Engine;
use crate::languages::{Words, use_words};
use crate::routing::position_search;
use crate::routing::{Navigation, use_navigation};

/// Where what was edited last is remembered: the position, and on a line of its own the rules.
const KEY: &str = "khet.editor";

/// A piece that follows the pointer.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Drag {
    pub(super) piece: Piece,
    /// How wide it is, in pixels.
    pub(super) size: f64,
}

/// What the engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Busy {
    Idle,
    Evaluating,
    Playing,
    Surprising,
}

/// All that the page remembers.
#[derive(Clone, Copy)]
pub(super) struct Editor {
    pub(super) words: Words,
    pub(super) navigation: Navigation,
    pub(super) engine: Engine,
    pub(super) busy: RwSignal<Busy>,
    pub(super) draft: RwSignal<Draft>,
    pub(super) stand: Memo<Stand>,
    pub(super) findings: Memo<Findings>,
    pub(super) hand: RwSignal<Hand>,
    /// From which box pieces are taken.
    pub(super) pieces: RwSignal<PieceBox>,
    /// How far each role is turned in the box, in quarters.
    turned: RwSignal<[u8; Role::ALL.len()]>,
    pub(super) drag: RwSignal<Option<Drag>>,
    pointer: RwSignal<(i32, i32)>,
    gesture: StoredValue<PointerGesture<Source>>,
    wheel: StoredValue<WheelGesture>,
    pub(super) cursor: RwSignal<Square>,
    pub(super) root: NodeRef<Div>,
    pub(super) voice: RwSignal<String>,
    /// What is written in the field for positions, and what is wrong with it.
    pub(super) text: RwSignal<String>,
    pub(super) text_problem: RwSignal<String>,
}

fn search(stand: Stand) -> String {
    position_search(&stand.placement, stand.rules)
}

impl Editor {
    /// With what the address says, or else with what was edited last.
    pub(super) fn new() -> Editor {
        let (words, navigation) = (use_words(), use_navigation());
        let asked = untrack(|| navigation.asked("position"));
        let asked_rules = untrack(|| navigation.asked("rules"));
        let remembered = storage::load_or_empty(KEY);
        let mut remembered = remembered.lines();
        let placement = remembered.next().and_then(|text| text.parse().ok());
        let rules = remembered.next().and_then(|text| text.parse().ok()).unwrap_or_default();
        let before = Stand { placement: placement.unwrap_or(Placement::EMPTY), rules };
        let mut stand = before;
        let mut text = String::new();
        let mut problem = String::new();
        if let Some(asked) = asked {
            match findings::read(words, &asked) {
                Ok(placement) => {
                    let rules = asked_rules.and_then(|rules| rules.parse().ok());
                    stand = Stand { placement, rules: rules.unwrap_or_default() };
                }
                Err(told) => (text, problem) = (asked, told),
            }
        }
        let draft = RwSignal::new(Draft::after(before, stand));
        let stand = Memo::new(move |_| draft.with(Draft::stand));
        let pieces = PieceBox::of(&stand.get_untracked().placement);
        Editor {
            words,
            navigation,
            engine: Engine::new(),
            busy: RwSignal::new(Busy::Idle),
            draft,
            stand,
            findings: Memo::new(move |_| Findings::of(stand.get())),
            hand: RwSignal::new(Hand::Empty),
            pieces: RwSignal::new(pieces.unwrap_or(PieceBox::Standard)),
            turned: RwSignal::new([0; Role::ALL.len()]),
            drag: RwSignal::new(None),
            pointer: RwSignal::new((0, 0)),
            gesture: StoredValue::new(PointerGesture::new()),
            wheel: StoredValue::new(WheelGesture::default()),
            cursor: RwSignal::new(Square::E1),
            root: NodeRef::new(),
            voice: RwSignal::new(String::new()),
            text: RwSignal::new(text),
            text_problem: RwSignal::new(problem),
        }
    }

    /// Writes every step into the address, and remembers it.
    pub(super) fn keep(self) {
        Effect::new(move |_| {
            let stand = self.stand.get();
            self.navigation.note(&search(stand));
            storage::store(KEY, &format!("{}\n{}\n", stand.placement, stand.rules));
        });
    }

    /// The way to another page with this position: `/en/analysis?position=…`.
    pub(super) fn path_with(self, page: crate::routing::Page) -> String {
        self.navigation.path(page) + &search(self.stand.get())
    }

    // --- what is in the hand

    pub(super) fn picked(self) -> Option<Square> {
        match self.hand.get() {
            Hand::Picked(square) => Some(square),
            Hand::Empty | Hand::New(_) => None,
        }
    }

    pub(super) fn holds_new(self) -> bool {
        matches!(self.hand.get(), Hand::New(_))
    }

    pub(super) fn hand_name(self) -> &'static str {
        match self.hand.get() {
            Hand::Empty => "empty",
            Hand::New(_) => "new",
            Hand::Picked(_) => "picked",
        }
    }

    /// A piece as it comes out of a box.
    pub(super) fn of_box(self, color: Color, role: Role) -> Piece {
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
        let silver = Piece::new(Color::Silver, kind).rotated(self.turned.get()[role as usize]);
        match color {
            Color::Silver => silver,
            Color::Red => partner(silver),
        }
    }

    // --- acting

    /// Does what a person did, and says in words what came of it.
    pub(super) fn act(self, act: Act) {
        let before = self.hand.get_untracked();
        let done = self.draft.try_update(|draft| hand::act(draft, before, act));
        let Some((hand, happened)) = done else { return };
        if let Happened::TurnedInHand(piece) = happened {
            let quarters = match act {
                Act::Rotation(rotation, _) => rotation.quarters(),
                _ => 0,
            };
            self.turned.update(|turned| turned[piece.role() as usize] += quarters);
        }
        self.hand.set(hand);
        let told = self.told(happened);
        if !told.is_empty() {
            self.voice.set(told);
        }
    }

    fn told(self, happened: Happened) -> String {
        let words = self.words;
        let speaker = Speaker { words, seat: Seat::new(Color::Silver), you: None };
        let standing = |piece: Piece| match speaker.facing(piece) {
            Some(facing) => format!("{}, {facing}", speaker.piece(piece)),
            None => speaker.piece(piece),
        };
        capital(&match happened {
            Happened::Nothing => String::new(),
            Happened::Taken(piece) => words.editor_piece_taken(standing(piece)),
            Happened::Picked(square, piece) => words.editor_picked(square, standing(piece)),
            Happened::PutAway => words.board_put_back().to_owned(),
            Happened::Placed(square, piece) => words.editor_placed(standing(piece), square),
            Happened::Moved { piece, from, to } => {
                words.board_move_steps(speaker.piece(piece), from, to)
            }
            Happened::Exchanged { from, to, .. } => words.editor_swapped(from, to),
            Happened::TurnedInHand(piece) => words.editor_in_hand(standing(piece)),
            Happened::Turned(square, piece) => format!("{square}: {}.", standing(piece)),
            Happened::Removed(square, piece) => words.board_removed(speaker.piece(piece), square),
        })
    }

    /// Takes a piece out of a box, or puts it back if it is in the hand.
    pub(super) fn take(self, color: Color, role: Role) {
        let piece = untrack(|| self.of_box(color, role));
        match self.hand.get_untracked() {
            Hand::New(held) if held.color() == color && held.role() == role => {
                self.act(Act::Cancel);
            }
            _ => self.act(Act::Take(piece)),
        }
    }

    pub(super) fn rotation(self, rotation: Rotation) {
        self.act(Act::Rotation(rotation, self.cursor.get_untracked()));
    }

    pub(super) fn remove(self) {
        self.act(Act::Remove(self.cursor.get_untracked()));
    }

    /// Puts another arrangement on the board.
    pub(super) fn load(self, placement: Placement) {
        self.hand.set(Hand::Empty);
        self.draft.update(|draft| draft.replace(placement));
        self.show_box();
    }

    /// Shows the box that fits what stands.
    fn show_box(self) {
        if let Some(pieces) = PieceBox::of(&self.stand.get_untracked().placement) {
            self.pieces.set(pieces);
        }
    }

    pub(super) fn clear(self) {
        self.hand.set(Hand::Empty);
        self.draft.update(Draft::clear);
        self.voice.set(self.words.editor_cleared().to_owned());
    }

    pub(super) fn undo(self) {
        self.walk_back(Draft::undo, self.words.editor_undone());
    }

    pub(super) fn redo(self) {
        self.walk_back(Draft::redo, self.words.editor_redone());
    }

    fn walk_back(self, walk: fn(&mut Draft) -> bool, told: &'static str) {
        if self.draft.try_update(walk) != Some(true) {
            return;
        }
        if let Hand::Picked(_) = self.hand.get_untracked() {
            self.hand.set(Hand::Empty);
        }
        self.show_box();
        // Said again even if it was said last.
        self.voice.set(String::new());
        self.voice.set(told.to_owned());
    }

    // --- pointers

    pub(super) fn pressed(self, event: &ev::PointerEvent) {
        if !pointer::is_primary_press(event) {
            return;
        }
        let Some(source) = self.source(event) else { return };
        if let Source::Board(square) = source {
            self.cursor.set(square);
        }
        let at = pointer::window_position(event);
        self.gesture.update_value(|gesture| gesture.press(event.pointer_id(), at, source));
    }

    /// What is under the pointer: a square, or a piece of a box.
    fn source(self, event: &ev::PointerEvent) -> Option<Source> {
        let element: Element = event.target()?.dyn_into().ok()?;
        if let Some(square) = element.get_attribute("data-square") {
            return Some(Source::Board(square.parse().ok()?));
        }
        let taken = element.closest("[data-take]").ok()??.get_attribute("data-take")?;
        let (color, role) = taken_of(&taken)?;
        Some(Source::Box(untrack(|| self.of_box(color, role))))
    }

    pub(super) fn moved(self, event: &ev::PointerEvent) {
        let lift = |source| {
            let piece = match source {
                Source::Box(piece) => Some(piece),
                Source::Board(square) => self.draft.with_untracked(|draft| draft.get(square)),
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
            if let Source::Board(square) = source {
                self.hand.set(Hand::Picked(square));
            }
            self.drag.set(Some(drag));
        }
    }

    /// Where the dragged piece is.
    pub(super) fn drag_at(self) -> String {
        let (x, y) = self.pointer.get();
        format!("translate({x}px, {y}px) translate(-50%, -50%)")
    }

    pub(super) fn released(self, event: &ev::PointerEvent) {
        let square = square_under(self.root, event.client_x(), event.client_y());
        let target = square.map(Source::Board);
        let release = self
            .gesture
            .try_update_value(|gesture| gesture.release(event.pointer_id(), target))
            .flatten();
        match release {
            Some(ReleaseEvent::Tap(Source::Board(square))) => self.act(Act::Tap(square)),
            Some(ReleaseEvent::Drop(source)) => {
                self.drag.set(None);
                self.act(Act::Drag(source, square));
            }
            Some(ReleaseEvent::Tap(Source::Box(_))) | None => {}
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
        if self.hand.get_untracked() == Hand::Empty || event.delta_y() == 0.0 {
            return;
        }
        event.prevent_default();
        let rotation = self
            .wheel
            .try_update_value(|wheel| wheel.scroll(event.delta_y(), event.time_stamp()))
            .flatten();
        if let Some(rotation) = rotation {
            self.rotation(rotation);
        }
    }

    // --- keys

    pub(super) fn key(self, event: &ev::KeyboardEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(target) = target else { return };
        let within = |selector: &str| target.closest(selector).is_ok_and(|found| found.is_some());
        if within("input, textarea, select, dialog") {
            return;
        }
        let key = event.key();
        let command = (event.ctrl_key() && !event.alt_key()) || event.meta_key();
        let known = if command {
            match (key.to_lowercase().as_str(), event.shift_key()) {
                ("z", false) => self.undo(),
                ("z", true) | ("y", false) => self.redo(),
                _ => return,
            }
            true
        } else {
            within(".board") && self.board_key(&key)
        };
        if known {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    fn board_key(self, key: &str) -> bool {
        let cursor = self.cursor.get_untracked();
        let walk = |way| {
            let to = cursor.neighbor(way).unwrap_or(cursor);
            self.cursor.set(to);
            focus_square(self.root, to);
        };
        match key {
            "ArrowUp" => walk(Direction::North),
            "ArrowRight" => walk(Direction::East),
            "ArrowDown" => walk(Direction::South),
            "ArrowLeft" => walk(Direction::West),
            "Enter" | " " => self.act(Act::Tap(cursor)),
            "]" | "+" | "=" => self.rotation(Rotation::Clockwise),
            "[" | "-" => self.rotation(Rotation::Counterclockwise),
            "Delete" | "Backspace" => self.act(Act::Remove(cursor)),
            "Escape" if self.hand.get_untracked() != Hand::Empty => self.act(Act::Cancel),
            "u" | "U" => self.undo(),
            letter => match letter_of(letter) {
                Some((color, role)) => {
                    let piece = untrack(|| self.of_box(color, role));
                    self.act(Act::Take(piece));
                }
                None => return false,
            },
        }
        true
    }
}

/// The piece that a letter key takes: Silver's, with the shift key Red's.
fn letter_of(key: &str) -> Option<(Color, Role)> {
    let mut letters = key.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    let upper = letter.to_ascii_uppercase();
    let role = Role::ALL.into_iter().find(|role| role.letter() == upper)?;
    Some((if letter == upper { Color::Red } else { Color::Silver }, role))
}

/// How a piece of a box is named in the page: `silver-P`.
pub(super) fn take_name(color: Color, role: Role) -> String {
    format!("{color}-{}", role.letter())
}

fn taken_of(name: &str) -> Option<(Color, Role)> {
    let (color, letter) = name.split_once('-')?;
    let role = Role::ALL.into_iter().find(|role| letter.chars().eq([role.letter()]))?;
    Some((color.parse().ok()?, role))
}

#[cfg(test)]
mod tests {
    use khet::{Rules, Setup};

    use super::*;

    #[test]
    fn letters_take_pieces() {
        assert_eq!(letter_of("p"), Some((Color::Silver, Role::Pyramid)));
        assert_eq!(letter_of("X"), Some((Color::Red, Role::Sphinx)));
        for other in ["u", "", "Tab", "pp", "é"] {
            assert_eq!(letter_of(other), None, "{other}");
        }
    }

    #[test]
    fn pieces_of_a_box_are_found_by_their_names() {
        for color in Color::ALL {
            for role in Role::ALL {
                assert_eq!(taken_of(&take_name(color, role)), Some((color, role)));
            }
        }
        assert_eq!(taken_of("gold-P"), None);
    }

    #[test]
    fn an_address_holds_everything() {
        let mut stand = Stand { placement: Setup::Classic.placement(), rules: Rules::Standard };
        let text = search(stand);
        assert!(text.starts_with("?position=4o2ko2p22/") && text.ends_with("_s"), "{text}");
        stand.rules = Rules::Czech;
        assert!(search(stand).ends_with("_s&rules=czech"));
    }
}
