//! Fuzz target: any text, read as the body of every request.

use khet::{AnyPosition, GamePosition, Rules};
use khet_protocol::{
    ActionRequest, Credentials, NewChallenge, NewReport, NewSetup, PasswordChange,
    PasswordConfirmation, Start, TokenRequest, is_invisible,
};

use super::json;

/// Reads the body of every request.
pub fn read_body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    json::read::<ActionRequest>(text);
    json::read::<PasswordChange>(text);
    json::read::<PasswordConfirmation>(text);
    json::read::<TokenRequest>(text);
    if let Some(Credentials { name, .. }) = json::read(text) {
        assert_eq!(name.as_str().parse(), Ok(name.clone()));
        assert!(!name.as_str().contains(is_invisible));
    }
    if let Some(NewReport { reason }) = json::read(text) {
        assert!(!reason.as_str().contains(|letter| letter != '\n' && is_invisible(letter)));
    }
    if let Some(challenge) = json::read::<NewChallenge>(text)
        && let Ok(position) = challenge.options.position()
    {
        check_start(&position);
    }
    if let Some(setup) = json::read::<NewSetup>(text)
        && let Ok(position) = setup.position()
    {
        check_start(&position);
        assert!(!setup.name.as_str().contains(is_invisible));
    }
}

/// Checks that a position that can be played is stored and sent as it is.
fn check_start(position: &AnyPosition) {
    let start: Start = Start::from(position.placement()).to_string().parse().expect("a start");
    assert_eq!(AnyPosition::new(&start.placement(), position.rules()).as_ref(), Ok(position));
    assert!(Rules::ALL.contains(&position.rules()));
}
