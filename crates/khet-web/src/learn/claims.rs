//! What the texts of the lessons say about their boards, proved.

use std::collections::BTreeSet;

use khet::{BeamEnd, Color, Move, Outcome, Position, Termination};

use super::lesson::{Lesson, Players};
use super::lessons::CHAPTERS;
use super::trial::Trial;
use crate::languages::{Language, Words};

fn lessons() -> impl Iterator<Item = &'static Lesson> {
    CHAPTERS.iter().flat_map(|chapter| chapter.lessons)
}

fn lesson(anchor: &str) -> &'static Lesson {
    lessons().find(|lesson| lesson.anchor == anchor).expect(anchor)
}

fn start(anchor: &str) -> Position {
    lesson(anchor).starts[0].position()
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Whether the move may be made, exactly as it is written.
fn can(position: &Position, text: &str) -> bool {
    position.legal_moves().contains(&mv(text))
}

/// What a shot behind a move did, in notation.
fn does(position: &mut Position, text: &str) -> String {
    position.play(mv(text)).expect(text).to_string()
}

/// All lessons' answers played to their end.
fn shown(anchor: &str) -> (Trial, Vec<String>) {
    let mut trial = Trial::new(lesson(anchor));
    let mut shots = Vec::new();
    while let Some(mv) = trial.next_shown() {
        trial.play(mv);
        shots.push(trial.last().expect("it was played").1.shot.to_string());
    }
    (trial, shots)
}

fn won(winner: Color, termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), termination })
}

#[test]
fn every_board_can_be_played_and_every_answer_is_legal() {
    for lesson in lessons() {
        assert!(!lesson.starts.is_empty(), "{}", lesson.anchor);
        for start in lesson.starts {
            let position = start.position();
            assert_eq!(position.side_to_move(), Color::Silver, "{}", lesson.anchor);
            assert!(position.outcome().is_none(), "{}", lesson.anchor);
            assert!(!position.legal_moves().is_empty(), "{}", lesson.anchor);
        }
        let (trial, shots) = shown(lesson.anchor);
        assert_eq!(shots.len(), lesson.shown.len(), "{}", lesson.anchor);
        assert_eq!(trial.next_shown(), None);
    }
}

#[test]
fn anchors_are_unique() {
    let mut seen = BTreeSet::new();
    for anchor in CHAPTERS.iter().map(|c| c.anchor).chain(lessons().map(|l| l.anchor)) {
        assert!(seen.insert(anchor), "{anchor} stands twice");
        assert!(anchor.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
    }
}

#[test]
fn squares_that_texts_name_are_on_the_board_in_every_language() {
    // A slip of a translation, such as e4 for e5, would send readers to the wrong piece.
    let squares = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| word.parse::<khet::Square>().is_ok())
            .map(str::to_owned)
            .collect()
    };
    for lesson in lessons() {
        for text in lesson.text.iter().chain([&lesson.task]) {
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
    let (trial, shots) = shown("aim");
    assert_eq!(shots, ["xe8#"]);
    assert_eq!(trial.outcome(), won(Color::Silver, Termination::PharaohHit));
}

#[test]
fn board_silvers_beam_runs_up_and_hits_nothing() {
    let (trial, shots) = shown("board");
    assert_eq!(shots, [""]);
    assert_eq!(trial.last().unwrap().1.shot.beams[0].steps[0].square, khet::Square::J1);
}

#[test]
fn reserved_squares() {
    let position = start("reserved");
    for text in ["b7b8", "b7c8", "b7c7", "b7c6", "b7b6", "j5i4", "j5j6", "j5+"] {
        assert!(can(&position, text), "{text}");
    }
    for text in ["b7a8", "b7a7", "b7a6", "j5i5"] {
        assert!(!can(&position, text), "{text}");
    }
    assert_eq!(shown("reserved").1, [""]);
}

#[test]
fn moving() {
    let position = start("move");
    for to in ["c3", "c4", "c5", "d3", "d5", "e3", "e4"] {
        assert!(can(&position, &format!("d4{to}")), "{to}");
    }
    assert!(!can(&position, "d4e5"));
    assert!(can(&position, "e2e1"));
}

#[test]
fn rotating() {
    let position = start("rotate");
    assert!(can(&position, "j4+") && can(&position, "j4-") && can(&position, "f4+"));
    assert!(!can(&position, "f4-") && !can(&position, "c1+"));
    assert_eq!(does(&mut position.clone(), "c1c2"), "");
    assert_eq!(shown("rotate").1, ["xf7"]);
}

#[test]
fn swapping() {
    let position = start("swap");
    assert!(can(&position, "e4e5") && can(&position, "e4f3"));
    assert!(!can(&position, "e4d3"));
    assert_eq!(shown("swap").1, ["xe8#"]);
}

#[test]
fn stacking() {
    let position = start("stack");
    assert!(can(&position, "d3e4") && can(&position, "f3e4"));
    assert!(!can(&position, "e4f5"));
    let (trial, _) = shown("stack");
    assert!(!can(trial.position(), "f3e4"));
}

#[test]
fn unstacking() {
    let position = start("unstack");
    for text in ["e4e5", "e4^e5", "e4^f4"] {
        assert!(can(&position, text), "{text}");
    }
    assert!(!can(&position, "e4f4"));
    let (trial, _) = shown("unstack");
    assert!(can(trial.position(), "d5e4"));
}

#[test]
fn firing() {
    assert_eq!(does(&mut start("fire"), "g1g2"), "");
    assert_eq!(shown("fire").1, ["xd7"]);
}

#[test]
fn pyramid() {
    let (trial, shots) = shown("pyramid");
    assert_eq!(shots, ["", "xd5"]);
    assert!(trial.outcome().is_none());
    // Both of Red's mirrors carry the beam.
    let mut position = start("pyramid");
    let shot = position.play(mv("g1g2")).unwrap();
    let turned = |square: &str| {
        let step = shot.beams[0].steps.iter().find(|s| s.square == square.parse().unwrap());
        step.is_some_and(|step| step.leaves.is_some_and(|leaves| leaves != step.arrives))
    };
    assert!(turned("d4") && turned("d5"));
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn djed() {
    assert_eq!(does(&mut start("djed"), "c1c2"), "");
    let (trial, shots) = shown("djed");
    assert_eq!(shots, ["xh6"]);
    let squares: Vec<_> =
        trial.last().unwrap().1.shot.beams[0].steps.iter().map(|s| s.square.to_string()).collect();
    assert!(squares.contains(&"e6".to_string()));
}

#[test]
fn hits() {
    let (trial, shots) = shown("hit");
    assert_eq!(shots, ["xe5^", "xe5", "xb5#"]);
    assert_eq!(trial.outcome(), won(Color::Silver, Termination::PharaohHit));
}

#[test]
fn own_pieces() {
    assert_eq!(shown("own").1, ["xj6"]);
    assert_eq!(does(&mut start("own"), "j6i7"), "");
}

#[test]
fn own_pharaoh() {
    let (trial, shots) = shown("pharaoh");
    assert_eq!(shots, ["xe4#"]);
    assert_eq!(trial.outcome(), won(Color::Red, Termination::PharaohHit));
}

#[test]
fn repetition() {
    assert_eq!(lesson("draw").players, Players::Both);
    let (mut trial, _) = shown("draw");
    assert_eq!(trial.repetitions(), 3);
    assert!(trial.can_claim_draw());
    trial.claim_draw();
    assert_eq!(
        trial.outcome(),
        Some(Outcome { winner: None, termination: Termination::Repetition })
    );
    let mut before = Trial::new(lesson("draw"));
    for text in &lesson("draw").shown[..7] {
        before.play(mv(text));
        assert!(!before.can_claim_draw());
    }
}

#[test]
fn no_move_left() {
    let (trial, shots) = shown("stuck");
    assert_eq!(shots, [""]);
    assert_eq!(trial.outcome(), won(Color::Silver, Termination::NoLegalMove));
}

#[test]
fn editions() {
    let [standard, czech] = lesson("editions").starts else { panic!("two editions") };
    let (standard, czech) = (standard.position(), czech.position());
    assert!(can(&standard, "e4d5") && can(&standard, "e4f3"));
    assert!(can(&czech, "e4d5") && !can(&czech, "e4f3"));
}

#[test]
fn sphinx() {
    let (mut trial, shots) = shown("sphinx");
    assert_eq!(shots, ["xe6"]);
    assert!(can(trial.position(), "j1+") && !can(trial.position(), "j1-"));
    trial.play(mv("j1+"));
    assert_eq!(trial.last().unwrap().1.shot.to_string(), "");
    assert!(
        !trial
            .position()
            .legal_moves()
            .iter()
            .any(|t| *t != mv("j1-") && t.from() == "j1".parse().unwrap())
    );
}

#[test]
fn anubis() {
    assert_eq!(shown("anubis").1, ["", "xe5"]);
}

#[test]
fn scarab() {
    let position = start("scarab");
    assert!(can(&position, "e4e5") && can(&position, "e4d3"));
    assert_eq!(shown("scarab").1, ["xe8#"]);
}

#[test]
fn eye() {
    assert_eq!(does(&mut start("eye"), "c1c2"), "xb5");
    let (trial, shots) = shown("eye");
    assert_eq!(shots, ["xb5 xe7"]);
    assert_eq!(trial.last().unwrap().1.shot.beams.len(), 3);
}

#[test]
fn both_pharaohs() {
    let (trial, _) = shown("both");
    assert_eq!(
        trial.outcome(),
        Some(Outcome { winner: None, termination: Termination::PharaohHit })
    );
}

#[test]
fn sphinx_laser() {
    let (_, shots) = shown("sphinx-laser");
    assert_eq!(shots, ["xc6^"]);
}
