//! The cells of a board's grid, which receive pointer and keyboard events and are read by screen
//! readers.
//!
//! All 80 cells are written once, as markup. Afterwards only the attributes of changed cells are
//! updated.

use std::fmt::Write as _;

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::svg;
use leptos::web_sys::{Element, SvgElement};
use wasm_bindgen::JsCast;

use super::geometry::Orientation;
use crate::rules::Square;

/// The attributes of a cell.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell {
    pub(super) square: Square,
    pub(super) label: String,
    pub(super) class: &'static str,
    pub(super) picked: bool,
    /// The cell is the one that the Tab key reaches.
    pub(super) cursor: bool,
}

impl Cell {
    /// Returns the `tabindex` attribute.
    fn tab_index(&self) -> &'static str {
        if self.cursor { "0" } else { "-1" }
    }

    /// Returns the `aria-selected` attribute.
    fn aria_selected(&self) -> &'static str {
        if self.picked { "true" } else { "false" }
    }
}

/// Returns the squares from the upper left to the lower right of the picture.
pub(super) fn displayed_squares(orientation: Orientation) -> impl Iterator<Item = Square> {
    let (columns, rows) = orientation.columns_and_rows();
    let coordinates = (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)));
    coordinates.filter_map(move |(column, row)| orientation.at(column, row).map(Square::from))
}

/// Writes the cells of the ground as SVG. They are in the order of [`displayed_squares`].
pub(super) fn markup(cells: &[Cell], orientation: Orientation) -> String {
    rows_markup(cells, orientation.columns_and_rows().0)
}

/// Writes cells as SVG, in rows of this length.
pub(super) fn rows_markup(cells: &[Cell], columns: u8) -> String {
    let mut text = String::with_capacity(16_000);
    for (row, cells) in cells.chunks(usize::from(columns)).enumerate() {
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
                cell.aria_selected(),
            );
        }
        text += "</g>";
    }
    text
}

/// Returns the element of a square.
pub(super) fn element(grid: NodeRef<svg::G>, square: Square) -> Option<Element> {
    grid.get_untracked()?.query_selector(&format!("[data-square={square}]")).ok().flatten()
}

/// Updates the attributes of the cells that have changed.
pub(super) fn update(grid: NodeRef<svg::G>, before: &mut Vec<Cell>, now: Vec<Cell>) {
    // Elements are looked up before their `data-square` changes.
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
            ("aria-selected", cell.aria_selected()),
            ("tabindex", cell.tab_index()),
        ] {
            // Setting an attribute with a valid name does not fail.
            let _ = element.set_attribute(name, value);
        }
    }
    *before = now;
}

/// Returns the square of the cell that is the target of an event.
pub(crate) fn square_of(event: &ev::Event) -> Option<Square> {
    let cell = event.target()?.dyn_into::<Element>().ok()?;
    cell.get_attribute("data-square")?.parse().ok()
}

/// Returns the element of a square of either level.
pub(super) fn element_on_board(root: NodeRef<Div>, square: Square) -> Option<Element> {
    root.get_untracked()?.query_selector(&format!("[data-square={square}]")).ok().flatten()
}

/// Moves keyboard focus to a square.
pub(crate) fn focus(root: NodeRef<Div>, square: Square) {
    let cell = element_on_board(root, square);
    if let Some(cell) = cell.and_then(|cell| cell.dyn_into::<SvgElement>().ok()) {
        // If the cell refuses the focus, it stays where it was.
        let _ = cell.focus();
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    #[test]
    fn labels_are_escaped() {
        let orientation = Orientation::new(Color::Silver);
        let cells: Vec<Cell> = displayed_squares(orientation)
            .map(|square| Cell {
                square,
                label: r#"a8 "<&"#.to_string(),
                class: "cell",
                picked: false,
                cursor: false,
            })
            .collect();
        assert!(markup(&cells, orientation).contains(r#"aria-label="a8 &quot;<&amp;""#));
    }
}
