//! Tests of sessions, without a page.

use khet::{Rules, Setup};

use super::*;

const NOW: Duration = Duration::ZERO;
const HOTSEAT: Mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };

fn computer(person: Color) -> Mode {
    Mode::Computer { level: 1, person, practice: false }
}

fn play(session: &mut GameSession, moves: &[&str]) {
    for mv in moves {
        let mv = mv.parse().expect("a move");
        session.play(mv, NOW).expect("a legal move");
    }
}

fn classic(mode: Mode) -> GameSession {
    GameSession::new(Setup::Classic.position(), mode, TimeControl::Unlimited)
}

#[test]
fn moves_are_played_and_viewed() {
    let mut session = classic(HOTSEAT);
    play(&mut session, &["h2+", "a5b5"]);
    assert_eq!(session.viewed_ply(), 2);
    let scene = session.scene(Color::Silver, None);
    assert!(!scene.still);
    assert_eq!(scene.last, "a5b5".parse().ok());
    assert_eq!(scene.moves.len(), session.position().legal_moves().len());
    assert_eq!(session.captured(Color::Red).len(), 1);

    session.view_ply(1);
    let scene = session.scene(Color::Silver, None);
    assert!(scene.still, "navigation does not animate the shot");
    assert!(scene.moves.is_empty(), "earlier positions allow no moves");
    assert_eq!(session.captured(Color::Red), []);
    session.view_ply(99);
    assert!(session.is_at_latest());
    session.view_ply(0);
    play(&mut session, &["h2-"]);
    assert!(session.is_at_latest(), "a move views the latest position");
}

#[test]
fn every_shot_has_a_unique_number() {
    let mut session = classic(HOTSEAT);
    play(&mut session, &["h2+"]);
    let first = session.scene(Color::Silver, None).shot.map(|fired| fired.number);
    session.take_back(NOW);
    play(&mut session, &["h2-"]);
    let second = session.scene(Color::Silver, None).shot.map(|fired| fired.number);
    assert!(first.is_some() && first != second);
}

#[test]
fn computer_is_awaited_on_its_turn() {
    let mut session = classic(computer(Color::Silver));
    assert!(session.awaits_person());
    play(&mut session, &["h2+"]);
    assert!(session.awaits_computer() && !session.awaits_person());
    assert!(session.scene(Color::Silver, None).moves.is_empty());
    assert!(classic(computer(Color::Red)).awaits_computer());
}

#[test]
fn takeback_returns_to_the_persons_turn() {
    let mut session = classic(computer(Color::Silver));
    assert!(!session.can_take_back());
    play(&mut session, &["h2+", "a5b5"]);
    session.take_back(NOW);
    assert_eq!(session.game().moves().len(), 0);

    let mut session = classic(computer(Color::Red));
    play(&mut session, &["h2+"]);
    assert!(!session.can_take_back(), "the computer's first move stays");

    let mut session = classic(HOTSEAT);
    play(&mut session, &["h2+", "a5b5"]);
    session.take_back(NOW);
    assert_eq!(session.game().moves().len(), 1);
}

#[test]
fn resigned_game_can_be_continued() {
    let mut session = classic(computer(Color::Silver));
    session.resign(Color::Silver, NOW);
    assert_eq!(session.outcome(), Some(Outcome::win(Color::Red, Termination::Resignation)));
    let mv = "h2+".parse().expect("a move");
    assert!(session.play(mv, NOW).is_err());
    session.take_back(NOW);
    assert_eq!(session.outcome(), None);
}

#[test]
fn draw_can_be_claimed_after_repetition() {
    let mut session = classic(HOTSEAT);
    play(&mut session, &["f4-", "e5+", "f4-", "e5+", "f4-", "e5+", "f4-"]);
    assert!(!session.can_claim_draw());
    session.claim_draw(NOW);
    assert_eq!(session.outcome(), None);
    play(&mut session, &["e5+"]);
    assert!(session.can_claim_draw());
    session.claim_draw(NOW);
    assert_eq!(session.outcome(), Some(Outcome::draw(Termination::Repetition)));
    assert!(!session.can_claim_draw());
}

#[test]
fn draw_by_agreement_ends_the_game() {
    let mut session = classic(HOTSEAT);
    session.agree_draw(NOW);
    assert_eq!(session.outcome(), Some(Outcome::draw(Termination::Agreement)));
}

#[test]
fn hit_pharaoh_ends_the_game() {
    let start: Position = "4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position");
    let mut session = GameSession::new(start, HOTSEAT, TimeControl::Unlimited);
    play(&mut session, &["j1-"]);
    let outcome = Outcome::win(Color::Red, Termination::PharaohHit);
    assert_eq!(session.outcome(), Some(outcome));
    assert_eq!(session.last_shot_by(), Some(Color::Silver));
    session.resign(Color::Silver, NOW);
    assert_eq!(session.outcome(), Some(outcome), "it is over once");
    session.take_back(NOW);
    assert_eq!(session.outcome(), None);
}

#[test]
fn flag_ends_the_game_and_takeback_restores_the_time() {
    let control = TimeControl::minutes(1, 0);
    let mut session = GameSession::new(Setup::Classic.position(), HOTSEAT, control);
    let at = Duration::from_secs;
    assert!(!session.tick(at(500)), "the clocks start with the first move");
    session.play("h2+".parse().expect("a move"), at(500)).expect("legal");
    session.play("a5b5".parse().expect("a move"), at(530)).expect("legal");
    assert_eq!(session.clock().map(|clock| clock.times(at(540))), Some([at(50), at(30)]));
    session.take_back(at(540));
    assert_eq!(session.clock().map(|clock| clock.times(at(540))), Some([at(60), at(60)]));
    assert!(session.tick(at(600)));
    assert_eq!(session.outcome(), Some(Outcome::win(Color::Silver, Termination::Time)));
    assert!(!session.tick(at(700)));
}

#[test]
fn paused_clock_resumes() {
    let control = TimeControl::minutes(1, 0);
    let mut session = GameSession::new(Setup::Classic.position(), HOTSEAT, control);
    let at = Duration::from_secs;
    session.resume_clock(at(0));
    assert_eq!(session.clock().and_then(Clock::running), None, "no move has been played yet");
    session.play("h2+".parse().expect("a move"), at(0)).expect("legal");
    session.stop_clock(at(10));
    assert!(!session.tick(at(1_000)));
    session.resume_clock(at(1_000));
    assert_eq!(session.clock().map(|clock| clock.times(at(1_010))), Some([at(60), at(40)]));
}

#[test]
fn rematch_exchanges_the_sides() {
    let start = Setup::Isis.position().with_rules(Rules::Czech);
    let session = GameSession::new(start, computer(Color::Silver), TimeControl::minutes(3, 2));
    let rematch = session.rematch();
    assert_eq!(rematch.computer(), Some(Color::Silver));
    assert_eq!(rematch.setup(), Some(Setup::Isis.into()));
    assert_eq!(rematch.game().start().rules(), Rules::Czech);
    assert!(rematch.clock().is_some());
    assert!(rematch.awaits_computer());
}

#[test]
fn practice_previews_the_beam_only_on_the_persons_turn() {
    let mode = Mode::Computer { level: 1, person: Color::Silver, practice: true };
    let mut session = classic(mode);
    let scene = session.scene(Color::Silver, None);
    assert_eq!(scene.previews, [Color::Silver]);
    play(&mut session, &["h2+"]);
    assert_eq!(session.scene(Color::Silver, None).previews, []);
    assert_eq!(classic(HOTSEAT).scene(Color::Silver, None).previews, []);
}

#[test]
fn hit_stack_counts_as_one_captured_obelisk() {
    let start: Position = "4k5/10/10/10/10/10/9O2/4K5 s".parse().expect("a position");
    let mut session = GameSession::new(start, HOTSEAT, TimeControl::Unlimited);
    play(&mut session, &["e1e2"]);
    assert_eq!(session.captured(Color::Silver), [Piece::new(Color::Silver, Kind::Obelisk)]);
    assert_eq!(session.captured(Color::Red), []);
}

#[test]
fn resumed_game_views_its_latest_position() {
    let mut session = classic(computer(Color::Silver));
    play(&mut session, &["h2+", "a5b5"]);
    let game = session.game().clone();
    let again = GameSession::resume(&game, session.mode(), None, Vec::new(), None);
    assert_eq!(again.game(), &game);
    assert!(again.is_at_latest() && again.scene(Color::Silver, None).still);
}
