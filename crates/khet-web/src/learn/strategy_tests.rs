//! Proves the claims of the strategy guide about its boards by trying every move.

use khet::{Color, GamePosition, Setup};

use super::lesson::Lesson;
use super::strategy::STRATEGY;
use crate::rules::{Move, Position, Square};

fn lesson(anchor: &str) -> &'static Lesson {
    let mut lessons = STRATEGY.chapters.iter().flat_map(|chapter| chapter.lessons);
    lessons.find(|lesson| lesson.anchor == anchor).expect(anchor)
}

fn start(anchor: &str) -> Position {
    lesson(anchor).starts[0].position()
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Returns the position after a move, and the hits of its shot in notation.
fn after(position: &Position, mv: Move) -> (Position, String) {
    let mut next = *position;
    let shot = next.play(mv).expect("a legal move");
    (next, shot.to_string())
}

/// Plays moves, each with the hits that are expected: `"j4i3 xg8^"`.
fn play_line(start: &Position, line: &[&str]) -> Position {
    let mut position = *start;
    for text in line {
        let (text, expected) = text.split_once(' ').unwrap_or((text, ""));
        let (next, hits) = after(&position, mv(text));
        assert_eq!(hits, expected, "{text}");
        position = next;
    }
    position
}

/// Returns whether a side has won.
fn is_won_by(position: &Position, side: Color) -> bool {
    position.outcome().is_some_and(|outcome| outcome.winner == Some(side))
}

/// Returns the moves with which the side to move wins at once.
fn winning_moves(position: &Position) -> Vec<String> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let side = position.side_to_move();
    let moves = position.legal_moves();
    let wins = moves.iter().filter(|mv| is_won_by(&after(position, **mv).0, side));
    wins.map(ToString::to_string).collect()
}

/// Returns the moves that would win at once if the other side did nothing.
fn threats(position: &Position) -> Vec<String> {
    winning_moves(&position.after_null_move())
}

/// Returns the moves after which the opponent can't win at once.
fn defences(position: &Position) -> Vec<String> {
    let side = position.side_to_move();
    let holds = |mv: &&Move| {
        let next = after(position, **mv).0;
        !is_won_by(&next, !side) && winning_moves(&next).is_empty()
    };
    position.legal_moves().iter().filter(holds).map(ToString::to_string).collect()
}

/// Returns whether a move wins by force: there is a winning move after every reply.
fn wins_in_two(position: &Position, text: &str) -> bool {
    let side = position.side_to_move();
    let next = after(position, mv(text)).0;
    next.outcome().is_none()
        && next.legal_moves().iter().all(|reply| {
            let reached = after(&next, *reply).0;
            is_won_by(&reached, side) || !winning_moves(&reached).is_empty()
        })
}

/// Returns the moves that win by force in two, out of all.
fn moves_that_win_in_two(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let texts = moves.iter().map(ToString::to_string);
    texts.filter(|text| wins_in_two(position, text)).collect()
}

/// Returns the moves of the side to move whose shot hits something, with the hits.
fn hitting_moves(position: &Position) -> Vec<(String, String)> {
    let moves = position.legal_moves();
    let hits = moves.iter().map(|mv| (mv.to_string(), after(position, *mv).1));
    hits.filter(|(_, hits)| !hits.is_empty()).collect()
}

/// Returns the squares of a beam that a move fires.
fn path(position: &Position, text: &str) -> Vec<String> {
    let mut next = *position;
    let shot = next.play(mv(text)).expect(text);
    shot.beams[0].steps.iter().map(|step| step.square.to_string()).collect()
}

/// Returns the hits of the solution.
fn solution_hits(anchor: &str) -> Vec<String> {
    let mut position = start(anchor);
    let moves = lesson(anchor).solution.iter();
    let hits = moves.map(|text| {
        let (next, hits) = after(&position, mv(text));
        position = next;
        hits
    });
    hits.collect()
}

#[test]
fn two_beams() {
    let classic = Position::from(Setup::Classic.position());
    // A move elsewhere shows the beams as they are.
    let silver = path(&classic, "e1e2");
    for square in ["j4", "h4", "h5", "j5", "j8"] {
        assert!(silver.contains(&square.to_owned()), "{square}");
    }
    let red = path(&classic.after_null_move(), "f8f7");
    for square in ["a5", "c5", "c4", "a4", "a1"] {
        assert!(red.contains(&square.to_owned()), "{square}");
    }
    let after_step = path(&classic, "j4j3");
    assert!(after_step.contains(&"g3".to_owned()) && after_step.last().unwrap() == "g1");
    assert_eq!(after(&classic, mv("j4j3")).1, "");
}

#[test]
fn pieces_behind_the_beam() {
    let classic = start("behind");
    for text in ["j4i3", "j4i4", "j4i5"] {
        assert_eq!(after(&classic, mv(text)).1, "xj5", "{text}");
    }
    // Seven of Silver's first moves hit something, always a piece of its own.
    let hits = hitting_moves(&classic);
    assert_eq!(hits.len(), 7);
    for (text, hit) in hits {
        let square: Square = hit[1..3].parse().unwrap();
        let piece = classic.before_shot(mv(&text)).get(square).expect("a hit piece");
        assert_eq!(piece.color(), Color::Silver, "{text}");
    }
}

#[test]
fn laser_pyramid_chooses_the_rank() {
    let position = start("rank");
    assert_eq!(after(&position, mv("e1f1")).1, "xi4");
    assert_eq!(winning_moves(&position), ["j7j6"]);
    assert!(path(&position, "j7j6").contains(&"e6".to_owned()));
}

#[test]
fn pharaoh_steps_aside() {
    let position = start("step-aside");
    assert_eq!(winning_moves(&position.after_null_move()), ["e4e3"]);
    assert_eq!(defences(&position), ["e2f2"]);
    assert_eq!(solution_hits("step-aside"), ["", "xe1^"]);
}

#[test]
fn stack_shields_against_two_threats() {
    let position = start("shield");
    let mut threats = winning_moves(&position.after_null_move());
    threats.sort();
    assert_eq!(threats, ["a2a3", "g3g2"]);
    let mut defences = defences(&position);
    defences.sort();
    assert_eq!(defences, ["f1^g2", "f1g2"]);
    // The stack withstands two shots.
    assert_eq!(solution_hits("shield"), ["", "xg2^"]);
    play_line(&position, &["f1g2", "a2a3 xg2^", "c1c2", "h8h7 xg2"]);
    // A single obelisk withstands one.
    play_line(&position, &["f1^g2", "a2a3 xg2", "c1c2", "h8h7 xg1#"]);
}

#[test]
fn swap_wins() {
    let position = start("swap-two");
    assert_eq!(winning_moves(&position), ["e6e7"]);
    assert_eq!(solution_hits("swap-two"), ["xe8#"]);
}

#[test]
fn djed_beside_the_pharaoh_wins() {
    assert_eq!(winning_moves(&start("outpost")), ["g8f8"]);
    assert_eq!(solution_hits("outpost"), ["xe8#"]);
}

#[test]
fn quiet_preparation_wins_in_two() {
    let position = start("prepare");
    assert!(winning_moves(&position).is_empty());
    assert!(moves_that_win_in_two(&position).contains(&"i7j7".to_owned()));
    assert_eq!(threats(&after(&position, mv("i7j7")).0), ["e6e7"]);
    assert_eq!(solution_hits("prepare"), ["", "", "xd8#"]);
}

#[test]
fn three_threats_at_once() {
    let position = start("double");
    assert!(wins_in_two(&position, "f6e7"));
    let mut threats = threats(&after(&position, mv("f6e7")).0);
    threats.sort();
    assert_eq!(threats, ["f5e4", "f5f4", "i3j3"]);
    assert_eq!(solution_hits("double"), ["", "", "xf6#"]);
}

#[test]
fn free_move_while_the_laser_works() {
    let position = start("tempo");
    // The laser hits d7 with nearly every move: also with a move elsewhere.
    assert_eq!(after(&position, mv("e1e2")).1, "xd7");
    assert_eq!(moves_that_win_in_two(&position), ["c5c6"]);
    let mut threats = threats(&after(&position, mv("c5c6")).0);
    threats.sort();
    assert_eq!(threats, ["d6d7", "j7j6"]);
    assert_eq!(solution_hits("tempo"), ["xd7", "", "xc8#"]);
}

#[test]
fn opened_line_wins_in_two() {
    let position = start("open-line");
    assert_eq!(moves_that_win_in_two(&position), ["j3i2"]);
    assert_eq!(after(&position, mv("j3i2")).1, "xg5");
    assert_eq!(threats(&after(&position, mv("j3i2")).0), ["j7j6"]);
    assert_eq!(solution_hits("open-line"), ["xg5", "xe1", "xe7#"]);
}

#[test]
fn classic_first_move_makes_three_threats() {
    let classic = Position::from(Setup::Classic.position());
    let moved = play_line(&classic, &["j4j3"]);
    let threatened = moved.after_null_move();
    for line in ["f4g3 xg8^", "h2h3 xh4", "j3j2 xh4"] {
        play_line(&threatened, &[line]);
    }
    // One reply parries all of them.
    let parried = play_line(&moved, &["g3h3"]);
    let own = |hit: &str, text: &str| {
        let square: Square = hit[1..3].parse().unwrap();
        parried.before_shot(mv(text)).get(square).is_some_and(|p| p.color() == Color::Silver)
    };
    for (text, hit) in hitting_moves(&parried) {
        assert!(own(&hit, &text), "{text} {hit}");
    }
}

#[test]
fn imhotep_plan_of_both_sides() {
    let line = ["j5j6", "a4a3", "j6-", "a3-", "j4i3 xg8^", "a5b6 xd1^"];
    play_line(&Position::from(Setup::Imhotep.position()), &line);
    assert_eq!(solution_hits("imhotep"), ["", "", "", "", "xg8^", "xd1^"]);
}

#[test]
fn dynasty_traps_and_a_plan() {
    let dynasty = Position::from(Setup::Dynasty.position());
    assert_eq!(dynasty.legal_moves().len(), 70);
    let hits = hitting_moves(&dynasty);
    assert_eq!(hits.len(), 13);
    for (text, hit) in &hits {
        let square: Square = hit[1..3].parse().unwrap();
        let piece = dynasty.before_shot(mv(text)).get(square).expect("a hit piece");
        assert_eq!(piece.color(), Color::Silver, "{text}");
    }
    assert!(hits.contains(&("j3j2".to_owned(), "xe2#".to_owned())));
    let moved = play_line(&dynasty, &["h4g4"]).after_null_move();
    play_line(&moved, &["g4f4 xd4"]);
}

#[test]
fn djed_hunts_the_pharaoh() {
    let position = start("hunt");
    assert!(wins_in_two(&position, "e5d6"));
    assert_eq!(threats(&after(&position, mv("e5d6")).0), ["d6c7"]);
    assert_eq!(solution_hits("hunt"), ["", "", "xd8#"]);
}

#[test]
fn pharaoh_in_a_net() {
    let position = start("net");
    assert!(wins_in_two(&position, "j7j6"));
    let moved = after(&position, mv("j7j6")).0;
    assert_eq!(threats(&moved).len(), 7);
    assert_eq!(solution_hits("net"), ["", "", "xc7#"]);
}
