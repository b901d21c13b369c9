//! Checks the claims of the lesson texts about their boards.

use std::collections::BTreeSet;

use khet::{BeamEnd, Color, GamePosition, Outcome, Termination};

use super::lesson::{Lesson, Players};
use super::lesson_game::LessonGame;
use super::lessons::RULES;
use super::strategy::STRATEGY;
use crate::languages::{Language, Words};
use crate::rules::{Move, Position, Square};

/// Returns the lessons of the rules and of the strategy guide.
fn lessons() -> impl Iterator<Item = &'static Lesson> {
    RULES.chapters.iter().chain(STRATEGY.chapters).flat_map(|chapter| chapter.lessons)
}

pub(super) fn lesson(anchor: &str) -> &'static Lesson {
    lessons().find(|lesson| lesson.anchor == anchor).expect(anchor)
}

pub(super) fn start(anchor: &str) -> Position {
    lesson(anchor).starts[0].position()
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Returns whether exactly this move is legal.
pub(super) fn is_legal(position: &Position, text: &str) -> bool {
    position.legal_moves().contains(&mv(text))
}

/// Plays a move. Returns the hits of its shot in notation.
pub(super) fn play(position: &mut Position, text: &str) -> String {
    position.play(mv(text)).expect(text).to_string()
}

/// Plays the solution of a lesson. Returns the game and the hits of each shot.
pub(super) fn play_solution(anchor: &str) -> (LessonGame, Vec<String>) {
    let mut game = LessonGame::new(lesson(anchor));
    let mut shots = Vec::new();
    while let Some(mv) = game.next_solution_move() {
        game.play(mv);
        shots.push(game.last().expect("it was played").1.shot.to_string());
    }
    (game, shots)
}

pub(super) fn won(winner: Color, termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), termination })
}

#[test]
fn a_lesson_is_solved_by_its_solution_and_by_the_same_hits() {
    for lesson in lessons().filter(|lesson| !lesson.solution.is_empty()) {
        assert!(!LessonGame::new(lesson).is_solved(), "{} at its start", lesson.anchor);
        assert!(play_solution(lesson.anchor).0.is_solved(), "{}", lesson.anchor);
    }
    let solves = |mv: &&Move| {
        let mut game = LessonGame::new(lesson("aim"));
        game.play(**mv);
        game.is_solved()
    };
    let position = start("aim");
    let moves = position.legal_moves();
    let solving = moves.iter().filter(solves).count();
    assert!(solving >= 1 && solving < moves.len(), "{solving} of {}", moves.len());
}

#[test]
fn every_start_is_playable_and_every_solution_is_legal() {
    for lesson in lessons() {
        assert!(!lesson.starts.is_empty(), "{}", lesson.anchor);
        for start in lesson.starts {
            let position = start.position();
            assert_eq!(position.side_to_move(), Color::Silver, "{}", lesson.anchor);
            assert!(position.outcome().is_none(), "{}", lesson.anchor);
            assert!(!position.legal_moves().is_empty(), "{}", lesson.anchor);
        }
        let (game, shots) = play_solution(lesson.anchor);
        assert_eq!(shots.len(), lesson.solution.len(), "{}", lesson.anchor);
        assert_eq!(game.next_solution_move(), None);
    }
}

#[test]
fn rules_document_shows_every_setup() {
    let document = include_str!("../../../../docs/rules.md");
    for setup in khet::AnySetup::all() {
        let position = setup.position().to_string();
        let is_shown = |line: &str| line.starts_with(setup.name()) && line.contains(&position);
        assert!(document.lines().any(is_shown), "{setup} {position}");
    }
}

#[test]
fn anchors_are_unique() {
    for guide in [&RULES, &STRATEGY] {
        let mut seen = BTreeSet::new();
        for chapter in guide.chapters {
            let lessons = chapter.lessons.iter().map(|lesson| lesson.anchor);
            let notes = chapter.notes.iter().map(|note| note.anchor);
            for anchor in lessons.chain(notes).chain([chapter.anchor]) {
                assert!(seen.insert(anchor), "{anchor} is used twice");
                let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                assert!(!anchor.is_empty() && anchor.chars().all(is_plain), "{anchor}");
            }
        }
    }
}

#[test]
fn anchors_of_earlier_versions_still_exist() {
    let chapters = RULES.chapters.iter().map(|chapter| chapter.anchor);
    let anchors: Vec<&str> = lessons().map(|lesson| lesson.anchor).chain(chapters).collect();
    for anchor in [
        "idea",
        "turn",
        "beam",
        "end",
        "ways",
        "khet2",
        "expansions",
        "kadesh",
        "aim",
        "board",
        "reserved",
        "move",
        "rotate",
        "swap",
        "stack",
        "unstack",
        "fire",
        "pyramid",
        "djed",
        "hit",
        "own",
        "pharaoh",
        "draw",
        "stuck",
        "setups",
        "editions",
        "sphinx",
        "anubis",
        "scarab",
        "khet2-setups",
        "eye",
        "both",
        "eye-setups",
        "sphinx-laser",
    ] {
        assert!(anchors.contains(&anchor), "{anchor}");
    }
}

#[test]
fn texts_name_the_same_squares_in_every_language() {
    // A mistake in a translation, such as e4 for e5, would send readers to the wrong piece.
    let squares = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| word.parse::<Square>().is_ok())
            .map(str::to_owned)
            .collect()
    };
    for lesson in lessons() {
        for text in lesson.text.iter().chain(lesson.more).chain([&lesson.task]) {
            let english = squares(text(Words::new(Language::English)));
            for language in Language::ALL {
                assert_eq!(
                    squares(text(Words::new(language))),
                    english,
                    "{} in {language:?}",
                    lesson.anchor
                );
            }
        }
    }
}

#[test]
fn aim() {
    let (game, shots) = play_solution("aim");
    assert_eq!(shots, ["xe8#"]);
    assert_eq!(game.outcome(), won(Color::Silver, Termination::PharaohHit));
}

#[test]
fn board_silvers_beam_starts_at_j1_and_hits_nothing() {
    let (game, shots) = play_solution("board");
    assert_eq!(shots, [""]);
    assert_eq!(game.last().unwrap().1.shot.beams[0].steps[0].square, khet::Square::J1.into());
}

#[test]
fn reserved_squares() {
    let position = start("reserved");
    for text in ["b7b8", "b7c8", "b7c7", "b7c6", "b7b6", "j5i4", "j5j6", "j5+"] {
        assert!(is_legal(&position, text), "{text}");
    }
    for text in ["b7a8", "b7a7", "b7a6", "j5i5"] {
        assert!(!is_legal(&position, text), "{text}");
    }
    assert_eq!(play_solution("reserved").1, [""]);
}

#[test]
fn moving() {
    let position = start("move");
    for to in ["c3", "c4", "c5", "d3", "d5", "e3", "e4"] {
        assert!(is_legal(&position, &format!("d4{to}")), "{to}");
    }
    assert!(!is_legal(&position, "d4e5"));
    assert!(is_legal(&position, "e2e1"));
}

#[test]
fn rotating() {
    let position = start("rotate");
    assert!(is_legal(&position, "j4+") && is_legal(&position, "j4-") && is_legal(&position, "f4+"));
    assert!(!is_legal(&position, "f4-") && !is_legal(&position, "c1+"));
    assert_eq!(play(&mut position.clone(), "c1c2"), "");
    assert_eq!(play_solution("rotate").1, ["xf7"]);
}

#[test]
fn swapping() {
    let position = start("swap");
    assert!(is_legal(&position, "e4e5") && is_legal(&position, "e4f3"));
    assert!(!is_legal(&position, "e4d3"));
    assert_eq!(play_solution("swap").1, ["xe8#"]);
}

#[test]
fn stacking() {
    let position = start("stack");
    assert!(is_legal(&position, "d3e4") && is_legal(&position, "f3e4"));
    assert!(!is_legal(&position, "e4f5"));
    let (game, _) = play_solution("stack");
    assert!(!is_legal(game.position(), "f3e4"));
}

#[test]
fn unstacking() {
    let position = start("unstack");
    for text in ["e4e5", "e4^e5", "e4^f4"] {
        assert!(is_legal(&position, text), "{text}");
    }
    assert!(!is_legal(&position, "e4f4"));
    let (game, _) = play_solution("unstack");
    assert!(is_legal(game.position(), "d5e4"));
}

#[test]
fn firing() {
    assert_eq!(play(&mut start("fire"), "g1g2"), "");
    assert_eq!(play_solution("fire").1, ["xd7"]);
}

#[test]
fn pyramid() {
    let (game, shots) = play_solution("pyramid");
    assert_eq!(shots, ["", "xd5"]);
    assert!(game.outcome().is_none());
    // Both of Red's pyramids reflect the beam.
    let mut position = start("pyramid");
    let shot = position.play(mv("g1g2")).unwrap();
    let reflects = |square: &str| {
        let step = shot.beams[0].steps.iter().find(|s| s.square == square.parse().unwrap());
        step.is_some_and(|step| step.leaves.is_some_and(|leaves| leaves != step.arrives))
    };
    assert!(reflects("d4") && reflects("d5"));
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn djed() {
    assert_eq!(play(&mut start("djed"), "c1c2"), "");
    let (game, shots) = play_solution("djed");
    assert_eq!(shots, ["xh6"]);
    let squares: Vec<_> =
        game.last().unwrap().1.shot.beams[0].steps.iter().map(|s| s.square.to_string()).collect();
    assert!(squares.contains(&"e6".to_string()));
}

#[test]
fn obelisk_shields() {
    // Without the shield Red's next shot hits the pharaoh.
    let mut position = start("obelisk");
    assert_eq!(play(&mut position, "h2h3"), "");
    assert_eq!(play(&mut position, "g8g7"), "xe4#");
    let (game, shots) = play_solution("obelisk");
    assert_eq!(shots, ["", "xd4^", "", "xd4"]);
    assert!(game.outcome().is_none());
}

#[test]
fn hits() {
    let (game, shots) = play_solution("hit");
    assert_eq!(shots, ["xe5^", "xe5", "xb5#"]);
    assert_eq!(game.outcome(), won(Color::Silver, Termination::PharaohHit));
}

#[test]
fn own_pieces() {
    assert_eq!(play_solution("own").1, ["xj6"]);
    assert_eq!(play(&mut start("own"), "j6i7"), "");
}

#[test]
fn own_pharaoh() {
    let (game, shots) = play_solution("pharaoh");
    assert_eq!(shots, ["xe4#"]);
    assert_eq!(game.outcome(), won(Color::Red, Termination::PharaohHit));
}

#[test]
fn repetition() {
    assert_eq!(lesson("draw").players, Players::Both);
    let (mut game, _) = play_solution("draw");
    assert_eq!(game.repetitions(), 3);
    assert!(game.can_claim_draw());
    game.claim_draw();
    assert_eq!(
        game.outcome(),
        Some(Outcome { winner: None, termination: Termination::Repetition })
    );
    let mut before = LessonGame::new(lesson("draw"));
    for text in &lesson("draw").solution[..7] {
        before.play(mv(text));
        assert!(!before.can_claim_draw());
    }
}

#[test]
fn no_move_left() {
    let (game, shots) = play_solution("stuck");
    assert_eq!(shots, [""]);
    assert_eq!(game.outcome(), won(Color::Silver, Termination::NoLegalMove));
}

#[test]
fn editions() {
    let [standard, czech] = lesson("editions").starts else { panic!("two editions") };
    let (standard, czech) = (standard.position(), czech.position());
    assert!(is_legal(&standard, "e4d5") && is_legal(&standard, "e4f3"));
    assert!(is_legal(&czech, "e4d5") && !is_legal(&czech, "e4f3"));
}

#[test]
fn sphinx() {
    let (mut game, shots) = play_solution("sphinx");
    assert_eq!(shots, ["xe6"]);
    assert!(is_legal(game.position(), "j1+") && !is_legal(game.position(), "j1-"));
    game.play(mv("j1+"));
    assert_eq!(game.last().unwrap().1.shot.to_string(), "");
    assert!(
        !game
            .position()
            .legal_moves()
            .iter()
            .any(|t| *t != mv("j1-") && t.squares().unwrap()[0] == "j1".parse().unwrap())
    );
}

#[test]
fn anubis() {
    assert_eq!(play_solution("anubis").1, ["", "xe5"]);
}

#[test]
fn scarab() {
    let position = start("scarab");
    assert!(is_legal(&position, "e4e5") && is_legal(&position, "e4d3"));
    assert_eq!(play_solution("scarab").1, ["xe8#"]);
}

#[test]
fn eye() {
    assert_eq!(play(&mut start("eye"), "c1c2"), "xb5");
    let (game, shots) = play_solution("eye");
    assert_eq!(shots, ["xb5 xe7"]);
    assert_eq!(game.last().unwrap().1.shot.beams.len(), 3);
}

#[test]
fn both_pharaohs() {
    let (game, _) = play_solution("both");
    assert_eq!(
        game.outcome(),
        Some(Outcome { winner: None, termination: Termination::PharaohHit })
    );
}

#[test]
fn sphinx_laser() {
    let (_, shots) = play_solution("sphinx-laser");
    assert_eq!(shots, ["xc6^"]);
}
