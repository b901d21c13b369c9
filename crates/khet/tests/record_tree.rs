//! Navigating and editing the move tree of a record.

mod random;

use khet::{
    Comment, GameError, MAX_NESTING, Move, Record, Setup, TreePath, Variation, VariationError,
};
use random::{Rng, random_position};

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn record(moves: &str) -> Record {
    format!("[Setup \"Classic\"]\n\n{moves} *\n").parse().expect("a record")
}

/// Returns the move text of a record.
fn moves(record: &Record) -> String {
    let text = record.to_string();
    let moves = text.split_once("\n\n").expect("tags and moves").1;
    moves.trim_end().trim_end_matches(" *").replace('\n', " ")
}

/// Plays moves from the start, and returns the path to the last one.
fn walk(record: &mut Record, moves: &[&str]) -> TreePath {
    moves
        .iter()
        .fold(TreePath::default(), |path, text| record.play_at(&path, mv(text)).expect("legal"))
}

#[test]
fn playing_a_known_move_changes_nothing() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let before = record.clone();
    for (moves, plies) in
        [(&["h2+", "c7c6", "h2-"][..], 3), (&["h2+", "c7c8", "h2g2"], 3), (&["h2+", "c7b6"], 2)]
    {
        let path = walk(&mut record, moves);
        assert_eq!(path.plies(), plies);
        let played: Vec<String> =
            record.game_at(&path).expect("a game").moves().iter().map(Move::to_string).collect();
        assert_eq!(played, moves);
    }
    assert_eq!(record, before);
}

#[test]
fn a_new_move_becomes_a_variation_or_extends_the_line() {
    let mut record = record("1. h2+ c7c6");
    walk(&mut record, &["h2g2", "c7c6"]);
    walk(&mut record, &["h2+", "c7c6", "h2-"]);
    walk(&mut record, &["h2+", "c7c8"]);
    assert_eq!(moves(&record), "1. h2+ (1. h2g2 c7c6) 1... c7c6 (1... c7c8) 2. h2-");
    let illegal = record.play_at(&TreePath::default(), mv("a1a2"));
    assert!(matches!(illegal, Err(GameError::Illegal(_))));
}

#[test]
fn parents_lead_out_of_variations() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 (1... c7b6 2. h2-))");
    let mut path = walk(&mut record, &["h2+", "c7b6", "h2-"]);
    let mut seen = Vec::new();
    while let Some(back) = path.parent() {
        path = back;
        assert!(record.variation_at(&path).is_some(), "{path:?}");
        seen.push(path.plies());
    }
    assert_eq!((seen, path), (vec![2, 1, 0], TreePath::default()));
    assert_eq!(record.children(&TreePath::main_line(1)).len(), 3);
}

#[test]
fn promoting_a_variation_exchanges_it_with_the_main_line() {
    let mut record = record("1. h2+ {quiet} c7c6 (1... {or} c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let path = walk(&mut record, &["h2+", "c7c8", "h2g2"]);
    let path = record.promote(&path);
    assert!(path.is_main_line() && path.plies() == 3);
    assert_eq!(
        moves(&record),
        "1. h2+ {quiet} {or} 1... c7c8 (1... c7c6 2. h2-) (1... c7b6) 2. h2g2"
    );
    // The main line can't be promoted.
    let before = record.clone();
    assert_eq!(record.promote(&path), path);
    assert_eq!(record, before);
}

#[test]
fn deleting_a_move_deletes_what_follows_and_a_variation_replaces_it() {
    let mut record = record("1. h2+ c7c6 (1... c7c8 2. h2g2) (1... c7b6) 2. h2-");
    let path = walk(&mut record, &["h2+", "c7c6"]);
    assert_eq!(record.delete(&path), TreePath::main_line(1));
    assert_eq!(moves(&record), "1. h2+ c7c8 (1... c7b6) 2. h2g2");
    let path = walk(&mut record, &["h2+", "c7b6"]);
    assert_eq!(record.delete(&path), TreePath::main_line(1));
    assert_eq!(moves(&record), "1. h2+ c7c8 2. h2g2");
    assert_eq!(record.delete(&TreePath::default()), TreePath::default());
}

#[test]
fn the_result_follows_the_board() {
    let start = "10/10/10/10/4k4P2/10/10/4K5 s".parse().expect("a position");
    let mut record = Record::new(start);
    let end = record.play_at(&TreePath::default(), mv("j4+")).expect("legal");
    assert_eq!(moves(&record), "1. j4+ xe4# 1-0");
    assert!(record.to_string().parse::<Record>().is_ok());
    let beyond = record.play_at(&end, mv("e4e5"));
    assert!(matches!(beyond, Err(GameError::Over(_))));
}

#[test]
fn variations_are_never_nested_too_deep_to_be_read() {
    let mut record = Record::new(Setup::Classic.position());
    let mut path = TreePath::default();
    let mut depths = 0;
    for _ in 0..MAX_NESTING + 3 {
        let options = record.game_at(&path).expect("a game").position().legal_moves().to_vec();
        record.play_at(&path, options[0]).expect("legal");
        let deeper = record.play_at(&path, options[1]).expect("legal");
        depths += usize::from(deeper != path);
        path = deeper;
    }
    assert_eq!(depths, MAX_NESTING);
    assert!(record.to_string().parse::<Record>().is_ok());
    // Promoting must not nest them deeper either.
    for _ in 0..MAX_NESTING {
        path = record.promote(&path);
        assert!(record.to_string().parse::<Record>().is_ok());
    }
}

#[test]
fn invalid_paths_are_rejected() {
    for text in ["", "x", "-1", "1.0", "1/1", "1.0/", "/1", "1.0.0/1", "99999999", "+1", "1.0/ 1"] {
        assert!(text.parse::<TreePath>().is_err(), "{text}");
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
        let path = text.parse().expect("a path");
        assert_eq!(record.variation_at(&path).is_some(), there, "{text}");
        assert_eq!(record.game_at(&path).is_some(), there, "{text}");
    }
}

/// Builds a game with variations, comments and marks step by step, as a person does.
fn random_record(rng: &mut Rng) -> Record {
    let mut record = Record::new(random_position(rng));
    let mut path = TreePath::default();
    for _ in 0..60 {
        let children = record.children(&path);
        match rng.below(12) {
            0..=5 => {
                let game = record.game_at(&path).expect("a game");
                let options = game.position().legal_moves().to_vec();
                if !options.is_empty() && game.outcome().is_none() {
                    let mv = options[rng.below(options.len())];
                    path = record.play_at(&path, mv).expect("legal");
                }
            }
            6 => path = path.parent().unwrap_or_default(),
            7 if !children.is_empty() => path = children[rng.below(children.len())].clone(),
            8 => path = record.promote(&path),
            9 if rng.below(3) == 0 => path = record.delete(&path),
            10 => {
                let texts = [
                    "good",
                    "[%eval 0.35] so",
                    "two\nlines",
                    "(not a variation) 1. a1a2 $1",
                    "é ≠ 日本",
                ];
                let comment = Comment::new(texts[rng.below(texts.len())]).expect("a comment");
                if let Some(comments) = record.comments_mut(&path) {
                    comments.push(comment);
                }
            }
            _ => {
                if let Some(marks) = record.marks_mut(&path) {
                    marks.push(rng.below(7) as u8);
                }
            }
        }
        assert!(record.variation_at(&path).is_some(), "{path:?} is no path of\n{record}");
        assert_eq!(path.to_string().parse(), Ok(path.clone()));
    }
    record
}

#[test]
fn a_thousand_random_trees_survive_writing_and_reading() {
    let (mut variations, mut comments) = (0, 0);
    for seed in 0..1000 {
        let record = random_record(&mut Rng::new(seed));
        let text = record.to_string();
        let read: Record = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, record);
        assert_eq!(read.to_string(), text);
        variations += text.matches('(').count();
        comments += text.matches('{').count();
    }
    assert!(variations > 2000 && comments > 2000, "{variations} variations, {comments} comments");
}

#[test]
fn added_moves_are_checked_and_spelled_canonically() {
    let mut record = record("1. h2+ c7c6");
    let before = record.clone();
    let second = TreePath::main_line(2);
    let variation = |moves: &[&str]| Variation::new(moves.iter().map(|text| mv(text)));
    let illegal = record.add_variation(&second, variation(&["h2+"]));
    assert!(matches!(illegal, Err(VariationError::Illegal(_))));
    assert_eq!(record.add_variation(&second, variation(&[])), Err(VariationError::Empty));
    let nowhere = [TreePath::default(), TreePath::main_line(3)];
    for path in nowhere {
        let added = record.add_variation(&path, variation(&["c7c8"]));
        assert_eq!(added, Err(VariationError::NoSuchMove));
    }
    assert!(matches!(
        record.set_main_line(variation(&["h2+", "h2+"])),
        Err(VariationError::Illegal(_))
    ));
    assert_eq!(record, before);

    // A djed has one rotation, written with a plus.
    record.add_variation(&second, variation(&["e5-", "h2-"])).expect("legal");
    assert_eq!(moves(&record), "1. h2+ c7c6 (1... e5+ 2. h2-)");
    record.set_main_line(variation(&["f4-"])).expect("legal");
    assert_eq!(moves(&record), "1. f4+");
}

#[test]
fn moves_nested_too_deep_are_rejected() {
    let mut record = record("1. h2+");
    let nested = |depth: usize| {
        (1..depth).fold(Variation::new([mv("h2-")]), |inner, level| {
            let mut outer = Variation::new([mv(["h2-", "h2+"][level % 2])]);
            outer.plies[0].variations.push(inner);
            outer
        })
    };
    let first = TreePath::main_line(1);
    let too_deep = record.add_variation(&first, nested(MAX_NESTING + 1));
    assert_eq!(too_deep, Err(VariationError::NestedTooDeep));
    record.add_variation(&first, nested(MAX_NESTING)).expect("deep enough");
    assert!(record.to_string().parse::<Record>().is_ok());
}
