//! Tests of the keys: each presses keys and checks the moves, messages and effects.

use khet::{Outcome, Rules, Setup, Square as GroundSquare};

use super::*;

/// Longer than any animation and any delay.
const LONG: Duration = Duration::from_secs(2);

fn friends(position: &str) -> PlayState {
    let position: AnyPosition = position.parse().expect("a position");
    PlayState::new(position, Opponent::Friend, "2026.11.15")
}

fn against(level: u8, color: Color) -> PlayState {
    let level = Level::new(level).expect("a level");
    let opponent = Opponent::Computer { level, color };
    PlayState::new(Setup::Classic.position().into(), opponent, "2026.11.15")
}

fn classic() -> PlayState {
    PlayState::new(Setup::Classic.position().into(), Opponent::Friend, "2026.11.15")
}

fn wait(state: &mut PlayState) {
    let now = state.now + LONG;
    state.tick(now);
}

/// Types each character; `\n` is Enter.
fn keys(state: &mut PlayState, text: &str) {
    for sign in text.chars() {
        state.key(if sign == '\n' { KeyCode::Enter } else { KeyCode::Char(sign) });
    }
}

fn play(state: &mut PlayState, mv: &str) {
    keys(state, &format!(":{mv}\n"));
    wait(state);
}

fn moves(state: &PlayState) -> Vec<String> {
    state.game.moves().iter().map(ToString::to_string).collect()
}

/// Moves the cursor to a square with the arrow keys.
fn go(state: &mut PlayState, square: GroundSquare) {
    let sign = if state.flipped { -1 } else { 1 };
    for _ in 0..20 {
        let files = sign * (square.file() as i8 - state.cursor.ground().file() as i8);
        let ranks = sign * (square.rank() as i8 - state.cursor.ground().rank() as i8);
        state.key(match (files.signum(), ranks.signum()) {
            (1, _) => KeyCode::Right,
            (-1, _) => KeyCode::Left,
            (_, 1) => KeyCode::Up,
            (_, -1) => KeyCode::Down,
            _ => return,
        });
    }
}

/// Passes a reply of the engine to the last search.
fn reply(state: &mut PlayState, mv: &str) {
    let effects = state.take_effects();
    let ticket = effects.iter().rev().find_map(|effect| match effect {
        Effect::ChooseMove { ticket, .. } | Effect::FindHint { ticket, .. } => Some(*ticket),
        _ => None,
    });
    let mv = Some(mv.parse().expect("a move"));
    state.receive_reply(EngineReply { ticket: ticket.expect("a search"), mv, claims_draw: false });
}

#[test]
fn a_short_game_with_all_kinds_of_input() {
    let mut state = friends("4k4P2/10/10/10/10/9P1/10/4KO23P1 s");
    go(&mut state, GroundSquare::F1);
    keys(&mut state, "\n");
    assert_eq!(state.selection.map(|selection| selection.square), Some(GroundSquare::F1.into()));
    assert!(state.drop_targets().contains(&(GroundSquare::F2.into(), DropTarget::Empty)));
    // Selects only the top of the stack.
    keys(&mut state, "t");
    assert!(state.selection.is_some_and(|selection| selection.top_only));
    go(&mut state, GroundSquare::G1);
    keys(&mut state, "\n");
    assert_eq!(moves(&state), ["f1^g1"]);
    assert!(matches!(state.shot_phase(), ShotPhase::Running(1)));
    assert_eq!(state.message(), "");
    wait(&mut state);
    assert_eq!(state.shot_phase(), ShotPhase::Over);
    assert_eq!(state.message(), "Silver f1^g1: Silver's laser hits the silver pyramid on j1.");

    play(&mut state, "e8d8");
    assert_eq!(moves(&state).len(), 2);
    // Rotates left: the piece is shown rotated, and Enter plays the move.
    go(&mut state, GroundSquare::J3);
    keys(&mut state, "[");
    assert_eq!(moves(&state).len(), 2);
    assert_eq!(
        state.board().get(GroundSquare::J3.into()).map(|piece| piece.to_string()).as_deref(),
        Some("P4")
    );
    keys(&mut state, "]");
    assert_eq!(state.selection.and_then(|selection| selection.rotation), None);
    keys(&mut state, "[\n");
    assert_eq!(moves(&state)[2], "j3-");
    wait(&mut state);
    play(&mut state, "d8e8");
    // A move can be typed without a colon.
    keys(&mut state, "j8+\n");
    wait(&mut state);
    assert_eq!(state.game.outcome().and_then(|outcome| outcome.winner), Some(Color::Silver));
    assert_eq!(state.message(), "Silver j8+: Silver's laser hits the red pharaoh on e8.");
}

#[test]
fn hitting_a_pharaoh_ends_the_game() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K4P4 s");
    play(&mut state, "j1-");
    let outcome = state.game.outcome();
    assert_eq!(
        outcome,
        Some(Outcome { winner: Some(Color::Red), termination: Termination::PharaohHit })
    );
    assert_eq!(state.message(), "Silver j1-: Silver's laser hits the silver pharaoh on e1.");
    keys(&mut state, "\n");
    assert_eq!(state.message(), "The game is over. Red wins: Silver's pharaoh was hit.");
    // Leaving a finished game needs no confirmation.
    keys(&mut state, "q");
    assert_eq!(state.take_effects(), [Effect::Quit]);
    keys(&mut state, "u");
    assert_eq!(state.game.outcome(), None);
    assert_eq!(moves(&state).len(), 0);
}

#[test]
fn a_square_without_an_own_piece_cannot_be_selected() {
    let mut state = classic();
    go(&mut state, GroundSquare::E3);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "e3 is empty. Go to one of your pieces.");
    go(&mut state, GroundSquare::F8);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "The pharaoh on f8 is Red's.");
    go(&mut state, GroundSquare::E1);
    keys(&mut state, "]");
    assert_eq!(state.message(), "e1+: the piece on e1 can't be rotated.");
    keys(&mut state, "t");
    assert_eq!(state.message(), "Only a stack has a top to take.");
    assert!(moves(&state).is_empty());
}

#[test]
fn an_illegal_drop_keeps_the_selection_and_shows_the_reason() {
    let mut state = classic();
    go(&mut state, GroundSquare::H2);
    keys(&mut state, "\n");
    go(&mut state, GroundSquare::G3);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "h2g3: g3 is taken.");
    assert!(state.selection.is_some());
    state.key(KeyCode::Esc);
    assert_eq!(state.selection, None);
    // Another own piece is selected instead.
    go(&mut state, GroundSquare::H2);
    keys(&mut state, "\n");
    go(&mut state, GroundSquare::J4);
    keys(&mut state, "\n");
    assert_eq!(state.selection.map(|selection| selection.square), Some(GroundSquare::J4.into()));
}

#[test]
fn djeds_can_be_dropped_on_pieces_to_swap_with() {
    let mut state = friends("4k5/10/10/10/4p15/4D25/10/4K5 s");
    go(&mut state, GroundSquare::E3);
    keys(&mut state, "\n");
    assert!(state.drop_targets().contains(&(GroundSquare::E4.into(), DropTarget::Swap)));
    go(&mut state, GroundSquare::E4);
    keys(&mut state, "\n");
    assert_eq!(moves(&state), ["e3e4"]);
}

#[test]
fn rotating_twice_is_not_a_move() {
    let mut state = classic();
    go(&mut state, GroundSquare::H2);
    keys(&mut state, "]]");
    assert_eq!(state.message(), "A move is one rotation. Enter plays it.");
    // A djed has two orientations.
    state.key(KeyCode::Esc);
    go(&mut state, GroundSquare::E4);
    keys(&mut state, "++");
    assert_eq!(state.selection.and_then(|selection| selection.rotation), None);
    keys(&mut state, "-\n");
    assert_eq!(moves(&state), ["e4+"]);
}

#[test]
fn moving_the_cursor_cancels_a_rotation() {
    let mut state = classic();
    go(&mut state, GroundSquare::H2);
    keys(&mut state, "]");
    go(&mut state, GroundSquare::G2);
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
fn an_invalid_typed_move_can_be_corrected() {
    let mut state = classic();
    keys(&mut state, ":h2h9\n");
    let wrong = "\"h2h9\": a move is written like h2g2, d1^d2, h2+ or h2-.";
    assert_eq!(state.message(), wrong);
    assert_eq!(state.mode, PlayMode::MoveInput("h2h9".to_string()));
    for _ in 0..2 {
        state.key(KeyCode::Backspace);
    }
    keys(&mut state, "f4\n");
    assert_eq!(state.message(), "h2f4: f4 is not next to h2.");
    state.key(KeyCode::Esc);
    assert_eq!(state.mode, PlayMode::Board);
    assert!(moves(&state).is_empty());
}

#[test]
fn command_letters_can_start_a_typed_move() {
    let mut state = classic();
    keys(&mut state, "f");
    assert!(state.flipped);
    keys(&mut state, "4+\n");
    assert!(!state.flipped);
    assert_eq!(moves(&state), ["f4+"]);
    wait(&mut state);
    state.take_effects();
    keys(&mut state, "h4+");
    let effects = state.take_effects();
    assert!(matches!(effects.as_slice(), [Effect::FindHint { .. }, Effect::StopSearch]));
    keys(&mut state, "\n");
    wait(&mut state);
    keys(&mut state, "d1^d2\n");
    assert_eq!(moves(&state), ["f4+", "h4+", "d1^d2"]);
}

#[test]
fn arrow_keys_follow_the_screen_on_a_flipped_board() {
    let mut state = against(3, Color::Silver);
    assert!(state.flipped);
    assert_eq!(state.cursor, GroundSquare::F8.into());
    state.key(KeyCode::Up);
    state.key(KeyCode::Right);
    assert_eq!(state.cursor, GroundSquare::E7.into());
}

#[test]
fn a_key_ends_the_animation() {
    let mut state = classic();
    keys(&mut state, "h2+\n");
    assert_ne!(state.shot_phase(), ShotPhase::Over);
    state.key(KeyCode::Enter);
    assert_eq!(state.shot_phase(), ShotPhase::Over);
    assert_eq!(state.selection, None);
}

#[test]
fn the_beam_crosses_one_square_per_step() {
    let mut state = classic();
    keys(&mut state, "j4i3\n");
    let mut seen = Vec::new();
    for time in 0..100 {
        state.tick(Duration::from_millis(10 * time));
        let phase = state.shot_phase();
        if seen.last() != Some(&phase) {
            seen.push(phase);
        }
        let pieces = state.board();
        assert_eq!(pieces.get(GroundSquare::J5.into()).is_some(), phase != ShotPhase::Over);
    }
    let all = [1, 2, 3, 4, 5].map(ShotPhase::Running);
    assert_eq!(seen, [&all[..], &[ShotPhase::Flash, ShotPhase::Over]].concat());
}

#[test]
fn the_engine_replies_after_a_pause() {
    let mut state = against(1, Color::Red);
    assert!(state.take_effects().is_empty());
    keys(&mut state, "h2+\n");
    assert!(!state.is_human_turn());
    keys(&mut state, ":j4j3\n");
    assert_eq!(state.message(), "It is Red's turn.");
    state.key(KeyCode::Esc);
    reply(&mut state, "c7c6");
    state.tick(Duration::from_millis(1));
    assert_eq!(moves(&state).len(), 1);
    wait(&mut state);
    assert_eq!(moves(&state), ["h2+", "c7c6"]);
    assert!(state.is_human_turn());
}

#[test]
fn the_engine_moves_first_as_silver() {
    let mut state = against(1, Color::Silver);
    reply(&mut state, "h2+");
    wait(&mut state);
    assert_eq!(moves(&state), ["h2+"]);
    wait(&mut state);
    keys(&mut state, "u");
    assert_eq!(state.message(), "There is no move to undo.");
    assert_eq!(moves(&state), ["h2+"]);
}

#[test]
fn undo_removes_both_moves_against_the_engine() {
    let mut state = against(1, Color::Red);
    keys(&mut state, "h2+\n");
    reply(&mut state, "c7c6");
    wait(&mut state);
    wait(&mut state);
    keys(&mut state, "u");
    assert!(moves(&state).is_empty());
    assert_eq!(state.message(), "Both moves undone.");
    assert!(state.shots().is_empty());
    // During the engine's search, undo removes one move and cancels the search.
    keys(&mut state, "h2+\n");
    let ticket = state.tickets;
    keys(&mut state, "u");
    let mv = "c7c6".parse().ok();
    state.receive_reply(EngineReply { ticket, mv, claims_draw: false });
    wait(&mut state);
    assert!(moves(&state).is_empty());
    assert!(state.take_effects().contains(&Effect::StopSearch));
}

#[test]
fn a_search_is_indicated_only_after_a_delay() {
    let mut state = against(10, Color::Red);
    keys(&mut state, "h2+\n");
    state.tick(Duration::from_millis(200));
    assert_eq!(state.search_time(), None);
    state.tick(Duration::from_millis(400));
    assert!(state.search_time().is_some());
    reply(&mut state, "c7c6");
    assert_eq!(state.search_time(), None);
}

#[test]
fn a_hint_is_shown_and_not_played() {
    let mut state = classic();
    keys(&mut state, "h");
    reply(&mut state, "j4i3");
    wait(&mut state);
    assert_eq!(state.hint(), "j4i3".parse().ok());
    let hint = "Hint: j4 to i3 (j4i3). The laser hits the silver pyramid on j5.";
    assert_eq!(state.message(), hint);
    assert!(moves(&state).is_empty());
    play(&mut state, "h2+");
    assert_eq!(state.hint(), None);
}

#[test]
fn a_draw_can_be_claimed_after_threefold_repetition() {
    let mut state = classic();
    keys(&mut state, "d");
    assert_eq!(
        state.message(),
        "No draw to claim: this position has occurred once, 3 times are needed."
    );
    for _ in 0..2 {
        for mv in ["f4+", "e5+", "f4+", "e5+"] {
            play(&mut state, mv);
        }
    }
    keys(&mut state, "d");
    assert_eq!(state.mode, PlayMode::Confirm(Confirmation::ClaimDraw));
    keys(&mut state, "n");
    assert_eq!(state.game.outcome(), None);
    keys(&mut state, "dy");
    let outcome = state.game.outcome().expect("a draw");
    assert_eq!((outcome.winner, outcome.termination), (None, Termination::Repetition));
    keys(&mut state, "u");
    assert_eq!(state.message(), "The game continues.");
    assert_eq!(moves(&state).len(), 8);
}

#[test]
fn the_engine_can_claim_a_draw() {
    let level = Level::ALL[0];
    let opponent = Opponent::Computer { level, color: Color::Red };
    let start = Setup::Classic.position().with_rules(Rules::Czech);
    let mut state = PlayState::new(start.into(), opponent, "2026.11.15");
    for (own, other) in [("f4+", "e5+"), ("f4+", "e5+")] {
        keys(&mut state, &format!("{own}\n"));
        reply(&mut state, other);
        wait(&mut state);
        wait(&mut state);
    }
    keys(&mut state, "f4+\n");
    let ticket = state.tickets;
    state.receive_reply(EngineReply { ticket, mv: None, claims_draw: true });
    wait(&mut state);
    wait(&mut state);
    assert_eq!(
        state.game.outcome().map(|outcome| outcome.termination),
        Some(Termination::Repetition)
    );
}

#[test]
fn resigning_needs_confirmation() {
    let mut state = against(1, Color::Red);
    keys(&mut state, "R");
    assert_eq!(state.mode, PlayMode::Confirm(Confirmation::Resign));
    keys(&mut state, "y");
    assert_eq!(state.game.outcome().and_then(|outcome| outcome.winner), Some(Color::Red));
    assert_eq!(state.message(), "Silver resigns.");
}

#[test]
fn saving_asks_for_a_name_and_before_overwriting() {
    let mut state = classic();
    play(&mut state, "h2+");
    keys(&mut state, "s");
    assert_eq!(state.mode, PlayMode::FileNameInput("khet-2026-11-15.kgn".to_string()));
    for _ in 0..40 {
        state.key(KeyCode::Backspace);
    }
    assert_eq!(state.mode, PlayMode::Board);
    keys(&mut state, "s\n");
    let save = |name: &str, overwrite| Effect::Save { name: name.to_string(), overwrite };
    assert_eq!(state.take_effects(), [save("khet-2026-11-15.kgn", false)]);

    state.saved(SaveResult::Exists);
    keys(&mut state, "n2");
    assert_eq!(state.mode, PlayMode::FileNameInput("khet-2026-11-15.kgn2".to_string()));
    state.key(KeyCode::Backspace);
    keys(&mut state, "\n");
    state.take_effects();
    state.saved(SaveResult::Exists);
    keys(&mut state, "y");
    assert_eq!(state.take_effects(), [save("khet-2026-11-15.kgn", true)]);
    state.saved(SaveResult::Saved);
    assert_eq!(state.message(), "Saved as khet-2026-11-15.kgn.");
    keys(&mut state, "q");
    assert_eq!(state.take_effects(), [Effect::Quit]);
}

#[test]
fn a_file_name_that_fails_can_be_corrected() {
    let mut state = classic();
    keys(&mut state, "s/anna\n");
    state.saved(SaveResult::Failed("the folder does not exist".to_string()));
    assert!(state.message().ends_with("can't be written: the folder does not exist."));
    assert!(matches!(state.mode, PlayMode::FileNameInput(_)));
}

#[test]
fn quitting_asks_only_if_an_unsaved_game_would_be_lost() {
    let mut state = classic();
    keys(&mut state, "q");
    assert_eq!(state.take_effects(), [Effect::Quit]);
    play(&mut state, "h2+");
    keys(&mut state, "q");
    assert_eq!(state.mode, PlayMode::Confirm(Confirmation::Quit));
    state.key(KeyCode::Esc);
    assert!(state.take_effects().is_empty());
    keys(&mut state, "n");
    assert_eq!(state.mode, PlayMode::Confirm(Confirmation::NewGame));
    keys(&mut state, "y");
    assert_eq!(state.take_effects(), [Effect::NewGame]);
}

fn cursor(state: &PlayState) -> String {
    state.cursor.to_string()
}

#[test]
fn tab_goes_to_the_other_level() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s");
    assert_eq!(cursor(&state), "e1");
    state.key(KeyCode::Tab);
    assert_eq!(cursor(&state), "E2", "the nearest square of the upper level");
    // The cursor stays on the upper level.
    state.key(KeyCode::Down);
    assert_eq!(cursor(&state), "E2");
    for _ in 0..9 {
        state.key(KeyCode::Left);
    }
    assert_eq!(cursor(&state), "C2");
    state.key(KeyCode::Tab);
    assert_eq!(cursor(&state), "c2", "straight down");
    let mut standard = classic();
    standard.key(KeyCode::Tab);
    assert_eq!(standard.message(), "This game has no tower.");
}

#[test]
fn a_piece_climbs_and_descends_with_the_cursor() {
    let mut state = friends("4k5/10/10/10/10/10/4K5/10+e4:6/6/6/6/6/6 s");
    keys(&mut state, "\n");
    assert!(state.drop_targets().iter().any(|(square, _)| square.to_string() == "E2"));
    state.key(KeyCode::Tab);
    keys(&mut state, "\n");
    wait(&mut state);
    play(&mut state, "e8d8");
    assert_eq!((cursor(&state).as_str(), &moves(&state)[0][..]), ("E2", "e2E2"));
    keys(&mut state, "\n");
    state.key(KeyCode::Tab);
    keys(&mut state, "\n");
    assert_eq!(moves(&state)[2], "E2e2");
}

#[test]
fn the_tower_is_selected_by_its_column_and_shifted_or_rotated() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/6/6 s");
    go(&mut state, GroundSquare::F5);
    keys(&mut state, "\n");
    assert!(state.message().starts_with("The tower: Enter on a neighbouring square"));
    let targets: Vec<String> =
        state.drop_targets().iter().map(|(square, _)| square.to_string()).collect();
    assert_eq!(targets.len(), 8, "{targets:?}");
    assert!(targets.contains(&"g6".to_string()));
    go(&mut state, GroundSquare::G5);
    keys(&mut state, "\n");
    wait(&mut state);
    assert_eq!(moves(&state), ["Tf4"]);

    // A rotation is shown before it is played, with everything on the tower.
    assert_eq!(cursor(&state), "g5");
    keys(&mut state, "]");
    let shown: Vec<String> = state.board().pieces().map(|(square, _)| square.to_string()).collect();
    assert!(shown.contains(&"H6".to_string()), "{shown:?}");
    keys(&mut state, "\n");
    wait(&mut state);
    assert_eq!(moves(&state), ["Tf4", "T+"]);

    // Two squares are too far.
    go(&mut state, GroundSquare::F4);
    keys(&mut state, "\n");
    go(&mut state, GroundSquare::D4);
    keys(&mut state, "\n");
    assert_eq!(state.message(), "Td4: the tower shifts by one square.");
    keys(&mut state, "u");
    assert_eq!(moves(&state), ["Tf4"]);
}

#[test]
fn the_cursor_follows_a_tower_that_moves_away() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/6/6 s");
    state.key(KeyCode::Tab);
    go(&mut state, GroundSquare::C2);
    assert_eq!(cursor(&state), "C2");
    play(&mut state, "Tf5");
    assert_eq!(cursor(&state), "D3");
    keys(&mut state, "u");
    assert_eq!(cursor(&state), "D3");
}

#[test]
fn moves_on_the_upper_level_and_of_the_tower_can_be_typed() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/4P11/6 s");
    keys(&mut state, "T");
    assert!(state.message().starts_with("A move such as h2g2, c7C7"));
    keys(&mut state, "d4\n");
    wait(&mut state);
    keys(&mut state, "C6C5\n");
    wait(&mut state);
    keys(&mut state, ":F3f3\n");
    wait(&mut state);
    keys(&mut state, "D9\n");
    assert_eq!(moves(&state), ["Td4", "C6C5", "F3f3"]);
    assert!(state.message().contains("a move is written like h2g2, c7C7"), "{}", state.message());
}

#[test]
fn a_hint_may_be_a_move_of_the_tower() {
    let mut state = friends("4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/6/6 s");
    for (mv, text) in [("Td4", "the tower to d4 (Td4)"), ("T-", "rotate the tower left (T-)")] {
        keys(&mut state, "h");
        reply(&mut state, mv);
        wait(&mut state);
        assert!(state.message().starts_with(&format!("Hint: {text}.")), "{}", state.message());
    }
}
