//! The board of the setup editor, on which pieces can be placed anywhere.
//!
//! It shows the pieces from Silver's side and labels the squares. The editor page handles pointers
//! and keys, because it also has boxes of pieces beside the board.

use khet::{Color, Piece, Role, Rotation};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, Cell};
use super::descriptions::BoardDescriber;
use super::geometry::{Orientation, VIEW_BOX, translate};
use super::handles::{self, HandleIcon};
use super::input_events::point_at_pointer;
use super::layers::picked_frame;
use super::{pieces, share_definitions, stone};
use crate::languages::{Words, use_words};
use crate::rules::{Placement, Square};

/// A mark on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SquareMark {
    /// The square has a warning; the setup can be played.
    Warning,
    /// The square has an error; the setup can't be played.
    Error,
}

const EDITOR_ORIENTATION: Orientation = Orientation::new(Color::Silver);

/// Returns the square at a point of the page.
pub(crate) fn square_at_pointer(root: NodeRef<Div>, x: i32, y: i32) -> Option<Square> {
    let point = point_at_pointer(root, EDITOR_ORIENTATION, x, y)?;
    EDITOR_ORIENTATION.square_at(point).map(Square::from)
}

/// The content of the board, as signals of the editor.
#[derive(Clone, Copy)]
pub(crate) struct EditingScene {
    /// The pieces on the board.
    pub(crate) placement: Signal<Placement>,
    /// The square of the piece that is picked up.
    pub(crate) picked: Signal<Option<Square>>,
    /// True if that piece is being dragged, and therefore drawn by the page.
    pub(crate) dragged: Signal<bool>,
    /// True if a piece from a box is in hand.
    pub(crate) holding: Signal<bool>,
    /// Squares with a warning or an error.
    pub(crate) marks: Signal<Vec<(Square, SquareMark)>>,
    /// The square with the keyboard focus.
    pub(crate) cursor: RwSignal<Square>,
}

impl EditingScene {
    /// Returns the pieces that the board draws.
    fn standing(self) -> Vec<(Square, Piece)> {
        let hidden = self.picked.get().filter(|_| self.dragged.get());
        self.placement.with(|it| it.pieces().filter(|(at, _)| Some(*at) != hidden).collect())
    }

    /// Returns the cells of the grid.
    fn cells(self, words: Words) -> Vec<Cell> {
        let describer = BoardDescriber { words, orientation: EDITOR_ORIENTATION, you: None };
        let (picked, cursor) = (self.picked.get(), self.cursor.get());
        let holding = picked.is_some() || self.holding.get();
        let marks = self.marks.get();
        let cell = |square: Square| {
            let piece = self.placement.with(|placement| placement.get(square));
            let mut label = describer.square(square, piece);
            for (_, mark) in marks.iter().filter(|(marked, _)| *marked == square) {
                label += ", ";
                label += match mark {
                    SquareMark::Error => words.editor_square_error(),
                    SquareMark::Warning => words.editor_square_warning(),
                };
            }
            if picked == Some(square) {
                label += ", ";
                label += words.board_in_hand();
            }
            let class = match (piece, holding) {
                (Some(_), _) => "cell acts",
                (None, true) => "cell target",
                (None, false) => "cell",
            };
            Cell { square, label, class, picked: picked == Some(square), cursor: square == cursor }
        };
        cells::displayed_squares(EDITOR_ORIENTATION).map(cell).collect()
    }
}

/// The board. Its element is stored in `root`.
#[component]
pub(crate) fn EditingBoard(
    scene: EditingScene,
    root: NodeRef<Div>,
    /// Called when the piece that is picked up is to be rotated.
    on_rotate: Callback<Rotation>,
) -> impl IntoView {
    share_definitions();
    let EditingScene { placement, picked, dragged, marks, .. } = scene;
    let wall_lasers = Memo::new(move |_| {
        placement.with(|it| !it.pieces().any(|(_, it)| it.role() == Role::Sphinx))
    });
    let marked =
        move || marks.get().into_iter().map(|(at, mark)| mark_markup(at, mark)).collect::<String>();
    view! {
        <div class="board art playable editing" class:dragging=dragged node_ref=root>
            <svg class="board-background" viewBox=VIEW_BOX aria-hidden="true">
                <g inner_html=move || stone::markup(EDITOR_ORIENTATION, wall_lasers.get())></g>
            </svg>
            <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
                {move || picked.get().map(|picked| picked_frame(EDITOR_ORIENTATION.center(picked)))}
                <For each=move || scene.standing() key=|standing| *standing let((square, piece))>
                    {piece_view(square, piece)}
                </For>
                <g class="editing-marks" inner_html=marked></g>
            </svg>
            {grid_layer(scene, root, on_rotate)}
        </div>
    }
}

/// Draws the cells, which take the focus, and the handles of the piece that is picked up.
fn grid_layer(
    scene: EditingScene,
    root: NodeRef<Div>,
    on_rotate: Callback<Rotation>,
) -> impl IntoView {
    let words = use_words();
    let EditingScene { placement, picked, dragged, cursor, .. } = scene;
    let grid = NodeRef::<svg::G>::new();
    let first = untrack(|| scene.cells(words));
    let text = cells::markup(&first, EDITOR_ORIENTATION);
    let displayed = StoredValue::new(first);
    Effect::new(move |_| {
        let now = scene.cells(words);
        displayed.update_value(|before| cells::update(grid, before, now));
    });
    let focused = move |event: ev::FocusEvent| {
        if let Some(square) = cells::square_of(&event) {
            cursor.set(square);
        }
    };
    view! {
        <svg class="board-grid" viewBox=VIEW_BOX>
            <g
                role="grid"
                aria-label=words.board_label()
                aria-description=words.editor_keys()
                node_ref=grid
                inner_html=text
                on:focusin=focused
            ></g>
            {move || {
                let square = picked.get().filter(|_| !dragged.get())?;
                let piece = placement.with(|placement| placement.get(square))?;
                rotation_handles(root, cursor, square, piece, on_rotate)
            }}
        </svg>
    }
}

/// Draws a piece on its square.
fn piece_view(square: Square, piece: Piece) -> impl IntoView {
    let at = EDITOR_ORIENTATION.center(square);
    view! {
        <g
            class=pieces::class(piece.color())
            transform=translate(at)
            inner_html=pieces::markup(piece)
        ></g>
    }
}

/// Draws a frame around a square and a symbol in its corner, which is visible without colours too.
fn mark_markup(square: Square, mark: SquareMark) -> String {
    let at = EDITOR_ORIENTATION.center(square);
    let (class, sign) = match mark {
        SquareMark::Error => ("fault", "M-6,-6L6,6M6,-6L-6,6"),
        SquareMark::Warning => ("warning", "M0,-8V2M0,7.5V8"),
    };
    format!(
        r#"<g class="editing-mark {class}" transform="{}"><rect x="-46" y="-46" width="92" height="92" rx="4"/><circle cx="33" cy="33" r="14"/><path transform="translate(33 33)" d="{sign}"/></g>"#,
        translate(at)
    )
}

/// Returns the handles that rotate a piece: two, one if both directions give the same result, or
/// none if the piece looks the same from all sides.
fn rotation_handles(
    root: NodeRef<Div>,
    cursor: RwSignal<Square>,
    square: Square,
    piece: Piece,
    on_rotate: Callback<Rotation>,
) -> Option<impl IntoView> {
    if piece.rotated(1) == piece {
        return None;
    }
    let words = use_words();
    let width = root.get_untracked()?.get_bounding_client_rect().width();
    let radius = handles::radius(EDITOR_ORIENTATION, width);
    // On a small board handles would cover squares; the page has buttons for rotation instead.
    if radius > handles::MAX_CORNER_RADIUS {
        return None;
    }
    let center = EDITOR_ORIENTATION.center(square);
    let [left, right] = handles::centers(EDITOR_ORIENTATION, center, radius);
    let rotation = move |rotation: Rotation| {
        on_rotate.run(rotation);
        cursor.set(square);
    };
    let both = piece.rotated(1) != piece.rotated(3);
    let back = both.then(|| {
        let act = move || rotation(Rotation::Counterclockwise);
        handles::handle(
            left,
            radius,
            HandleIcon::Counterclockwise,
            words.board_rotate_counterclockwise(),
            false,
            act,
        )
    });
    let act = move || rotation(Rotation::Clockwise);
    let forth = handles::handle(
        right,
        radius,
        HandleIcon::Clockwise,
        words.board_rotate_clockwise(),
        false,
        act,
    );
    Some(view! { {back} {forth} })
}
