//! Decides the events that a player's action produces, as a pure function of the game, the action
//! and its context.

use std::time::Duration;

use khet::{Color, Move, Outcome, Termination, TimeControl, tower};
use khet_protocol::{
    Action, ApiError, ApplyError, ErrorCode, Event, EventKind, GameState, MAX_CHAT_LENGTH,
    is_invisible,
};

/// Time for the first move of each player before a real-time game is aborted, in milliseconds.
pub(crate) const FIRST_MOVE_TIME: u64 = 60_000;
/// Time that a player gives the opponent with one action, in milliseconds.
pub(crate) const ADDED_TIME: u64 = 15_000;
/// Players can't add time beyond this.
const MAX_CLOCK: Duration = Duration::from_secs(3 * 60 * 60);

/// Largest number of plies. A game that is still undecided then ends as a draw: every spectator
/// gets all moves, so an endless game would be a burden for all.
pub(crate) const MAX_PLIES: usize = 1000;
/// Number of events from which on only moves, answers and the end of the game are possible. It is
/// far more than in any game that is played to be won.
const MAX_EVENTS: u32 = 4000;
/// Time after which a game without a clock ends if nobody moves, in milliseconds: 30 days.
pub(crate) const UNLIMITED_GAME_LIFETIME: u64 = 30 * 24 * 60 * 60 * 1000;

/// The circumstances of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActionContext {
    /// The time, in milliseconds since 1970.
    pub(crate) now: u64,
    /// Lag compensation for the player, in milliseconds.
    pub(crate) lag: u64,
    /// The time since which the opponent is disconnected.
    pub(crate) other_gone_since: Option<u64>,
}

/// The result of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// Append this event, provided that a move is legal; see [`apply`].
    Append(EventKind),
    /// The action was performed before, as the event of this number.
    Duplicate(u32),
    /// Start a new game with colours exchanged.
    Rematch,
}

/// Decides the result of a player's action.
pub(crate) fn decide(
    state: &GameState,
    by: Color,
    key: u32,
    action: &Action,
    context: ActionContext,
) -> Result<Decision, ApiError> {
    let is_optional = match action {
        Action::Draw => state.draw_offer().is_none(),
        Action::Takeback => state.takeback_request().is_none(),
        Action::Rematch => state.rematch_offer().is_none(),
        Action::AddTime | Action::Chat { .. } => true,
        _ => false,
    };
    if is_optional && state.last_event_number() >= MAX_EVENTS {
        return Err(not_now("too much has happened in this game; only moves are possible"));
    }
    match (action, state.outcome()) {
        (&Action::Move { ply, mv }, _) => decide_move(state, by, key, ply, mv, context),
        (Action::Chat { text }, _) => Ok(append(EventKind::Chat { by, text: chat_text(text)? })),
        (Action::Rematch, _) => decide_rematch(state, by, true),
        (Action::DeclineRematch, _) => decide_rematch(state, by, false),
        (Action::WithdrawRematch, _) => {
            withdraw(state.rematch_offer(), by, EventKind::RematchWithdrawn { by })
        }
        (_, Some(outcome)) => Err(over(outcome)),
        (Action::Draw, None) => match state.draw_offer() {
            Some(offered) if offered == !by => Ok(end_game(None, Termination::Agreement)),
            Some(_) => Err(not_now("you have offered a draw already")),
            None if state.game().ply() < 2 => {
                Err(not_now("a draw can be offered after both players have moved"))
            }
            None if !state.may_offer_draw(by) => {
                Err(not_now("a draw can be offered once between two moves"))
            }
            None => Ok(append(EventKind::DrawOffered { by })),
        },
        (Action::DeclineDraw, None) => match state.draw_offer() {
            Some(offered) if offered == !by => Ok(append(EventKind::DrawDeclined { by })),
            _ => Err(not_now("no draw was offered")),
        },
        (Action::WithdrawDraw, None) => {
            withdraw(state.draw_offer(), by, EventKind::DrawWithdrawn { by })
        }
        (Action::ClaimRepetition, None) => {
            if state.to_move() != by {
                return Err(not_your_turn());
            }
            let mut game = state.game().clone();
            game.claim_draw().map_err(|error| not_now(error.to_string()))?;
            Ok(end_game(None, Termination::Repetition))
        }
        // A game in which a player has not moved has no winner.
        (Action::Resign | Action::Abort, None) if state.may_abort() => {
            Ok(append(EventKind::Ended(Outcome::ABORTED)))
        }
        (Action::Resign, None) => Ok(end_game(Some(!by), Termination::Resignation)),
        (Action::Abort, None) => Err(not_now("both players have moved; resign instead")),
        (Action::Takeback, None) => decide_takeback(state, by),
        (Action::DeclineTakeback, None) => match state.takeback_request() {
            Some(requester) if requester == !by => Ok(append(EventKind::TakebackDeclined { by })),
            _ => Err(not_now("no takeback was requested")),
        },
        (Action::WithdrawTakeback, None) => {
            withdraw(state.takeback_request(), by, EventKind::TakebackWithdrawn { by })
        }
        (Action::AddTime, None) => match (state.clock(), state.options().time) {
            (Some(clock), TimeControl::RealTime { .. }) => {
                let left = clock.left(!by, Duration::from_millis(context.now));
                if left + Duration::from_millis(ADDED_TIME) > MAX_CLOCK {
                    return Err(not_now("the clock is full"));
                }
                Ok(append(EventKind::TimeAdded { by, time: ADDED_TIME }))
            }
            _ => Err(not_now("time can only be added in real-time games")),
        },
        (Action::ClaimWin | Action::ClaimDraw, None) => {
            if !may_claim(state, context) {
                return Err(not_now("the other player is not gone long enough"));
            }
            let winner = matches!(action, Action::ClaimWin).then_some(by);
            Ok(end_game(winner, Termination::Abandonment))
        }
    }
}

fn decide_move(
    state: &GameState,
    by: Color,
    key: u32,
    ply: u32,
    mv: Move<tower::Square>,
    context: ActionContext,
) -> Result<Decision, ApiError> {
    if let Some(number) = state.event_of(by, key) {
        return Ok(Decision::Duplicate(number));
    }
    if let Some(outcome) = state.outcome() {
        return Err(over(outcome));
    }
    let moves = state.game().ply();
    if ply as usize != moves {
        return Err(ApiError::new(ErrorCode::Stale, format!("{moves} moves were made, not {ply}")));
    }
    if state.to_move() != by {
        return Err(not_your_turn());
    }
    let left = state.clock().map(|clock| {
        let [now, lag] = [context.now, context.lag].map(Duration::from_millis);
        clock.left_after_move(by, now, lag).as_millis() as u64
    });
    Ok(append(EventKind::Move { mv, key, left }))
}

/// Applies a decided event to the game. Returns it with its number, followed by the end of the game
/// if the event is a move whose shot ends it, or the last one that is possible.
///
/// This is the only place where the server plays a move, so legality is checked here.
///
/// # Errors
///
/// If the event can't be applied, as with illegal moves. The game has not changed then.
pub(crate) fn apply(
    state: &mut GameState,
    kind: EventKind,
    at: u64,
) -> Result<Vec<Event>, ApplyError> {
    let event = Event { number: state.last_event_number() + 1, at, kind };
    let shot = state.apply(&event)?;
    let mut events = vec![event];
    let is_move = shot.is_some();
    let limit = (is_move && state.game().ply() >= MAX_PLIES)
        .then_some(Outcome::draw(Termination::MoveLimit));
    if let Some(outcome) = shot.and_then(|shot| shot.outcome).or(limit) {
        let end =
            Event { number: state.last_event_number() + 1, at, kind: EventKind::Ended(outcome) };
        state.apply(&end)?;
        events.push(end);
    }
    Ok(events)
}

fn decide_takeback(state: &GameState, by: Color) -> Result<Decision, ApiError> {
    if state.options().rated {
        return Err(not_now("rated games have no takebacks"));
    }
    match state.takeback_request() {
        Some(requester) if requester == !by => {
            let moves = state.moves_to_take_back(requester);
            if moves > state.game().ply() {
                return Err(not_now("there is nothing to take back"));
            }
            Ok(append(EventKind::TakenBack { moves: moves as u8 }))
        }
        Some(_) => Err(not_now("you have requested a takeback already")),
        None if state.moves_to_take_back(by) > state.game().ply() => {
            Err(not_now("there is nothing to take back"))
        }
        None if !state.may_ask_takeback(by) => {
            Err(not_now("a takeback can be requested once between two moves"))
        }
        None => Ok(append(EventKind::TakebackAsked { by })),
    }
}

fn decide_rematch(state: &GameState, by: Color, accepts: bool) -> Result<Decision, ApiError> {
    if state.outcome().is_none() {
        return Err(not_now("the game is not over"));
    }
    if state.rematch_game().is_some() {
        return Err(not_now("the rematch has started"));
    }
    match (state.rematch_offer(), accepts) {
        (Some(offered), true) if offered == !by => Ok(Decision::Rematch),
        (Some(offered), false) if offered == !by => Ok(append(EventKind::RematchDeclined { by })),
        (_, false) => Err(not_now("no rematch was offered")),
        (_, true) if state.may_offer_rematch(by) => Ok(append(EventKind::RematchOffered { by })),
        (_, true) => Err(not_now("you have offered a rematch already")),
    }
}

/// Decides the withdrawal of an offer; `offered` is the player whose offer is open.
fn withdraw(offered: Option<Color>, by: Color, withdrawn: EventKind) -> Result<Decision, ApiError> {
    match offered {
        Some(offered) if offered == by => Ok(append(withdrawn)),
        _ => Err(not_now("you have no open offer")),
    }
}

/// Returns how long a player must be gone before the opponent may claim the game, in milliseconds.
/// `None` in correspondence games.
fn claim_delay(time: TimeControl) -> Option<u64> {
    match time {
        TimeControl::RealTime { .. } => Some(60_000),
        TimeControl::Unlimited => Some(10 * 60_000),
        TimeControl::Correspondence { .. } => None,
    }
}

/// Returns the time from which the game can be claimed from a player who is gone.
pub(crate) fn claim_at(state: &GameState, gone_since: u64) -> Option<u64> {
    if state.outcome().is_some() || state.may_abort() {
        return None;
    }
    claim_delay(state.options().time).map(|claim_delay| gone_since + claim_delay)
}

fn may_claim(state: &GameState, context: ActionContext) -> bool {
    let at = context.other_gone_since.and_then(|since| claim_at(state, since));
    at.is_some_and(|at| context.now >= at)
}

/// Returns the time at which the game ends unless a move is made.
pub(crate) fn deadline(state: &GameState) -> Option<u64> {
    if state.outcome().is_some() {
        return None;
    }
    let Some(clock) = state.clock() else {
        return Some(state.moved_at() + UNLIMITED_GAME_LIFETIME);
    };
    match clock.flags_at() {
        Some(at) => Some(at.as_millis() as u64),
        None => Some(state.moved_at() + FIRST_MOVE_TIME),
    }
}

/// Returns the outcome of a game whose time is up. A forgotten game without a clock is a draw,
/// because the players have agreed on no time that one of them could exceed.
pub(crate) fn time_up(state: &GameState) -> Outcome {
    match state.clock() {
        _ if state.may_abort() => Outcome::ABORTED,
        None => Outcome::draw(Termination::Abandonment),
        Some(clock) => match clock.running() {
            Some(late) => Outcome::win(!late, Termination::Time),
            None => Outcome::ABORTED,
        },
    }
}

/// Checks the characters and the length of a chat message.
fn chat_text(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.contains(is_invisible) {
        let message = "a message is one line without invisible characters";
        return Err(ApiError::new(ErrorCode::Invalid, message));
    }
    if text.is_empty() {
        return Err(ApiError::new(ErrorCode::Invalid, "the message is empty"));
    }
    if text.chars().count() > MAX_CHAT_LENGTH {
        let message = format!("a message has at most {MAX_CHAT_LENGTH} characters");
        return Err(ApiError::new(ErrorCode::Invalid, message));
    }
    Ok(text.to_owned())
}

/// Returns the decision to append an event.
fn append(kind: EventKind) -> Decision {
    Decision::Append(kind)
}

/// Returns the decision to end the game.
fn end_game(winner: Option<Color>, termination: Termination) -> Decision {
    append(EventKind::Ended(Outcome { winner, termination }))
}

/// Returns the error for an action that is not possible now.
fn not_now(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::NotNow, message)
}

fn not_your_turn() -> ApiError {
    ApiError::new(ErrorCode::NotYourTurn, "it is the other player's turn")
}

/// Returns the error for an action after the end of the game.
pub(crate) fn over(outcome: Outcome) -> ApiError {
    ApiError::new(ErrorCode::Over, format!("the game is over: {outcome}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Color, Outcome, Termination};
    use khet_protocol::{
        Action, ApplyError, ErrorCode, Event, EventKind, GameStart, GameState, PersonId,
    };

    use super::{ActionContext, Decision, claim_at, deadline, decide, time_up};

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

    fn at(now: u64) -> ActionContext {
        ActionContext { now, lag: 0, other_gone_since: None }
    }

    fn mv(state: &GameState, mv: &str) -> Action {
        Action::Move { ply: state.game().ply() as u32, mv: mv.parse().unwrap() }
    }

    fn apply(state: &mut GameState, kind: EventKind, now: u64) {
        super::apply(state, kind, now).unwrap();
    }

    /// Decides an action and applies its events.
    fn play(state: &mut GameState, by: Color, action: &Action, now: u64) -> Result<(), ErrorCode> {
        let key = state.last_event_number() + 1000;
        match decide(state, by, key, action, at(now)).map_err(|error| error.code)? {
            Decision::Append(kind) => apply(state, kind, now),
            other => panic!("{other:?}"),
        }
        Ok(())
    }

    /// Returns a game in which both players have moved.
    fn begun(time: &str, rated: bool) -> GameState {
        let mut state = game(time, rated);
        for (by, text) in [(SILVER, "h2+"), (RED, "c7+")] {
            let action = mv(&state, text);
            play(&mut state, by, &action, 0).unwrap();
        }
        state
    }

    #[test]
    fn clocks_run_from_the_third_move_on() {
        let mut state = game("60+2", false);
        assert_eq!(deadline(&state), Some(60_000));
        let action = mv(&state, "h2+");
        play(&mut state, SILVER, &action, 50_000).unwrap();
        assert_eq!(deadline(&state), Some(110_000));
        assert_eq!(time_up(&state), Outcome::ABORTED);
        let action = mv(&state, "c7+");
        play(&mut state, RED, &action, 100_000).unwrap();
        assert_eq!(deadline(&state), Some(160_000));
        let action = mv(&state, "h2-");
        play(&mut state, SILVER, &action, 110_000).unwrap();
        let clock = state.clock().unwrap();
        assert_eq!(clock.left(SILVER, Duration::from_secs(110)), Duration::from_secs(52));
        assert_eq!(time_up(&state), Outcome::win(SILVER, Termination::Time));
    }

    #[test]
    fn lag_is_compensated() {
        let state = begun("60+0", false);
        let context = ActionContext { lag: 300, ..at(10_000) };
        let Ok(Decision::Append(kind)) = decide(&state, SILVER, 1, &mv(&state, "h2-"), context)
        else {
            panic!("it is legal");
        };
        assert!(matches!(kind, EventKind::Move { left: Some(50_300), .. }));
    }

    #[test]
    fn repeated_key_returns_its_event() {
        let mut state = begun("none", false);
        let action = mv(&state, "h2-");
        apply(&mut state, EventKind::Move { mv: "h2-".parse().unwrap(), key: 5, left: None }, 0);
        let last = state.last_event_number();
        assert_eq!(decide(&state, SILVER, 5, &action, at(0)), Ok(Decision::Duplicate(last)));
        let refused = decide(&state, SILVER, 6, &action, at(0)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Stale);
    }

    #[test]
    fn draw_can_be_offered_once_between_moves() {
        let mut state = game("none", false);
        assert_eq!(play(&mut state, SILVER, &Action::Draw, 0), Err(ErrorCode::NotNow));
        let mut state = begun("none", false);
        play(&mut state, RED, &Action::Draw, 0).unwrap();
        assert_eq!(play(&mut state, RED, &Action::Draw, 0), Err(ErrorCode::NotNow));
        assert_eq!(play(&mut state, RED, &Action::DeclineDraw, 0), Err(ErrorCode::NotNow));
        let action = mv(&state, "h2-");
        play(&mut state, SILVER, &action, 0).unwrap();
        assert_eq!(state.draw_offer(), None, "declined by moving on");
        play(&mut state, RED, &Action::Draw, 0).unwrap();
        play(&mut state, SILVER, &Action::Draw, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::draw(Termination::Agreement)));
    }

    #[test]
    fn players_can_withdraw_their_own_offers() {
        let mut state = begun("none", false);
        play(&mut state, RED, &Action::Draw, 0).unwrap();
        play(&mut state, RED, &Action::Takeback, 0).unwrap();
        for action in [Action::WithdrawDraw, Action::WithdrawTakeback] {
            assert_eq!(play(&mut state, SILVER, &action, 0), Err(ErrorCode::NotNow));
            play(&mut state, RED, &action, 0).unwrap();
            assert_eq!(play(&mut state, RED, &action, 0), Err(ErrorCode::NotNow));
        }
        assert_eq!((state.draw_offer(), state.takeback_request()), (None, None));
        assert_eq!(play(&mut state, SILVER, &Action::DeclineDraw, 0), Err(ErrorCode::NotNow));
        // A withdrawn offer counts as made: it can't be used to pester the opponent.
        assert_eq!(play(&mut state, RED, &Action::Draw, 0), Err(ErrorCode::NotNow));
        play(&mut state, RED, &Action::Resign, 0).unwrap();
        assert_eq!(play(&mut state, RED, &Action::WithdrawDraw, 0), Err(ErrorCode::Over));
        assert_eq!(play(&mut state, RED, &Action::WithdrawRematch, 0), Err(ErrorCode::NotNow));
        play(&mut state, RED, &Action::Rematch, 0).unwrap();
        play(&mut state, RED, &Action::WithdrawRematch, 0).unwrap();
        assert_eq!(state.rematch_offer(), None);
    }

    #[test]
    fn resigning_before_both_have_moved_aborts_the_game() {
        let mut state = game("300+0", true);
        let action = mv(&state, "h2+");
        play(&mut state, SILVER, &action, 0).unwrap();
        play(&mut state, RED, &Action::Resign, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::ABORTED));
        let mut state = begun("300+0", true);
        play(&mut state, RED, &Action::Resign, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::win(SILVER, Termination::Resignation)));
    }

    #[test]
    fn rated_games_have_no_takebacks() {
        let mut state = begun("300+0", true);
        assert_eq!(play(&mut state, SILVER, &Action::Takeback, 0), Err(ErrorCode::NotNow));
        let mut state = begun("300+0", false);
        play(&mut state, RED, &Action::Takeback, 0).unwrap();
        play(&mut state, SILVER, &Action::Takeback, 0).unwrap();
        assert_eq!((state.game().ply(), state.to_move()), (1, RED));
        assert_eq!(play(&mut state, RED, &Action::Takeback, 0), Err(ErrorCode::NotNow));
    }

    #[test]
    fn game_can_be_aborted_before_both_have_moved() {
        let mut state = game("300+0", true);
        play(&mut state, RED, &Action::Abort, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::ABORTED));
        let mut state = begun("300+0", true);
        assert_eq!(play(&mut state, RED, &Action::Abort, 0), Err(ErrorCode::NotNow));
    }

    #[test]
    fn threefold_repetition_can_be_claimed() {
        let mut state = game("none", false);
        for (number, text) in ["f4-", "e5+", "f4-", "e5+", "f4-", "e5+"].into_iter().enumerate() {
            let early = play(&mut state, Color::ALL[number % 2], &Action::ClaimRepetition, 0);
            assert_eq!(early, Err(ErrorCode::NotNow));
            let action = mv(&state, text);
            play(&mut state, Color::ALL[number % 2], &action, 0).unwrap();
        }
        let action = mv(&state, "f4-");
        play(&mut state, SILVER, &action, 0).unwrap();
        let action = mv(&state, "e5+");
        play(&mut state, RED, &action, 0).unwrap();
        assert_eq!(play(&mut state, RED, &Action::ClaimRepetition, 0), Err(ErrorCode::NotYourTurn));
        play(&mut state, SILVER, &Action::ClaimRepetition, 0).unwrap();
        assert_eq!(state.outcome(), Some(Outcome::draw(Termination::Repetition)));
    }

    #[test]
    fn win_can_be_claimed_after_the_delay() {
        let state = begun("300+0", true);
        let gone = |now| ActionContext { other_gone_since: Some(1000), ..at(now) };
        assert_eq!(claim_at(&state, 1000), Some(61_000));
        let early = decide(&state, RED, 1, &Action::ClaimWin, gone(60_999)).unwrap_err();
        assert_eq!(early.code, ErrorCode::NotNow);
        let end = EventKind::Ended(Outcome::win(RED, Termination::Abandonment));
        let claimed = decide(&state, RED, 1, &Action::ClaimWin, gone(61_000));
        assert_eq!(claimed, Ok(Decision::Append(end)));
        assert_eq!(claim_at(&begun("3d", true), 1000), None);
    }

    #[test]
    fn chat_message_is_one_line() {
        let state = game("none", false);
        let chat = |text: &str| match decide(
            &state,
            RED,
            1,
            &Action::Chat { text: text.to_owned() },
            at(0),
        ) {
            Ok(Decision::Append(EventKind::Chat { text, .. })) => Ok(text),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code),
        };
        assert_eq!(chat(" hi there\n"), Ok("hi there".to_owned()));
        for hidden in
            ["two\nlines", "bell\u{7}", "\u{202e}live", "\u{2066}a", "a\u{200b}b", "\u{3164}"]
        {
            assert_eq!(chat(hidden), Err(ErrorCode::Invalid), "{hidden:?}");
        }
        assert_eq!(chat(&"ž".repeat(200)).map(|text| text.chars().count()), Ok(200));
        assert_eq!(chat(&"ž".repeat(201)), Err(ErrorCode::Invalid));
        assert_eq!(chat("\t"), Err(ErrorCode::Invalid));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut state = game("60+2", false);
        let before = state.clone();
        let kind = EventKind::Move { mv: "h2h4".parse().unwrap(), key: 1, left: None };
        assert!(matches!(super::apply(&mut state, kind, 5), Err(ApplyError::Move(_))));
        assert_eq!(state, before);
    }

    #[test]
    fn a_move_that_ends_the_game_is_followed_by_the_end() {
        let options =
            r#"{"start": "4k5/10/10/10/10/10/10/4K4P4 s", "time": "none", "rated": false}"#;
        let started = GameStart {
            silver: PersonId::from_number(1),
            red: PersonId::from_number(2),
            options: serde_json::from_str(options).unwrap(),
        };
        let kind = EventKind::Started(Box::new(started));
        let mut state = GameState::begin(&Event { number: 1, at: 0, kind }).unwrap();
        let kind = EventKind::Move { mv: "j1-".parse().unwrap(), key: 1, left: None };
        let events = super::apply(&mut state, kind, 5).unwrap();
        assert!(matches!(events[..], [Event { number: 2, .. }, Event { number: 3, at: 5, .. }]));
        assert_eq!(events[1].kind, EventKind::Ended(state.outcome().unwrap()));
        assert_eq!(state.outcome().unwrap().winner, Some(RED));
    }

    #[test]
    fn rematch_is_possible_after_the_end() {
        let mut state = begun("none", false);
        assert_eq!(play(&mut state, SILVER, &Action::Rematch, 0), Err(ErrorCode::NotNow));
        play(&mut state, SILVER, &Action::Resign, 0).unwrap();
        play(&mut state, SILVER, &Action::Rematch, 0).unwrap();
        assert_eq!(play(&mut state, SILVER, &Action::Rematch, 0), Err(ErrorCode::NotNow));
        assert_eq!(decide(&state, RED, 1, &Action::Rematch, at(0)), Ok(Decision::Rematch));
        play(&mut state, RED, &Action::DeclineRematch, 0).unwrap();
        play(&mut state, RED, &Action::Rematch, 0).unwrap();
    }

    #[test]
    fn endless_game_is_a_draw() {
        let mut state = game("none", false);
        let moves = ["h2+", "c7+", "h2-", "c7-"];
        for ply in 0..super::MAX_PLIES {
            assert_eq!(state.outcome(), None, "{ply}");
            let action = mv(&state, moves[ply % 4]);
            let by = state.to_move();
            assert_eq!(play(&mut state, by, &action, 0), Ok(()));
        }
        let draw = Outcome::draw(Termination::MoveLimit);
        assert_eq!(state.outcome(), Some(draw));
    }

    #[test]
    fn takebacks_do_not_make_a_game_endless() {
        let mut state = begun("none", false);
        while state.last_event_number() < super::MAX_EVENTS {
            assert_eq!(play(&mut state, SILVER, &Action::Takeback, 0), Ok(()));
            assert_eq!(play(&mut state, RED, &Action::Takeback, 0), Ok(()));
            for (by, text) in [(SILVER, "h2+"), (RED, "c7+")] {
                let action = mv(&state, text);
                assert_eq!(play(&mut state, by, &action, 0), Ok(()));
            }
        }
        assert_eq!(play(&mut state, SILVER, &Action::Takeback, 0), Err(ErrorCode::NotNow));
        let action = mv(&state, "h2-");
        assert_eq!(play(&mut state, SILVER, &action, 0), Ok(()));
    }

    #[test]
    fn forgotten_game_without_a_clock_ends() {
        let state = begun("none", false);
        let moved = state.moved_at();
        assert_eq!(deadline(&state), Some(moved + super::UNLIMITED_GAME_LIFETIME));
        let draw = Outcome::draw(Termination::Abandonment);
        assert_eq!(time_up(&state), draw);
        assert_eq!(time_up(&game("none", false)), Outcome::ABORTED);
    }
}
