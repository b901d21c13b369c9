//! Games with the Tower of Kadesh, over WebSockets.

use khet::{Color, Game, Record, Termination, tower};
use khet_load::{ClientSocket, Guest, request};
use khet_protocol::{Action, ClientMessage, ErrorCode, EventKind, ServerMessage, Subscription};
use khet_server::Time;
use tokio_tungstenite::tungstenite::Message;

use crate::test_game::{Client, TestServer, options, start_game_from};

/// The beams touch nothing, and each side has a pyramid on the upper level.
const POSITION: &str = "4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s";

fn now() -> Time {
    Time::standing(1_800_000_000_000)
}

/// A random game that ends with a hit on a pharaoh, and in which the tower moved and a piece
/// changed levels.
fn short_game(setup: tower::Setup) -> Game<tower::Position> {
    let play = |seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut game = Game::new(setup.position());
        while game.outcome().is_none() && game.moves().len() < 80 {
            let moves = game.position().legal_moves();
            game.play(moves[rng.usize(..moves.len())]).expect("legal");
        }
        game
    };
    let changes_levels = |game: &Game<tower::Position>| {
        let squares = game.moves().iter().filter_map(|mv| mv.squares());
        squares.into_iter().any(|[from, to]| from.level() != to.level())
    };
    let shows_all = |game: &Game<tower::Position>| {
        game.outcome().is_some_and(|end| end.termination == Termination::PharaohHit)
            && game.moves().iter().any(|mv| mv.squares().is_none())
            && changes_levels(game)
    };
    (0..).map(play).find(shows_all).expect("some game is short")
}

#[tokio::test]
async fn a_tower_game_is_played_to_its_end_and_replayed_from_its_record() {
    let server = TestServer::unlimited(now()).await;
    for setup in tower::Setup::ALL {
        let played = short_game(setup);
        let test_game = start_game_from(&server, setup.name(), "300+3").await;
        let mut silver = Client::open(&test_game.people[0], test_game.game).await;
        let mut red = Client::open(&test_game.people[1], test_game.game).await;
        for (&mv, ply) in played.moves().iter().zip(0..) {
            let (mover, other) =
                if ply % 2 == 0 { (&mut silver, &mut red) } else { (&mut red, &mut silver) };
            mover.act(Action::Move { ply, mv }).await.expect("accepted");
            other.event().await;
        }
        silver = silver.refresh().await;
        red = red.refresh().await;
        assert_eq!(silver.events, red.events);
        let state = silver.state();
        assert_eq!(state.outcome(), played.outcome());
        assert_eq!(state.game(), &played.clone().into());

        let path = format!("/api/games/{}/kgn", test_game.game);
        let exported = request(server.address(), "GET", &path, "", "").await.expect("an answer");
        assert_eq!(exported.status, 200, "{}", exported.body);
        let record: Record<tower::Position> = exported.body.parse().expect("a record");
        assert_eq!(record.game(), played);
        assert_eq!(record.outcome(), played.outcome());
    }
}

#[tokio::test]
async fn people_who_seek_the_same_tower_game_are_paired() {
    let server = TestServer::unlimited(now()).await;
    let seek = format!(r#"{{"start": "{}", "time": "300+3"}}"#, tower::Setup::ALL[0]);
    let mut sockets = Vec::new();
    for _ in 0..2 {
        let (guest, _) = Guest::enter(server.address()).await.expect("a guest");
        let opened = ClientSocket::open(guest.server, guest.cookie.as_deref()).await;
        let mut socket = opened.expect("a connection");
        socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
        let message = ClientMessage::Seek { key: 1, challenge: Box::new(options(&seek)) };
        socket.send_message(&message).await.expect("sent");
        sockets.push((guest, socket));
    }
    let mut games = Vec::new();
    for (_, socket) in &mut sockets {
        games.push(loop {
            match socket.receive().await.expect("received").expect("open") {
                ServerMessage::Paired { game } => break game,
                ServerMessage::Refused { error, .. } => panic!("{error}"),
                _ => {}
            }
        });
    }
    assert_eq!(games[0], games[1]);
    let state = Client::open(&sockets[0].0, games[0]).await.state();
    assert_eq!(state.game().position(), tower::Setup::ALL[0].position().into());
}

#[tokio::test]
async fn takebacks_restore_the_tower_and_repetition_is_a_draw() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game_from(&server, POSITION, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    let start = silver.state().game().position();
    silver.mv(0, "Tf5").await.expect("accepted");
    red.event().await;
    silver.act(Action::Takeback).await.expect("asked");
    assert_eq!(red.event().await, EventKind::TakebackAsked { by: Color::Silver });
    red.act(Action::Takeback).await.expect("granted");
    assert_eq!(silver.event().await, EventKind::TakenBack { moves: 1 });
    assert_eq!(silver.state().game().position(), start);
    for (mv, ply) in ["T+", "T-", "Te5", "Te4"].into_iter().zip(0..) {
        let (mover, other) =
            if ply % 2 == 0 { (&mut silver, &mut red) } else { (&mut red, &mut silver) };
        if ply == 2 {
            assert_eq!(mover.expect_refusal(Action::ClaimRepetition).await, ErrorCode::NotNow);
        }
        mover.mv(ply, mv).await.expect("accepted");
        other.event().await;
    }
    silver.act(Action::ClaimRepetition).await.expect("the third time");
    let EventKind::Ended(end) = red.event().await else { panic!("the end") };
    assert_eq!((end.winner, end.termination), (None, Termination::Repetition));
}

#[tokio::test]
async fn wrong_moves_are_refused_with_the_rule_they_break() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game_from(&server, POSITION, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    for (mv, rule) in [
        ("Tg4", "the tower shifts by one square"),
        ("Te6", "the upper level of the tower would reach over the edge of the board"),
        ("D6+", "the piece on D6 belongs to the other player"),
        ("G3C2", "C2 is not next to G3"),
        ("G3^g3", "there is no stack on G3"),
    ] {
        let refused = silver.mv(0, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::IllegalMove, "{mv}");
        assert_eq!(refused.message, format!("{mv}: {rule}"));
    }
    // A text that is no move of either game.
    let message = r#"{"action":{"key":5,"action":{"move":{"ply":0,"move":"Tx9"}}}}"#;
    silver.socket.send(Message::text(message)).await.expect("sent");
    let ServerMessage::Refused { error, .. } = silver.receive().await else { panic!("refused") };
    assert_eq!(error.code, ErrorCode::Malformed);
    silver.mv(0, "G3g3").await.expect("accepted");
}
