//! Keys in, moves and words out.

use khet::{Outcome, Rules, Setup};

use super::*;

/// Longer than any beam and any pause.
const LONG: Duration = Duration::from_secs(2);

fn friends(position: &str) -> State {
    let position: Position = position.parse().expect("a position");
    State::new(position, Opponent::Friend, "2026.11.15")
}

fn against(level: u8, color: Color) -> State {
    let level = Level::new(level).expect("a level");
    let opponent = Opponent::Computer { level, color };
    State::new(Setup::Classic.position(), opponent, "2026.11.15")
}

fn classic() -> State {
    State::new(Setup::Classic.position(), Opponent::Friend, "2026.11.15")
}

fn wait(state: &mut State) {
    let now = state.now + LONG;
    state.tick(now);
}

/// Types each character; `\n` is Enter.
fn keys(state: &mut State, text: &str) {
    for sign in text.chars() {
        state.key(if sign == '\n' { KeyCode::Enter } else { KeyCode::Char(sign) });
    }
}

fn play(state: &mut State, mv: &str) {
    keys(state, &format!(":{mv}\n"));
    wait(state);
}

fn moves(state: &State) -> Vec<String> {
    state.game.moves().iter().map(ToString::to_string).collect()
}

/// Goes from square to square with the arrow keys.
fn go(state: &mut State, square: Square) {
    let sign = if state.flipped { -1 } else { 1 };
    for _ in 0..20 {
        let files = sign * (square.file() as i8 - state.cursor.file() as i8);
        let ranks = sign * (square.rank() as i8 - state.cursor.rank() as i8);
        state.key(match (files.signum(), ranks.signum()) {
            (1, _) => KeyCode::Right,
            (-1, _) => KeyCode::Left,
            (_, 1) => KeyCode::Up,
            (_, -1) => KeyCode::Down,
            _ => return,
        });
    }
}

/// The computer's answer to what it was asked last.
fn answer(state: &mut State, mv: &str) {
    let wishes = state.take_wishes();
    let ticket = wishes.iter().rev().find_map(|wish| match wish {
        Wish::Think { ticket, .. } | Wish::Hint { ticket, .. } => Some(*ticket),
        _ => None,
    });
    let mv = Some(mv.parse().expect("a move"));
    state.answered(Reply { ticket: ticket.expect("a question"), mv, claims_draw: false });
}

#[test]
fn a_small_game_from_the_first_pick_to_the_lit_pharaoh() {
    let mut state = friends("4k4P2/10/10/10/10/9P1/10/4KO23P1 s");
    go(&mut state, Square::F1);
    keys(&mut state, "\n");
    assert_eq!(state.hand.map(|hand| hand.square), Some(Square::F1));
    assert!(state.targets().contains(&(Square::F2, Target::Move)));
    // Only the top.
    keys(&mut state, "t");
    assert!(state.hand.is_some_and(|hand| hand.top_only));
    go(&mut state, Square::G1);
    keys(&mut state, "\n");
    assert_eq!(moves(&state), ["f1^g1"]);
    assert!(matches!(state.phase(), Phase::Running(1)));
    assert_eq!(state.message(), "");
    wait(&mut state);
    assert_eq!(state.phase(), Phase::Over);
    assert_eq!(state.message(), "Silver f1^g1: Silver's laser hits the silver pyramid on j1.");

    play(&mut state, "e8d8");
    assert_eq!(moves(&state).len(), 2);
    // Rotate left: the piece is seen rotated, and plays only with Enter.
    go(&mut state, Square::J3);
    keys(&mut state, "[");
    assert_eq!(moves(&state).len(), 2);
    assert_eq!(state.board().get(Square::J3).map(|piece| piece.to_string()).as_deref(), Some("P4"));
    keys(&mut state, "]");
    assert_eq!(state.hand.and_then(|hand| hand.rotation), None);
    keys(&mut state, "[\n");
    assert_eq!(moves(&state)[2], "j3-");
    wait(&mut state);
    play(&mut state, "d8e8");
    // Typed, without a colon.
    keys(&mut state, "j8+\n");
    wait(&mut state);
    assert_eq!(state.game.outcome().and_then(|outcome| outcome.winner), Some(Color::Silver));
    assert_eq!(state.message(), "Silver j8+: Silver's laser lights the red pharaoh on e8.");
}

#[test]
fn the_lit_pharaoh_ends_the_game() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K4P4 s");
    play(&mut state, "j1-");
    let outcome = state.game.outcome();
    assert_eq!(
        outcome,
        Some(Outcome { winner: Some(Color::Red), termination: Termination::PharaohHit })
    );
    assert_eq!(state.message(), "Silver j1-: Silver's laser lights the silver pharaoh on e1.");
    keys(&mut state, "\n");
    assert_eq!(state.message(), "The game is over. Red wins: Silver's pharaoh was hit.");
    // A game that is over may be left without a question.
    keys(&mut state, "q");
    assert_eq!(state.take_wishes(), [Wish::Quit]);
    keys(&mut state, "u");
    assert_eq!(state.game.outcome(), None);
    assert_eq!(moves(&state).len(), 0);
}

#[test]
fn what_cannot_be_picked_is_said() {
    let mut state = classic();
    go(&mut state, Square::E3);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "e3 is empty. Go to one of your pieces.");
    go(&mut state, Square::F8);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "The pharaoh on f8 is Red's.");
    go(&mut state, Square::E1);
    keys(&mut state, "]");
    assert_eq!(state.message(), "e1+: the piece on e1 can't be rotated.");
    keys(&mut state, "t");
    assert_eq!(state.message(), "Only a stack has a top to take.");
    assert!(moves(&state).is_empty());
}

#[test]
fn an_illegal_drop_keeps_the_piece_and_says_why() {
    let mut state = classic();
    go(&mut state, Square::H2);
    keys(&mut state, "\n");
    go(&mut state, Square::G3);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "h2g3: g3 is taken.");
    assert!(state.hand.is_some());
    state.key(KeyCode::Esc);
    assert_eq!(state.hand, None);
    // Another own piece is picked instead.
    go(&mut state, Square::H2);
    keys(&mut state, "\n");
    go(&mut state, Square::J4);
    keys(&mut state, "\n");
    assert_eq!(state.hand.map(|hand| hand.square), Some(Square::J4));
}

#[test]
fn djeds_show_whom_they_swap_with() {
    let mut state = friends("4k5/10/10/10/4p15/4D25/10/4K5 s");
    go(&mut state, Square::E3);
    keys(&mut state, "\n");
    assert!(state.targets().contains(&(Square::E4, Target::Swap)));
    go(&mut state, Square::E4);
    keys(&mut state, "\n");
    assert_eq!(moves(&state), ["e3e4"]);
}

#[test]
fn rotating_twice_is_not_a_move() {
    let mut state = classic();
    go(&mut state, Square::H2);
    keys(&mut state, "]]");
    assert_eq!(state.message(), "One quarter is a move. Enter plays it.");
    // A djed has two ways to stand.
    state.key(KeyCode::Esc);
    go(&mut state, Square::E4);
    keys(&mut state, "++");
    assert_eq!(state.hand.and_then(|hand| hand.rotation), None);
    keys(&mut state, "-\n");
    assert_eq!(moves(&state), ["e4+"]);
}

#[test]
fn a_rotation_is_given_up_when_the_cursor_goes_on() {
    let mut state = classic();
    go(&mut state, Square::H2);
    keys(&mut state, "]");
    go(&mut state, Square::G2);
    keys(&mut state, "\n");
    assert_eq!(moves(&state), ["h2g2"]);
}

#[test]
fn moves_can_be_typed() {
    let mut state = classic();
    keys(&mut state, "j4i3\n");
    assert_eq!(moves(&state), ["j4i3"]);
    assert_eq!(state.shots()[0].to_string(), "xj5");
    wait(&mut state);
    assert_eq!(state.message(), "Silver j4i3: Silver's laser hits the silver pyramid on j5.");
    keys(&mut state, ":A5B5\n");
    assert_eq!(moves(&state), ["j4i3", "a5b5"]);
}

#[test]
fn typed_moves_that_are_wrong_stay_for_correction() {
    let mut state = classic();
    keys(&mut state, ":h2h9\n");
    let wrong = "\"h2h9\": a move is written like h2g2, d1^d2, h2+ or h2-.";
    assert_eq!(state.message(), wrong);
    assert_eq!(state.mode, Mode::Typing("h2h9".to_string()));
    for _ in 0..2 {
        state.key(KeyCode::Backspace);
    }
    keys(&mut state, "f4\n");
    assert_eq!(state.message(), "h2f4: f4 is not next to h2.");
    state.key(KeyCode::Esc);
    assert_eq!(state.mode, Mode::Board);
    assert!(moves(&state).is_empty());
}

#[test]
fn letters_that_are_commands_begin_moves_too() {
    let mut state = classic();
    keys(&mut state, "f");
    assert!(state.flipped);
    keys(&mut state, "4+\n");
    assert!(!state.flipped);
    assert_eq!(moves(&state), ["f4+"]);
    wait(&mut state);
    state.take_wishes();
    keys(&mut state, "h4+");
    let wishes = state.take_wishes();
    assert!(matches!(wishes.as_slice(), [Wish::Hint { .. }, Wish::Stop]));
    keys(&mut state, "\n");
    wait(&mut state);
    keys(&mut state, "d1^d2\n");
    assert_eq!(moves(&state), ["f4+", "h4+", "d1^d2"]);
}

#[test]
fn arrows_follow_the_eye_on_a_flipped_board() {
    let mut state = against(3, Color::Silver);
    assert!(state.flipped);
    assert_eq!(state.cursor, Square::F8);
    state.key(KeyCode::Up);
    state.key(KeyCode::Right);
    assert_eq!(state.cursor, Square::E7);
}

#[test]
fn any_key_ends_the_beam() {
    let mut state = classic();
    keys(&mut state, "h2+\n");
    assert_ne!(state.phase(), Phase::Over);
    state.key(KeyCode::Enter);
    assert_eq!(state.phase(), Phase::Over);
    assert_eq!(state.hand, None);
}

#[test]
fn the_beam_runs_square_by_square_and_never_long() {
    let mut state = classic();
    keys(&mut state, "j4i3\n");
    let mut seen = Vec::new();
    for time in 0..100 {
        state.tick(Duration::from_millis(10 * time));
        let phase = state.phase();
        if seen.last() != Some(&phase) {
            seen.push(phase);
        }
        let pieces = state.board();
        assert_eq!(pieces.get(Square::J5).is_some(), phase != Phase::Over);
    }
    let all = [1, 2, 3, 4, 5].map(Phase::Running);
    assert_eq!(seen, [&all[..], &[Phase::Flash, Phase::Over]].concat());
}

#[test]
fn the_computer_answers_after_a_pause() {
    let mut state = against(1, Color::Red);
    assert!(state.take_wishes().is_empty());
    keys(&mut state, "h2+\n");
    assert!(!state.is_human_turn());
    keys(&mut state, ":j4j3\n");
    assert_eq!(state.message(), "It is Red's turn.");
    state.key(KeyCode::Esc);
    answer(&mut state, "c7c6");
    state.tick(Duration::from_millis(1));
    assert_eq!(moves(&state).len(), 1);
    wait(&mut state);
    assert_eq!(moves(&state), ["h2+", "c7c6"]);
    assert!(state.is_human_turn());
}

#[test]
fn the_computer_begins_as_silver() {
    let mut state = against(1, Color::Silver);
    answer(&mut state, "h2+");
    wait(&mut state);
    assert_eq!(moves(&state), ["h2+"]);
    wait(&mut state);
    keys(&mut state, "u");
    assert_eq!(state.message(), "There is nothing to take back.");
    assert_eq!(moves(&state), ["h2+"]);
}

#[test]
fn undo_takes_back_both_moves_against_the_computer() {
    let mut state = against(1, Color::Red);
    keys(&mut state, "h2+\n");
    answer(&mut state, "c7c6");
    wait(&mut state);
    wait(&mut state);
    keys(&mut state, "u");
    assert!(moves(&state).is_empty());
    assert_eq!(state.message(), "Both moves taken back.");
    assert!(state.shots().is_empty());
    // While it thinks, only the own move, and what it finds is not played.
    keys(&mut state, "h2+\n");
    let ticket = state.tickets;
    keys(&mut state, "u");
    let mv = "c7c6".parse().ok();
    state.answered(Reply { ticket, mv, claims_draw: false });
    wait(&mut state);
    assert!(moves(&state).is_empty());
    assert!(state.take_wishes().contains(&Wish::Stop));
}

#[test]
fn thinking_is_shown_only_when_it_takes_a_while() {
    let mut state = against(10, Color::Red);
    keys(&mut state, "h2+\n");
    state.tick(Duration::from_millis(200));
    assert_eq!(state.thinking(), None);
    state.tick(Duration::from_millis(400));
    assert!(state.thinking().is_some());
    answer(&mut state, "c7c6");
    assert_eq!(state.thinking(), None);
}

#[test]
fn a_hint_is_shown_and_not_played() {
    let mut state = classic();
    keys(&mut state, "h");
    answer(&mut state, "j4i3");
    wait(&mut state);
    assert_eq!(state.hint(), "j4i3".parse().ok());
    let hint = "Hint: j4 to i3 (j4i3). The laser hits the silver pyramid on j5.";
    assert_eq!(state.message(), hint);
    assert!(moves(&state).is_empty());
    play(&mut state, "h2+");
    assert_eq!(state.hint(), None);
}

#[test]
fn a_draw_is_claimed_when_the_arrangement_stands_for_the_third_time() {
    let mut state = classic();
    keys(&mut state, "d");
    assert_eq!(
        state.message(),
        "No draw to claim: this arrangement stands once, 3 times are needed."
    );
    for _ in 0..2 {
        for mv in ["f4+", "e5+", "f4+", "e5+"] {
            play(&mut state, mv);
        }
    }
    keys(&mut state, "d");
    assert_eq!(state.mode, Mode::Asking(Question::Claim));
    keys(&mut state, "n");
    assert_eq!(state.game.outcome(), None);
    keys(&mut state, "dy");
    let outcome = state.game.outcome().expect("a draw");
    assert_eq!((outcome.winner, outcome.termination), (None, Termination::Repetition));
    keys(&mut state, "u");
    assert_eq!(state.message(), "The game goes on.");
    assert_eq!(moves(&state).len(), 8);
}

#[test]
fn the_computer_may_claim_a_draw() {
    let level = Level::ALL[0];
    let opponent = Opponent::Computer { level, color: Color::Red };
    let start = Setup::Classic.position().with_rules(Rules::Czech);
    let mut state = State::new(start, opponent, "2026.11.15");
    for (own, other) in [("f4+", "e5+"), ("f4+", "e5+")] {
        keys(&mut state, &format!("{own}\n"));
        answer(&mut state, other);
        wait(&mut state);
        wait(&mut state);
    }
    keys(&mut state, "f4+\n");
    let ticket = state.tickets;
    state.answered(Reply { ticket, mv: None, claims_draw: true });
    wait(&mut state);
    wait(&mut state);
    assert_eq!(
        state.game.outcome().map(|outcome| outcome.termination),
        Some(Termination::Repetition)
    );
}

#[test]
fn resigning_asks_once() {
    let mut state = against(1, Color::Red);
    keys(&mut state, "R");
    assert_eq!(state.mode, Mode::Asking(Question::Resign));
    keys(&mut state, "y");
    assert_eq!(state.game.outcome().and_then(|outcome| outcome.winner), Some(Color::Red));
    assert_eq!(state.message(), "Silver gives up.");
}

#[test]
fn saving_asks_for_a_name_and_before_replacing() {
    let mut state = classic();
    play(&mut state, "h2+");
    keys(&mut state, "s");
    assert_eq!(state.mode, Mode::Naming("khet-2026-11-15.kgn".to_string()));
    for _ in 0..40 {
        state.key(KeyCode::Backspace);
    }
    assert_eq!(state.mode, Mode::Board);
    keys(&mut state, "s\n");
    let save = |name: &str, overwrite| Wish::Save { name: name.to_string(), overwrite };
    assert_eq!(state.take_wishes(), [save("khet-2026-11-15.kgn", false)]);

    state.saved(Saved::Exists);
    keys(&mut state, "n2");
    assert_eq!(state.mode, Mode::Naming("khet-2026-11-15.kgn2".to_string()));
    state.key(KeyCode::Backspace);
    keys(&mut state, "\n");
    state.take_wishes();
    state.saved(Saved::Exists);
    keys(&mut state, "y");
    assert_eq!(state.take_wishes(), [save("khet-2026-11-15.kgn", true)]);
    state.saved(Saved::Done);
    assert_eq!(state.message(), "Saved as khet-2026-11-15.kgn.");
    keys(&mut state, "q");
    assert_eq!(state.take_wishes(), [Wish::Quit]);
}

#[test]
fn a_name_that_cannot_be_written_may_be_corrected() {
    let mut state = classic();
    keys(&mut state, "s/anna\n");
    state.saved(Saved::Failed("there is no such folder".to_string()));
    assert!(state.message().ends_with("can't be written: there is no such folder."));
    assert!(matches!(state.mode, Mode::Naming(_)));
}

#[test]
fn quitting_asks_only_when_something_would_be_lost() {
    let mut state = classic();
    keys(&mut state, "q");
    assert_eq!(state.take_wishes(), [Wish::Quit]);
    play(&mut state, "h2+");
    keys(&mut state, "q");
    assert_eq!(state.mode, Mode::Asking(Question::Quit));
    state.key(KeyCode::Esc);
    assert!(state.take_wishes().is_empty());
    keys(&mut state, "n");
    assert_eq!(state.mode, Mode::Asking(Question::NewGame));
    keys(&mut state, "y");
    assert_eq!(state.take_wishes(), [Wish::NewGame]);
}
