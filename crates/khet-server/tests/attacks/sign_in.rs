//! Passwords of others, and sessions that end.

use khet_load::{ClientSocket, Guest};
use khet_protocol::{ClientMessage, ServerMessage, Subscription};
use khet_server::{DiskFault, Time};
use serde_json::json;

use crate::full_disk::readiness;
use crate::test_game;
use crate::test_server::{PASSWORD, TestServer};

/// Wrong passwords from one address locked a person out at all addresses.
#[test]
fn nobody_can_lock_another_person_out() {
    let server = TestServer::configured(|config| {
        config.behind_proxy = true;
        config.limits = TestServer::high_limits();
    });
    server.account("Anna");
    let agent = ureq::Agent::new_with_config(
        ureq::Agent::config_builder().http_status_as_error(false).build(),
    );
    let origin = server.stranger().server;
    let sign_in = |address: &str, password: &str| {
        agent
            .post(format!("{origin}/api/sign-in"))
            .header("x-forwarded-for", address)
            .header("origin", &origin)
            .send_json(json!({"name": "Anna", "password": password}))
            .expect("an answer")
            .status()
            .as_u16()
    };
    // Attempts from several addresses, until each is refused.
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] {
        assert!((0..25).any(|_| sign_in(address, "wrong password") == 429));
    }
    assert_eq!(sign_in("192.0.2.6", PASSWORD), 200);
}

/// When many people signed out at once, the connections of all others were closed.
#[tokio::test]
async fn people_who_sign_out_do_not_disconnect_others() {
    let mut server = test_game::TestServer::unlimited(Time::default()).await;
    let address = server.address();
    let mut bystanders = Vec::new();
    for _ in 0..5 {
        let (guest, _) = Guest::enter(address).await.expect("a guest");
        let mut socket =
            ClientSocket::open(address, guest.cookie.as_deref()).await.expect("a connection");
        let lobby = ClientMessage::Subscribe(Subscription::Lobby);
        socket.send_message(&lobby).await.expect("sent");
        assert!(matches!(socket.receive().await, Ok(Some(ServerMessage::Lobby(_)))));
        bystanders.push(socket);
    }
    let mut people = Vec::new();
    for _ in 0..90 {
        people.push(Guest::enter(address).await.expect("a guest").0);
    }
    // All of them wait for the disk, so that they are signed out in the same moment.
    server.config.faults.set(DiskFault::Stalled);
    let signing_out = people.iter_mut().map(|guest| guest.post("/api/sign-out", ""));
    let signing_out = futures_util::future::join_all(signing_out);
    let release = async {
        while !server.config.faults.has_waiting_write() {
            tokio::task::yield_now().await;
        }
        // The requests that were sent before these ones are read before them.
        for _ in 0..100 {
            assert_eq!(readiness(&server).await, 200);
        }
        server.config.faults.set(DiskFault::None);
    };
    let (answers, ()) = tokio::join!(signing_out, release);
    for answer in answers {
        assert_eq!(answer.expect("an answer").status, 204);
    }
    for socket in &mut bystanders {
        // Still open: a new subscription is answered.
        let lobby = ClientMessage::Subscribe(Subscription::Lobby);
        socket.send_message(&lobby).await.expect("sent");
        loop {
            match socket.receive().await {
                Ok(Some(ServerMessage::Lobby(_))) => break,
                Ok(Some(ServerMessage::LobbyCounts(_))) => {}
                other => panic!("disconnected: {other:?}"),
            }
        }
    }
    server.stop().await;
}
