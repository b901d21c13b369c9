//! The edition `czech`, where it differs from the standard rules.

use khet::{BrokenRule, Color, Game, GameError, Rules, Setup};

use crate::drawn::{draw, is_legal, moves_of, refusal};

/// A djed with pieces of both colours around it.
const DJED_AMONG_OTHERS: &str = r"
    8  .  .  .   .    .    rK   .  .  .  .
    5  .  .  .   rPne rO   rOO  .  .  .  .
    4  .  .  .   .    sD\  .    .  .  .  .
    3  .  .  .   sPne sO   sOO  .  .  .  .
    1  .  .  .   .    sK   .    .  .  .  .";

#[test]
fn in_czech_a_djed_swaps_with_its_own_colour_only() {
    let board = draw(DJED_AMONG_OTHERS, Color::Silver).with_rules(Rules::Czech);
    assert_eq!(moves_of(&board, "e4"), ["+", "d3", "d4", "e3", "f3", "f4"]);
    for mv in ["e4d5", "e4e5", "e4f5"] {
        assert_eq!(refusal(&board, mv), BrokenRule::SwapsOwnColorOnly, "{mv}");
    }
}

#[test]
fn in_the_standard_rules_a_djed_swaps_with_both() {
    let board = draw(DJED_AMONG_OTHERS, Color::Silver);
    assert_eq!(board.rules(), Rules::Standard);
    assert_eq!(moves_of(&board, "e4"), ["+", "d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
}

#[test]
fn in_czech_a_djed_swaps_with_neither_pharaohs_nor_djeds_either() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK   .  .  .  .
        4  .  .  .   sD/  sD\  rD/  .  .  .  .
        3  .  .  .   .    sK   .    .  .  .  .",
        Color::Silver,
    );
    let board = board.with_rules(Rules::Czech);
    for mv in ["e4d4", "e4f4", "e4e3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::CannotSwapWith, "{mv}");
    }
}

#[test]
fn in_czech_own_pieces_swap_on_reserved_squares() {
    let board = draw(
        r"
        8  .   .   .  .  .    rK   .   .  .    .
        4  .   .   .  .  .    .    .   .  rPne sD\
        3  .   .   .  .  .    .    .   .  sPne .
        1  .   .   .  .  sK   .    .   .  .    .",
        Color::Silver,
    );
    let board = board.with_rules(Rules::Czech);
    assert!(is_legal(&board, "j4i3"));
    assert!(!is_legal(&board, "j4i4"));
}

const QUIET: &str = "
    8  .  .  .  .    .   rK  .  .  .  .
    1  .  .  .  .    sK  .   .  .  .  .";

fn game(rules: Rules) -> Game {
    let mut game = Game::new(draw(QUIET, Color::Silver).with_rules(rules));
    for mv in ["e1e2", "f8f7", "e2e1", "f7f8"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

#[test]
fn in_czech_a_draw_can_be_claimed_when_an_arrangement_occurs_for_the_second_time() {
    assert_eq!(Rules::Czech.draw_claim_at(), 2);
    let mut game = game(Rules::Czech);
    assert_eq!(game.repetitions(), 2);
    assert!(game.can_claim_draw());
    assert!(game.claim_draw().is_ok());
}

#[test]
fn in_the_standard_rules_the_second_time_is_too_early() {
    assert_eq!(Rules::Standard.draw_claim_at(), 3);
    let mut game = game(Rules::Standard);
    assert_eq!(game.claim_draw(), Err(GameError::NoRepetition { times: 2, needed: 3 }));
}

#[test]
fn in_czech_too_the_claim_is_gone_once_the_player_has_moved() {
    let mut game = game(Rules::Czech);
    game.play("e1d1".parse().unwrap()).unwrap();
    assert_eq!(game.claim_draw(), Err(GameError::NoRepetition { times: 1, needed: 2 }));
}

#[test]
fn the_rules_stay_the_same_through_a_game() {
    let mut position = Setup::Classic.position().with_rules(Rules::Czech);
    position.play("h2+".parse().unwrap()).unwrap();
    assert_eq!(position.rules(), Rules::Czech);
}

#[test]
fn the_editions_have_names() {
    assert_eq!(Rules::ALL.map(|rules| rules.to_string()), ["standard", "czech"]);
    assert_eq!("standard".parse(), Ok(Rules::Standard));
    assert_eq!("czech".parse(), Ok(Rules::Czech));
    assert_eq!(Rules::default(), Rules::Standard);
}
