//! Saved sessions: game records with additional tags.

use std::time::Duration;

use khet::{Clock, Color, Comment, GamePosition, ParseRecordError, Rules, TimeControl, TreePath};

use super::game_text::{self, GameText};
use super::session::{GameSession, Mode, local_clock};
use crate::rules::{ParsePositionError, Position, Record};

/// The tag for the mode: `computer 4 silver practice`, `table turning pausing paused`. Saved games
/// of all versions use these words.
const MODE_TAG: &str = "Mode";
/// The tag for the name under which the start position was published.
const SETUP_NAME_TAG: &str = "SetupName";
/// The name of a player who gave none.
const UNNAMED: &str = "Player";
/// The tag for the remaining times in milliseconds: `181250 204000`.
const CLOCKS_TAG: &str = "Clocks";

/// Returns the game record for export.
pub fn record(session: &GameSession, date: &str) -> Record {
    let mut record = Record::from_game(session.game());
    let name = |color: Color| match session.mode() {
        Mode::Computer { level, person, .. } if person != color => format!("Computer {level}"),
        _ if session.name(color).is_empty() => UNNAMED.to_string(),
        _ => session.name(color).to_string(),
    };
    let mut tags = vec![
        ("Event", "Casual game".to_string()),
        ("Site", "khet".to_string()),
        ("Date", date.to_string()),
        ("Silver", name(Color::Silver)),
        ("Red", name(Color::Red)),
    ];
    if !session.start_name().is_empty() {
        tags.push((SETUP_NAME_TAG, session.start_name().to_string()));
    }
    if session.clock().is_some() {
        record.set_time_control(session.time_control());
        let first = session.game().start().side_to_move() as usize;
        for (ply, times) in session.times().iter().enumerate() {
            if let Some(comments) = record.comments_mut(&TreePath::main_line(ply + 1)) {
                comments.push(Comment::from_clock(times[(first + ply) % 2]));
            }
        }
    }
    if let Some(outcome) = session.outcome() {
        record.set_outcome(outcome);
    }
    for (tag, value) in tags {
        // These tags are valid; without one the record would still be complete.
        let _ = record.set_tag(tag, &value);
    }
    record
}

/// Returns the text form of a session.
pub fn write(session: &GameSession, date: &str, now: Duration) -> String {
    let mut record = record(session, date);
    let mode = match session.mode() {
        Mode::Computer { level, person, practice } => {
            let practice = if practice { " practice" } else { "" };
            format!("computer {level} {person}{practice}")
        }
        Mode::Hotseat { flips_board, pauses_when_hidden } => {
            let flips = if flips_board { " turning" } else { "" };
            let pauses = if pauses_when_hidden { " pausing" } else { "" };
            let paused = if session.is_paused() { " paused" } else { "" };
            format!("table{flips}{pauses}{paused}")
        }
        // Does not occur: the server stores online games.
        Mode::Online { .. } => "table".to_string(),
    };
    let mut tags = vec![(MODE_TAG, mode)];
    if let Some(clock) = session.clock() {
        let [silver, red] = clock.times(now).map(|left| left.as_millis());
        tags.push((CLOCKS_TAG, format!("{silver} {red}")));
    }
    for (tag, value) in tags {
        let _ = record.set_tag(tag, &value);
    }
    record.to_string()
}

/// The reason why a text is not a game. `game_ui::text_errors` describes it to the reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameTextError {
    /// The text is empty.
    Empty,
    /// A position can't be read or played.
    Position(ParsePositionError),
    /// A game record can't be read.
    Record(ParseRecordError),
    /// A stored game lacks its mode or its clocks.
    Storage,
    /// The game has a tower, and this program is the one without towers.
    NeedsTower,
}

/// Parses the text form of a session. The clocks are stopped.
pub fn read(text: &str) -> Result<GameSession, GameTextError> {
    let record: Record = text.parse().map_err(GameTextError::Record)?;
    let mode_text = record.tag(MODE_TAG).unwrap_or_default();
    let mode = read_mode(mode_text).ok_or(GameTextError::Storage)?;
    let clock = if record.tag("TimeControl").is_some() {
        let clock = record.time_control().and_then(local_clock);
        let times = record.tag(CLOCKS_TAG).and_then(read_times);
        match (clock, times) {
            (Some(clock), Some(times)) => Some(clock.with_times(times)),
            _ => return Err(GameTextError::Storage),
        }
    } else {
        None
    };
    let mut session = resume(&record, mode, clock);
    if mode_text.ends_with(" paused") {
        session.set_paused(true, Duration::ZERO);
    }
    Ok(session)
}

/// Creates a session that continues a record.
fn resume(record: &Record, mode: Mode, clock: Option<Clock>) -> GameSession {
    let game = record.game();
    let mut times = Vec::new();
    if let Some(clock) = clock {
        let mut left = [clock.initial_time(); 2];
        for (ply, position) in record.main_line().plies.iter().zip(game.positions()) {
            if let Some(time) = ply.comments.iter().find_map(Comment::clock) {
                left[position.side_to_move() as usize] = time;
            }
            times.push(left);
        }
    }
    let name = |color: Color| {
        let name = record.tag(if color == Color::Silver { "Silver" } else { "Red" });
        let named = name.filter(|&name| name != UNNAMED && matches!(mode, Mode::Hotseat { .. }));
        named.unwrap_or_default().to_string()
    };
    let start_name = record.tag(SETUP_NAME_TAG).unwrap_or_default().to_string();
    GameSession::resume(&game, mode, clock, times, record.outcome())
        .with_names(Color::ALL.map(name), start_name)
}

/// Parses the mode tag.
fn read_mode(text: &str) -> Option<Mode> {
    let mut words = text.split(' ');
    match words.next()? {
        "computer" => {
            let level = words.next()?.parse().ok().filter(|level| (1..=10).contains(level))?;
            let person = words.next()?.parse().ok()?;
            Some(Mode::Computer { level, person, practice: words.next() == Some("practice") })
        }
        "table" => {
            let words: Vec<&str> = words.collect();
            let has = |word| words.contains(&word);
            Some(Mode::Hotseat { flips_board: has("turning"), pauses_when_hidden: has("pausing") })
        }
        _ => None,
    }
}

/// Parses the remaining times in the clocks tag.
fn read_times(text: &str) -> Option<[Duration; 2]> {
    let (silver, red) = text.split_once(' ')?;
    let time = |text: &str| {
        let milliseconds = text.parse().ok().filter(|&left: &u64| left <= 1 << 40);
        milliseconds.map(Duration::from_millis)
    };
    Some([time(silver)?, time(red)?])
}

/// Parses text that the user pasted or opened: a setup's name, a position, or records, of which the
/// first is used. The session continues in `mode`.
pub fn open(
    text: &str,
    rules: Rules,
    mode: Mode,
    control: TimeControl,
) -> Result<GameSession, GameTextError> {
    Ok(match game_text::parse(text, rules)? {
        GameText::Record(record) => resume(&record, mode, local_clock(control)),
        GameText::Position(start) => GameSession::new(*start, mode, control),
    })
}

/// Parses a setup's name or a position.
pub fn start(text: &str, rules: Rules) -> Result<Position, GameTextError> {
    let position: Result<Position, _> = text.trim().parse();
    position.map(|position| position.with_rules(rules)).map_err(GameTextError::Position)
}

#[cfg(test)]
mod tests {
    use khet::{Outcome, Setup, Termination};

    use super::*;

    const DATE: &str = "2026.11.15";
    const NOW: Duration = Duration::from_secs(1_000);

    fn game(mode: Mode, control: TimeControl) -> GameSession {
        let start = Setup::Dynasty.position().with_rules(Rules::Czech);
        let mut session = GameSession::new(start, mode, control);
        for (at, mv) in [(900, "e2d2"), (910, "f7g7"), (925, "d2e2")] {
            let mv = mv.parse().expect("a move");
            session.play(mv, Duration::from_secs(at)).expect("legal");
        }
        session
    }

    #[test]
    fn saved_session_is_read_back() {
        let modes = [
            Mode::Computer { level: 7, person: Color::Red, practice: true },
            Mode::Computer { level: 10, person: Color::Silver, practice: false },
            Mode::Hotseat { flips_board: true, pauses_when_hidden: false },
            Mode::Hotseat { flips_board: false, pauses_when_hidden: true },
        ];
        for mode in modes {
            for control in [TimeControl::Unlimited, TimeControl::minutes(5, 3)] {
                let mut session = game(mode, control);
                session.stop_clock(NOW);
                let text = write(&session, DATE, NOW);
                let again = read(&text).expect("what was written");
                assert_eq!(again.mode(), mode);
                assert_eq!(again.game(), session.game());
                assert_eq!(again.clock(), session.clock());
                assert_eq!(again.times(), session.times());
                assert_eq!(write(&again, DATE, NOW), text);
            }
        }
    }

    #[test]
    fn names_and_a_pause_are_saved() {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: true };
        let session = game(mode, TimeControl::minutes(5, 3));
        let names = ["Anna", ""].map(str::to_string);
        let mut session = session.with_names(names, "Two \"towers\"".to_string());
        session.set_paused(true, NOW);
        assert_eq!(record(&session, DATE).tag("Silver"), Some("Anna"));
        assert_eq!(record(&session, DATE).tag("Red"), Some(UNNAMED));
        let mut again = read(&write(&session, DATE, NOW)).expect("what was written");
        assert_eq!([again.name(Color::Silver), again.name(Color::Red)], ["Anna", ""]);
        assert_eq!(again.start_name(), "Two \"towers\"");
        assert!(again.is_paused());
        again.resume_clock(NOW);
        assert_eq!(again.clock().and_then(Clock::running), None, "the pause outlasts a reload");
        assert!(again.scene(Color::Silver, None).moves.is_empty());
        again.set_paused(false, NOW);
        assert!(again.clock().and_then(Clock::running).is_some());
        assert_eq!(again.rematch().name(Color::Red), "Anna", "the players exchange colours");
        assert!(!again.rematch().is_paused());
    }

    #[test]
    fn terminations_off_the_board_are_saved() {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let endings: [fn(&mut GameSession); 3] = [
            |session| session.resign(Color::Silver, NOW),
            |session| session.agree_draw(NOW),
            |session| assert!(session.tick(Duration::from_secs(100_000))),
        ];
        for end in endings {
            let mut session = game(mode, TimeControl::minutes(1, 0));
            end(&mut session);
            let again = read(&write(&session, DATE, NOW)).expect("what was written");
            assert_eq!(again.outcome(), session.outcome());
            assert!(again.outcome().is_some());
        }
    }

    #[test]
    fn terminations_of_earlier_versions_are_read() {
        for (name, termination) in [
            ("left", Termination::Abandonment),
            ("time", Termination::Time),
            ("resignation", Termination::Resignation),
        ] {
            let tags = "[Result \"0-1\"]\n[Setup \"Classic\"]\n[Mode \"table\"]\n";
            let text = format!("{tags}[Termination \"{name}\"]\n\n1. h2+ 0-1\n");
            let session = read(&text).expect("a saved game");
            assert_eq!(session.outcome(), Some(Outcome::win(Color::Red, termination)));
        }
    }

    /// Reads a local game that version 0.1.0 saved.
    fn saved_by_0_1_0(text: &str) -> GameSession {
        read(text).unwrap_or_else(|error| panic!("{error:?}: {text}"))
    }

    #[test]
    fn unfinished_games_saved_by_0_1_0_are_read() {
        let session =
            saved_by_0_1_0(include_str!("../../tests/fixtures/0.1.0/computer-unfinished.kgn"));
        let mode = Mode::Computer { level: 7, person: Color::Red, practice: true };
        assert_eq!(session.mode(), mode);
        assert_eq!(session.setup(), Some(Setup::Dynasty.into()));
        assert_eq!(session.game().start().rules(), Rules::Czech);
        assert_eq!(session.game().moves().len(), 3);
        assert_eq!(session.time_control(), TimeControl::minutes(5, 3));
        let times = session.clock().map(|clock| clock.times(NOW));
        assert_eq!(times, Some([288, 218].map(Duration::from_secs)));
        assert_eq!(session.times()[1], [300, 293].map(Duration::from_secs));
        assert_eq!(session.outcome(), None);

        let session =
            saved_by_0_1_0(include_str!("../../tests/fixtures/0.1.0/hotseat-unfinished.kgn"));
        assert_eq!(session.mode(), Mode::Hotseat { flips_board: true, pauses_when_hidden: false });
        assert_eq!(session.game().start().rules(), Rules::Czech);
        assert_eq!(session.game().moves().len(), 3);
        assert_eq!(session.time_control(), TimeControl::Unlimited);
        assert_eq!(session.outcome(), None);
    }

    #[test]
    fn finished_games_saved_by_0_1_0_are_read() {
        let computer = Mode::Computer { level: 7, person: Color::Red, practice: true };
        let hotseat = Mode::Hotseat { flips_board: true, pauses_when_hidden: false };
        let one_minute = TimeControl::minutes(1, 0);
        let games = [
            (
                include_str!("../../tests/fixtures/0.1.0/computer-pharaoh.kgn"),
                computer,
                TimeControl::Unlimited,
                Outcome::win(Color::Red, Termination::PharaohHit),
            ),
            (
                include_str!("../../tests/fixtures/0.1.0/hotseat-agreed.kgn"),
                hotseat,
                one_minute,
                Outcome::draw(Termination::Agreement),
            ),
            (
                include_str!("../../tests/fixtures/0.1.0/hotseat-flagged.kgn"),
                hotseat,
                one_minute,
                Outcome::win(Color::Silver, Termination::Time),
            ),
            (
                include_str!("../../tests/fixtures/0.1.0/hotseat-repetition.kgn"),
                hotseat,
                TimeControl::Unlimited,
                Outcome::draw(Termination::Repetition),
            ),
            (
                include_str!("../../tests/fixtures/0.1.0/hotseat-resigned.kgn"),
                hotseat,
                one_minute,
                Outcome::win(Color::Silver, Termination::Resignation),
            ),
        ];
        for (text, mode, control, outcome) in games {
            let session = saved_by_0_1_0(text);
            assert_eq!(session.mode(), mode, "{text}");
            assert_eq!(session.time_control(), control, "{text}");
            assert_eq!(session.outcome(), Some(outcome), "{text}");
            let times = session.clock().map(|clock| clock.times(NOW));
            let expected = (control == one_minute).then_some([45, 0].map(Duration::from_secs));
            assert_eq!(times, expected, "{text}");
        }
    }

    #[test]
    fn exported_record_names_the_players() {
        let mode = Mode::Computer { level: 4, person: Color::Silver, practice: false };
        let record = record(&game(mode, TimeControl::minutes(5, 3)), DATE);
        assert_eq!(record.tag("Red"), Some("Computer 4"));
        assert_eq!(record.tag("TimeControl"), Some("300+3"));
        assert_eq!(record.tag(MODE_TAG), None);
        let text = record.to_string();
        assert!(text.contains("{[%clk 0:04:53]}"), "{text}");
        assert_eq!(text.parse::<Record>().as_ref(), Ok(&record));
    }

    #[test]
    fn corrupt_texts_are_rejected() {
        let mode = Mode::Computer { level: 4, person: Color::Silver, practice: false };
        let text = write(&game(mode, TimeControl::minutes(5, 3)), DATE, NOW);
        for end in 0..text.len() {
            if let Some(part) = text.get(..end) {
                assert!(read(part.trim_end()).is_err() || part.trim_end() == text.trim_end());
            }
        }
        for (good, bad) in [
            ("computer 4 silver", "computer 11 silver"),
            ("computer 4 silver", "nobody"),
            ("300+3", "soon"),
            ("e2d2", "e2e9"),
            ("czech", "moon"),
        ] {
            assert!(text.contains(good), "{good}");
            assert!(read(&text.replace(good, bad)).is_err(), "{bad}");
        }
        assert!(read("").is_err());
        assert!(read("\u{0}\u{fffd}[[[").is_err());
    }

    #[test]
    fn setup_names_positions_and_records_are_opened() {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let open = |text: &str| open(text, Rules::Standard, mode, TimeControl::Unlimited);
        assert_eq!(
            open(" Isis\n").map(|session| session.setup()).ok().flatten(),
            Some(Setup::Isis.into())
        );
        let position = Setup::Classic.notation().replace(" s", " r");
        assert_eq!(open(&position).map(|session| session.side()).ok(), Some(Color::Red));
        let session = open("[Setup \"Classic\"]\n\n1. h2+ c7c6 0-1").expect("a record");
        assert_eq!(session.game().moves().len(), 2);
        let outcome = Outcome::win(Color::Red, Termination::Unspecified);
        assert_eq!(session.outcome(), Some(outcome));
        assert!(open("").is_err());
        let faults = open("4k4k/10/10/10/10/10/10/4K5 s").map(|_| ()).expect_err("two pharaohs");
        let is_unplayable = matches!(faults, GameTextError::Position(_));
        assert!(is_unplayable, "{faults:?}");
        assert!(open("[Setup \"Classic\"]\n\n1. e1e5 *").is_err());
    }
}
