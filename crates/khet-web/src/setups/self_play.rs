//! What the engine thinks of a setup: a short search, and quick games that it plays against itself.

use crate::engine::told;
use khet::{Color, Game, Position, SilverEval};
use khet_protocol::Balance;

use crate::engine::Reply;

/// Positions that the search looks at. On every machine it comes to the same.
const SEARCH: u32 = 300_000;
/// The same for setups that are only tried.
const GLANCE: u32 = 60_000;
/// So many games are played.
pub const GAMES: u32 = 20;
/// Positions that are looked at for a move of a game.
const MOVE: u32 = 3_000;
/// Moves at the start of a game that a weaker player makes, who does not always see the same.
const OPENING: usize = 4;
/// Who is ahead by this, in hundredths of a pyramid, has won.
const DECIDED: i32 = 900;
/// A game that takes longer is a draw.
const LONGEST: usize = 140;
/// Below this, in hundredths of a pyramid, nobody is better off.
const EVEN: i32 = 50;
/// From here on one side is much better off.
const LOPSIDED: i32 = 200;
/// So far from one half a score may be, beside what chance alone does.
const LEEWAY: f64 = 0.1;

/// Who is better off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nobody to speak of.
    Even,
    /// That side, a little.
    Better(Color),
    /// That side, too much.
    Lopsided(Color),
}

fn ask(position: &Position, more: &[String], go: u32) -> Vec<String> {
    let mut lines = vec![format!("setoption name Rules value {}", position.rules())];
    lines.extend_from_slice(more);
    lines.push(format!("go nodes {go}"));
    lines
}

fn search(position: &Position, nodes: u32) -> Vec<String> {
    let set = ["setoption name Level value 10".to_owned(), format!("position fen {position}")];
    ask(position, &set, nodes)
}

/// The question what a setup is worth.
pub fn evaluate(position: &Position) -> Vec<String> {
    search(position, SEARCH)
}

/// The same, of a setup that may be thrown away.
pub fn glance(position: &Position) -> Vec<String> {
    search(position, GLANCE)
}

/// The answer as Silver sees it.
pub fn for_silver(position: &Position, reply: Reply) -> Option<SilverEval> {
    Some(reply.score?.for_silver(position.side_to_move()))
}

/// Who is better off, by an evaluation as Silver sees it.
pub fn verdict(evaluation: SilverEval) -> Verdict {
    let ahead = |number: i32| if number > 0 { Color::Silver } else { Color::Red };
    match evaluation {
        SilverEval::MateIn(moves) => Verdict::Lopsided(ahead(moves)),
        SilverEval::Cp(cents) if cents.abs() < EVEN => Verdict::Even,
        SilverEval::Cp(cents) if cents.abs() < LOPSIDED => Verdict::Better(ahead(cents)),
        SilverEval::Cp(cents) => Verdict::Lopsided(ahead(cents)),
    }
}

/// Quick games from one start, one after another.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    start: Position,
    game: Game,
    seed: u32,
    balance: Balance,
}

impl SelfPlay {
    /// Before the first game. The seed decides which games it will be.
    pub fn new(start: Position, seed: u32) -> SelfPlay {
        SelfPlay { start, game: Game::new(start), seed, balance: Balance::default() }
    }

    /// How the games so far ended.
    pub fn balance(&self) -> Balance {
        self.balance
    }

    /// Whether all have been played.
    pub fn is_over(&self) -> bool {
        self.balance.games() >= GAMES
    }

    /// What the engine is asked next.
    pub fn question(&self) -> Vec<String> {
        let moves = self.game.moves();
        let level = if moves.len() < OPENING { 4 } else { 7 };
        let seed = self.seed.wrapping_add(self.balance.games().wrapping_mul(7_919));
        let set = [
            format!("setoption name Level value {level}"),
            format!("setoption name Seed value {seed}"),
            told(&self.game),
        ];
        ask(&self.start, &set, MOVE)
    }

    /// Goes on with the answer.
    pub fn go_on(&mut self, reply: Reply) {
        let position = *self.game.position();
        let decided = for_silver(&position, reply).and_then(|evaluation| match evaluation {
            SilverEval::Cp(cents) if cents.abs() < DECIDED => None,
            SilverEval::Cp(number) | SilverEval::MateIn(number) => {
                Some(if number > 0 { Color::Silver } else { Color::Red })
            }
        });
        // A weak player's opinion decides nothing.
        let decided = decided.filter(|_| self.game.moves().len() >= OPENING);
        let played = reply.mv.is_some_and(|mv| self.game.play(mv).is_ok());
        let outcome = self.game.outcome();
        let winner = match (outcome, decided) {
            (Some(outcome), _) => outcome.winner,
            (None, Some(winner)) => Some(winner),
            (None, None) if !played => None,
            (None, None) if self.game.can_claim_draw() => None,
            (None, None) if self.game.moves().len() >= LONGEST => None,
            (None, None) => return,
        };
        match winner {
            Some(Color::Silver) => self.balance.silver += 1,
            Some(Color::Red) => self.balance.red += 1,
            None => self.balance.drawn += 1,
        }
        self.game = Game::new(self.start);
    }
}

/// Who is better off, by the results of games: only what chance does not explain counts.
pub fn verdict_of_games(balance: Balance) -> Verdict {
    let Some((score, error)) = balance.score() else { return Verdict::Even };
    let off = score - 0.5;
    let ahead = if off > 0.0 { Color::Silver } else { Color::Red };
    if off.abs() > error + LEEWAY {
        Verdict::Lopsided(ahead)
    } else if off.abs() > error {
        Verdict::Better(ahead)
    } else {
        Verdict::Even
    }
}

#[cfg(test)]
mod tests {
    use khet::{MoverEval, Setup};

    use super::*;

    #[test]
    fn games_are_played_to_their_end_and_counted() {
        let mut play = SelfPlay::new(Setup::Classic.position(), 1);
        let mut asked = 0;
        while !play.is_over() {
            asked += 1;
            assert!(asked <= GAMES as usize * LONGEST, "it does not end");
            let question = play.question();
            assert!(question.last().is_some_and(|go| go == "go nodes 3000"), "{question:?}");
            let mv = play.game.position().legal_moves().first().copied();
            play.go_on(Reply { mv, score: Some(MoverEval::Cp(0)) });
        }
        assert_eq!(play.balance().games(), GAMES);
    }

    #[test]
    fn a_decided_game_ends_and_the_side_to_move_is_minded() {
        let mut play = SelfPlay::new(Setup::Classic.position(), 1);
        for ply in 0..=OPENING {
            assert_eq!(play.balance().games(), 0, "{ply}");
            let mv = play.game.position().legal_moves().first().copied();
            let winning = play.game.position().side_to_move() == Color::Red;
            let score = if winning { DECIDED } else { -DECIDED };
            play.go_on(Reply { mv, score: Some(MoverEval::Cp(score)) });
        }
        assert_eq!(play.balance(), Balance { red: 1, ..Balance::default() });
        assert!(play.game.moves().is_empty(), "the next one begins");
    }

    #[test]
    fn an_engine_without_an_answer_ends_the_game() {
        let mut play = SelfPlay::new(Setup::Classic.position(), 1);
        play.go_on(Reply { mv: None, score: None });
        assert_eq!(play.balance().drawn, 1);
    }

    #[test]
    fn what_is_lopsided_is_said_so() {
        assert_eq!(verdict(SilverEval::Cp(-20)), Verdict::Even);
        assert_eq!(verdict(SilverEval::Cp(-90)), Verdict::Better(Color::Red));
        assert_eq!(verdict(SilverEval::Cp(400)), Verdict::Lopsided(Color::Silver));
        assert_eq!(verdict(SilverEval::MateIn(-3)), Verdict::Lopsided(Color::Red));
        let games = |silver, drawn, red| verdict_of_games(Balance { silver, drawn, red });
        assert_eq!(games(0, 0, 0), Verdict::Even);
        assert_eq!(games(1, 0, 0), Verdict::Even, "one game says nothing");
        assert_eq!(games(10, 2, 8), Verdict::Even);
        assert_eq!(games(19, 1, 0), Verdict::Lopsided(Color::Silver));
    }
}
