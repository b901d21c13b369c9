//! Compares games on the server with a simple model under random actions.
//!
//! The model shares only the rules of the board with the code under test. The server's clock is
//! stopped and advanced by the test, so clocks are compared to the millisecond.

use std::time::Duration;

use khet::{AnyPosition, Color, GamePosition, Move, Termination, TimeControl, tower};
use khet_protocol::{Action, ErrorCode, GameState};
use khet_server::Time;

use crate::test_game::{Client, TestServer, start_game_from};

/// Number of games; more with the variable `KHET_MODEL_GAMES`.
const GAMES: u64 = 12;
/// Number of steps per game.
const STEPS: usize = 80;

const FIRST_MOVE_MS: u64 = 60_000;
const GRACE_MS: u64 = 60_000;
const LONG_GRACE_MS: u64 = 600_000;

/// A simple model of a game with two clocks.
struct Model {
    control: TimeControl,
    positions: Vec<AnyPosition>,
    moves: Vec<Move<tower::Square>>,
    left: [u64; 2],
    /// The time since which the clock of the player to move runs.
    running: Option<u64>,
    moved_at: u64,
    draw: Option<Color>,
    draw_at: [Option<usize>; 2],
    back: Option<Color>,
    back_at: [Option<usize>; 2],
    end: Option<(Option<Color>, Termination)>,
    rematch: Option<Color>,
    rematch_by: [bool; 2],
    followed: bool,
    gone: [Option<u64>; 2],
    keys: Vec<u32>,
}

fn start_millis(control: TimeControl) -> u64 {
    control.start().unwrap_or_default().as_millis() as u64
}

impl Model {
    fn new(start: AnyPosition, control: TimeControl, now: u64) -> Model {
        let mut model = Model {
            control,
            positions: vec![start],
            moves: Vec::new(),
            left: [start_millis(control); 2],
            running: None,
            moved_at: now,
            draw: None,
            draw_at: [None; 2],
            back: None,
            back_at: [None; 2],
            end: None,
            rematch: None,
            rematch_by: [false; 2],
            followed: false,
            gone: [Some(now); 2],
            keys: Vec::new(),
        };
        model.run(now);
        model
    }

    fn to_move(&self) -> Color {
        self.positions[self.moves.len()].side_to_move()
    }

    fn run(&mut self, now: u64) {
        self.running = match self.control {
            TimeControl::Unlimited => None,
            TimeControl::RealTime { .. } => (self.moves.len() >= 2).then_some(now),
            TimeControl::Correspondence { .. } => {
                self.left[self.to_move() as usize] = start_millis(self.control);
                Some(now)
            }
        };
    }

    fn time_left(&self, color: Color, now: u64) -> u64 {
        let left = self.left[color as usize];
        match self.running {
            Some(since) if color == self.to_move() => left.saturating_sub(now - since),
            _ => left,
        }
    }

    /// Advances the model to a time.
    fn pass(&mut self, now: u64) {
        if self.end.is_some() || self.control == TimeControl::Unlimited {
            return;
        }
        match self.running {
            None if now >= self.moved_at + FIRST_MOVE_MS => {
                self.finish(None, Termination::Aborted, now)
            }
            Some(_) if self.time_left(self.to_move(), now) == 0 => {
                if self.moves.len() < 2 {
                    self.finish(None, Termination::Aborted, now);
                } else {
                    self.finish(Some(!self.to_move()), Termination::Time, now);
                }
            }
            _ => {}
        }
    }

    fn stop_clock(&mut self, now: u64) {
        let to_move = self.to_move();
        self.left[to_move as usize] = self.time_left(to_move, now);
        self.running = None;
    }

    fn finish(&mut self, winner: Option<Color>, termination: Termination, now: u64) {
        self.stop_clock(now);
        self.end = Some((winner, termination));
        self.draw = None;
        self.back = None;
    }

    fn act(&mut self, by: Color, key: u32, act: &Action, now: u64) -> Result<(), ErrorCode> {
        if let Action::Move { ply, mv } = *act {
            return self.mv(by, key, ply, mv, now);
        }
        if let Action::WithdrawRematch = act {
            return self
                .rematch
                .take_if(|by_whom| *by_whom == by)
                .map(drop)
                .ok_or(ErrorCode::NotNow);
        }
        if let Action::Rematch | Action::DeclineRematch = act {
            return self.answer_rematch(by, matches!(act, Action::Rematch));
        }
        if self.end.is_some() {
            return Err(ErrorCode::Over);
        }
        let moves = self.moves.len();
        let require = |held: bool| if held { Ok(()) } else { Err(ErrorCode::NotNow) };
        match act {
            Action::Draw if self.draw == Some(!by) => {
                self.finish(None, Termination::Agreement, now)
            }
            Action::Draw => {
                require(
                    self.draw.is_none() && moves >= 2 && self.draw_at[by as usize] != Some(moves),
                )?;
                self.draw = Some(by);
                self.draw_at[by as usize] = Some(moves);
            }
            Action::DeclineDraw => {
                require(self.draw == Some(!by))?;
                self.draw = None;
            }
            Action::WithdrawDraw => {
                require(self.draw == Some(by))?;
                self.draw = None;
            }
            Action::Takeback if self.back == Some(!by) => {
                let count = if self.to_move() == !by { 2 } else { 1 };
                require(count <= moves)?;
                self.stop_clock(now);
                self.moves.truncate(moves - count);
                self.positions.truncate(moves - count + 1);
                self.draw = None;
                self.back = None;
                for at in self.draw_at.iter_mut().chain(&mut self.back_at) {
                    *at = at.filter(|&at| at <= moves - count);
                }
                self.moved_at = now;
                self.run(now);
            }
            Action::Takeback => {
                let count = if self.to_move() == by { 2 } else { 1 };
                let fresh = self.back_at[by as usize] != Some(moves);
                require(self.back.is_none() && count <= moves && fresh)?;
                self.back = Some(by);
                self.back_at[by as usize] = Some(moves);
            }
            Action::DeclineTakeback => {
                require(self.back == Some(!by))?;
                self.back = None;
            }
            Action::WithdrawTakeback => {
                require(self.back == Some(by))?;
                self.back = None;
            }
            Action::ClaimRepetition => {
                if self.to_move() != by {
                    return Err(ErrorCode::NotYourTurn);
                }
                let board = self.positions[moves].placement().to_string();
                let pieces = |text: &str| text.split(' ').next().map(str::to_owned);
                let stood = self
                    .positions
                    .iter()
                    .filter(|position| pieces(&position.placement().to_string()) == pieces(&board));
                require(stood.count() >= 3)?;
                self.finish(None, Termination::Repetition, now);
            }
            Action::Resign if moves < 2 => self.finish(None, Termination::Aborted, now),
            Action::Resign => self.finish(Some(!by), Termination::Resignation, now),
            Action::Abort => {
                require(moves < 2)?;
                self.finish(None, Termination::Aborted, now);
            }
            Action::AddTime => {
                require(matches!(self.control, TimeControl::RealTime { .. }))?;
                self.left[!by as usize] += 15_000;
            }
            Action::ClaimWin | Action::ClaimDraw => {
                let grace = match self.control {
                    TimeControl::Unlimited => LONG_GRACE_MS,
                    TimeControl::RealTime { .. } => GRACE_MS,
                    TimeControl::Correspondence { .. } => return Err(ErrorCode::NotNow),
                };
                let gone = self.gone[!by as usize].is_some_and(|since| now >= since + grace);
                require(gone && moves >= 2)?;
                let winner = matches!(act, Action::ClaimWin).then_some(by);
                self.finish(winner, Termination::Abandonment, now);
            }
            _ => unreachable!("not generated"),
        }
        Ok(())
    }

    fn mv(
        &mut self,
        by: Color,
        key: u32,
        ply: u32,
        mv: Move<tower::Square>,
        now: u64,
    ) -> Result<(), ErrorCode> {
        if self.keys.contains(&key) {
            return Ok(());
        }
        if self.end.is_some() {
            return Err(ErrorCode::Over);
        }
        if ply as usize != self.moves.len() {
            return Err(ErrorCode::Stale);
        }
        if by != self.to_move() {
            return Err(ErrorCode::NotYourTurn);
        }
        let mut next = self.positions[self.moves.len()];
        let shot = next.play(mv).map_err(|_| ErrorCode::IllegalMove)?;
        self.stop_clock_of_move(by, now);
        self.moves.push(mv);
        self.positions.push(next);
        self.keys.push(key);
        self.moved_at = now;
        if self.draw == Some(!by) {
            self.draw = None;
        }
        self.back = None;
        self.run(now);
        if let Some(outcome) = shot.outcome {
            self.finish(outcome.winner, outcome.termination, now);
        }
        Ok(())
    }

    /// Stops the clock of a player who has moved, and adds the increment.
    fn stop_clock_of_move(&mut self, by: Color, now: u64) {
        let ran = self.running.is_some();
        self.stop_clock(now);
        match self.control {
            TimeControl::RealTime { increment, .. } if ran => {
                self.left[by as usize] += increment.as_millis() as u64;
            }
            TimeControl::Correspondence { .. } => {
                self.left[by as usize] = start_millis(self.control);
            }
            _ => {}
        }
    }

    fn answer_rematch(&mut self, by: Color, yes: bool) -> Result<(), ErrorCode> {
        if self.end.is_none() || self.followed {
            return Err(ErrorCode::NotNow);
        }
        match (self.rematch == Some(!by), yes) {
            (true, true) => {
                self.followed = true;
                self.rematch = None;
            }
            (true, false) => self.rematch = None,
            (false, true) if !self.rematch_by[by as usize] => {
                self.rematch = Some(by);
                self.rematch_by[by as usize] = true;
            }
            _ => return Err(ErrorCode::NotNow),
        }
        Ok(())
    }

    /// The server was down: both players are gone, and no time has passed.
    fn restart(&mut self, away: u64, now: u64) {
        self.gone = [Some(now); 2];
        self.running = self.running.map(|since| since + away);
        self.moved_at += away;
    }

    fn assert_is(&self, state: &GameState, now: u64, story: &[String]) {
        let story = || story.join("\n");
        let moves: Vec<_> = state.game().moves().collect();
        assert_eq!(moves, self.moves, "moves\n{}", story());
        let end = state.outcome().map(|end| (end.winner, end.termination));
        assert_eq!(end, self.end, "end\n{}", story());
        assert_eq!(state.draw_offer(), self.draw, "draw\n{}", story());
        assert_eq!(state.takeback_request(), self.back, "takeback\n{}", story());
        assert_eq!(state.rematch_offer(), self.rematch, "rematch\n{}", story());
        assert_eq!(state.rematch_game().is_some(), self.followed, "next\n{}", story());
        if let Some(clock) = state.clock() {
            for color in Color::ALL {
                let (server, model) =
                    (clock.left(color, Duration::from_millis(now)), self.time_left(color, now));
                assert_eq!(server, Duration::from_millis(model), "{color}'s clock\n{}", story());
            }
        }
    }
}

/// Chooses a move: mostly legal, some that repeat positions, some illegal.
fn choose_move(model: &Model, rng: &mut fastrand::Rng) -> Move<tower::Square> {
    if rng.u8(..) < 20 {
        let wrong = ["h2h5", "a1b2", "e8+", "e1+", "d1^d2", "Ta1", "J8+", "e1E1"];
        return wrong[rng.usize(..wrong.len())].parse().expect("a move");
    }
    let position = &model.positions[model.moves.len()];
    let moves = position.legal_moves();
    let back = moves.iter().copied().find(|&mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        model.positions.iter().any(|before| before.repeats(&next))
    });
    match back {
        Some(mv) if rng.bool() => mv,
        _ if moves.is_empty() => "a1a2".parse().expect("a move"),
        _ => moves[rng.usize(..moves.len())],
    }
}

fn choose_act(model: &Model, rng: &mut fastrand::Rng) -> Action {
    match rng.u8(..100) {
        0..55 => {
            let ply = model.moves.len() as u32;
            let ply = if rng.u8(..) < 10 { rng.u32(..5) } else { ply };
            Action::Move { ply, mv: choose_move(model, rng) }
        }
        55..62 => Action::Draw,
        62..65 => Action::DeclineDraw,
        65..67 => Action::WithdrawDraw,
        67..74 => Action::Takeback,
        74..77 => Action::DeclineTakeback,
        77..79 => Action::WithdrawTakeback,
        79..83 => Action::ClaimRepetition,
        83..87 => Action::AddTime,
        87..90 => Action::ClaimWin,
        90..92 => Action::ClaimDraw,
        92..94 => Action::Abort,
        94 => Action::Resign,
        95..97 => Action::Rematch,
        97 => Action::WithdrawRematch,
        _ => Action::DeclineRematch,
    }
}

/// A game on the server, its connections and its model.
struct Play {
    server: TestServer,
    test_game: crate::test_game::TestGame,
    tabs: [Vec<Client>; 2],
    observer: Client,
    model: Model,
    /// The player, the key and the action of the last move.
    last_move: Option<(Color, u32, Action)>,
    story: Vec<String>,
}

impl Play {
    fn now(&self) -> u64 {
        self.server.config.time.now()
    }

    async fn step(&mut self, rng: &mut fastrand::Rng) {
        let color = if rng.bool() { Color::Silver } else { Color::Red };
        let here = !self.tabs[color as usize].is_empty();
        match rng.u8(..100) {
            0..8 => self.connect(color).await,
            8..14 if here => self.disconnect(color, rng).await,
            14..30 => {
                let spans = [1, 40, 900, 5000, 20_000, 61_000, 700_000];
                let most = if rng.u8(..) < 30 { spans.len() } else { 4 };
                let span = spans[rng.usize(..most)];
                self.story.push(format!("{span} ms pass"));
                self.server.skip(Duration::from_millis(span));
            }
            30..32 => self.restart(rng).await,
            _ => {
                // Mostly the player to move acts.
                let color = if rng.u8(..) < 180 { self.model.to_move() } else { color };
                self.act(color, rng).await;
            }
        }
    }

    async fn connect(&mut self, color: Color) {
        self.story.push(format!("{color} connects"));
        let mut client =
            Client::open(&self.test_game.people[color as usize], self.test_game.game).await;
        client.settle().await;
        self.tabs[color as usize].push(client);
        self.model.gone[color as usize] = None;
    }

    async fn disconnect(&mut self, color: Color, rng: &mut fastrand::Rng) {
        self.story.push(format!("{color} closes a tab"));
        let tabs = &mut self.tabs[color as usize];
        let tab = rng.usize(..tabs.len());
        drop(tabs.remove(tab));
        if tabs.is_empty() {
            self.model.gone[color as usize] = Some(self.now());
        }
    }

    async fn restart(&mut self, rng: &mut fastrand::Rng) {
        let away = rng.u64(1..10_000_000);
        self.story.push(format!("the server is away for {away} ms"));
        self.server.stop().await;
        self.server.skip(Duration::from_millis(away));
        self.server.start().await;
        for guest in &mut self.test_game.people {
            guest.server = self.server.address();
        }
        self.tabs = [Vec::new(), Vec::new()];
        let stranger = khet_load::Guest::without_session(self.server.address());
        let known = std::mem::take(&mut self.observer.events);
        self.observer = Client::reconnect(&stranger, self.test_game.game, known).await;
        let now = self.now();
        self.model.restart(away, now);
    }

    async fn act(&mut self, color: Color, rng: &mut fastrand::Rng) {
        if self.tabs[color as usize].is_empty() {
            self.connect(color).await;
        }
        let (by, key, act) = match &self.last_move {
            // Sends the last move again with the same key, perhaps over another connection.
            Some(last) if rng.u8(..) < 15 && !self.tabs[last.0 as usize].is_empty() => last.clone(),
            _ => (color, rng.u32(..), choose_act(&self.model, rng)),
        };
        let now = self.now();
        self.model.pass(now);
        let expected = self.model.act(by, key, &act, now);
        self.story.push(format!("{by}: {act:?} ({key}) → {expected:?}"));
        let tabs = &mut self.tabs[by as usize];
        let tab = rng.usize(..tabs.len());
        let answer = tabs[tab].act_as(key, act.clone()).await;
        let answered = answer.as_ref().map(drop).map_err(|error| error.code);
        assert_eq!(answered, expected, "{answer:?}\n{}", self.story.join("\n"));
        if matches!(act, Action::Move { .. }) {
            self.last_move = Some((by, key, act));
        }
    }

    /// Checks that model and server agree.
    async fn compare(mut self) -> Play {
        let now = self.now();
        self.model.pass(now);
        let here = self.model.gone.map(|gone| gone.is_none());
        for _ in 0..500 {
            self.observer = self.observer.refresh().await;
            let presence = self.observer.joined.presence.connected;
            if [presence.silver, presence.red] == here {
                self.model.assert_is(&self.observer.state(), now, &self.story);
                return self;
            }
            // The server takes a moment to notice a closed connection.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("who is there?\n{}", self.story.join("\n"));
    }
}

async fn agree(seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let controls = ["60+0", "120+5", "1d", "none"];
    let control = controls[rng.usize(..controls.len())];
    let server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let starts = ["classic", tower::Setup::ALL[seed as usize % tower::Setup::ALL.len()].name()];
    let start = starts[seed as usize % starts.len()];
    let test_game = start_game_from(&server, start, control).await;
    let observer =
        Client::open(&khet_load::Guest::without_session(server.address()), test_game.game).await;
    let position = start.parse().expect("a setup");
    let now = server.config.time.now();
    let model = Model::new(position, control.parse().expect("a control"), now);
    let story = vec![format!("seed {seed}, {start}, {control}")];
    let tabs = [Vec::new(), Vec::new()];
    let mut play = Play { server, test_game, tabs, observer, model, last_move: None, story };
    for _ in 0..STEPS {
        play.step(&mut rng).await;
        play = play.compare().await;
    }
    play.server.stop().await;
}

#[tokio::test]
async fn model_and_server_agree() {
    let games = std::env::var("KHET_MODEL_GAMES").ok().and_then(|games| games.parse().ok());
    for seed in 0..games.unwrap_or(GAMES) {
        agree(seed).await;
    }
}
