//! Fuzz target: any text, read as the review of a game. Browsers keep reviews and read them again.

use khet::{AnyPosition, Game, Record};
use khet_protocol::{GameReview, ReviewProgress};

use super::json;

/// The starts and moves of the games that the seeds review.
const GAMES: [(&str, [&str; 4]); 2] = [
    ("classic", ["h2+", "c7c6", "h2-", "c6c7"]),
    ("4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s", ["Te5", "T+", "D4d4", "e8d8"]),
];

/// Reads a review, which the server stores and sends, and writes it into a record.
pub fn read_review(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    json::read::<ReviewProgress>(text);
    if let Some(GameReview { review, .. }) = json::read(text) {
        for (start, moves) in GAMES {
            let start: AnyPosition = start.parse().expect("a start");
            let mut game = Game::new(start);
            for mv in moves {
                game.play(mv.parse().expect("a move")).expect("a legal move");
            }
            let mut record = Record::from_game(&game);
            khet_review::annotate(&mut record, &review);
            assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
            assert_eq!(record.game(), game);
        }
    }
}
