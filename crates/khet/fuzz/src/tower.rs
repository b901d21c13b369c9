//! Any text as a position, a move or a file of games with a tower.

use khet::tower::{Placement, Position, Square};
use khet::{Move, Records, Rules};

/// Reads a position with a tower and plays its moves, reads a move, and reads a file of games. What
/// is read writes the same text again.
pub fn read_tower(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(mv) = text.parse::<Move<Square>>() {
        assert_eq!(mv.to_string(), text);
    }
    read_games(text);
    let placement: Placement = match text.parse() {
        Ok(placement) => placement,
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.character));
            assert!(!error.to_string().is_empty());
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
                play_all_moves(&position);
            }
            Err(error) => assert_eq!(error.faults, faults),
        }
    }
}

/// Plays each legal move. The pieces that it removes are those that its shot hits.
fn play_all_moves(position: &Position) {
    for warning in position.warnings() {
        assert!(!warning.to_string().is_empty());
    }
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u32, position.count_legal_moves());
    for &mv in &moves {
        assert_eq!(position.check(mv), Ok(mv));
        let (mut next, mut same) = (*position, *position);
        let shot = next.play(mv).expect("it is listed");
        let removed = same.play_unchecked(mv);
        assert_eq!(same, next);
        assert!(shot.hits.iter().map(|hit| hit.square).eq(removed));
        assert_eq!(next.flipped().flipped(), next);
    }
}

/// Reads all games of a text, writes them, and reads them again.
fn read_games(text: &str) {
    for record in Records::any(text).flatten() {
        let written = record.to_string();
        assert_eq!(written.parse().as_ref(), Ok(&record));
    }
}
