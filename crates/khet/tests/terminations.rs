//! Terminations: their names, and how game records keep them.

use khet::{Color, Game, GameResult, Outcome, Position, Record, Setup, Termination, TreePath};

/// Silver's laser hits Red's pharaoh after `j4+`.
const PHARAOH_IN_REACH: &str = "10/10/10/10/3k5P2/10/10/4K5 s";

fn all_outcomes() -> impl Iterator<Item = Outcome> {
    let winners = [None, Some(Color::Silver), Some(Color::Red)];
    Termination::ALL.into_iter().flat_map(move |termination| {
        winners.into_iter().map(move |winner| Outcome { winner, termination })
    })
}

#[test]
fn every_termination_has_one_name_in_kebab_case() {
    for termination in Termination::ALL {
        let name = termination.to_string();
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
        assert_eq!(name.parse(), Ok(termination));
    }
    assert!("".parse::<Termination>().is_err());
    assert!("Time".parse::<Termination>().is_err());
    assert!("time ".parse::<Termination>().is_err());
}

#[test]
fn names_of_earlier_versions_are_read() {
    use Termination as T;
    for (text, expected) in [
        // JSON and the database of the server.
        ("pharaohs-lit", T::PharaohHit),
        ("no-turn", T::NoLegalMove),
        ("left", T::Abandonment),
        // Records of the server.
        ("Silver wins: a pharaoh is lit", T::PharaohHit),
        ("Draw: both pharaohs are lit", T::PharaohHit),
        ("Red wins: no legal turn is left", T::NoLegalMove),
        ("Red wins: the other player resigned", T::Resignation),
        ("Draw: the arrangement came back, and it was claimed", T::Repetition),
        ("Draw: the players agreed", T::Agreement),
        ("Silver wins: the time ran out", T::Time),
        ("Draw: the other player left", T::Abandonment),
        ("No result: the game was aborted", T::Aborted),
        // Records of engine matches.
        ("pharaoh lit", T::PharaohHit),
        ("no turn", T::NoLegalMove),
        ("turn limit", T::MoveLimit),
        ("illegal turn", T::IllegalMove),
        ("crash", T::EngineCrash),
        ("hang", T::EngineHang),
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

#[test]
fn outcomes_are_told_in_english() {
    use Termination as T;
    for (outcome, expected) in [
        (Outcome::win(Color::Silver, T::PharaohHit), "Silver wins: Red's pharaoh was hit"),
        (Outcome::draw(T::PharaohHit), "Draw: both pharaohs were hit"),
        (Outcome::win(Color::Red, T::NoLegalMove), "Red wins: Silver has no legal move"),
        (Outcome::win(Color::Red, T::Time), "Red wins: Silver ran out of time"),
        (Outcome::draw(T::Abandonment), "Draw: a player left the game"),
        (Outcome::ABORTED, "No result: the game was aborted"),
        (Outcome::draw(T::Unspecified), "Draw"),
    ] {
        assert_eq!(outcome.to_string(), expected);
    }
}

#[test]
fn records_keep_every_outcome_that_the_board_does_not_show() {
    for outcome in all_outcomes().filter(|outcome| !outcome.termination.is_on_board()) {
        if outcome.is_aborted() && outcome.winner.is_some() {
            continue;
        }
        let mut record = Record::new(Setup::Classic.position());
        record.set_outcome(outcome);
        let text = record.to_string();
        let record: Record = text.parse().unwrap();
        assert_eq!(record.outcome(), Some(outcome), "{text}");
        assert_eq!(record.result(), outcome.result());
        let tag = record.tag("Termination");
        match outcome.termination {
            Termination::Unspecified => assert_eq!(tag, None),
            termination => assert_eq!(tag, Some(termination.name())),
        }
    }
}

#[test]
fn outcomes_of_played_games_are_read_back() {
    let mut hit = Game::new(PHARAOH_IN_REACH.parse::<Position>().unwrap());
    hit.play("j4+".parse().unwrap()).unwrap();
    let two_pharaohs: Position = "4k5/10/10/10/10/10/10/4K5 s".parse().unwrap();
    let mut resigned = Game::new(two_pharaohs);
    resigned.resign(Color::Silver).unwrap();
    let mut agreed = Game::new(Setup::Isis.position());
    agreed.offer_draw(Color::Red).unwrap();
    agreed.accept_draw(Color::Silver).unwrap();
    for game in [hit, resigned, agreed] {
        assert!(game.outcome().is_some());
        let record: Record = Record::from_game(&game).to_string().parse().unwrap();
        assert_eq!(record.outcome(), game.outcome());
    }
}

#[test]
fn records_without_a_known_termination_give_only_the_result() {
    let read = |tags: &str, result: &str| -> Option<Outcome> {
        let text = format!("{tags}[Setup \"Classic\"]\n\n1. h2+ {result}\n");
        text.parse::<Record>().unwrap().outcome()
    };
    let unspecified = Some(Outcome::win(Color::Red, Termination::Unspecified));
    assert_eq!(read("", "0-1"), unspecified);
    assert_eq!(read("[Termination \"normal\"]\n", "0-1"), unspecified);
    assert_eq!(read("", "*"), None);
    assert_eq!(read("[Termination \"time\"]\n", "*"), None);
    assert_eq!(read("[Termination \"aborted\"]\n", "*"), Some(Outcome::ABORTED));
    // Tags that contradict the result or the board.
    assert_eq!(read("[Termination \"aborted\"]\n", "0-1"), unspecified);
    assert_eq!(read("[Termination \"pharaoh-hit\"]\n", "0-1"), unspecified);
}

#[test]
fn editing_a_record_updates_the_termination_that_the_board_shows() {
    let mut game = Game::new(PHARAOH_IN_REACH.parse::<Position>().unwrap());
    game.play("j4+".parse().unwrap()).unwrap();
    let mut record = Record::from_game(&game);
    assert_eq!(record.tag("Termination"), Some("pharaoh-hit"));
    record.delete(&TreePath::main_line(1));
    assert_eq!(record.tag("Termination"), None);
    record.set_result(GameResult::Unknown);
    record.play_at(&TreePath::default(), "j4+".parse().unwrap()).unwrap();
    assert_eq!(record.outcome(), game.outcome());
    record.delete(&TreePath::main_line(1));
    record.set_outcome(Outcome::win(Color::Red, Termination::Time));
    record.play_at(&TreePath::default(), "j4+".parse().unwrap()).unwrap();
    assert_eq!(record.tag("Termination"), Some("pharaoh-hit"));
    assert_eq!(record.tag("Result"), Some("1-0"));
}

#[cfg(feature = "serde")]
#[test]
fn json_uses_the_same_names_and_reads_the_old_field() {
    for outcome in all_outcomes() {
        let json = serde_json::to_value(outcome).unwrap();
        assert_eq!(json["termination"], outcome.termination.name());
        assert_eq!(serde_json::from_value::<Outcome>(json).unwrap(), outcome);
    }
    let old = r#"{"winner":"silver","reason":"pharaohs-lit"}"#;
    let expected = Outcome::win(Color::Silver, Termination::PharaohHit);
    assert_eq!(serde_json::from_str::<Outcome>(old).unwrap(), expected);
}
