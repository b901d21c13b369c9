//! What the player sees: states drawn as ratatui frames.

mod board;
mod help;
mod panel;
mod start;
mod status;

use khet::Rules;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::drawing::Size;
use crate::play::menu::{self, Menu};
use crate::play::palette::Palette;
use crate::play::state::{Mode, Opponent, State};
use crate::words;

/// The smallest terminal that everything fits into.
pub(crate) const SMALLEST: (u16, u16) = (80, 24);
/// Columns beside the board, at least and at most.
const PANEL: (u16, u16) = (26, 36);
/// Rows above the board: the title.
const ABOVE: u16 = 1;
/// Rows below the board: what is said, and the keys.
const STATUS: u16 = 3;
const KEYS: u16 = 2;

/// Says that the terminal is too small, if it is.
pub(crate) fn too_small(width: u16, height: u16) -> Option<String> {
    let (least_width, least_height) = SMALLEST;
    (width < least_width || height < least_height).then(|| {
        format!(
            "the board needs a terminal of {least_width} × {least_height} characters; \
             this one has {width} × {height}"
        )
    })
}

/// Draws the game, the start screen if it is open, or that there is no room for either.
pub(crate) fn draw(frame: &mut Frame, state: Option<&State>, menu: Option<&Menu>, look: Palette) {
    let area = frame.area();
    if let Some(complaint) = too_small(area.width, area.height) {
        let text = format!("Khet: {complaint}. Make it larger, or press q to quit.");
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    match (menu, state) {
        (Some(menu), _) => start::draw(frame, menu, state.is_some(), look),
        (None, Some(state)) => draw_game(frame, state, look),
        (None, None) => {}
    }
}

/// The parts of the screen.
struct Places {
    size: Size,
    title: Rect,
    board: Rect,
    panel: Rect,
    status: Rect,
    keys: Rect,
}

impl Places {
    fn of(area: Rect) -> Places {
        let needs = |size: Size| {
            let width = size.columns() as u16 + 1 + PANEL.0;
            let height = ABOVE + size.rows() as u16 + STATUS + KEYS;
            (width, height)
        };
        let (width, height) = needs(Size::Large);
        let size =
            if area.width >= width && area.height >= height { Size::Large } else { Size::Small };
        let (width, height) = needs(size);
        let area = area.centered(
            Constraint::Length(area.width.min(width + PANEL.1 - PANEL.0)),
            Constraint::Length(height),
        );
        let [title, middle, status, keys] = Layout::vertical([
            Constraint::Length(ABOVE),
            Constraint::Length(size.rows() as u16),
            Constraint::Length(STATUS),
            Constraint::Length(KEYS),
        ])
        .areas(area);
        let [board, _, panel] = Layout::horizontal([
            Constraint::Length(size.columns() as u16),
            Constraint::Length(1),
            Constraint::Min(PANEL.0),
        ])
        .areas(middle);
        Places { size, title, board, panel, status, keys }
    }
}

fn draw_game(frame: &mut Frame, state: &State, look: Palette) {
    let places = Places::of(frame.area());
    frame.render_widget(title(state, look), places.title);
    frame.render_widget(board::board_text(&board::board(state, places.size), look), places.board);
    panel::draw(frame, state, places.panel, look);
    status::draw(frame, state, places.status, look);
    frame.render_widget(keys(state).style(look.quiet()), places.keys);
    if *state.mode() == Mode::Help {
        help::draw(frame, look);
    }
}

fn title(state: &State, look: Palette) -> Line<'static> {
    let start = state.game().start();
    let mut line = Line::from(vec![
        Span::styled("Khet", look.gold()),
        Span::raw(format!("  {}", menu::start_name(&start.placement()))),
    ]);
    if start.rules() == Rules::Czech {
        line.push_span(", Czech rules");
    }
    line.push_span(match state.opponent() {
        Opponent::Friend => "  two players".to_string(),
        Opponent::Computer { level, color } => {
            format!("  you are {} against level {}", words::player(!color), level.number())
        }
    });
    line
}

/// The lines of keys.
fn keys(state: &State) -> Text<'static> {
    let acting = match (state.mode(), state.hand()) {
        (Mode::Typing(_) | Mode::Naming(_), _) => "Enter confirm  Esc cancel",
        (Mode::Asking(_), _) => "y yes  n no",
        _ if state.game().outcome().is_some() => "n plays another game, s saves this one",
        (_, Some(_)) => "arrows aim  Enter drop  [ ] rotate  t top of the stack only  Esc cancel",
        (_, None) => "arrows move  Enter pick  [ ] rotate  t top only  : or a square type a move",
    };
    Text::from(vec![
        Line::raw(acting),
        Line::raw("u undo  h hint  f flip  d draw  R resign  s save  n new game  ? help  q quit"),
    ])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Color, Position, Setup};
    use khet_engine::Level;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::KeyCode;

    use super::*;
    use crate::play::banner;
    use crate::play::menu::{Choice, Side};

    const SIZES: [(u16, u16); 3] = [SMALLEST, (120, 40), (200, 60)];

    fn seen(size: (u16, u16), state: Option<&State>, menu: Option<&Menu>) -> String {
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal");
        let drawn = terminal.draw(|frame| draw(frame, state, menu, Palette::plain()));
        drawn.expect("a frame");
        let buffer = terminal.backend().buffer();
        let rows = buffer.content().chunks(usize::from(size.0));
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n").collect()
    }

    fn friends(position: Position) -> State {
        State::new(position, Opponent::Friend, "2026.11.15")
    }

    fn play(state: &mut State, mv: &str) {
        for sign in format!(":{mv}").chars() {
            state.key(KeyCode::Char(sign));
        }
        state.key(KeyCode::Enter);
        state.key(KeyCode::Esc);
    }

    #[test]
    fn the_game_fits_and_tells_what_matters() {
        let level = Level::new(4).expect("a level");
        let opponent = Opponent::Computer { level, color: Color::Red };
        let state = State::new(Setup::Classic.position(), opponent, "2026.11.15");
        for size in SIZES {
            let text = seen(size, Some(&state), None);
            for part in [
                "Khet  classic  you are Silver against level 4",
                "▶ Silver  you",
                "Red  computer 4",
                "Your turn: you are Silver.",
                "Enter pick",
                "u undo  h hint  f flip  d draw  R resign  s save  n new game  ? help  q quit",
                "═╗",
            ] {
                assert!(text.contains(part), "{size:?} {part}\n{text}");
            }
        }
        assert!(seen(SMALLEST, Some(&state), None).contains("8 │ ◉  │ ☥  │    │    │ o2 │ k  │"));
        assert!(seen((120, 40), Some(&state), None).contains("▐ k ▌"));
    }

    #[test]
    fn moves_shots_and_losses_are_listed() {
        let mut state = friends(Setup::Classic.position());
        play(&mut state, "j4i3");
        play(&mut state, "a5b5");
        for size in SIZES {
            let text = seen(size, Some(&state), None);
            assert!(text.contains("1. j4i3 xj5"), "{text}");
            assert!(text.contains("a5b5 xa4"), "{text}");
            assert_eq!(text.matches("lost pyramid").count(), 2, "{text}");
            assert!(text.contains("Red a5b5: Red's laser hits the red pyramid on a4."), "{text}");
            assert!(text.contains('┆'), "the beam's afterglow\n{text}");
            assert!(text.contains("Silver's turn."), "{text}");
        }
    }

    #[test]
    fn the_beam_is_drawn_while_it_runs_and_tells_nothing_before() {
        let mut state = friends(Setup::Classic.position());
        state.key(KeyCode::Char(':'));
        "j4i3".chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        state.key(KeyCode::Enter);
        let text = seen(SMALLEST, Some(&state), None);
        assert!(text.contains("Silver's laser fires."), "{text}");
        assert!(text.contains('┃') && !text.contains("xj5"), "{text}");
        state.tick(Duration::from_secs(1));
        let text = seen(SMALLEST, Some(&state), None);
        assert!(text.contains("xj5") && text.contains('×'), "{text}");
    }

    #[test]
    fn a_picked_piece_shows_its_targets() {
        let mut state = friends(Setup::Classic.position());
        state.key(KeyCode::Enter);
        for size in SIZES {
            let text = seen(size, Some(&state), None);
            assert_eq!(text.matches('•').count(), 3, "{text}");
            assert!(text.contains('[') && text.contains("The pharaoh: Enter drops it"), "{text}");
        }
    }

    #[test]
    fn the_end_is_told_in_large_letters() {
        let mut state = friends("4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position"));
        play(&mut state, "j1-");
        for size in SIZES {
            let text = seen(size, Some(&state), None);
            assert!(text.contains(banner::rows("RED WINS")[1].trim_end()), "{text}");
            assert!(text.contains('━'), "the beam stays\n{text}");
        }
    }

    #[test]
    fn what_is_typed_and_asked_is_shown() {
        let mut state = friends(Setup::Classic.position());
        "h2g".chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        assert!(seen(SMALLEST, Some(&state), None).contains("Move: h2g"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('s'));
        assert!(seen(SMALLEST, Some(&state), None).contains("Save as: khet-2026-11-15.kgn"));
        "very-long-".repeat(15).chars().for_each(|sign| state.key(KeyCode::Char(sign)));
        assert!(seen(SMALLEST, Some(&state), None).contains("long-very-long- \n"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('R'));
        assert!(seen(SMALLEST, Some(&state), None).contains("Give up this game? y yes, n no"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('?'));
        let text = seen(SMALLEST, Some(&state), None);
        assert!(help::TEXT.lines().all(|line| text.contains(line)), "{text}");
    }

    #[test]
    fn the_start_screen_shows_choices_and_the_board() {
        let mut menu = Menu::new(Choice {
            start: Setup::Osiris.placement(),
            rules: Rules::Standard,
            friend: false,
            side: Side::Silver,
            level: Level::ALL[0],
        });
        menu.key(KeyCode::Down);
        menu.key(KeyCode::Down);
        for size in SIZES {
            let text = seen(size, None, Some(&menu));
            for part in ["Setup", "osiris", "the computer", "‹ 1 ›", "For a first game", "Enter"]
            {
                assert!(text.contains(part), "{part}\n{text}");
            }
        }
    }

    #[test]
    fn a_small_terminal_is_told_so() {
        let state = friends(Setup::Classic.position());
        let text = seen((60, 10), Some(&state), None).replace('\n', " ");
        assert!(text.contains("the board needs a terminal of 80 × 24"), "{text}");
        assert_eq!(too_small(80, 24), None);
        assert!(too_small(79, 24).is_some() && too_small(80, 23).is_some());
    }
}
