//! Any text as a position.

use khet::{Placement, Position, Rules, Setup};

use super::inspect::inspect;

/// Reads a position. One that is read writes the same text again, and answers every question.
pub fn read_position(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let placement: Placement = match text.parse() {
        Ok(placement) => placement,
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.character));
            assert!(!error.to_string().is_empty());
            let named = text.parse::<Setup>().map(Setup::position);
            assert_eq!(text.parse::<Position>().ok(), named.ok());
            return;
        }
    };
    assert_eq!(placement.to_string(), text);
    assert_eq!(placement.flipped().flipped(), placement);

    let faults = placement.faults();
    assert_eq!(placement.flipped().faults().len(), faults.len());
    for fault in &faults {
        assert!(!fault.to_string().is_empty());
        assert!(fault.squares().into_iter().all(|square| placement.get(square).is_some()));
    }
    for rules in Rules::ALL {
        match Position::new(&placement, rules) {
            Ok(position) => {
                assert!(faults.is_empty());
                assert_eq!(position.to_string(), text);
                inspect(&position);
            }
            Err(error) => {
                assert!(!faults.is_empty());
                assert_eq!(error.faults, faults);
            }
        }
    }
    assert_eq!(text.parse::<Position>().is_ok(), faults.is_empty());
}
