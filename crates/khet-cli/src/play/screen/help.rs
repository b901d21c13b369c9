//! The help dialog: all keys, and the signs on the board.

use ratatui::Frame;
use ratatui::layout::Constraint;
use ratatui::widgets::{Block, Clear, Padding, Paragraph};

use crate::play::palette::Palette;

/// The text of the dialog.
pub(super) const TEXT: &str = "\
Hit the other pharaoh with your laser. A move takes one
piece to a neighbouring square or rotates it; then your
laser fires.

arrows, Enter  select a piece, drop it on a square with •
[ ] or - +     rotate it left, right; Enter plays the move
t              take only the top of a stack
Esc            cancel
h2g2 h2+ d1^d2 moves can be typed, also after :
u undo   h hint   f flip the board   d claim a draw
R resign   s save   n new game   q quit

K pharaoh, P pyramid (the full half is its back),
D djed, O obelisk, 2 a stack, E Eye of Horus, S scarab,
A Anubis, X sphinx. CAPITALS Silver, small Red.
☥ only Silver, ◉ only Red. ⇄ swap, ▂ stack, × hit,
‹ › the last move, ◇ ◆ or ↻ the hint.";

/// The text of the dialog in a game with a tower.
pub(super) const TOWER_TEXT: &str = "\
Hit the other pharaoh with your laser. A move takes one
piece to a neighbouring square, straight up or down, or
rotates it, or moves the tower; then your laser fires.

arrows, Enter  select a piece, drop it on a square with •
Tab            go to the other level
[ ] or - +     rotate it left, right; Enter plays the move
t              take only the top of a stack
Esc            cancel
h2g2 c7C7 h2+  moves can be typed; capital letters are
d1^d2 Te5 T+   squares of the upper level, T the tower
u undo   h hint   f flip the board   d claim a draw
R resign   s save   n new game   q quit

░ is the tower's column, a piece of both players: select
it, then Enter beside it shifts it and [ ] rotate it. The
arrows on it point to the faces with periscopes, which
lead a beam to the other level and back.

☥ only Silver, ◉ only Red. ⇄ swap, ▂ stack, × hit,
‹ › the last move, ◇ ◆ or ↻ the hint.";

/// Draws the help over the screen.
pub(super) fn draw(frame: &mut Frame, has_tower: bool, palette: Palette) {
    let text = if has_tower { TOWER_TEXT } else { TEXT };
    let height = text.lines().count() as u16 + 2;
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4;
    let area = frame.area().centered(Constraint::Length(width), Constraint::Length(height));
    let block = Block::bordered()
        .border_style(palette.gold())
        .title(" Help ")
        .title_bottom(" any key closes this ")
        .padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).block(block), area);
}
