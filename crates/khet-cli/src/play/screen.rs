//! Draws the state of the game or of the start screen with ratatui.

mod board;
mod help;
mod panel;
mod start_screen;
mod status;

use khet::{GamePosition, Rules};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::board_drawing::{LevelArrangement, SquareSize};
use crate::describe;
use crate::play::menu::{self, Menu};
use crate::play::palette::Palette;
use crate::play::state::{Opponent, PlayMode, PlayState};

/// Minimum and maximum width of the panel beside the board.
const PANEL_WIDTH: (u16, u16) = (26, 36);
/// Rows of the title above the board.
const TITLE_HEIGHT: u16 = 1;
/// Rows of the status below the board.
const STATUS_HEIGHT: u16 = 3;
/// Rows of the key help at the bottom.
const KEYS_HEIGHT: u16 = 2;

/// The size of the squares, and the place of the upper level if there is a tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BoardSize {
    square: SquareSize,
    arrangement: LevelArrangement,
}

impl BoardSize {
    const SMALLEST: BoardSize =
        BoardSize { square: SquareSize::Small, arrangement: LevelArrangement::Below };

    /// All sizes, in the order in which they are tried.
    const ALL: [BoardSize; 4] = [
        BoardSize { square: SquareSize::Large, arrangement: LevelArrangement::Beside },
        BoardSize { square: SquareSize::Large, arrangement: LevelArrangement::Below },
        BoardSize { square: SquareSize::Small, arrangement: LevelArrangement::Beside },
        BoardSize::SMALLEST,
    ];

    /// Returns the columns and rows of the drawing.
    const fn drawing_size(self, has_tower: bool) -> (u16, u16) {
        let (columns, rows) = match has_tower {
            true => self.square.with_tower(self.arrangement),
            false => (self.square.columns(), self.square.rows()),
        };
        (columns as u16, rows as u16)
    }

    /// Returns the size of the smallest screen with this board.
    const fn screen_size(self, has_tower: bool) -> (u16, u16) {
        let (columns, rows) = self.drawing_size(has_tower);
        (columns + 1 + PANEL_WIDTH.0, TITLE_HEIGHT + rows + STATUS_HEIGHT + KEYS_HEIGHT)
    }

    /// Returns the first size that fits.
    fn fitting(width: u16, height: u16, has_tower: bool) -> Option<BoardSize> {
        BoardSize::ALL.into_iter().find(|size| {
            let (needed_width, needed_height) = size.screen_size(has_tower);
            width >= needed_width && height >= needed_height
        })
    }
}

/// Returns a message if the terminal is too small.
pub(crate) fn too_small(width: u16, height: u16, has_tower: bool) -> Option<String> {
    if BoardSize::fitting(width, height, has_tower).is_some() {
        return None;
    }
    let [(beside_width, beside_height), (min_width, min_height)] =
        [BoardSize::ALL[2], BoardSize::SMALLEST].map(|size| size.screen_size(has_tower));
    let other = match has_tower {
        true => format!("{beside_width} × {beside_height} or "),
        false => String::new(),
    };
    Some(format!(
        "the board needs a terminal of {other}{min_width} × {min_height} characters; \
         this one has {width} × {height}"
    ))
}

/// Draws the start screen if it is open, else the game, or a message if the terminal is too small.
pub(crate) fn draw(
    frame: &mut Frame,
    state: Option<&PlayState>,
    menu: Option<&Menu>,
    palette: Palette,
) {
    let area = frame.area();
    let has_tower = menu.is_none() && state.is_some_and(PlayState::has_tower);
    if let Some(message) = too_small(area.width, area.height, has_tower) {
        let text = format!("Khet: {message}. Make it larger, or press q to quit.");
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    match (menu, state) {
        (Some(menu), _) => start_screen::draw(frame, menu, state.is_some(), palette),
        (None, Some(state)) => draw_game(frame, state, palette),
        (None, None) => {}
    }
}

/// The areas of the screen.
struct ScreenLayout {
    size: BoardSize,
    title: Rect,
    board: Rect,
    panel: Rect,
    status: Rect,
    keys: Rect,
}

impl ScreenLayout {
    /// Lays out the screen with the larger board if it fits.
    fn new(area: Rect, has_tower: bool) -> ScreenLayout {
        let size = BoardSize::fitting(area.width, area.height, has_tower);
        let size = size.unwrap_or(BoardSize::SMALLEST);
        let (columns, rows) = size.drawing_size(has_tower);
        let (width, height) = size.screen_size(has_tower);
        let area = area.centered(
            Constraint::Length(area.width.min(width + PANEL_WIDTH.1 - PANEL_WIDTH.0)),
            Constraint::Length(height),
        );
        let [title, middle, status, keys] = Layout::vertical([
            Constraint::Length(TITLE_HEIGHT),
            Constraint::Length(rows),
            Constraint::Length(STATUS_HEIGHT),
            Constraint::Length(KEYS_HEIGHT),
        ])
        .areas(area);
        let [board, _, panel] = Layout::horizontal([
            Constraint::Length(columns),
            Constraint::Length(1),
            Constraint::Min(PANEL_WIDTH.0),
        ])
        .areas(middle);
        ScreenLayout { size, title, board, panel, status, keys }
    }
}

fn draw_game(frame: &mut Frame, state: &PlayState, palette: Palette) {
    let layout = ScreenLayout::new(frame.area(), state.has_tower());
    frame.render_widget(title(state, palette), layout.title);
    frame.render_widget(
        board::board_text(&board::draw_game(state, layout.size), palette),
        layout.board,
    );
    panel::draw(frame, state, layout.panel, palette);
    status::draw(frame, state, layout.status, palette);
    frame.render_widget(key_help(state).style(palette.quiet()), layout.keys);
    if *state.mode() == PlayMode::Help {
        help::draw(frame, state.has_tower(), palette);
    }
}

/// Returns the title line.
fn title(state: &PlayState, palette: Palette) -> Line<'static> {
    let start = state.game().start();
    let mut line = Line::from(vec![
        Span::styled("Khet", palette.gold()),
        Span::raw(format!("  {}", menu::start_name(&start.placement()))),
    ]);
    if start.rules() == Rules::Czech {
        line.push_span(", Czech rules");
    }
    line.push_span(match state.opponent() {
        Opponent::Friend => "  two players".to_string(),
        Opponent::Computer { level, color } => {
            format!("  you are {} against level {}", describe::side_name(!color), level.number())
        }
    });
    line
}

/// Returns the key help for the current mode.
fn key_help(state: &PlayState) -> Text<'static> {
    let mode_keys = match (state.mode(), state.selection()) {
        (PlayMode::MoveInput(_) | PlayMode::FileNameInput(_), _) => "Enter confirm  Esc cancel",
        (PlayMode::Confirm(_), _) => "y yes  n no",
        _ if state.game().outcome().is_some() => "n new game  s save this one",
        (_, Some(_)) if state.has_tower() => {
            "arrows aim  Tab other level  Enter drop  [ ] rotate  t top only  Esc cancel"
        }
        (_, None) if state.has_tower() => {
            "arrows move  Tab other level  Enter select  [ ] rotate  : or a square type a move"
        }
        (_, Some(_)) => "arrows aim  Enter drop  [ ] rotate  t top of the stack only  Esc cancel",
        (_, None) => "arrows move  Enter select  [ ] rotate  t top only  : or a square type a move",
    };
    Text::from(vec![
        Line::raw(mode_keys),
        Line::raw("u undo  h hint  f flip  d draw  R resign  s save  n new game  ? help  q quit"),
    ])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{AnyPosition, Color, Setup};
    use khet_engine::Level;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::KeyCode;

    use super::*;
    use crate::play::banner;
    use crate::play::menu::{GameSettings, SideSetting};

    /// The minimum size of the terminal for a game without a tower.
    const MIN_SIZE: (u16, u16) = BoardSize::SMALLEST.screen_size(false);
    const SIZES: [(u16, u16); 3] = [MIN_SIZE, (120, 40), (200, 60)];

    fn screen_text(size: (u16, u16), state: Option<&PlayState>, menu: Option<&Menu>) -> String {
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal");
        let drawn = terminal.draw(|frame| draw(frame, state, menu, Palette::plain()));
        drawn.expect("a frame");
        let buffer = terminal.backend().buffer();
        let rows = buffer.content().chunks(usize::from(size.0));
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n").collect()
    }

    fn friends(position: impl Into<AnyPosition>) -> PlayState {
        PlayState::new(position.into(), Opponent::Friend, "2026.11.15")
    }

    fn position(text: &str) -> AnyPosition {
        text.parse().expect("a position")
    }

    fn play(state: &mut PlayState, mv: &str) {
        for sign in format!(":{mv}").chars() {
            state.key(KeyCode::Char(sign));
        }
        state.key(KeyCode::Enter);
        state.key(KeyCode::Esc);
    }

    #[test]
    fn the_game_fits_on_screens_of_all_sizes() {
        let level = Level::new(4).expect("a level");
        let opponent = Opponent::Computer { level, color: Color::Red };
        let state = PlayState::new(Setup::Classic.position().into(), opponent, "2026.11.15");
        for size in SIZES {
            let text = screen_text(size, Some(&state), None);
            for part in [
                "Khet  classic  you are Silver against level 4",
                "▶ Silver  you",
                "Red  computer 4",
                "Your turn: you are Silver.",
                "Enter select",
                "u undo  h hint  f flip  d draw  R resign  s save  n new game  ? help  q quit",
                "═╗",
            ] {
                assert!(text.contains(part), "{size:?} {part}\n{text}");
            }
        }
        assert!(
            screen_text(MIN_SIZE, Some(&state), None).contains("8 │ ◉  │ ☥  │    │    │ o2 │ k  │")
        );
        assert!(screen_text((120, 40), Some(&state), None).contains("▐ k ▌"));
    }

    #[test]
    fn moves_shots_and_losses_are_listed() {
        let mut state = friends(Setup::Classic.position());
        play(&mut state, "j4i3");
        play(&mut state, "a5b5");
        for size in SIZES {
            let text = screen_text(size, Some(&state), None);
            assert!(text.contains("1. j4i3 xj5"), "{text}");
            assert!(text.contains("a5b5 xa4"), "{text}");
            assert_eq!(text.matches("lost pyramid").count(), 2, "{text}");
            assert!(text.contains("Red a5b5: Red's laser hits the red pyramid on a4."), "{text}");
            assert!(text.contains('┆'), "the beam's afterglow\n{text}");
            assert!(text.contains("Silver's turn."), "{text}");
        }
    }

    #[test]
    fn the_result_of_a_shot_is_hidden_while_its_beam_runs() {
        let mut state = friends(Setup::Classic.position());
        state.key(KeyCode::Char(':'));
        "j4i3".chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        state.key(KeyCode::Enter);
        let text = screen_text(MIN_SIZE, Some(&state), None);
        assert!(text.contains("Silver's laser fires."), "{text}");
        assert!(text.contains('┃') && !text.contains("xj5"), "{text}");
        state.tick(Duration::from_secs(1));
        let text = screen_text(MIN_SIZE, Some(&state), None);
        assert!(text.contains("xj5") && text.contains('×'), "{text}");
    }

    #[test]
    fn the_drop_targets_of_a_selected_piece_are_marked() {
        let mut state = friends(Setup::Classic.position());
        state.key(KeyCode::Enter);
        for size in SIZES {
            let text = screen_text(size, Some(&state), None);
            assert_eq!(text.matches('•').count(), 3, "{text}");
            assert!(text.contains('[') && text.contains("The pharaoh: Enter drops it"), "{text}");
        }
    }

    #[test]
    fn the_result_is_shown_in_large_letters() {
        let mut state = friends(position("4k5/10/10/10/10/10/10/4K4P4 s"));
        play(&mut state, "j1-");
        for size in SIZES {
            let text = screen_text(size, Some(&state), None);
            assert!(text.contains(banner::rows("RED WINS")[1].trim_end()), "{text}");
            assert!(text.contains('━'), "the beam stays\n{text}");
        }
    }

    #[test]
    fn input_lines_confirmations_and_help_are_shown() {
        let mut state = friends(Setup::Classic.position());
        "h2g".chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        assert!(screen_text(MIN_SIZE, Some(&state), None).contains("Move: h2g"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('s'));
        assert!(screen_text(MIN_SIZE, Some(&state), None).contains("Save as: khet-2026-11-15.kgn"));
        "very-long-".repeat(15).chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        assert!(screen_text(MIN_SIZE, Some(&state), None).contains("long-very-long- \n"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('R'));
        assert!(
            screen_text(MIN_SIZE, Some(&state), None).contains("Resign this game? y yes, n no")
        );
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('?'));
        let text = screen_text(MIN_SIZE, Some(&state), None);
        assert!(help::TEXT.lines().all(|line| text.contains(line)), "{text}");
    }

    #[test]
    fn the_start_screen_shows_the_settings_and_the_board() {
        let mut menu = Menu::new(GameSettings {
            start: Setup::Osiris.placement().into(),
            rules: Rules::Standard,
            friend: false,
            side: SideSetting::Silver,
            level: Level::ALL[0],
        });
        menu.key(KeyCode::Down);
        menu.key(KeyCode::Down);
        for size in SIZES {
            let text = screen_text(size, None, Some(&menu));
            for part in ["Setup", "osiris", "the computer", "‹ 1 ›", "For your first game", "Enter"]
            {
                assert!(text.contains(part), "{part}\n{text}");
            }
        }
    }

    #[test]
    fn a_terminal_that_is_too_small_gets_a_message() {
        let state = friends(Setup::Classic.position());
        let text = screen_text((60, 10), Some(&state), None).replace('\n', " ");
        assert!(text.contains("the board needs a terminal of 80 × 24"), "{text}");
        assert_eq!(MIN_SIZE, (80, 24));
        assert_eq!(too_small(80, 24, false), None);
        assert!(too_small(79, 24, false).is_some() && too_small(80, 23, false).is_some());
        for size in [(115, 24), (80, 39)] {
            assert_eq!(too_small(size.0, size.1, true), None);
            assert!(too_small(size.0 - 1, size.1, true).is_some());
            assert!(too_small(size.0, size.1 - 1, true).is_some());
        }
        let text = screen_text(MIN_SIZE, Some(&friends(position("orontes"))), None);
        assert!(text.contains("needs a terminal of 115 × 24 or 80 × 39"), "{text}");
    }

    #[test]
    fn both_levels_are_shown_beside_or_below_each_other() {
        let mut state = friends(position("orontes"));
        play(&mut state, "D3C2");
        for size in [(115, 24), (80, 39), (163, 40), (110, 67), (200, 70)] {
            let text = screen_text(size, Some(&state), None);
            for part in ["Khet  orontes  two players", "1. D3C2", "Red's turn.", "Tab other level"]
            {
                assert!(text.contains(part), "{size:?} {part}\n{text}");
            }
            let letters: String = text.split_whitespace().collect();
            for labels in ["abcdefghij", "CDEFGH"] {
                assert!(letters.contains(labels), "{size:?} {labels}\n{text}");
            }
        }
        let text = screen_text((115, 24), Some(&state), None);
        assert!(text.contains("P◢ │  5 │    │    │░←░░│░↑░░│"), "{text}");
        state.key(KeyCode::Char('?'));
        let text = screen_text((115, 24), Some(&state), None);
        assert!(help::TOWER_TEXT.lines().all(|line| text.contains(line)), "{text}");
    }

    #[test]
    fn the_start_screen_previews_the_ground_if_both_levels_do_not_fit() {
        let settings = GameSettings {
            start: khet::tower::Setup::Orontes.placement().into(),
            rules: Rules::Standard,
            friend: false,
            side: SideSetting::Silver,
            level: Level::ALL[0],
        };
        let menu = Menu::new(settings);
        assert!(!screen_text(MIN_SIZE, None, Some(&menu)).contains('░'));
        assert!(screen_text((115, 24), None, Some(&menu)).contains('░'));
    }
}
