//! The end of a game with a tower, and repetition.

use khet::tower::Position;
use khet::{Color, Game, GameError, Outcome, Rules, Termination};

use crate::drawn_tower::{draw, play, refusal, tower_moves};

#[test]
fn a_pharaoh_that_is_hit_on_the_upper_level_loses_the_game() {
    let mut board = draw(
        "
        8  .  .  .  .  .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPse
        1  .  .  .  .  sK .  .  .  .  .
        upper
        4  .  .  #  #  .  rK",
        Color::Silver,
    );
    let shot = play(&mut board, "j4+");
    assert_eq!(shot.to_string(), "xH4#");
    assert_eq!(shot.outcome, Some(Outcome::win(Color::Silver, Termination::PharaohHit)));
    // Then there is no move, not even of the tower.
    assert!(board.legal_moves().is_empty());
    assert_eq!(refusal(&board, "Te5"), khet::BrokenRule::GameOver);
}

#[test]
fn a_player_without_a_legal_move_loses() {
    let shut_in = "
        8  .  .  .  .    .    .    .  rK .  .
        6  .  .  .  .    .    rO   .  .  .  .
        5  .  .  .  rO   #    #    .  .  .  .
        4  .  .  .  .    #    #    rO .  .  .
        3  .  .  .  .    rO   .    .  .  .  .
        2  .  .  .  rPne rPne rPne .  .  .  .
        1  .  .  .  rPne sK   rPne .  .  .  .";
    let outcome = Outcome::win(Color::Red, Termination::NoLegalMove);
    let board = draw(shut_in, Color::Silver);
    assert_eq!(board.count_legal_moves(), 0);
    assert_eq!(board.outcome(), Some(outcome));
    assert_eq!(Game::new(board).outcome(), Some(outcome));
    // A tower that can be moved saves the player: shifted by one square, or rotated.
    let board =
        draw(&shut_in.replacen("3  .  .  .  .    rO", "3  .  .  .  .    . ", 1), Color::Silver);
    assert_eq!(tower_moves(&board), ["d3", "e3"]);
    assert_eq!(board.outcome(), None);
    let board = draw(&format!("{shut_in}\nupper\n7  rPne . . . . ."), Color::Silver);
    assert_eq!(tower_moves(&board), ["+", "-"]);
    assert_eq!(board.outcome(), None);
}

#[test]
fn the_place_of_the_tower_counts_for_repetition() {
    let start: Position = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s".parse().unwrap();
    let mut game = Game::new(start);
    game.play("Te5".parse().unwrap()).unwrap();
    assert!(!game.position().repeats(&start));
    assert_ne!(game.position().repetition_key(), start.repetition_key());
    for mv in ["e8d8", "Te4", "d8e8"] {
        assert_eq!(game.repetitions(), 1);
        game.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(game.repetitions(), 2);
    assert!(game.position().repeats(&start));
}

#[test]
fn the_third_repetition_may_be_claimed_as_a_draw_and_in_the_czech_edition_the_second() {
    for (rules, rounds) in [(Rules::Standard, 2), (Rules::Czech, 1)] {
        let start: Position = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse().unwrap();
        let mut game = Game::new(start.with_rules(rules));
        for _ in 0..rounds {
            assert!(!game.can_claim_draw());
            for mv in ["T+", "T-"] {
                game.play(mv.parse().unwrap()).unwrap();
            }
        }
        assert_eq!(game.repetitions(), rounds + 1);
        assert_eq!(game.claim_draw(), Ok(Outcome::draw(Termination::Repetition)));
        assert!(matches!(game.play("T+".parse().unwrap()), Err(GameError::Over(_))));
    }
}

#[test]
fn a_game_can_be_resigned_and_taken_back() {
    let start: Position = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse().unwrap();
    let mut game = Game::new(start);
    game.play("C2c2".parse().unwrap()).unwrap();
    assert_eq!(game.take_back().map(|mv| mv.to_string()).as_deref(), Some("C2c2"));
    assert_eq!(*game.position(), start);
    let outcome = game.resign(Color::Red).unwrap();
    assert_eq!(outcome.to_string(), "Silver wins: Red resigned");
}
