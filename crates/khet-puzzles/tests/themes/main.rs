//! Each theme on a drawn board, beside a line that just misses it.
//!
//! Silver's beam enters on j1 going north, Red's on a8 going south.

#[allow(dead_code)] // also has helpers for the tests of the rules
#[path = "../../../khet/tests/rules/drawn.rs"]
mod drawn;

use khet::Color;
use khet_puzzles::{PuzzleTheme, SolutionGoal, SolutionLine, themes_of};

use crate::drawn::draw;

/// Returns whether Silver's solution on a drawn board has a theme.
#[track_caller]
fn has(theme: PuzzleTheme, drawing: &str, moves: &str) -> bool {
    has_with_goal(theme, drawing, moves, SolutionGoal::Advantage)
}

#[track_caller]
fn has_with_goal(theme: PuzzleTheme, drawing: &str, moves: &str, goal: SolutionGoal) -> bool {
    let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap());
    let line = SolutionLine::new(draw(drawing, Color::Silver), moves).unwrap();
    themes_of(&line, goal).contains(theme)
}

/// j4+ turns the beam to the west, where it hits the pharaoh.
const WIN_IN_ONE: &str = "
    8  .  .  .  .  .  .  .  .  .  .
    4  .  .  .  .  rK .  .  .  .  sPse
    1  .  .  .  .  .  .  sK .  .  .";

#[test]
fn pharaoh_in_counts_the_moves_of_a_forced_hit() {
    let themes =
        [PuzzleTheme::PharaohInOne, PuzzleTheme::PharaohInTwo, PuzzleTheme::PharaohInThree];
    let forced = |theme, moves| has_with_goal(theme, WIN_IN_ONE, moves, SolutionGoal::Pharaoh);
    let lines = ["j4+", "g1f1 e4e5 f1e1", "g1f1 e4e5 f1e1 e5e4 e1f1"];
    for (index, theme) in themes.into_iter().enumerate() {
        for (other, line) in lines.into_iter().enumerate() {
            assert_eq!(forced(theme, line), index == other, "{theme} {line}");
        }
        assert!(!has(theme, WIN_IN_ONE, lines[index]), "without a proof");
    }
}

/// Silver threatens the pharaoh along rank 4, by i4j4, and from above, by i6j6. The red pyramid can
/// step into either beam, and the pharaoh can only step along them.
const TWO_THREATS: &str = "
    6  .  .  .  .  sPse .    .  .  sPsw .
    5  .  .  .  rO .    rPne .  .  .    .
    4  .  .  .  .  rK   .    .  .  sPsw .
    3  .  .  .  rO .    rO   .  .  .    .
    1  .  .  .  .  .    .    sK .  .    .";
/// Like `TWO_THREATS`, but the pharaoh can leave both beams by a step to d3.
const TWO_THREATS_WITH_ESCAPE: &str = "
    6  .  .  .  .  sPse .    .  .  sPsw .
    5  .  .  .  rO .    rPne .  .  .    .
    4  .  .  .  .  rK   .    .  .  sPsw .
    3  .  .  .  .  .    rO   .  .  .    .
    1  .  .  .  .  .    .    sK .  .    .";
/// Silver threatens the pharaoh only along rank 4.
const ONE_THREAT: &str = "
    5  .  .  .  .  .    rPne .  .  .    .
    4  .  .  .  .  rK   .    .  .  sPsw .
    1  .  .  .  .  .    .    sK .  .    .";
/// i4j4 threatens the pharaoh, i6j6 the pyramid on f6. On e3 the pharaoh is safe.
const FORK: &str = "
    6  .  .  .  .  .    rPsw .    .  sPsw .
    4  .  .  .  .  rK   .    .    .  sPsw .
    3  .  .  .  .  .    .    rPsw .  .    .
    1  .  .  .  .  .    .    sK   .  .    .";

#[test]
fn a_double_threat_cannot_be_parried_by_one_reply() {
    let theme = PuzzleTheme::DoubleThreat;
    assert!(has(theme, TWO_THREATS, "g1f1 f5f4 i6j6"));
    assert!(!has(theme, TWO_THREATS_WITH_ESCAPE, "g1f1 f5f4 i6j6"), "one reply parries both");
    assert!(!has(theme, ONE_THREAT, "g1f1 f5f4 i4j4"));
    assert!(has(theme, FORK, "g1f1 e4e3 i6j6"), "the pharaoh escapes, the pyramid falls");
    assert!(!has(theme, FORK, "g1f1 e4e3 f1e1"), "nothing falls");
}

/// The swap i4j4 sends the beam west and then south, to the pharaoh.
const SWAP: &str = "
    4  .  .  .  .  .  .  .  .  sD\\ sPse
    2  .  .  .  .  .  .  .  .  rK   .
    1  .  .  .  .  .  .  sK .  .    .";

#[test]
fn a_swap_exchanges_two_pieces() {
    assert!(has(PuzzleTheme::Swap, SWAP, "i4j4"));
    assert!(!has(PuzzleTheme::Swap, SWAP, "i4h4"), "a step of the djed");
    assert!(!has(PuzzleTheme::Swap, SWAP, "i4+"));
}

const STACK: &str = "
    8  .  .  .  .  .  .  rK  .  .  .
    2  .  .  .  .  sOO .  .  .  .  .
    1  .  .  .  .  .  .  sK .  .  .";

#[test]
fn unstacking_moves_the_top_alone() {
    assert!(has(PuzzleTheme::Unstack, STACK, "e2^e3"));
    assert!(!has(PuzzleTheme::Unstack, STACK, "e2e3"), "the whole stack");
}

/// Red's beam runs along rank 5. Silver's hits the pyramid on j5 in the back.
const OWN_PIECE_IN_THE_BEAM: &str = "
    8  .    .  .  .    .  .  rK .  .  .
    5  rPne .  .  .    .  .  .  .  .  sPne
    4  .    .  .  sPne .  .  .  .  .  .
    1  .    .  .  .    .  .  sK .  .  .";

#[test]
fn a_sacrifice_gives_a_piece_away() {
    let theme = PuzzleTheme::Sacrifice;
    let harmless = OWN_PIECE_IN_THE_BEAM.replace(".  sPne\n    4", ".  .\n    4");
    assert!(has(theme, OWN_PIECE_IN_THE_BEAM, "g1f1"), "by an own shot");
    assert!(has(theme, &harmless, "d4d5 g8f8 g1f1"), "by a move into the opponent's beam");
    assert!(!has(theme, &harmless, "d4d3 g8f8 g1f1"));
}

/// Red's beam runs along rank 5 and hits the pyramid on f5 in the back.
const ENEMY_BEAM: &str = "
    8  .    .  .  .    .  .    rK .  .  .
    5  rPne .  .  .    .  sPne .  .  .  .
    4  .    .  .  sPsw .  .    .  .  .  .
    1  .    .  .  .    .  .    sK .  .  .";

#[test]
fn a_deflection_sends_the_opponents_beam_another_way() {
    let theme = PuzzleTheme::Deflection;
    assert!(has(theme, ENEMY_BEAM, "d4d5"), "it leaves the board to the south");
    assert!(!has(theme, ENEMY_BEAM, "f5f6"), "the attacked piece only steps aside");
    let harmless = ENEMY_BEAM.replace("sPne", ".   ");
    assert!(!has(theme, &harmless, "d4d5"), "the beam did no harm");
    let onto_own = harmless.replace("1  .    .  .  .  ", "1  .    .  .  rPse");
    assert!(has(theme, &onto_own, "d4d5"), "now it hits d1");
}

/// After d4d5, Red's beam is turned on the pyramid on d2.
const TRAP: &str = "
    8  .    .  .  .    .  .  rK .  .  .
    5  rPne .  .  .    .  .  .  .  .  .
    4  .    .  .  sPsw .  .  .  .  .  .
    2  .    .  .  rPse .  .  .  .  .  .
    1  .    .  .  .    .  .  sK .  .  .";

#[test]
fn a_self_hit_trap_leaves_the_opponent_no_harmless_reply() {
    let theme = PuzzleTheme::SelfHitTrap;
    assert!(has(theme, TRAP, "d4d5 g8f8 g1f1"));
    assert!(!has(theme, TRAP, "d4d5 d2e2 g1f1"), "the piece escapes");
    assert!(!has(theme, TRAP, "d4d3 g8f8 g1f1"), "no trap was set");
}

#[test]
fn a_defence_is_proved_by_the_engine() {
    let theme = PuzzleTheme::Defence;
    assert!(has_with_goal(theme, ENEMY_BEAM, "d4d5", SolutionGoal::Rescue));
    assert!(!has(theme, ENEMY_BEAM, "d4d5"));
}

/// j4+ would hit the pyramid on e4.
const HIT_AT_HAND: &str = "
    8  .  .  .  .  .    .  rK .  .  .
    4  .  .  .  .  rPsw .  .  .  .  sPse
    1  .  .  .  .  .    .  sK .  .  .";

#[test]
fn a_quiet_move_hits_nothing_although_it_could() {
    let theme = PuzzleTheme::QuietMove;
    assert!(has(theme, HIT_AT_HAND, "g1f1 g8f8 j4+"));
    assert!(!has(theme, HIT_AT_HAND, "j4+ g8f8 g1f1"), "it hits, then nothing is left to hit");
    assert!(!has(theme, HIT_AT_HAND, "g1f1"), "the last move");
    let empty = HIT_AT_HAND.replace("rPsw", ".");
    assert!(!has(theme, &empty, "g1f1 g8f8 f1e1"), "nothing could be hit");
    // Red threatens a1+, which sends the red beam along rank 1.
    let threatened = HIT_AT_HAND.replace("1  .  ", "1  rPnw  ");
    assert!(!has(theme, &threatened, "g1f1 g8f8 j4+"), "the pharaoh is in danger");
}

/// g4+ sends the beam over j2, i2, i3, h3, h4 and g4 to g5.
const SIX_MIRRORS: &str = "
    5  .  .  .  .  .  .  rK   .    .    .
    4  .  .  .  .  .  .  sPnw sPsw .    .
    3  .  .  .  .  .  .  .    sPne sPsw .
    2  .  .  .  .  .  .  .    .    sPne sPsw
    1  .  .  .  .  .  sK .    .    .    .";
/// h4+ sends it over j2, i2, i3, h3 and h4 to f4.
const FIVE_MIRRORS: &str = "
    4  .  .  .  .  .  rK .    sPse .    .
    3  .  .  .  .  .  .  .    sPne sPsw .
    2  .  .  .  .  .  .  .    .    sPne sPsw
    1  .  .  .  .  .  sK .    .    .    .";
/// The Eye on h3 reflects one half; the other leaves to the west. h4+ hits f4 after the mirrors on
/// j2, i2, i3, h4 and the Eye, and a seventh on g4.
const MIRRORS_AND_EYE: &str = "
    5  .  .  .  .  .  .  rK   .    .    .
    4  .  .  .  .  .  .  sPnw sPsw .    .
    3  .  .  .  .  .  .  .    sE\\  sPsw .
    2  .  .  .  .  .  .  .    .    sPne sPsw
    1  .  .  .  .  .  sK .    .    .    .";

#[test]
fn a_long_beam_has_six_reflections() {
    let theme = PuzzleTheme::LongBeam;
    assert!(has(theme, SIX_MIRRORS, "g4+"));
    assert!(!has(theme, SIX_MIRRORS, "f1e1"), "it hits an own piece in the back");
    assert!(!has(theme, FIVE_MIRRORS, "h4+"));
    assert!(has(theme, MIRRORS_AND_EYE, "g4+"), "the Eye counts as a mirror");
}

#[test]
fn an_eye_takes_part_if_it_splits_a_shot_or_moves() {
    let theme = PuzzleTheme::EyeOfHorus;
    assert!(has(theme, MIRRORS_AND_EYE, "g4+"));
    let idle = WIN_IN_ONE.replace("8  .", "8  rE\\");
    assert!(!has(theme, &idle, "j4+"), "an Eye that nothing meets");
    let own = STACK.replace("sOO", "sE\\");
    assert!(has(theme, &own, "e2+"));
    assert!(!has(theme, &own, "g1f1"));
}

#[test]
fn khet_2_has_sphinxes() {
    let theme = PuzzleTheme::Khet2;
    let board = STACK
        .replace("sOO", ".")
        .replace("8  . ", "8  rXs")
        .replace("1  .  .  .  .  .  .  sK .  .  .", "1  .  .  .  .  .  .  sK .  .  sXn");
    assert!(has(theme, &board, "g1f1"));
    assert!(!has(theme, STACK, "g1f1"));
}
