//! The cells of a board's grid: pointed at, walked over with keys, read by screen readers.
//!
//! They are written once, as text; later only what has changed about one is told to it.

use std::fmt::Write as _;

use khet::Square;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::svg;
use leptos::web_sys::{Element, SvgElement};
use wasm_bindgen::JsCast;

use super::geometry::Seat;

/// What a cell says of itself.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell {
    pub(super) square: Square,
    pub(super) label: String,
    pub(super) class: &'static str,
    pub(super) picked: bool,
    /// The keys come in here.
    pub(super) cursor: bool,
}

impl Cell {
    fn tab_index(&self) -> &'static str {
        if self.cursor { "0" } else { "-1" }
    }

    fn selected(&self) -> &'static str {
        if self.picked { "true" } else { "false" }
    }
}

/// The squares from the upper left to the lower right.
pub(super) fn seen(seat: Seat) -> impl Iterator<Item = Square> {
    let places =
        (0..Square::RANKS).flat_map(|row| (0..Square::FILES).map(move |column| (column, row)));
    places.filter_map(move |(column, row)| seat.at(column, row))
}

/// The cells as SVG.
pub(super) fn markup(cells: &[Cell]) -> String {
    let mut text = String::with_capacity(16_000);
    for (row, cells) in cells.chunks(usize::from(Square::FILES)).enumerate() {
        text += r#"<g role="row">"#;
        for (column, cell) in cells.iter().enumerate() {
            let label = cell.label.replace('&', "&amp;").replace('"', "&quot;");
            // Writing to a string can't fail.
            let _ = write!(
                text,
                r#"<rect role="gridcell" class="{}" x="{column}00" y="{row}00" width="100" height="100" data-square="{}" tabindex="{}" aria-label="{label}" aria-selected="{}"/>"#,
                cell.class,
                cell.square,
                cell.tab_index(),
                cell.selected(),
            );
        }
        text += "</g>";
    }
    text
}

/// The element of a square.
pub(super) fn element(grid: NodeRef<svg::G>, square: Square) -> Option<Element> {
    grid.get_untracked()?.query_selector(&format!("[data-square={square}]")).ok().flatten()
}

/// Tells the cells what has changed about them.
pub(super) fn tell(grid: NodeRef<svg::G>, before: &mut Vec<Cell>, now: Vec<Cell>) {
    // Found while the names of squares are still the old ones.
    let changed: Vec<(Option<Element>, &Cell)> = before
        .iter()
        .zip(&now)
        .filter(|(before, now)| before != now)
        .map(|(before, now)| (element(grid, before.square), now))
        .collect();
    for (element, cell) in changed {
        let Some(element) = element else { continue };
        for (name, value) in [
            ("class", cell.class),
            ("data-square", &cell.square.to_string()),
            ("aria-label", &cell.label),
            ("aria-selected", cell.selected()),
            ("tabindex", cell.tab_index()),
        ] {
            // It fails only for names that are no attribute's.
            let _ = element.set_attribute(name, value);
        }
    }
    *before = now;
}

/// The square whose cell an event is about.
pub(crate) fn square_of(event: &ev::Event) -> Option<Square> {
    let cell = event.target()?.dyn_into::<Element>().ok()?;
    cell.get_attribute("data-square")?.parse().ok()
}

/// Puts the keys onto a square.
pub(crate) fn focus(root: NodeRef<Div>, square: Square) {
    let cell = root
        .get_untracked()
        .and_then(|root| root.query_selector(&format!("[data-square={square}]")).ok().flatten());
    if let Some(cell) = cell.and_then(|cell| cell.dyn_into::<SvgElement>().ok()) {
        // A square that can't take the focus keeps it where it was.
        let _ = cell.focus();
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    #[test]
    fn whatever_a_label_says_stays_in_its_attribute() {
        let cells: Vec<Cell> = seen(Seat::new(Color::Silver))
            .map(|square| Cell {
                square,
                label: r#"a8 "<&"#.to_string(),
                class: "cell",
                picked: false,
                cursor: false,
            })
            .collect();
        assert!(markup(&cells).contains(r#"aria-label="a8 &quot;<&amp;""#));
    }
}
