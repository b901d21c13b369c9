//! Proves every step of the course, and the claims of its texts, by trying every move.

use std::collections::BTreeSet;

use khet::{Color, GamePosition};

use super::attempt::{StepAttempt, StepAttemptState, StepHint};
use super::step::{CourseStep, StepGoal, StepVerdict};
use super::{COURSE, steps};
use crate::board::HintKind;
use crate::languages::{Language, Words};
use crate::rules::{Move, Position, Square};

fn step(id: &str) -> &'static CourseStep {
    steps().find(|step| step.id == id).expect(id)
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Returns the position after a move, and the side that has won by it.
fn after(position: &Position, mv: Move) -> (Position, Option<Color>) {
    let mut next = *position;
    let shot = next.play(mv).expect("a legal move");
    (next, shot.outcome.and_then(|outcome| outcome.winner))
}

/// Returns whether the side to move can win with one move.
fn can_win(position: &Position) -> bool {
    let side = position.side_to_move();
    position.legal_moves().iter().any(|mv| after(position, *mv).1 == Some(side))
}

/// Returns the first moves that a step accepts.
fn accepted(step: &CourseStep) -> Vec<String> {
    let position = step.position();
    let leads_on = |mv: &&Move| {
        !matches!(step.judge(&position, **mv, step.goal.moves()), StepVerdict::Failed(_))
    };
    position.legal_moves().iter().filter(leads_on).map(ToString::to_string).collect()
}

/// Returns whether a first move does what the task demands, by the plain rules.
fn is_right(step: &CourseStep, mv: Move) -> bool {
    let mut next = step.position();
    let shot = next.play(mv).expect("a legal move");
    let wins = shot.outcome.is_some_and(|outcome| outcome.winner == Some(Color::Silver));
    let hits_silver = shot.hits.iter().any(|hit| hit.piece.color() == Color::Silver);
    let hits = |square: khet::Square| {
        shot.hits.iter().any(|hit| hit.square.to_string() == square.to_string())
    };
    match step.goal {
        StepGoal::Pharaoh(1) => wins,
        StepGoal::Pharaoh(moves) => wins || can_win_alone(&next, moves - 1),
        StepGoal::ForcedPharaoh => {
            wins || next.outcome().is_none()
                && next.legal_moves().iter().all(|reply| {
                    let (reached, winner) = after(&next, *reply);
                    winner == Some(Color::Silver) || winner.is_none() && can_win(&reached)
                })
        }
        StepGoal::Hits(squares) => !hits_silver && squares.iter().all(|square| hits(*square)),
        StepGoal::Pieces(pieces) => {
            let text =
                |square: khet::Square| next.get(square.into()).map(|piece| piece.to_string());
            pieces.iter().all(|(square, piece)| text(*square).as_deref() == Some(*piece))
        }
        StepGoal::NoOwnHit => !hits_silver,
        StepGoal::Defence => shot.outcome.is_none() && !can_win(&next),
    }
}

/// Returns whether Silver wins with this number of moves while Red makes none.
fn can_win_alone(position: &Position, moves: u8) -> bool {
    if moves == 0 || position.outcome().is_some() {
        return false;
    }
    let position = position.after_null_move();
    position.legal_moves().iter().any(|mv| {
        let (next, winner) = after(&position, *mv);
        winner == Some(Color::Silver) || can_win_alone(&next, moves - 1)
    })
}

#[test]
fn course_has_six_chapters_and_every_step_has_its_own_name() {
    assert_eq!(COURSE.len(), 6);
    assert_eq!(steps().count(), 36);
    let mut names = BTreeSet::new();
    for step in steps() {
        assert!(names.insert(step.id), "{} is used twice", step.id);
        let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(!step.id.is_empty() && step.id.chars().all(is_plain), "{}", step.id);
    }
}

#[test]
fn a_step_accepts_exactly_the_moves_that_do_what_its_task_demands() {
    for step in steps() {
        let position = step.position();
        assert_eq!(position.side_to_move(), Color::Silver, "{}", step.id);
        assert!(position.outcome().is_none(), "{}", step.id);
        let moves = position.legal_moves();
        let right: Vec<String> =
            moves.iter().filter(|mv| is_right(step, **mv)).map(ToString::to_string).collect();
        assert_eq!(accepted(step), right, "{}", step.id);
        // Chance does not solve a step.
        let count = right.len();
        assert!(count >= 1 && count * 3 < moves.len(), "{}: {count} of {}", step.id, moves.len());
        assert!(right.contains(&step.solution[0].to_string()), "{}", step.id);
    }
}

#[test]
fn a_step_is_solved_by_its_solution_and_by_its_hints() {
    for step in steps() {
        let mut attempt = StepAttempt::new(step);
        assert_eq!(attempt.state(), StepAttemptState::ToMove, "{}", step.id);
        for text in step.solution {
            attempt.play(mv(text));
            attempt.play_reply();
        }
        // The replies of Red decide the second move of a forced hit.
        let mut hinted = StepAttempt::new(step);
        for (attempt, stars) in [(&mut attempt, 3), (&mut hinted, 1)] {
            while attempt.state() == StepAttemptState::ToMove {
                let moves_left = attempt.moves_left();
                attempt.show_hint();
                let StepHint::Piece(piece_of) = attempt.hint() else { panic!("{}", step.id) };
                assert_eq!(attempt.scene().hints.last().map(|h| h.kind), Some(HintKind::Piece));
                attempt.show_hint();
                let StepHint::Move(hint) = attempt.hint() else { panic!("{}", step.id) };
                assert_eq!(piece_of, hint, "{}", step.id);
                assert_eq!(attempt.scene().hints.last().map(|h| h.mv), Some(hint));
                attempt.play(hint);
                attempt.play_reply();
                assert_eq!(attempt.moves_left(), moves_left - 1);
            }
            assert_eq!(attempt.state(), StepAttemptState::Solved, "{}", step.id);
            assert!(attempt.scene().moves.is_empty(), "{}", step.id);
            let forced = matches!(step.goal, StepGoal::ForcedPharaoh);
            assert_eq!(attempt.stars(), if forced { 1 } else { stars }, "{}", step.id);
        }
    }
}

#[test]
fn a_reply_of_red_to_a_wrong_move_shows_why_it_is_wrong() {
    let mut refuted = 0;
    for step in steps() {
        let position = step.position();
        for mv in position.legal_moves().iter() {
            let StepVerdict::Failed(Some(reply)) = step.judge(&position, *mv, step.goal.moves())
            else {
                continue;
            };
            refuted += 1;
            let (next, _) = after(&position, *mv);
            let (reached, winner) = after(&next, reply);
            let shows = match step.goal {
                StepGoal::Defence => winner == Some(Color::Red),
                _ => winner == Some(Color::Red) || winner.is_none() && !can_win(&reached),
            };
            assert!(shows, "{}: {mv} {reply}", step.id);
        }
    }
    assert!(refuted > 100, "{refuted}");
}

#[test]
fn red_makes_the_threat_that_the_arrow_shows() {
    for step in steps() {
        let Some(threat) = step.threat else { continue };
        let position = step.position().after_null_move();
        assert_eq!(after(&position, mv(threat)).1, Some(Color::Red), "{}", step.id);
        let hints = StepAttempt::new(step).scene().hints;
        assert_eq!(hints.iter().map(|hint| hint.kind).collect::<Vec<_>>(), [HintKind::Threat]);
    }
    assert_eq!(steps().filter(|step| step.threat.is_some()).count(), 5);
}

#[test]
fn texts_name_the_moves_that_solve_a_step() {
    for (id, moves) in [
        ("beam", &["d4d5", "j5j4"][..]),
        ("diagonal", &["e5f6"]),
        ("unstack", &["e4^f4"]),
        ("long-beam", &["i6j6"]),
        ("step-aside", &["e4d3", "e4e3", "e4f3"]),
        ("shield", &["d2c1", "d2d1", "d2e1"]),
        ("turn-aside", &["b3b4", "b3c4"]),
        ("counterattack", &["j3j4"]),
        ("own-beam", &["i5j4", "i5j5"]),
        ("only-move", &["e1f2"]),
        ("load", &["c5-"]),
        ("double-threat", &["d5c4"]),
        ("quiet-move", &["d7+"]),
        ("deflection", &["d4c5"]),
        ("swap-threat", &["c4d5"]),
        ("final", &["d8+"]),
    ] {
        let mut found = accepted(step(id));
        found.sort();
        assert_eq!(found, moves, "{id}");
    }
}

/// Returns the moves that would win at once after a first move, if Red did nothing.
fn threats_after(id: &str, text: &str) -> Vec<String> {
    let position = after(&step(id).position(), mv(text)).0.after_null_move();
    let moves = position.legal_moves();
    let wins = moves.iter().filter(|mv| after(&position, **mv).1 == Some(Color::Silver));
    let mut wins: Vec<String> = wins.map(ToString::to_string).collect();
    wins.sort();
    wins
}

#[test]
fn texts_name_the_threats_of_the_last_chapter() {
    assert_eq!(threats_after("load", "c5-"), ["c5c6", "j6j5"]);
    assert_eq!(threats_after("double-threat", "d5c4"), ["c4c3", "j3j4"]);
    assert_eq!(threats_after("quiet-move", "d7+"), ["d7d6"]);
    assert_eq!(threats_after("deflection", "d4c5"), ["c5c6"]);
    assert!(threats_after("swap-threat", "c4d5").contains(&"d5d4".to_string()));
    assert_eq!(threats_after("final", "d8+"), ["d8e8", "e5d5"]);
    // Red's own beam hits the pharaoh on c8, if Red leaves it alone.
    let (position, _) = after(&step("deflection").position(), mv("d4c5"));
    assert_eq!(position.fire(Color::Red).to_string(), "xc8#");
    // It hits Red's own pyramid.
    let (position, _) = after(&step("swap-threat").position(), mv("c4d5"));
    assert_eq!(position.fire(Color::Red).to_string(), "xc4");
}

#[test]
fn long_beam_is_reflected_on_the_squares_that_its_text_names() {
    let mut position = step("long-beam").position();
    let shot = position.play(mv("i6j6")).expect("a legal move");
    let steps = shot.beams[0].steps.iter().filter(|step| step.reflection().is_some());
    let squares: Vec<String> = steps.map(|step| step.square.to_string()).collect();
    assert_eq!(squares, ["j6", "g6", "g2", "e2", "e3", "b3"]);
}

#[test]
fn hints_and_mistakes_cost_stars() {
    let mut attempt = StepAttempt::new(step("light"));
    assert_eq!(attempt.stars(), 3);
    attempt.show_hint();
    assert_eq!(attempt.stars(), 2);
    attempt.play(mv("e5+"));
    assert_eq!(attempt.state(), StepAttemptState::Failed);
    assert_eq!(attempt.stars(), 1);
    // No move counts after the failure.
    attempt.play(mv("c1c2"));
    assert_eq!(attempt.state(), StepAttemptState::Failed);
    attempt.restart();
    assert_eq!((attempt.state(), attempt.stars()), (StepAttemptState::ToMove, 1));
    assert!(attempt.is_at_start());
    attempt.play(mv("e5-"));
    assert_eq!((attempt.state(), attempt.stars()), (StepAttemptState::Solved, 1));
}

#[test]
fn texts_name_the_same_squares_in_every_language() {
    let squares = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| word.parse::<Square>().is_ok()).map(str::to_owned).collect()
    };
    for step in steps() {
        for text in [step.task, step.lesson] {
            let english = squares(text(Words::new(Language::English)));
            for language in Language::ALL {
                let other = squares(text(Words::new(language)));
                assert_eq!(other, english, "{} in {language:?}", step.id);
            }
        }
    }
}
