//! The ends of a game.

use khet::{BrokenRule, Color, Game, GameError, Outcome, Position, Square, Termination};

use crate::drawn::{draw, play, refusal};

const SILVER_WINS: Outcome =
    Outcome { winner: Some(Color::Silver), termination: Termination::PharaohHit };
const RED_WINS: Outcome =
    Outcome { winner: Some(Color::Red), termination: Termination::PharaohHit };

// A pharaoh is hit.

#[test]
fn the_owner_of_a_lit_pharaoh_loses() {
    let mut board = draw(
        "
        8  .  .  .  .   .   rK  .  .  .  sPse
        1  .  .  .  .   sK  .   .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "j8+");
    assert_eq!(shot.to_string(), "xf8#");
    assert_eq!(shot.outcome, Some(SILVER_WINS));
    assert_eq!(board.outcome(), Some(SILVER_WINS));
    assert_eq!(board.pharaoh(Color::Red), None);
}

#[test]
fn red_wins_by_hitting_silvers_pharaoh() {
    let mut board = draw(
        "
        8  .    .  .  .   .   rK  .  .  .  .
        1  rPnw .  .  .   sK  .   .  .  .  .",
        Color::Red,
    );
    let shot = play(&mut board, "a1+");
    assert_eq!(shot.to_string(), "xe1#");
    assert_eq!(shot.outcome, Some(RED_WINS));
}

#[test]
fn a_player_who_hits_the_own_pharaoh_loses() {
    let mut board = draw(
        "
        8  .  .  .  .   .   rK  .  .  .  .
        1  .  .  .  .   sK  .   .  .  .  sPse",
        Color::Silver,
    );
    let shot = play(&mut board, "j1+");
    assert_eq!(shot.to_string(), "xe1#");
    assert_eq!(shot.outcome, Some(RED_WINS));
    assert_eq!(shot.outcome.unwrap().result().text(), "0-1");
}

#[test]
fn a_pharaoh_may_step_into_its_own_beam_and_lose() {
    let mut board = draw(
        "
        8  .  .  .  .   .   rK  .  .  .  .
        4  .  .  .  .   .   .   .  .  sK .",
        Color::Silver,
    );
    let shot = play(&mut board, "i4j4");
    assert_eq!(shot.to_string(), "xj4#");
    assert_eq!(shot.outcome, Some(RED_WINS));
}

#[test]
fn a_pharaoh_behind_another_piece_is_not_lit() {
    let mut board = draw(
        "
        8  .  .  .  .   .   rK  rO .  .  sPse
        1  .  .  .  .   sK  .   .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "j8+");
    assert_eq!(shot.to_string(), "xg8");
    assert_eq!(shot.outcome, None);
}

#[test]
fn there_are_no_legal_moves_when_the_game_is_over() {
    let mut board = draw(
        "
        8  .  .  .  rPne .   rK  .  .  .  sPse
        1  .  .  .  .    sK  .   .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "j8+");
    assert_eq!(board.legal_moves().len(), 0);
    assert_eq!(refusal(&board, "d8+"), BrokenRule::GameOver);

    let mut game = Game::new(draw(
        "
        8  .  .  .  rPne .   rK  .  .  .  sPse
        1  .  .  .  .    sK  .   .  .  .  .",
        Color::Silver,
    ));
    game.play("j8+".parse().unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(SILVER_WINS));
    let over = GameError::Over(SILVER_WINS);
    assert_eq!(game.play("d8+".parse().unwrap()), Err(over));
    assert_eq!(game.resign(Color::Silver), Err(over));
    assert_eq!(game.claim_draw(), Err(over));
    assert_eq!(game.offer_draw(Color::Red), Err(over));
}

// No legal move.

/// Silver's pharaoh alone, with one free square: c2. Red's laser hits nothing.
const NEARLY_HEMMED_IN: &str = "
    8  .  .    .    .    .   rK  .  .  .  .
    3  .  .    .    rPne .   .   .  .  .  .
    2  .  rPne .    .    .   .   .  .  .  .
    1  .  sK   rPne .    .   .   .  .  .  .";

#[test]
fn a_player_without_a_legal_move_loses() {
    let mut board = draw(NEARLY_HEMMED_IN, Color::Red);
    let shot = play(&mut board, "d3c2");
    let outcome = Outcome { winner: Some(Color::Red), termination: Termination::NoLegalMove };
    assert_eq!(board.legal_moves().len(), 0);
    assert_eq!(shot.outcome, Some(outcome));
    assert_eq!(board.outcome(), Some(outcome));
    assert_eq!(board.pharaoh(Color::Silver), Some(Square::B1));
}

#[test]
fn a_side_with_nothing_but_its_pharaoh_plays_on_while_it_has_a_move() {
    let mut board = draw(NEARLY_HEMMED_IN, Color::Red);
    assert_eq!(play(&mut board, "d3d2").outcome, None);
    let moves = board.legal_moves();
    assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b1c2"]);
}

#[test]
fn a_game_from_a_position_without_a_move_is_over_at_once() {
    let hemmed_in = "
        8  .  .    .    .    .   rK  .  .  .  .
        2  .  rPne rPne .    .   .   .  .  .  .
        1  .  sK   rPne .    .   .   .  .  .  .";
    let mut game = Game::new(draw(hemmed_in, Color::Silver));
    let outcome = Outcome { winner: Some(Color::Red), termination: Termination::NoLegalMove };
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(game.play("b1c2".parse().unwrap()), Err(GameError::Over(outcome)));
    // With Red to move it is an ordinary position.
    assert_eq!(Game::new(draw(hemmed_in, Color::Red)).outcome(), None);
}

#[test]
fn an_obelisk_can_be_hemmed_in_too_but_a_pyramid_can_rotate() {
    let drawing = "
        8  .  .    .    .    .   rK  .  .  .  .
        2  .  rPne rPne rPne .   .   .  .  .  .
        1  .  sK   ?    rPne .   .   .  .  .  .";
    let obelisk = draw(&drawing.replace('?', "sO"), Color::Silver);
    assert_eq!(obelisk.outcome().unwrap().termination, Termination::NoLegalMove);
    let stack = draw(&drawing.replace('?', "sOO"), Color::Silver);
    assert_eq!(stack.outcome().unwrap().termination, Termination::NoLegalMove);

    let pyramid = draw(&drawing.replace('?', "sPne"), Color::Silver);
    assert_eq!(pyramid.outcome(), None);
    assert_eq!(pyramid.legal_moves().len(), 2);
}

#[test]
fn a_side_with_a_djed_a_scarab_or_an_eye_always_has_a_move() {
    let drawing = "
        8  ?x .    .    .    .   rK  .  .  .  .
        2  .  rPne rPne rPne .   .   .  .  .  .
        1  .  sK   ?    rPne .   .   .  .  .  ?X";
    for (cell, sphinxes) in [(r"sD\", false), (r"sE\", false), (r"sS\", true)] {
        let (red, silver) = if sphinxes { ("rXs", "sXn") } else { (".", ".") };
        let drawing = drawing.replace("?x", red).replace("?X", silver).replace('?', cell);
        let board = draw(&drawing, Color::Silver);
        assert_eq!(board.outcome(), None, "{cell}");
        assert!(board.legal_moves().contains(&"c1+".parse().unwrap()), "{cell}");
    }
}

// Threefold repetition.

/// Pharaohs that can walk about, and a pyramid each; no beam hits anything.
const QUIET: &str = "
    8  .  .  .  .    .   rK  .  .  .  .
    7  .  .  .  rPne .   .   .  .  .  .
    2  .  .  .  .    .   .   sPne .  .  .
    1  .  .  .  .    sK  .   .  .  .  .";

#[track_caller]
fn play_all(game: &mut Game, moves: &str) {
    for mv in moves.split_whitespace() {
        assert_eq!(game.play(mv.parse().unwrap()).unwrap().hits, []);
    }
}

/// There and back: the same arrangement with the same player to move.
const ROUND: &str = "e1e2 f8f7 e2e1 f7f8";

#[test]
fn a_draw_can_be_claimed_when_an_arrangement_occurs_for_the_third_time_the_start_counted() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    assert_eq!(game.repetitions(), 1);
    play_all(&mut game, ROUND);
    assert_eq!(game.repetitions(), 2);
    assert!(!game.can_claim_draw());
    assert_eq!(game.claim_draw(), Err(GameError::NoRepetition { times: 2, needed: 3 }));

    play_all(&mut game, ROUND);
    assert_eq!(game.repetitions(), 3);
    assert!(game.can_claim_draw());
    let draw = Outcome { winner: None, termination: Termination::Repetition };
    assert_eq!(game.claim_draw(), Ok(draw));
    assert_eq!(game.outcome(), Some(draw));
    assert_eq!(draw.result().text(), "1/2-1/2");
}

#[test]
fn repetition_ignores_the_side_to_move() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    // Silver goes round in three moves while Red goes there and back in two.
    play_all(&mut game, "e1e2 f8f7 e2f1 f7f8 f1e1");
    assert_eq!(game.position().side_to_move(), Color::Red);
    assert!(game.position().repeats(game.start()));
    assert_eq!(game.position().repetition_key(), game.start().repetition_key());
    assert_eq!(game.repetitions(), 2);
    // Now with the colours exchanged.
    play_all(&mut game, "f8f7 e1e2 f7e8 e2e1 e8f8");
    assert_eq!(game.position().side_to_move(), Color::Silver);
    assert_eq!(game.repetitions(), 3);
    assert!(game.can_claim_draw());
}

#[test]
fn red_can_claim_when_it_is_reds_turn() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    play_all(&mut game, "g2g3"); // this arrangement will come back
    play_all(&mut game, "f8f7 e1e2 f7f8 e2e1 f8f7 e1e2 f7f8 e2e1");
    assert_eq!(game.position().side_to_move(), Color::Red);
    assert_eq!(game.repetitions(), 3);
    assert!(game.claim_draw().is_ok());
}

#[test]
fn the_arrangements_need_not_follow_each_other() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    play_all(&mut game, "e1e2 f8f7 e2e1 f7f8"); // second time
    play_all(&mut game, "e1d1 f8g8 d1c1 g8h8 c1d1 h8g8 d1e1 g8f8"); // a long way round
    assert_eq!(game.repetitions(), 3);
    assert!(game.can_claim_draw());
}

#[test]
fn an_arrangement_with_a_rotated_piece_is_another_one() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    play_all(&mut game, "g2+ d7+ g2+ d7+");
    // The pieces stand on the same squares all the time.
    assert_eq!(game.repetitions(), 1);
    play_all(&mut game, "g2+ d7+ g2+ d7+");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn an_arrangement_with_two_pieces_exchanged_is_the_same_if_they_are_alike() {
    let mut game = Game::new(draw(
        "
        8  .  .  .  .    .   rK  .  .  .  .
        2  .  .  .  sPne sPne .   .   .  .  .
        1  .  .  .  .    sK  .   .  .  .  .",
        Color::Silver,
    ));
    play_all(&mut game, "d2d3 f8f7 e2d2 f7f8 d3e2");
    assert!(game.position().repeats(game.start()));
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn an_arrangement_with_other_colours_is_another_one() {
    // All squares and forms are the same, once as Silver's and once as Red's.
    let one = draw(
        "
        6  .  .  .  .    rK  sPne .   .   .  .
        3  .  .  .  .    sK  rPne .   .   .  .",
        Color::Silver,
    );
    let other = draw(
        "
        6  .  .  .  .    rK  rPne .   .   .  .
        3  .  .  .  .    sK  sPne .   .   .  .",
        Color::Silver,
    );
    assert!(!one.repeats(&other));
    assert_ne!(one.repetition_key(), other.repetition_key());
}

#[test]
fn the_claim_is_a_right_and_not_automatic() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    for _ in 0..4 {
        play_all(&mut game, ROUND);
    }
    assert_eq!(game.outcome(), None);
    assert_eq!(game.repetitions(), 5);
    assert!(game.can_claim_draw());
}

#[test]
fn the_claim_is_gone_once_the_player_has_moved() {
    let mut game = Game::new(draw(QUIET, Color::Silver));
    play_all(&mut game, ROUND);
    play_all(&mut game, ROUND);
    assert!(game.can_claim_draw());
    play_all(&mut game, "e1d2");
    assert!(!game.can_claim_draw());
    assert_eq!(game.claim_draw(), Err(GameError::NoRepetition { times: 1, needed: 3 }));
}

// Agreement and resignation.

fn quiet_game() -> Game {
    Game::new(draw(QUIET, Color::Silver))
}

#[test]
fn a_draw_that_is_offered_can_be_accepted() {
    let mut game = quiet_game();
    assert_eq!(game.offer_draw(Color::Silver), Ok(None));
    assert_eq!(game.draw_offer(), Some(Color::Silver));
    let agreed = Outcome { winner: None, termination: Termination::Agreement };
    assert_eq!(game.accept_draw(Color::Red), Ok(agreed));
    assert_eq!(game.outcome(), Some(agreed));
    assert_eq!(game.draw_offer(), None);
}

#[test]
fn two_offers_are_an_agreement() {
    let mut game = quiet_game();
    assert_eq!(game.offer_draw(Color::Red), Ok(None));
    let agreed = Outcome { winner: None, termination: Termination::Agreement };
    assert_eq!(game.offer_draw(Color::Silver), Ok(Some(agreed)));
    assert_eq!(game.outcome(), Some(agreed));
}

#[test]
fn a_player_accepts_only_an_offer_of_the_other_player() {
    let mut game = quiet_game();
    assert_eq!(game.accept_draw(Color::Red), Err(GameError::NoDrawOffer));
    game.offer_draw(Color::Red).unwrap();
    assert_eq!(game.accept_draw(Color::Red), Err(GameError::NoDrawOffer));
    assert_eq!(game.offer_draw(Color::Red), Ok(None));
    assert_eq!(game.outcome(), None);
}

#[test]
fn an_offer_lapses_when_the_other_player_moves() {
    let mut game = quiet_game();
    game.offer_draw(Color::Silver).unwrap();
    play_all(&mut game, "e1e2");
    assert_eq!(game.draw_offer(), Some(Color::Silver));
    play_all(&mut game, "f8f7");
    assert_eq!(game.draw_offer(), None);
    assert_eq!(game.accept_draw(Color::Red), Err(GameError::NoDrawOffer));
}

#[test]
fn no_offer_stands_when_the_game_is_over() {
    let mut game = Game::new(draw(
        "
        8  .  .  .  .   .   rK  .  .  .  sPse
        1  .  .  .  .   sK  .   .  .  .  .",
        Color::Silver,
    ));
    game.offer_draw(Color::Silver).unwrap();
    game.play("j8+".parse().unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(SILVER_WINS));
    assert_eq!(game.draw_offer(), None);
}

#[test]
fn a_player_may_resign_in_either_players_turn() {
    for loser in Color::ALL {
        let mut game = quiet_game();
        let outcome = Outcome { winner: Some(!loser), termination: Termination::Resignation };
        assert_eq!(game.resign(loser), Ok(outcome));
        assert_eq!(game.outcome(), Some(outcome));
        assert_eq!(game.play("e1e2".parse().unwrap()), Err(GameError::Over(outcome)));
    }
}

#[test]
fn a_move_that_is_not_legal_leaves_the_game_as_it_was() {
    let mut game = quiet_game();
    let before = game.clone();
    let Err(GameError::Illegal(error)) = game.play("e1e3".parse().unwrap()) else {
        panic!("e1e3 was played")
    };
    assert_eq!(error.rule, BrokenRule::NotANeighbor);
    assert_eq!(game, before);
}

#[test]
fn a_move_that_is_taken_back_was_never_played() {
    let mut game = Game::new(draw(
        "
        8  .  .  .  .   .   rK  .  .  .  sPse
        1  .  .  .  .   sK  .   .  .  .  .",
        Color::Silver,
    ));
    let start: Position = *game.position();
    game.play("j8+".parse().unwrap()).unwrap();
    assert_eq!(game.take_back(), Some("j8+".parse().unwrap()));
    assert_eq!(game.outcome(), None);
    assert_eq!(*game.position(), start);
    assert_eq!(game.repetitions(), 1);
    assert_eq!(game.take_back(), None);
}
