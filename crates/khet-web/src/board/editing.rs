//! A board to set pieces up on. It knows no rules: anything may stand anywhere.
//!
//! It shows and names what stands, from Silver's side; what is done with pointers and keys its page decides, which has
//! pieces beside the board too.

use khet::{Color, Piece, Placement, Role, Rotation, Square};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, Cell};
use super::geometry::{Seat, VIEW_BOX};
use super::handles::{self, Icon};
use super::speech::Speaker;
use super::state::point_under;
use super::{pieces, share_definitions, stone};
use crate::languages::use_words;

/// Something to know about a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mark {
    /// Nothing forbids it.
    Doubt,
    /// It can't stay so.
    Fault,
}

const SEAT: Seat = Seat::new(Color::Silver);

/// The square of a board that is at a point of the page.
pub(crate) fn square_under(root: NodeRef<Div>, x: i32, y: i32) -> Option<Square> {
    SEAT.square_at(point_under(root, x, y)?)
}

/// The board. `root` is given its element.
#[component]
pub(crate) fn EditingBoard(
    /// What stands.
    #[prop(into)]
    placement: Signal<Placement>,
    /// The square whose piece is picked.
    #[prop(into)]
    picked: Signal<Option<Square>>,
    /// Whether its piece is dragged, and drawn by the page.
    #[prop(into)]
    dragged: Signal<bool>,
    /// Whether a new piece is in the hand.
    #[prop(into)]
    holding: Signal<bool>,
    /// What is known about squares.
    #[prop(into)]
    marks: Signal<Vec<(Square, Mark)>>,
    /// Where the keys are.
    cursor: RwSignal<Square>,
    root: NodeRef<Div>,
    /// The picked piece is to be turned.
    on_spin: Callback<Rotation>,
) -> impl IntoView {
    share_definitions();
    let words = use_words();
    let speaker = Speaker { words, seat: SEAT, you: None };
    let wall_lasers = Memo::new(move |_| {
        placement.with(|it| !it.pieces().any(|(_, it)| it.role() == Role::Sphinx))
    });
    let standing = move || {
        let hidden = picked.get().filter(|_| dragged.get());
        placement.with(|it| it.pieces().filter(|(at, _)| Some(*at) != hidden).collect::<Vec<_>>())
    };
    let cells_now = move || {
        let (picked, cursor, holding) = (picked.get(), cursor.get(), holding.get());
        let marks = marks.get();
        let class = |piece: Option<Piece>| match (piece, picked.is_some() || holding) {
            (Some(_), _) => "cell acts",
            (None, true) => "cell target",
            (None, false) => "cell",
        };
        let cell = |square: Square| {
            let piece = placement.with(|placement| placement.get(square));
            let mut label = speaker.square(square, piece);
            for (_, mark) in marks.iter().filter(|(marked, _)| *marked == square) {
                label += ", ";
                label += match mark {
                    Mark::Fault => words.editor_square_error(),
                    Mark::Doubt => words.editor_square_warning(),
                };
            }
            if picked == Some(square) {
                label += ", ";
                label += words.board_in_hand();
            }
            Cell {
                square,
                label,
                class: class(piece),
                picked: picked == Some(square),
                cursor: square == cursor,
            }
        };
        cells::seen(SEAT).map(cell).collect::<Vec<_>>()
    };
    let grid = NodeRef::<svg::G>::new();
    let first = untrack(cells_now);
    let text = cells::markup(&first);
    let shown = StoredValue::new(first);
    Effect::new(move |_| {
        let now = cells_now();
        shown.update_value(|before| cells::tell(grid, before, now));
    });
    let focused = move |event: ev::FocusEvent| {
        if let Some(square) = cells::square_of(&event) {
            cursor.set(square);
        }
    };
    let marked =
        move || marks.get().into_iter().map(|(at, mark)| mark_markup(at, mark)).collect::<String>();
    view! {
        <div class="board art playable editing" class:dragging=dragged node_ref=root>
            <svg class="board-stone" viewBox=VIEW_BOX aria-hidden="true">
                <g inner_html=move || stone::markup(SEAT, wall_lasers.get())></g>
            </svg>
            <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
                {move || picked.get().map(picked_square)}
                <For each=standing key=|standing| *standing let((square, piece))>
                    {piece_view(square, piece)}
                </For>
                <g class="editing-marks" inner_html=marked></g>
            </svg>
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
                    turning_handles(root, cursor, square, piece, on_spin)
                }}
            </svg>
        </div>
    }
}

fn piece_view(square: Square, piece: Piece) -> impl IntoView {
    let at = SEAT.center(square);
    view! {
        <g
            class=pieces::class(piece.color())
            transform=format!("translate({} {})", at.x, at.y)
            inner_html=pieces::markup(piece)
        ></g>
    }
}

fn picked_square(square: Square) -> impl IntoView {
    let at = SEAT.center(square).plus(-47.5, -47.5);
    view! { <rect class="picked" x=at.x y=at.y width="95" height="95" rx="4"/> }
}

/// A frame around a square, and a sign in its corner, so that it is seen without colours too.
fn mark_markup(square: Square, mark: Mark) -> String {
    let at = SEAT.center(square);
    let (class, sign) = match mark {
        Mark::Fault => ("fault", "M-6,-6L6,6M6,-6L-6,6"),
        Mark::Doubt => ("doubt", "M0,-8V2M0,7.5V8"),
    };
    format!(
        r#"<g class="editing-mark {class}" transform="translate({} {})"><rect x="-46" y="-46" width="92" height="92" rx="4"/><circle cx="33" cy="33" r="14"/><path transform="translate(33 33)" d="{sign}"/></g>"#,
        at.x, at.y
    )
}

/// The two ways to turn a picked piece; one where both come to the same; none for what looks alike from all sides.
fn turning_handles(
    root: NodeRef<Div>,
    cursor: RwSignal<Square>,
    square: Square,
    piece: Piece,
    on_spin: Callback<Rotation>,
) -> Option<impl IntoView> {
    if piece.rotated(1) == piece {
        return None;
    }
    let words = use_words();
    let width = root.get_untracked()?.get_bounding_client_rect().width();
    let radius = handles::radius(width);
    // On a small board they would cover squares; the page has buttons for the same.
    if radius > handles::AT_CORNERS {
        return None;
    }
    let [left, right] = handles::places(SEAT.center(square), radius);
    let rotation = move |rotation: Rotation| {
        on_spin.run(rotation);
        cursor.set(square);
    };
    let both = piece.rotated(1) != piece.rotated(3);
    let back = both.then(|| {
        let act = move || rotation(Rotation::Counterclockwise);
        handles::handle(
            left,
            radius,
            Icon::Counterclockwise,
            words.board_rotate_counterclockwise(),
            false,
            act,
        )
    });
    let act = move || rotation(Rotation::Clockwise);
    let forth =
        handles::handle(right, radius, Icon::Clockwise, words.board_rotate_clockwise(), false, act);
    Some(view! { {back} {forth} })
}
