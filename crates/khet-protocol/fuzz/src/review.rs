//! Fuzz target: any text, read as the review of a game. Browsers keep reviews and read them again.

use khet::{Game, Record, Setup};
use khet_protocol::{GameReview, ReviewProgress};

use super::json;

/// The moves of the game that the seeds review.
const MOVES: [&str; 4] = ["h2+", "c7c6", "h2-", "c6c7"];

/// Reads a review, which the server stores and sends, and writes it into a record.
pub fn read_review(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    json::read::<ReviewProgress>(text);
    if let Some(GameReview { review, .. }) = json::read(text) {
        let mut game = Game::new(Setup::Classic.position());
        for mv in MOVES {
            game.play(mv.parse().expect("a move")).expect("a legal move");
        }
        let mut record = Record::from_game(&game);
        khet_review::annotate(&mut record, &review);
        assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
        assert_eq!(record.game(), game);
    }
}
