//! A database file that is moved, has several names, or has unreadable rows.

use std::time::Duration;

use khet_protocol::{ErrorCode, EventKind};
use khet_server::{Assets, Config, Server, StartError, StorageError, Time, testing};

use crate::full_disk::{started, until_readiness};
use crate::test_game::{Client, TestServer, start_game};

const NOW: u64 = 1_800_000_000_000;

/// Moves went into a deleted file and were lost with it.
#[cfg(unix)]
#[tokio::test]
async fn moves_are_refused_while_the_file_is_gone() {
    if testing::skip_on_postgres("there is no file") {
        return;
    }
    let mut server = TestServer::unlimited(Time::standing(NOW)).await;
    let (_game, mut silver, mut red) = started(&server).await;
    let database = server.config.database.file().expect("a file").to_owned();
    let away = database.with_extension("away");
    let moves = ["h2-", "c7-", "h2+"];
    // Another file in its place is no better than none.
    for (ply, has_copy) in [(2, false), (4, true)] {
        std::fs::rename(&database, &away).expect("renamed");
        if has_copy {
            std::fs::copy(&away, &database).expect("copied");
        }
        let mv = moves[ply as usize - 2];
        let refused = silver.mv(ply, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::Unavailable);
        until_readiness(&server, 503).await;
        server.skip(Duration::from_secs(600));
        let refused = silver.mv(ply, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::Unavailable);
        std::fs::rename(&away, &database).expect("renamed");
        until_readiness(&server, 200).await;
        assert!(matches!(silver.event().await, EventKind::Credited { .. }));
        assert!(matches!(red.event().await, EventKind::Credited { .. }));
        silver.mv(ply, mv).await.expect("accepted");
        red.event().await;
        if !has_copy {
            red.mv(ply + 1, moves[1]).await.expect("accepted");
            silver.event().await;
        }
    }
    server.stop().await;
}

/// A second server with another name of the database played the games of the first one.
#[cfg(unix)]
#[tokio::test]
async fn second_server_with_another_name_of_the_file_fails() {
    if testing::skip_on_postgres("there is no file") {
        return;
    }
    let mut server = TestServer::unlimited(Time::standing(NOW)).await;
    let database = server.config.database.file().expect("a file").to_owned();
    let link = database.with_extension("link");
    let config = Config { database: link.clone().into(), ..server.config.clone() };
    std::os::unix::fs::symlink("khet.sqlite", &link).expect("linked");
    let second = Server::start(config.clone(), Assets::new(&[])).await;
    assert!(matches!(second, Err(StartError::Storage(StorageError::InUse))), "{second:?}");
    std::fs::remove_file(&link).expect("removed");
    std::fs::hard_link(&database, &link).expect("linked");
    let second = Server::start(config.clone(), Assets::new(&[])).await;
    let error = second.expect_err("refused").to_string();
    assert!(error.contains("hard links"), "{error}");
    std::fs::remove_file(&link).expect("removed");
    server.stop().await;
}

/// One unreadable event kept the whole server from starting.
#[tokio::test]
async fn unreadable_game_does_not_stop_the_others() {
    let mut server = TestServer::unlimited(Time::standing(NOW)).await;
    let broken = start_game(&server, "120+0").await;
    let mut sound = start_game(&server, "120+0").await;
    let mut anna = khet_load::Guest::without_session(server.address());
    let open = r#"{"start": "classic", "time": "none", "open": true}"#;
    anna.challenge(&crate::test_game::options(open)).await.expect("accepted");
    server.stop().await;
    let game = broken.game;
    let sql = format!("UPDATE events SET body = '{{\"future\": 1}}' WHERE game = '{game}'");
    testing::execute(&server.config.database, &sql);
    let sql = "UPDATE challenges SET body = 'nonsense' WHERE game IS NULL";
    testing::execute(&server.config.database, sql);
    server.start().await;
    for guest in &mut sound.people {
        guest.server = server.address();
    }
    let mut silver = Client::open(&sound.people[0], sound.game).await;
    silver.mv(0, "h2+").await.expect("accepted");
    server.stop().await;
}
