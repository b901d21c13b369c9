//! What comes of what a player does: events, or a refusal. A pure function of the game, the act and the moment.

use std::time::Duration;

use khet::{Color, Outcome, Termination, TimeControl};
use khet_protocol::{Action, ApiError, CHAT_LENGTH, ErrorCode, EventKind, GameState};

/// In real time, a game is aborted if a player takes longer than this for the first move, in milliseconds.
pub(crate) const FIRST_MOVE: u64 = 60_000;
/// What a player gives the other at once, in milliseconds.
pub(crate) const TIME_GIVEN: u64 = 15_000;
/// Players cannot give time beyond this.
const FULL_CLOCK: Duration = Duration::from_secs(3 * 60 * 60);

/// What is known besides the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The time, in milliseconds since 1970.
    pub(crate) now: u64,
    /// How much of the player's time the network took.
    pub(crate) lag: u64,
    /// Since when the other player is gone.
    pub(crate) other_gone_since: Option<u64>,
}

/// What comes of an act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// This happens. Never empty.
    Happens(Vec<EventKind>),
    /// It has happened already, as the event of this number.
    Happened(u32),
    /// A new game with colours changed is to be started.
    Rematch,
}

/// Decides about an act of a player.
pub(crate) fn decide(
    state: &GameState,
    by: Color,
    key: u32,
    act: &Action,
    moment: Moment,
) -> Result<Verdict, ApiError> {
    if let Action::Move { ply, mv } = *act {
        return decide_move(state, by, key, ply, mv, moment);
    }
    if let Action::Chat { text } = act {
        return Ok(happens(EventKind::Chat { by, text: chat_text(text)? }));
    }
    if let Action::Rematch | Action::DeclineRematch = act {
        return decide_rematch(state, by, matches!(act, Action::Rematch));
    }
    if let Some(outcome) = state.outcome() {
        return Err(over(outcome));
    }
    match act {
        Action::Draw => match state.draw_offer() {
            Some(offered) if offered == !by => Ok(ends(None, Termination::Agreement)),
            Some(_) => Err(not_now("you have offered a draw already")),
            None if state.game().moves().len() < 2 => {
                Err(not_now("a draw can be offered when both have made a move"))
            }
            None if !state.may_offer_draw(by) => {
                Err(not_now("a draw can be offered once between two moves"))
            }
            None => Ok(happens(EventKind::DrawOffered { by })),
        },
        Action::DeclineDraw => match state.draw_offer() {
            Some(offered) if offered == !by => Ok(happens(EventKind::DrawDeclined { by })),
            _ => Err(not_now("no draw was offered")),
        },
        Action::ClaimRepetition => {
            if state.to_move() != by {
                return Err(not_your_turn());
            }
            let mut game = state.game().clone();
            game.claim_draw().map_err(|error| not_now(error.to_string()))?;
            Ok(ends(None, Termination::Repetition))
        }
        Action::Resign => Ok(ends(Some(!by), Termination::Resignation)),
        Action::Abort if state.may_abort() => Ok(happens(EventKind::Ended(Outcome::ABORTED))),
        Action::Abort => Err(not_now("both have made a move; the game counts")),
        Action::Takeback => decide_takeback(state, by),
        Action::DeclineTakeback => match state.takeback() {
            Some(asked) if asked == !by => Ok(happens(EventKind::TakebackDeclined { by })),
            _ => Err(not_now("nobody asked to take back")),
        },
        Action::AddTime => match (state.clock(), state.options().time) {
            (Some(clock), TimeControl::RealTime { .. }) => {
                let left = clock.left(!by, Duration::from_millis(moment.now));
                if left + Duration::from_millis(TIME_GIVEN) > FULL_CLOCK {
                    return Err(not_now("the clock is full"));
                }
                Ok(happens(EventKind::TimeAdded { by, time: TIME_GIVEN }))
            }
            _ => Err(not_now("time can be given in games in real time")),
        },
        Action::ClaimWin | Action::ClaimDraw => {
            if !may_claim(state, moment) {
                return Err(not_now("the other player is not gone long enough"));
            }
            let winner = matches!(act, Action::ClaimWin).then_some(by);
            Ok(ends(winner, Termination::Abandonment))
        }
        Action::Move { .. } | Action::Chat { .. } | Action::Rematch | Action::DeclineRematch => {
            // Handled above.
            Err(ApiError::new(ErrorCode::Internal, "this is decided elsewhere"))
        }
    }
}

fn decide_move(
    state: &GameState,
    by: Color,
    key: u32,
    ply: u32,
    mv: khet::Move,
    moment: Moment,
) -> Result<Verdict, ApiError> {
    if let Some(number) = state.event_of(by, key) {
        return Ok(Verdict::Happened(number));
    }
    if let Some(outcome) = state.outcome() {
        return Err(over(outcome));
    }
    let moves = state.game().moves().len();
    if ply as usize != moves {
        return Err(ApiError::new(ErrorCode::Stale, format!("{moves} moves were made, not {ply}")));
    }
    if state.to_move() != by {
        return Err(not_your_turn());
    }
    let mut next = *state.game().position();
    let shot = next
        .play(mv)
        .map_err(|error| ApiError::new(ErrorCode::IllegalMove, format!("{mv}: {error}")))?;
    let left = state.clock().map(|clock| {
        let [now, lag] = [moment.now, moment.lag].map(Duration::from_millis);
        clock.left_after_move(by, now, lag).as_millis() as u64
    });
    let mut events = vec![EventKind::Move { mv, key, left }];
    events.extend(shot.outcome.map(|outcome| EventKind::Ended(outcome.into())));
    Ok(Verdict::Happens(events))
}

fn decide_takeback(state: &GameState, by: Color) -> Result<Verdict, ApiError> {
    if state.options().rated {
        return Err(not_now("in rated games nothing is taken back"));
    }
    match state.takeback() {
        Some(asked) if asked == !by => {
            let moves = state.moves_to_take_back(asked);
            if moves > state.game().moves().len() {
                return Err(not_now("there is nothing to take back"));
            }
            Ok(happens(EventKind::TakenBack { moves: moves as u8 }))
        }
        Some(_) => Err(not_now("you have asked already")),
        None if state.moves_to_take_back(by) > state.game().moves().len() => {
            Err(not_now("there is nothing to take back"))
        }
        None if !state.may_ask_takeback(by) => {
            Err(not_now("it can be asked once between two moves"))
        }
        None => Ok(happens(EventKind::TakebackAsked { by })),
    }
}

fn decide_rematch(state: &GameState, by: Color, wanted: bool) -> Result<Verdict, ApiError> {
    if state.outcome().is_none() {
        return Err(not_now("the game is not over"));
    }
    if state.next().is_some() {
        return Err(not_now("the next game has been started"));
    }
    match (state.rematch(), wanted) {
        (Some(offered), true) if offered == !by => Ok(Verdict::Rematch),
        (Some(offered), false) if offered == !by => Ok(happens(EventKind::RematchDeclined { by })),
        (_, false) => Err(not_now("no rematch was offered")),
        (_, true) if state.may_offer_rematch(by) => Ok(happens(EventKind::RematchOffered { by })),
        (_, true) => Err(not_now("you have offered a rematch already")),
    }
}

/// How long a player may be gone before the other may claim, in milliseconds; never by correspondence.
fn grace(time: TimeControl) -> Option<u64> {
    match time {
        TimeControl::RealTime { .. } => Some(60_000),
        TimeControl::Unlimited => Some(10 * 60_000),
        TimeControl::Correspondence { .. } => None,
    }
}

/// From when on the win can be claimed from a player who is gone since a moment.
pub(crate) fn claim_at(state: &GameState, gone_since: u64) -> Option<u64> {
    if state.outcome().is_some() || state.may_abort() {
        return None;
    }
    grace(state.options().time).map(|grace| gone_since + grace)
}

fn may_claim(state: &GameState, moment: Moment) -> bool {
    let at = moment.other_gone_since.and_then(|since| claim_at(state, since));
    at.is_some_and(|at| moment.now >= at)
}

/// When the game ends by itself if nobody makes a move.
pub(crate) fn deadline(state: &GameState) -> Option<u64> {
    if state.outcome().is_some() {
        return None;
    }
    match state.clock()?.flags_at() {
        Some(at) => Some(at.as_millis() as u64),
        None => Some(state.moved_at() + FIRST_MOVE),
    }
}

/// How a game ends whose time is up.
pub(crate) fn time_up(state: &GameState) -> Outcome {
    match state.clock().and_then(|clock| clock.running()) {
        Some(late) if !state.may_abort() => Outcome::win(!late, Termination::Time),
        _ => Outcome::ABORTED,
    }
}

/// A chat message without what does not belong in a line of text.
fn chat_text(text: &str) -> Result<String, ApiError> {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(ApiError::new(ErrorCode::Invalid, "the message is empty"));
    }
    if text.chars().count() > CHAT_LENGTH {
        let message = format!("a message has at most {CHAT_LENGTH} characters");
        return Err(ApiError::new(ErrorCode::Invalid, message));
    }
    Ok(text.to_owned())
}

fn happens(kind: EventKind) -> Verdict {
    Verdict::Happens(vec![kind])
}

fn ends(winner: Option<Color>, termination: Termination) -> Verdict {
    happens(EventKind::Ended(Outcome { winner, termination }))
}

fn not_now(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::NotNow, message)
}

fn not_your_turn() -> ApiError {
    ApiError::new(ErrorCode::NotYourTurn, "it is the other player's turn")
}

pub(crate) fn over(outcome: Outcome) -> ApiError {
    ApiError::new(ErrorCode::Over, format!("the game is over: {outcome}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Color, Outcome, Termination};
    use khet_protocol::{Action, ErrorCode, Event, EventKind, GameStart, GameState, PersonId};

    use super::{Moment, Verdict, claim_at, deadline, decide, time_up};

    const SILVER: Color = Color::Silver;
    const RED: Color = Color::Red;

    fn game(time: &str, rated: bool) -> GameState {
        let options = format!(r#"{{"start": "classic", "time": "{time}", "rated": {rated}}}"#);
        let started = GameStart {
            silver: PersonId::from_number(1),
            red: PersonId::from_number(2),
            options: serde_json::from_str(&options).unwrap(),
        };
        GameState::begin(&Event { number: 1, at: 0, kind: EventKind::Started(Box::new(started)) })
            .unwrap()
    }

    fn at(now: u64) -> Moment {
        Moment { now, lag: 0, other_gone_since: None }
    }

    fn mv(state: &GameState, mv: &str) -> Action {
        Action::Move { ply: state.game().moves().len() as u32, mv: mv.parse().unwrap() }
    }

    fn happen(state: &mut GameState, kind: EventKind, now: u64) {
        state.apply(&Event { number: state.last() + 1, at: now, kind }).unwrap();
    }

    /// Decides, and lets it happen.
    fn play(state: &mut GameState, by: Color, act: &Action, now: u64) -> Result<(), ErrorCode> {
        let key = state.last() + 1000;
        match decide(state, by, key, act, at(now)).map_err(|error| error.code)? {
            Verdict::Happens(whats) => whats.into_iter().for_each(|kind| happen(state, kind, now)),
            other => panic!("{other:?}"),
        }
        Ok(())
    }

    /// Both have made a move.
    fn begun(time: &str, rated: bool) -> GameState {
        let mut state = game(time, rated);
        for (by, text) in [(SILVER, "h2+"), (RED, "c7+")] {
            let act = mv(&state, text);
            play(&mut state, by, &act, 0).unwrap();
        }
        state
    }

    #[test]
    fn clocks_run_from_the_third_move_on() {
        let mut state = game("60+2", false);
        assert_eq!(deadline(&state), Some(60_000));
        let act = mv(&state, "h2+");
        play(&mut state, SILVER, &act, 50_000).unwrap();
        assert_eq!(deadline(&state), Some(110_000));
        assert_eq!(time_up(&state), Outcome::ABORTED);
        let act = mv(&state, "c7+");
        play(&mut state, RED, &act, 100_000).unwrap();
        assert_eq!(deadline(&state), Some(160_000));
        let act = mv(&state, "h2-");
        play(&mut state, SILVER, &act, 110_000).unwrap();
        let clock = state.clock().unwrap();
        assert_eq!(clock.left(SILVER, Duration::from_secs(110)), Duration::from_secs(52));
        assert_eq!(time_up(&state), Outcome::win(SILVER, Termination::Time));
    }

    #[test]
    fn lag_is_given_back() {
        let state = begun("60+0", false);
        let moment = Moment { lag: 300, ..at(10_000) };
        let Ok(Verdict::Happens(whats)) = decide(&state, SILVER, 1, &mv(&state, "h2-"), moment)
        else {
            panic!("it is legal");
        };
        assert!(matches!(whats[..], [EventKind::Move { left: Some(50_300), .. }]));
    }

    #[test]
    fn a_known_number_is_answered_with_its_event() {
        let mut state = begun("none", false);
        let act = mv(&state, "h2-");
        happen(&mut state, EventKind::Move { mv: "h2-".parse().unwrap(), key: 5, left: None }, 0);
        let last = state.last();
        assert_eq!(decide(&state, SILVER, 5, &act, at(0)), Ok(Verdict::Happened(last)));
        let refused = decide(&state, SILVER, 6, &act, at(0)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Stale);
    }

    #[test]
    fn a_draw_is_offered_once_between_two_moves() {
        let mut state = game("none", false);
        assert_eq!(play(&mut state, SILVER, &Action::Draw, 0), Err(ErrorCode::NotNow));
        let mut state = begun("none", false);
        play(&mut state, RED, &Action::Draw, 0).unwrap();
        assert_eq!(play(&mut state, RED, &Action::Draw, 0), Err(ErrorCode::NotNow));
        assert_eq!(play(&mut state, RED, &Action::DeclineDraw, 0), Err(ErrorCode::NotNow));
        let act = mv(&state, "h2-");
        play(&mut state, SILVER, &act, 0).unwrap();
        assert_eq!(state.draw_offer(), None, "declined by moving on");
        play(&mut state, RED, &Action::Draw, 0).unwrap();
        play(&mut state, SILVER, &Action::Draw, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::draw(Termination::Agreement)));
    }

    #[test]
    fn nothing_is_taken_back_in_rated_games() {
        let mut state = begun("300+0", true);
        assert_eq!(play(&mut state, SILVER, &Action::Takeback, 0), Err(ErrorCode::NotNow));
        let mut state = begun("300+0", false);
        play(&mut state, RED, &Action::Takeback, 0).unwrap();
        play(&mut state, SILVER, &Action::Takeback, 0).unwrap();
        assert_eq!((state.game().moves().len(), state.to_move()), (1, RED));
        assert_eq!(play(&mut state, RED, &Action::Takeback, 0), Err(ErrorCode::NotNow));
    }

    #[test]
    fn a_game_is_aborted_before_both_have_made_a_move() {
        let mut state = game("300+0", true);
        play(&mut state, RED, &Action::Abort, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::ABORTED));
        let mut state = begun("300+0", true);
        assert_eq!(play(&mut state, RED, &Action::Abort, 0), Err(ErrorCode::NotNow));
    }

    #[test]
    fn a_draw_is_claimed_when_the_arrangement_stands_for_the_third_time() {
        let mut state = game("none", false);
        for (number, text) in ["f4-", "e5+", "f4-", "e5+", "f4-", "e5+"].into_iter().enumerate() {
            let early = play(&mut state, Color::ALL[number % 2], &Action::ClaimRepetition, 0);
            assert_eq!(early, Err(ErrorCode::NotNow));
            let act = mv(&state, text);
            play(&mut state, Color::ALL[number % 2], &act, 0).unwrap();
        }
        let act = mv(&state, "f4-");
        play(&mut state, SILVER, &act, 0).unwrap();
        let act = mv(&state, "e5+");
        play(&mut state, RED, &act, 0).unwrap();
        assert_eq!(play(&mut state, RED, &Action::ClaimRepetition, 0), Err(ErrorCode::NotYourTurn));
        play(&mut state, SILVER, &Action::ClaimRepetition, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::draw(Termination::Repetition)));
    }

    #[test]
    fn who_is_gone_long_enough_loses_if_the_other_wants() {
        let state = begun("300+0", true);
        let gone = |now| Moment { other_gone_since: Some(1000), ..at(now) };
        assert_eq!(claim_at(&state, 1000), Some(61_000));
        let early = decide(&state, RED, 1, &Action::ClaimWin, gone(60_999)).unwrap_err();
        assert_eq!(early.code, ErrorCode::NotNow);
        let end = EventKind::Ended(Outcome::win(RED, Termination::Abandonment));
        let claimed = decide(&state, RED, 1, &Action::ClaimWin, gone(61_000));
        assert_eq!(claimed, Ok(Verdict::Happens(vec![end])));
        assert_eq!(claim_at(&begun("3d", true), 1000), None);
    }

    #[test]
    fn chat_is_a_line_of_text() {
        let state = game("none", false);
        let said = |text: &str| match decide(
            &state,
            RED,
            1,
            &Action::Chat { text: text.to_owned() },
            at(0),
        ) {
            Ok(Verdict::Happens(whats)) => match &whats[..] {
                [EventKind::Chat { text, .. }] => Ok(text.clone()),
                other => panic!("{other:?}"),
            },
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code),
        };
        assert_eq!(said(" hi\u{7}\n there "), Ok("hi there".to_owned()));
        assert_eq!(said(&"ž".repeat(200)).map(|text| text.chars().count()), Ok(200));
        assert_eq!(said(&"ž".repeat(201)), Err(ErrorCode::Invalid));
        assert_eq!(said("\t"), Err(ErrorCode::Invalid));
    }

    #[test]
    fn a_rematch_comes_behind_the_end() {
        let mut state = begun("none", false);
        assert_eq!(play(&mut state, SILVER, &Action::Rematch, 0), Err(ErrorCode::NotNow));
        play(&mut state, SILVER, &Action::Resign, 0).unwrap();
        play(&mut state, SILVER, &Action::Rematch, 0).unwrap();
        assert_eq!(play(&mut state, SILVER, &Action::Rematch, 0), Err(ErrorCode::NotNow));
        assert_eq!(decide(&state, RED, 1, &Action::Rematch, at(0)), Ok(Verdict::Rematch));
        play(&mut state, RED, &Action::DeclineRematch, 0).unwrap();
        play(&mut state, RED, &Action::Rematch, 0).unwrap();
    }
}
