//! The board of the setup editor, on which pieces can be placed anywhere.
//!
//! It shows the pieces from Silver's side and labels the squares. The editor page handles pointers
//! and keys, because it also has boxes of pieces beside the board.

use khet::tower::{BoardLevel, TowerColumn};
use khet::{Color, Direction, Piece, Role, Rotation};
use khet_picture::tower;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, Cell};
use super::descriptions::BoardDescriber;
use super::geometry::{LIFT, Orientation, Point, VIEW_BOX, translate};
use super::handles::{self, HandleIcon};
use super::input_events::point_at_pointer;
use super::layers::picked_frame;
use super::levels;
use super::upper_grid::upper_squares;
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

/// The levels of the board on which the pointer acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EditedLevels {
    /// The place of the tower, if there is one.
    pub(crate) column: Option<TowerColumn>,
    /// The level that is meant where both are drawn.
    pub(crate) level: BoardLevel,
}

impl EditedLevels {
    /// Returns the square at a point of the page.
    pub(crate) fn square_at_pointer(self, root: NodeRef<Div>, x: i32, y: i32) -> Option<Square> {
        self.square_at(point_at_pointer(root, EDITOR_ORIENTATION, x, y)?)
    }

    fn square_at(self, point: Point) -> Option<Square> {
        let EditedLevels { column, level } = self;
        let upper = levels::upper_square_at(point, EDITOR_ORIENTATION, column)
            .filter(|square| level == BoardLevel::Upper && !levels::is_column(column, *square));
        upper.or_else(|| EDITOR_ORIENTATION.square_at(point).map(Square::from))
    }

    /// Returns the adjacent square of the same level.
    pub(crate) fn neighbor(self, square: Square, direction: Direction) -> Option<Square> {
        levels::neighbor(square, direction, EDITOR_ORIENTATION, self.column)
    }

    /// Returns the square straight above or below, or the nearest one of the upper level, if there
    /// is a tower.
    pub(crate) fn on_other_level(self, square: Square) -> Option<Square> {
        levels::on_other_level(square, self.column?)
    }

    /// Returns the square, or the one beneath it if the tower does not reach to it.
    pub(crate) fn still_there(self, square: Square) -> Square {
        levels::still_there(square, self.column)
    }
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
    /// The level that the pointer means where both are drawn.
    pub(crate) level: Signal<BoardLevel>,
}

impl EditingScene {
    /// Returns the place of the tower, if there is one.
    fn column(self) -> Option<TowerColumn> {
        self.placement.with(Placement::tower_column)
    }

    /// Returns the pieces that the board draws on a level.
    fn standing(self, level: BoardLevel) -> Vec<(Square, Piece)> {
        let hidden = self.picked.get().filter(|_| self.dragged.get());
        let is_drawn = |at: Square| at.level() == level && Some(at) != hidden;
        self.placement.with(|it| it.pieces().filter(|(at, _)| is_drawn(*at)).collect())
    }

    /// Returns the cells of the ground.
    fn ground_cells(self, words: Words) -> Vec<Cell> {
        self.cells(cells::displayed_squares(EDITOR_ORIENTATION), words)
    }

    /// Returns the cells of the upper level; none without a tower.
    fn upper_cells(self, words: Words) -> Vec<Cell> {
        let columns = self.column().into_iter();
        self.cells(columns.flat_map(|it| upper_squares(EDITOR_ORIENTATION, it)), words)
    }

    /// Returns the cells of these squares.
    fn cells(self, squares: impl Iterator<Item = Square>, words: Words) -> Vec<Cell> {
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
        squares.map(cell).collect()
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
    let EditingScene { placement, dragged, level, .. } = scene;
    let column = Memo::new(move |_| scene.column());
    let has_tower = Memo::new(move |_| column.get().is_some());
    let foot = move || column.get().map(|it| tower::foot(it, EDITOR_ORIENTATION));
    let platform = move || column.get().map(|it| tower::platform(it, EDITOR_ORIENTATION));
    let upper = move || {
        view! {
            <svg class="board-upper" viewBox=VIEW_BOX aria-hidden="true">
                <g inner_html=move || platform().unwrap_or_default()></g>
                {level_view(scene, BoardLevel::Upper)}
            </svg>
        }
    };
    let wall_lasers = Memo::new(move |_| {
        placement.with(|it| !it.pieces().any(|(_, it)| it.role() == Role::Sphinx))
    });
    view! {
        <div
            class="board art playable editing"
            class:dragging=dragged
            class:tower=has_tower
            class:peeking=move || has_tower.get() && level.get() == BoardLevel::Ground
            node_ref=root
        >
            <svg class="board-background" viewBox=VIEW_BOX aria-hidden="true">
                <g inner_html=move || stone::markup(EDITOR_ORIENTATION, wall_lasers.get())></g>
            </svg>
            <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
                <g inner_html=move || foot().unwrap_or_default()></g>
                {level_view(scene, BoardLevel::Ground)}
            </svg>
            {move || has_tower.get().then(upper)}
            {grid_layer(scene, root, on_rotate)}
        </div>
    }
}

/// Draws the pieces of a level with their marks.
fn level_view(scene: EditingScene, level: BoardLevel) -> impl IntoView {
    let picked = move || {
        let picked = scene.picked.get().filter(|square| square.level() == level)?;
        Some(picked_frame(EDITOR_ORIENTATION.center(picked)))
    };
    let marks = move || {
        let marks = scene.marks.get().into_iter().filter(|(at, _)| at.level() == level);
        marks.map(|(at, mark)| mark_markup(at, mark)).collect::<String>()
    };
    view! {
        {picked}
        <For each=move || scene.standing(level) key=|standing| *standing let((square, piece))>
            {piece_view(square, piece)}
        </For>
        <g class="editing-marks" inner_html=marks></g>
    }
}

/// Draws the cells of the upper level, which take the focus.
fn upper_grid(scene: EditingScene, words: Words) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let first = untrack(|| scene.upper_cells(words));
    let text = cells::rows_markup(&first, TowerColumn::UPPER_FILES);
    let displayed = StoredValue::new(first);
    Effect::new(move |_| {
        let now = scene.upper_cells(words);
        displayed.update_value(|before| cells::update(grid, before, now));
    });
    let at = move || {
        let center = scene.column().map(|column| EDITOR_ORIENTATION.column_center(column));
        center.map(|center| translate(center.plus(LIFT.0 - 300.0, LIFT.1 - 300.0)))
    };
    let focused = move |event: ev::FocusEvent| {
        if let Some(square) = cells::square_of(&event) {
            scene.cursor.set(square);
        }
    };
    view! {
        <g
            role="grid"
            class="upper-cells"
            aria-label=words.tower_upper_level()
            aria-description=words.editor_tower_keys()
            transform=at
            node_ref=grid
            inner_html=text
            on:focusin=focused
        ></g>
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
    let has_tower = Memo::new(move |_| scene.column().is_some());
    let first = untrack(|| scene.ground_cells(words));
    let text = cells::markup(&first, EDITOR_ORIENTATION);
    let displayed = StoredValue::new(first);
    Effect::new(move |_| {
        let now = scene.ground_cells(words);
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
            {move || has_tower.get().then(|| upper_grid(scene, words))}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::square;

    #[test]
    fn pointer_means_the_upper_level_where_it_is_drawn_unless_the_ground_is_edited() {
        let column = TowerColumn::new(khet::Square::E4);
        let at = |name: &str, column, level| {
            let point = EDITOR_ORIENTATION.center(square(name));
            EditedLevels { column, level }.square_at(point).map(|square| square.to_string())
        };
        assert_eq!(at("C7", column, BoardLevel::Upper).as_deref(), Some("C7"));
        assert_eq!(at("c6", column, BoardLevel::Ground).as_deref(), Some("c6"));
        assert_eq!(at("a1", column, BoardLevel::Upper).as_deref(), Some("a1"));
        assert_eq!(at("d4", None, BoardLevel::Upper).as_deref(), Some("d4"));
        let on_column = at("E4", column, BoardLevel::Upper).expect("a square");
        assert!(on_column.chars().all(|letter| !letter.is_ascii_uppercase()), "{on_column}");
    }
}
