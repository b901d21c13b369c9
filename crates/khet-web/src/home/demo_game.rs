//! A short game that plays itself, turn by move, again and again.

use khet::{Game, Move, Position, Record};

use crate::board::{LONGEST_SHOT, Scene, SceneShot};

/// Two levels of the computer, Silver the better one.
const SHORT_GAME: &str = include_str!("short-game.kgn");

/// How often the page looks whether it is time for the next move.
pub const TICK_MS: u64 = 200;
/// Ticks from the end of a shot to the next move.
const BETWEEN_MOVES: u32 = 6;
/// Ticks for which the end, and the beginning, are left standing.
const AT_THE_ENDS: u32 = 20;
/// Ticks after which the next move comes even if the board has not reported the end of the shot.
const SHOT_TICKS: u32 = (LONGEST_SHOT.as_millis() as u64).div_ceil(TICK_MS) as u32;

/// The game, and the place in it.
#[derive(Clone, Debug)]
pub struct DemoGame {
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// How many moves have been made.
    place: usize,
    /// Shots of all rounds, so that the board shows each anew.
    number: u32,
    /// Ticks until the next move.
    wait: u32,
}

impl DemoGame {
    /// The game at its beginning.
    pub fn new() -> DemoGame {
        // A test reads it. Without it, the board would stay at the start.
        let game = match SHORT_GAME.parse::<Record>() {
            Ok(record) => record.game(),
            Err(_) => Game::new(khet::Setup::Classic.position()),
        };
        DemoGame {
            positions: game.positions().to_vec(),
            moves: game.moves().to_vec(),
            place: 0,
            number: 0,
            wait: BETWEEN_MOVES,
        }
    }

    /// The game in the middle, with a shot to look at: the picture for those who want no motion.
    pub fn still() -> DemoGame {
        let mut demo = DemoGame::new();
        demo.place = demo.moves.len().min(7);
        demo
    }

    /// A moment has passed. Whether there is something new to show.
    pub fn tick(&mut self) -> bool {
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 {
            return false;
        }
        if self.place == self.moves.len() {
            self.place = 0;
            self.wait = AT_THE_ENDS;
        } else {
            self.place += 1;
            self.number += 1;
            self.wait = SHOT_TICKS + BETWEEN_MOVES;
        }
        true
    }

    /// The shot has been shown.
    pub fn shot_ended(&mut self) {
        self.wait = if self.place == self.moves.len() { AT_THE_ENDS } else { BETWEEN_MOVES };
    }

    /// What the board shows.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::of(self.positions[self.place]);
        if let Some(made) = self.place.checked_sub(1) {
            let (before, mv) = (self.positions[made], self.moves[made]);
            let mut after = before;
            if let Ok(shot) = after.play(mv) {
                scene.last = Some(mv);
                let before_shot = before.before_shot(mv);
                scene.shot = Some(SceneShot { number: self.number, before_shot, shot });
            }
        }
        // Whoever wants no motion gets a picture.
        scene.still = self.number == 0;
        scene
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Outcome, Termination};

    use super::*;

    #[test]
    fn the_short_game_is_legal_short_and_ends_with_a_lit_pharaoh() {
        let record: Record = SHORT_GAME.parse().expect("a record");
        let game = record.game();
        let silver_wins =
            Outcome { winner: Some(Color::Silver), termination: Termination::PharaohHit };
        assert_eq!(game.outcome(), Some(silver_wins));
        assert!(game.moves().len() <= 20);
    }

    #[test]
    fn it_plays_to_the_end_and_begins_again() {
        let mut demo = DemoGame::new();
        let moves = demo.moves.len();
        let mut seen = Vec::new();
        let mut ticks = 0;
        while seen.len() < moves + 2 {
            ticks += 1;
            assert!(ticks < 2000);
            if demo.tick() {
                seen.push((demo.place, demo.scene().shot.map(|shot| shot.number)));
                demo.shot_ended();
            }
        }
        assert_eq!(seen[0], (1, Some(1)));
        assert_eq!(seen[moves - 1], (moves, Some(moves as u32)));
        assert_eq!(seen[moves], (0, None));
        assert_eq!(seen[moves + 1], (1, Some(moves as u32 + 1)));
    }

    #[test]
    fn it_goes_on_even_if_no_end_of_a_shot_is_heard_of() {
        let mut demo = DemoGame::new();
        let shown = (0..200).filter(|_| demo.tick()).count();
        assert!(shown >= 6);
    }

    #[test]
    fn the_picture_has_a_shot_and_no_motion() {
        let scene = DemoGame::still().scene();
        assert!(scene.still && scene.shot.is_some_and(|fired| !fired.shot.hits.is_empty()));
    }
}
