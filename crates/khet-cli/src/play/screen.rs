//! What the player sees: states drawn as ratatui frames.

use khet::{Color, Piece, Placement, Role, Rules, Square, Turn};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};

use crate::drawing::{Drawing, Ink, Size, Spot};
use crate::play::banner;
use crate::play::menu::{self, Menu};
use crate::play::palette::Palette;
use crate::play::state::{Mode, Opponent, Phase, State, Target};
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
/// How fast the sign for thinking turns.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠋"];
const SPINNER_STEP: u128 = 100;

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
        (Some(menu), _) => draw_menu(frame, menu, state.is_some(), look),
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
    frame.render_widget(board_text(&board(state, places.size), look), places.board);
    draw_panel(frame, state, places.panel, look);
    draw_status(frame, state, places.status, look);
    frame.render_widget(keys(state).style(look.quiet()), places.keys);
    if *state.mode() == Mode::Help {
        draw_help(frame, look);
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

/// The pieces and the lasers.
fn still_board(placement: &Placement, size: Size, flipped: bool) -> Drawing {
    let mut drawing = Drawing::new(placement, size, flipped);
    if !placement.pieces().any(|(_, piece)| piece.role() == Role::Sphinx) {
        drawing.lasers();
    }
    drawing
}

/// The board with everything that is marked on it.
fn board(state: &State, size: Size) -> Drawing {
    let mut drawing = still_board(&state.board(), size, state.flipped());
    let phase = state.phase();
    if let (Some(shot), Some(&turn)) = (state.shots().last(), state.game().turns().last()) {
        match phase {
            Phase::Running(steps) => drawing.shot_after(shot, steps),
            Phase::Flash => drawing.shot(shot),
            Phase::Over if state.game().outcome().is_some() => drawing.shot(shot),
            Phase::Over => drawing.afterglow(shot),
        }
        mark_turn(&mut drawing, state, turn);
        for hit in shot.hits.iter().filter(|_| !matches!(phase, Phase::Running(_))) {
            let sign = if phase == Phase::Flash { '✸' } else { '×' };
            let spot = if hit.left.is_some() { Spot::Right } else { Spot::Middle };
            drawing.mark(hit.square, spot, sign);
        }
    }
    if phase != Phase::Over {
        return drawing;
    }
    match state.hint() {
        Some(Turn::Rotate { square, spin }) => {
            let sign = if spin == khet::Spin::Clockwise { '↻' } else { '↺' };
            drawing.mark(square, Spot::Left, sign);
        }
        Some(turn) => {
            for spot in [Spot::Left, Spot::Right] {
                drawing.mark(turn.from(), spot, '◇');
                drawing.mark(turn.to(), spot, '◆');
            }
        }
        None => {}
    }
    for (square, target) in state.targets() {
        match target {
            Target::Move => drawing.mark(square, Spot::Middle, '•'),
            Target::Swap => drawing.mark(square, Spot::Left, '⇄'),
            Target::Stack => drawing.mark(square, Spot::Left, '▂'),
        }
    }
    drawing.cursor(state.cursor());
    if let Some(hand) = state.hand() {
        drawing.mark(hand.square, Spot::Left, '[');
        drawing.mark(hand.square, Spot::Right, if hand.top_only { '^' } else { ']' });
    }
    drawing
}

/// Small angles around the piece that was moved last.
fn mark_turn(drawing: &mut Drawing, state: &State, turn: Turn) {
    if state.board().get(turn.to()).is_some() {
        drawing.mark(turn.to(), Spot::Left, '‹');
        drawing.mark(turn.to(), Spot::Right, '›');
    }
}

fn board_text(drawing: &Drawing, look: Palette) -> Text<'static> {
    let line = |row: &Vec<(char, Ink)>| {
        let chunks = row.chunk_by(|one, other| one.1 == other.1);
        let span = |cells: &[(char, Ink)]| {
            let text: String = cells.iter().map(|cell| cell.0).collect();
            Span::styled(text, look.ink(cells[0].1))
        };
        Line::from_iter(chunks.map(span))
    };
    Text::from_iter(drawing.rows().iter().map(line))
}

fn draw_panel(frame: &mut Frame, state: &State, area: Rect, look: Palette) {
    let [top, upper, list, lower, bottom] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(2),
    ])
    .areas(area);
    let below = if state.flipped() { Color::Red } else { Color::Silver };
    let width = usize::from(area.width);
    frame.render_widget(player(state, !below, width, look), top);
    frame.render_widget(player(state, below, width, look), bottom);
    for rule in [upper, lower] {
        frame.render_widget(Line::styled("─".repeat(width), look.ink(Ink::Grid)), rule);
    }
    let rows = turn_rows(state, width);
    let first = rows.len().saturating_sub(usize::from(list.height));
    let rows = rows[first..].iter().map(|row| Line::raw(row.clone()));
    frame.render_widget(Text::from_iter(rows), list);
}

/// A player's name and what has been lost.
fn player(state: &State, color: Color, width: usize, look: Palette) -> Text<'static> {
    let name = match state.opponent() {
        Opponent::Computer { level, .. } if state.is_computer(color) => {
            format!("computer, level {}", level.number())
        }
        Opponent::Computer { .. } => "you".to_string(),
        Opponent::Friend => String::new(),
    };
    let over = state.game().outcome().is_some();
    let to_move = !over && state.game().position().side_to_move() == color;
    let sign = if to_move { "▶ " } else { "  " };
    Text::from(vec![
        Line::from(vec![
            Span::styled(sign, look.gold()),
            Span::styled(words::player(color), look.player(color)),
            Span::raw(format!("  {name}")),
        ]),
        Line::styled(lost(state, color, width), look.quiet()),
    ])
}

/// The pieces that a player has lost, in words if there is room.
fn lost(state: &State, color: Color, width: usize) -> String {
    let count = |pieces: &mut dyn Iterator<Item = (Square, Piece)>, role: Role| -> u32 {
        let own = pieces.filter(|(_, piece)| piece.color() == color && piece.role() == role);
        own.map(|(_, piece)| if piece.remains().is_some() { 2 } else { 1 }).sum()
    };
    let (start, board) = (state.game().start().placement(), state.board());
    let losses = Role::ALL.map(|role| {
        let missing = count(&mut start.pieces(), role) - count(&mut board.pieces(), role);
        (role, missing)
    });
    let losses: Vec<(Role, u32)> = losses.into_iter().filter(|&(_, number)| number > 0).collect();
    if losses.is_empty() {
        return "  nothing lost".to_string();
    }
    let join = |texts: Vec<String>| format!("  lost {}", texts.join(", "));
    let name = |&(role, number): &(Role, u32)| match number {
        1 => role.to_string(),
        _ => format!("{number} {role}s"),
    };
    let letters = |&(role, number): &(Role, u32)| match color {
        Color::Silver => format!("{number}{}", role.letter()),
        Color::Red => format!("{number}{}", role.letter().to_ascii_lowercase()),
    };
    let long = join(losses.iter().map(name).collect());
    if long.chars().count() <= width { long } else { join(losses.iter().map(letters).collect()) }
}

/// The turns, Silver's and Red's on one row, each with what its shot removed.
fn turn_rows(state: &State, width: usize) -> Vec<String> {
    let game = state.game();
    let column = (width - 4) / 2;
    // The beam tells first.
    let told = state.shots().len() - usize::from(state.phase() != Phase::Over);
    let mut texts: Vec<String> = Vec::new();
    if game.start().side_to_move() == Color::Red {
        texts.push("…".to_string());
    }
    for (index, (turn, shot)) in game.turns().iter().zip(state.shots()).enumerate() {
        let text = if index < told { format!("{turn} {shot}") } else { turn.to_string() };
        texts.push(text.trim_end().to_string());
    }
    let row = |(index, pair): (usize, &[String])| {
        let red = pair.get(1).map_or("", String::as_str);
        format!("{:>2}. {:column$}{red}", index + 1, pair[0])
    };
    texts.chunks(2).enumerate().map(row).collect()
}

fn draw_status(frame: &mut Frame, state: &State, area: Rect, look: Palette) {
    let over = state.game().outcome().filter(|_| state.phase() == Phase::Over);
    if let (Some(outcome), Mode::Board | Mode::Help) = (over, state.mode()) {
        let (text, style) = match outcome.winner {
            Some(Color::Silver) => ("SILVER WINS", look.player(Color::Silver)),
            Some(Color::Red) => ("RED WINS", look.player(Color::Red)),
            None => ("DRAW", look.gold()),
        };
        let rows = banner::rows(text);
        let width = rows[0].chars().count() as u16 + 2;
        let [left, right] =
            Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(area);
        frame.render_widget(Text::from_iter(rows.map(|row| Line::styled(row, style))), left);
        let message = if state.message().is_empty() {
            format!("{outcome}.")
        } else {
            state.message().to_string()
        };
        frame.render_widget(Paragraph::new(message).wrap(Wrap { trim: true }), right);
        return;
    }
    let [first, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    frame.render_widget(status(state, look), first);
    frame.render_widget(Paragraph::new(state.message()).wrap(Wrap { trim: true }), rest);
    if let Some(column) = input_column(state) {
        frame.set_cursor_position((first.x + column.min(first.width - 1), first.y));
    }
}

/// What stands before the text of an input line.
const TURN_PROMPT: &str = "Turn: ";
const NAME_PROMPT: &str = "Save as: ";

/// Whose turn it is, what is being typed, or what is asked.
fn status(state: &State, look: Palette) -> Line<'static> {
    let side = state.game().position().side_to_move();
    match state.mode() {
        Mode::Typing(text) => {
            return Line::from(vec![
                Span::styled(TURN_PROMPT, look.gold()),
                Span::raw(text.clone()).bold(),
            ]);
        }
        Mode::Naming(text) => {
            return Line::from(vec![
                Span::styled(NAME_PROMPT, look.gold()),
                Span::raw(text.clone()).bold(),
            ]);
        }
        Mode::Asking(question) => return Line::styled(question.text(), look.gold()),
        Mode::Board | Mode::Help => {}
    }
    if state.phase() != Phase::Over {
        return Line::styled(format!("{}'s laser fires.", words::player(!side)), look.gold());
    }
    if let Some((time, hint)) = state.thinking() {
        let spinner = SPINNER[(time.as_millis() / SPINNER_STEP) as usize % SPINNER.len()];
        let who = if hint { "Looking for a hint" } else { "The computer thinks" };
        return Line::styled(format!("{who} {spinner}"), look.quiet());
    }
    let whose = match state.opponent() {
        Opponent::Computer { .. } if state.is_human_turn() => {
            format!("Your turn: you are {}.", words::player(side))
        }
        _ => format!("{}'s turn.", words::player(side)),
    };
    let claim = if state.is_human_turn() && state.game().can_claim_draw() {
        " This arrangement has come back: d claims a draw."
    } else {
        ""
    };
    Line::styled(format!("{whose}{claim}"), look.gold())
}

/// Where the terminal's own cursor stands while something is typed.
fn input_column(state: &State) -> Option<u16> {
    let (prompt, text) = match state.mode() {
        Mode::Typing(text) => (TURN_PROMPT, text),
        Mode::Naming(text) => (NAME_PROMPT, text),
        _ => return None,
    };
    Some((prompt.len() + text.chars().count()) as u16)
}

/// The lines of keys.
fn keys(state: &State) -> Text<'static> {
    let acting = match (state.mode(), state.hand()) {
        (Mode::Typing(_) | Mode::Naming(_), _) => "Enter confirm  Esc cancel",
        (Mode::Asking(_), _) => "y yes  n no",
        (_, Some(_)) => "arrows aim  Enter drop  [ ] rotate  t top of the stack only  Esc cancel",
        (_, None) => "arrows move  Enter pick  [ ] rotate  t top only  : or a square type a turn",
    };
    Text::from(vec![
        Line::raw(acting),
        Line::raw("u undo  h hint  f flip  d draw  R resign  s save  n new game  ? help  q quit"),
    ])
}

/// All keys and signs.
const HELP: &str = "\
Light the other pharaoh. A turn moves one piece to a
neighbouring square or rotates it; then your laser fires.

arrows, Enter  pick a piece, drop it where • stands
[ ] or - +     rotate it left, right; Enter plays that
t              take only the top of a stack
Esc            put it back
h2g2 h2+ d1^d2 turns can be typed, also after :
u undo   h hint   f flip the board   d claim a draw
R resign   s save   n new game   q quit

K pharaoh, P pyramid (the full half is its back),
D djed, O obelisk, 2 a stack, E Eye of Horus, S scarab,
A Anubis, X sphinx. CAPITALS Silver, small Red.
☥ only Silver, ◉ only Red. ⇄ swap, ▂ stack, × hit,
‹ › the last turn, ◇ ◆ or ↻ the hint.";

fn draw_help(frame: &mut Frame, look: Palette) {
    let height = HELP.lines().count() as u16 + 2;
    let width = HELP.lines().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4;
    let area = frame.area().centered(Constraint::Length(width), Constraint::Length(height));
    let block = Block::bordered()
        .border_style(look.gold())
        .title(" Help ")
        .title_bottom(" any key closes this ")
        .padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(HELP).block(block), area);
}

fn draw_menu(frame: &mut Frame, menu: &Menu, game_waits: bool, look: Palette) {
    let places = Places::of(frame.area());
    frame.render_widget(
        Line::from(vec![Span::styled("Khet", look.gold()), Span::raw("  a new game")]),
        places.title,
    );
    let preview = still_board(&menu.choice().start, places.size, false);
    frame.render_widget(board_text(&preview, look), places.board);

    let mut lines = Vec::new();
    for line in menu::Line::ALL {
        let name = match line {
            menu::Line::Setup => "Setup",
            menu::Line::Opponent => "Against",
            menu::Line::Level => "Level",
            menu::Line::Side => "You play",
            menu::Line::Rules => "Rules",
        };
        let current = line == menu.line();
        let value = if menu.is_open(line) { menu.value(line) } else { "–".to_string() };
        let value = if current { format!("‹ {value} ›") } else { format!("  {value}") };
        let style = if current { look.chosen() } else { Style::new() };
        let sign = if current { "▶ " } else { "  " };
        lines.push(Line::styled(format!("{sign}{name}"), look.quiet()));
        lines.push(Line::from(vec![Span::raw("  "), Span::styled(value, style)]));
    }
    lines.push(Line::raw(""));
    lines.push(Line::raw(menu.explanation()));
    let list = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(list, places.panel);

    frame.render_widget(
        Text::from(vec![
            Line::raw("Light the other pharaoh with your laser, and guard your own."),
            Line::styled("Enter begins.", look.gold()),
        ]),
        places.status,
    );
    let leave = if game_waits { "Esc back to your game  q quit" } else { "q quit" };
    frame.render_widget(
        Line::styled(
            format!("↑ ↓ choose a line  ← → change it  Enter begin  {leave}"),
            look.quiet(),
        ),
        places.keys,
    );
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Position, Setup};
    use khet_engine::Level;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::KeyCode;

    use super::*;
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

    fn play(state: &mut State, turn: &str) {
        for sign in format!(":{turn}").chars() {
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
                "Red  computer, level 4",
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
    fn turns_shots_and_losses_are_listed() {
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
        assert!(seen(SMALLEST, Some(&state), None).contains("Turn: h2g"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('s'));
        assert!(seen(SMALLEST, Some(&state), None).contains("Save as: khet-2026-11-15.kgn"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('R'));
        assert!(seen(SMALLEST, Some(&state), None).contains("Give up this game? y yes, n no"));
        state.key(KeyCode::Esc);
        state.key(KeyCode::Char('?'));
        let text = seen(SMALLEST, Some(&state), None);
        assert!(HELP.lines().all(|line| text.contains(line)), "{text}");
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
