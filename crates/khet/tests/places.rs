//! Walking through a record with its variations, and changing it.

mod random;

use khet::{Comment, GameError, MAX_NESTING, Move, Place, Record, Setup};
use random::{Rng, random_position};

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn record(moves: &str) -> Record {
    format!("[Setup \"Classic\"]\n\n{moves} *\n").parse().expect("a record")
}

/// The moves of a record as it is written.
fn moves(record: &Record) -> String {
    let text = record.to_string();
    let moves = text.split_once("\n\n").expect("tags and moves").1;
    moves.trim_end().trim_end_matches(" *").replace('\n', " ")
}

/// Walks along moves from the start.
fn walk(record: &mut Record, moves: &[&str]) -> Place {
    moves
        .iter()
        .fold(Place::default(), |place, text| record.play_at(&place, mv(text)).expect("legal"))
}

#[test]
fn a_move_that_stands_there_leads_on_and_changes_nothing() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let before = record.clone();
    for (moves, plies) in
        [(&["h2+", "c7c6", "h2-"][..], 3), (&["h2+", "c7c8", "h2g2"], 3), (&["h2+", "c7b6"], 2)]
    {
        let place = walk(&mut record, moves);
        assert_eq!(place.plies(), plies);
        let played: Vec<String> =
            record.game_at(&place).expect("a game").moves().iter().map(Move::to_string).collect();
        assert_eq!(played, moves);
    }
    assert_eq!(record, before);
}

#[test]
fn another_move_is_a_variation_and_at_the_end_it_goes_on() {
    let mut record = record("1. h2+ c7c6");
    walk(&mut record, &["h2g2", "c7c6"]);
    walk(&mut record, &["h2+", "c7c6", "h2-"]);
    walk(&mut record, &["h2+", "c7c8"]);
    assert_eq!(moves(&record), "1. h2+ (1. h2g2 c7c6) 1... c7c6 (1... c7c8) 2. h2-");
    let illegal = record.play_at(&Place::default(), mv("a1a2"));
    assert!(matches!(illegal, Err(GameError::Illegal(_))));
}

#[test]
fn the_way_back_leads_out_of_variations() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 (1... c7b6 2. h2-))");
    let mut place = walk(&mut record, &["h2+", "c7b6", "h2-"]);
    let mut seen = Vec::new();
    while let Some(back) = place.back() {
        place = back;
        assert!(record.line_at(&place).is_some(), "{place:?}");
        seen.push(place.plies());
    }
    assert_eq!((seen, place), (vec![2, 1, 0], Place::default()));
    assert_eq!(record.ways_on(&Place::in_game(1)).len(), 3);
}

#[test]
fn a_promoted_variation_is_the_line_and_all_else_stays() {
    let mut record = record("1. h2+ {quiet} c7c6 (1... {or} c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let place = walk(&mut record, &["h2+", "c7c8", "h2g2"]);
    let place = record.promote(&place);
    assert!(place.is_in_game() && place.plies() == 3);
    assert_eq!(
        moves(&record),
        "1. h2+ {quiet} {or} 1... c7c8 (1... c7c6 2. h2-) (1... c7b6) 2. h2g2"
    );
    // The game itself can't be promoted.
    let before = record.clone();
    assert_eq!(record.promote(&place), place);
    assert_eq!(record, before);
}

#[test]
fn deleting_a_move_deletes_what_follows_and_a_variation_steps_in() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let place = walk(&mut record, &["h2+", "c7c6"]);
    assert_eq!(record.delete(&place), Place::in_game(1));
    assert_eq!(moves(&record), "1. h2+ c7c8 (1... c7b6) 2. h2g2");
    let place = walk(&mut record, &["h2+", "c7b6"]);
    assert_eq!(record.delete(&place), Place::in_game(1));
    assert_eq!(moves(&record), "1. h2+ c7c8 2. h2g2");
    assert_eq!(record.delete(&Place::default()), Place::default());
}

#[test]
fn the_score_follows_the_board() {
    let start = "10/10/10/10/4k4P2/10/10/4K5 s".parse().expect("a position");
    let mut record = Record::new(start);
    let end = record.play_at(&Place::default(), mv("j4+")).expect("legal");
    assert_eq!(moves(&record), "1. j4+ xe4# 1-0");
    assert!(record.to_string().parse::<Record>().is_ok());
    let beyond = record.play_at(&end, mv("e4e5"));
    assert!(matches!(beyond, Err(GameError::Over(_))));
}

#[test]
fn variations_are_never_nested_too_deep_to_be_read() {
    let mut record = Record::new(Setup::Classic.position());
    let mut place = Place::default();
    let mut depths = 0;
    for _ in 0..MAX_NESTING + 3 {
        let options = record.game_at(&place).expect("a game").position().legal_moves().to_vec();
        record.play_at(&place, options[0]).expect("legal");
        let deeper = record.play_at(&place, options[1]).expect("legal");
        depths += usize::from(deeper != place);
        place = deeper;
    }
    assert_eq!(depths, MAX_NESTING);
    assert!(record.to_string().parse::<Record>().is_ok());
    // Promoted, they would be as deep: what can't be read is not made.
    for _ in 0..MAX_NESTING {
        place = record.promote(&place);
        assert!(record.to_string().parse::<Record>().is_ok());
    }
}

#[test]
fn what_is_no_place_is_refused() {
    for text in ["", "x", "-1", "1.0", "1/1", "1.0/", "/1", "1.0.0/1", "99999999", "+1", "1.0/ 1"] {
        assert!(text.parse::<Place>().is_err(), "{text}");
    }
    let record = record("1. h2+ c7c6 (1... c7c8)");
    for (text, there) in [
        ("2", true),
        ("3", false),
        ("1.0/1", true),
        ("1.0/0", false),
        ("1.1/1", false),
        ("0.0/1", false),
    ] {
        let place = text.parse().expect("a place");
        assert_eq!(record.line_at(&place).is_some(), there, "{text}");
        assert_eq!(record.game_at(&place).is_some(), there, "{text}");
    }
}

/// Builds a game with variations, comments and marks the way a person does, step by step.
fn built(rng: &mut Rng) -> Record {
    let mut record = Record::new(random_position(rng));
    let mut place = Place::default();
    for _ in 0..60 {
        let ways = record.ways_on(&place);
        match rng.below(12) {
            0..=5 => {
                let game = record.game_at(&place).expect("a game");
                let options = game.position().legal_moves().to_vec();
                if !options.is_empty() && game.outcome().is_none() {
                    let mv = options[rng.below(options.len())];
                    place = record.play_at(&place, mv).expect("legal");
                }
            }
            6 => place = place.back().unwrap_or_default(),
            7 if !ways.is_empty() => place = ways[rng.below(ways.len())].clone(),
            8 => place = record.promote(&place),
            9 if rng.below(3) == 0 => place = record.delete(&place),
            10 => {
                let texts = [
                    "good",
                    "[%eval 0.35] so",
                    "two\nlines",
                    "(not a variation) 1. a1a2 $1",
                    "é ≠ 日本",
                ];
                let comment = Comment::new(texts[rng.below(texts.len())]).expect("a comment");
                if let Some(ply) = record.ply_at_mut(&place) {
                    ply.comments.push(comment);
                }
            }
            _ => {
                if let Some(ply) = record.ply_at_mut(&place) {
                    ply.marks.push(rng.below(7) as u8);
                }
            }
        }
        assert!(record.line_at(&place).is_some(), "{place:?} is no place of\n{record}");
        assert_eq!(place.to_string().parse(), Ok(place.clone()));
    }
    record
}

#[test]
fn a_thousand_trees_are_read_as_they_were_written_byte_by_byte() {
    let (mut variations, mut comments) = (0, 0);
    for seed in 0..1000 {
        let record = built(&mut Rng::new(seed));
        let text = record.to_string();
        let read: Record = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, record);
        assert_eq!(read.to_string(), text);
        variations += text.matches('(').count();
        comments += text.matches('{').count();
    }
    assert!(variations > 2000 && comments > 2000, "{variations} variations, {comments} comments");
}
